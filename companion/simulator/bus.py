"""An I2C bus as software: wires with chips on them, and all that can go wrong with them.

`companion.simulator.i2c_dev` puts it where smbus2 looks for the kernel.

    bus = Bus({0x34: IS31FL3729()})
    bus.unplug(0x34); bus.plug(0x34)        # the chip starts over, as after a loss of power
    bus.stuck = True                        # something holds a line down
    bus.failing = 5                         # so many transfers fail from now on
    bus.nack_every, bus.nack_after = 7, 3   # every 7th breaks off after 3 bytes
"""

import errno
import os
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol


class Nack(Exception):
    """The chip does not acknowledge; `taken` bytes of the message arrived before."""


class BusDevice(Protocol):
    def write(self, data: bytes) -> None:
        """Take the bytes of one message; raise Nack to refuse."""

    def read(self, count: int) -> bytes:
        """Return the bytes that a master reads next."""

    def power_on(self) -> None:
        """Start over, as after a loss of power."""


@dataclass(frozen=True, slots=True)
class BusMessage:
    """One message of a transfer, as the wire saw it."""

    address: int
    data: bytes = b""  # written, or what was read
    wants: int | None = None  # how many bytes to read; None: this is a write


@dataclass(slots=True)
class Bus:
    """One bus with its chips, its faults and the time it has been busy."""

    chips: dict[int, BusDevice]
    hz: int = 400_000
    unplugged: set[int] = field(default_factory=set)
    claimed: set[int] = field(default_factory=set)  # addresses that a kernel driver holds
    stuck: bool = False  # something holds a line down
    failing: int = 0  # this many transfers fail from now on
    nack_every: int = 0  # every n-th transfer breaks off…
    nack_after: int = 1  # …after this many of its bytes
    timeout_us: int = 1_000_000  # how long the kernel waits on a stuck bus
    transfers: int = 0
    busy_us: float = 0.0
    log: deque[BusMessage] = field(default_factory=lambda: deque(maxlen=4096))

    def unplug(self, address: int) -> None:
        self.unplugged.add(address)

    def plug(self, address: int) -> None:
        """Put the chip back; it has lost its power in between."""
        self.unplugged.discard(address)
        self.chips[address].power_on()

    def transfer(self, messages: list[BusMessage]) -> list[BusMessage]:
        """Carry out messages between one start and one stop; raise OSError as the kernel does."""
        self.transfers += 1
        if self.stuck:
            self.busy_us += self.timeout_us
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        if self.failing:
            self.failing -= 1
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        broken = bool(self.nack_every) and self.transfers % self.nack_every == 0
        return [self._message(message, broken) for message in messages]

    def _message(self, message: BusMessage, broken: bool) -> BusMessage:
        absent = message.address in self.unplugged or message.address not in self.chips
        if absent:
            self._busy(0)
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        try:
            done = self._exchange(self.chips[message.address], message, broken)
        except Nack:
            self._busy(self.nack_after)
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO)) from None
        self._busy(len(done.data))
        self.log.append(done)
        return done

    def _exchange(self, chip: BusDevice, message: BusMessage, broken: bool) -> BusMessage:
        if broken:
            chip.write(message.data[: self.nack_after])
            raise Nack
        if message.wants is not None:
            return BusMessage(message.address, chip.read(message.wants), message.wants)
        chip.write(message.data)
        return message

    def _busy(self, count: int) -> None:
        self.busy_us += (2 + 9 * (1 + count)) * 1e6 / self.hz  # start, stop, address, bytes
