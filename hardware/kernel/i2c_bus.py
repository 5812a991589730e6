"""An I2C bus that is read and timed, and whatever goes wrong on one: what drivers are tested with.

bus = WholeBus({0x34: chip})
with FaultyKernel({1: bus}).below(smbus2.smbus2) as kernel:
    bus.stuck = True                        # something holds a line down
    bus.failing = 5                         # so many transfers fail from now on
    bus.nack_every, bus.nack_after = 7, 3   # every 7th breaks off after 3 bytes
    bus.claimed.add(0x34)                   # a driver of the kernel holds that address
    kernel.denied = True                    # the user is not in the group i2c
    kernel.buses.pop(1)                     # the bus is taken out; it may be put back
"""

import errno
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from companion.simulator.chips.is31fl3729 import IS31FL3729
from companion.simulator.i2c_dev import Bus, BusDevice, Kernel, refusal

HZ: Final = 400_000
TIMEOUT_US: Final = 1_000_000  # how long the kernel waits on a stuck bus
I2C_SLAVE: Final = 0x0703  # of linux/i2c-dev.h


class Nack(Exception):
    """The chip does not acknowledge: it may raise this instead of taking a message."""


@runtime_checkable
class ReadableDevice(BusDevice, Protocol):
    """What hangs on the bus and can be read."""

    def read(self, count: int) -> bytes:
        """Return the bytes that a master reads next."""


@dataclass(frozen=True, slots=True)
class BusMessage:
    """One message of a transfer, as the wire saw it."""

    address: int
    data: bytes = b""  # written, or what was read
    wants: int | None = None  # how many bytes to read; None: this is a write


class ReadableLights(IS31FL3729):
    """The light driver, read as other drivers read it; nobody confirms that it allows that."""

    def read(self, count: int) -> bytes:
        """Return the values from the register named last: unverified (but see A of the model).

        A reads 0xA0 before it writes it, which would work as well if that gave nothing of use.
        """
        at = [(self.pointer + i) % 256 for i in range(count)]
        self.pointer = (self.pointer + count) % 256
        return bytes(self.registers[i] for i in at)


class WholeBus(Bus):
    """One bus with its chips, its faults and the time it has been busy."""

    def __init__(self, chips: Mapping[int, BusDevice]) -> None:
        super().__init__(chips)
        self.claimed: set[int] = set()
        self.stuck = False
        self.failing = 0
        self.nack_every, self.nack_after = 0, 1
        self.busy_us = 0.0
        self.messages: deque[BusMessage] = deque(maxlen=4096)

    def write(self, address: int, data: bytes) -> None:
        self.transfer([BusMessage(address, data)])

    def transfer(self, messages: list[BusMessage]) -> list[BusMessage]:
        """Carry out messages between one start and one stop; raise OSError as the kernel does."""
        self.transfers += 1
        if self.stuck:
            self.busy_us += TIMEOUT_US
            raise refusal(errno.ETIMEDOUT)
        if self.failing:
            self.failing -= 1
            raise refusal(errno.EIO)
        broken = bool(self.nack_every) and self.transfers % self.nack_every == 0
        return [self._message(message, broken) for message in messages]

    def _message(self, message: BusMessage, broken: bool) -> BusMessage:
        if message.address in self.unplugged or message.address not in self.chips:
            self._busy(0)
            raise refusal(errno.EREMOTEIO)
        try:
            done = self._exchange(self.chips[message.address], message, broken)
        except Nack:
            self._busy(self.nack_after)
            raise refusal(errno.EREMOTEIO) from None
        self._busy(len(done.data))
        self.messages.append(done)
        return done

    def _exchange(self, chip: BusDevice, message: BusMessage, broken: bool) -> BusMessage:
        if broken:
            chip.write(message.data[: self.nack_after])
            raise Nack
        if message.wants is not None:
            assert isinstance(chip, ReadableDevice)
            return BusMessage(message.address, chip.read(message.wants), message.wants)
        chip.write(message.data)
        return message

    def _busy(self, count: int) -> None:
        self.busy_us += (2 + 9 * (1 + count)) * 1e6 / HZ  # start, stop, address, bytes


class FaultyKernel(Kernel):
    """The same kernel, where a bus is missing or forbidden, or an address has a driver."""

    def __init__(self, buses: Mapping[int, WholeBus]) -> None:
        super().__init__(buses)
        self.buses: dict[int, WholeBus] = dict(buses)
        self.numbers = frozenset(buses)
        self.denied = False

    def open(self, path: str, flags: int) -> int:
        for number in self.numbers:
            missing = number not in self.buses
            if path == f"/dev/i2c-{number}" and (missing or self.denied):
                raise refusal(errno.ENOENT if missing else errno.EACCES, path)
        return super().open(path, flags)

    def ioctl(self, descriptor: int, request: int, argument: object = 0) -> int:
        bus = self.opened[descriptor].bus if descriptor in self.opened else None
        if bus is not None and bus not in self.buses.values():
            raise refusal(errno.ENODEV)
        if isinstance(bus, WholeBus) and request == I2C_SLAVE and argument in bus.claimed:
            raise refusal(errno.EBUSY)
        return super().ioctl(descriptor, request, argument)
