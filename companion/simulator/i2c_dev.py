"""An I2C bus as software, and the kernel's side of /dev/i2c-N: what smbus2 opens and calls.

It must not know what any chip means: it reads the structures of the ioctl calls from memory, as
the kernel does, and hands messages to simulated buses. All the code above stays the real one:

    kernel = Kernel({1: Bus({0x34: chip})})
    with kernel.below(smbus2.smbus2):       # the module whose `os` and `ioctl` are replaced
        smbus2.SMBus(1).write_i2c_block_data(0x34, 0xA1, [64])

    bus.unplug(0x34); bus.plug(0x34)        # the chip starts over, as after a loss of power
    bus.stuck = True                        # something holds a line down
    bus.failing = 5                         # so many transfers fail from now on
    bus.nack_every, bus.nack_after = 7, 3   # every 7th breaks off after 3 bytes

What is not a simulated bus goes to the real kernel; a call that no driver of ours makes is refused.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final, Protocol


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


I2C_BLOCK: Final = 8  # what linux/i2c.h calls I2C_SMBUS_I2C_BLOCK_DATA
FUNCTIONALITY: Final = 0x0EFF0009  # of a Pi's buses: plain I2C, and what the kernel makes of it
BLOCK_AT_MOST: Final = 32


class _SmbusData(ctypes.Structure):  # struct i2c_smbus_ioctl_data
    _fields_ = (
        ("read_write", ctypes.c_uint8),
        ("command", ctypes.c_uint8),
        ("size", ctypes.c_uint32),
        ("data", ctypes.c_void_p),
    )


def _refuse(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@dataclass(slots=True)
class _Opened:
    number: int
    address: int = 0


class Kernel:
    """The I2C buses of a computer that is not there."""

    def __init__(self, buses: Mapping[int, Bus]) -> None:
        self.buses = dict(buses)  # a bus may be taken out, and put back
        self.numbers = frozenset(buses)
        self.denied = False  # the user is not in the group i2c
        self._opened: dict[int, _Opened] = {}

    @contextmanager
    def below(self, smbus2: ModuleType) -> Iterator[Kernel]:
        """Stand in for the kernel below this module, which is `smbus2.smbus2`."""
        before = smbus2.os, smbus2.ioctl
        smbus2.os, smbus2.ioctl = _Os(self), self.ioctl  # type: ignore[attr-defined]
        try:
            yield self
        finally:
            smbus2.os, smbus2.ioctl = before  # type: ignore[attr-defined]
            self.close_all()

    def open(self, path: str, flags: int) -> int:
        """Open a bus; the descriptor is a real one, so that it is unique in this process."""
        number = next((n for n in self.numbers if path == f"/dev/i2c-{n}"), None)
        if number is None:
            return os.open(path, flags)
        if number not in self.buses:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if self.denied:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        descriptor = os.open(os.devnull, flags)
        self._opened[descriptor] = _Opened(number)
        return descriptor

    def close(self, descriptor: int) -> None:
        """Close a bus, or a file."""
        self._opened.pop(descriptor, None)
        os.close(descriptor)

    def close_all(self) -> None:
        for descriptor in list(self._opened):
            self.close(descriptor)

    def ioctl(self, descriptor: int, request: int, argument: object = 0) -> int:
        """Do what the i2c-dev driver does for one call."""
        opened = self._opened.get(descriptor)
        if opened is None:
            raise _refuse(errno.ENOTTY)
        bus = self.buses.get(opened.number)
        if bus is None:
            raise _refuse(errno.ENODEV)
        match request, argument:  # as linux/i2c-dev.h numbers them
            case 0x0703, int(address):  # I2C_SLAVE
                self._address(bus, opened, address)
            case 0x0705, (ctypes.c_ulong() | ctypes.c_uint32()) as functions:  # I2C_FUNCS
                functions.value = FUNCTIONALITY
            case 0x0720, ctypes.Structure() as call:  # I2C_SMBUS
                _smbus(bus, opened.address, _SmbusData.from_address(ctypes.addressof(call)))
            case 0x0702, int():  # I2C_TIMEOUT
                pass
            case _:
                raise _refuse(errno.ENOTTY)
        return 0

    @staticmethod
    def _address(bus: Bus, opened: _Opened, address: int) -> None:
        if not 0 <= address <= 0x7F:
            raise _refuse(errno.EINVAL)
        if address in bus.claimed:
            raise _refuse(errno.EBUSY)
        opened.address = address


class _Os:
    """The module `os` as smbus2 uses it, with files of ours among the real ones."""

    def __init__(self, kernel: Kernel) -> None:
        self.open = kernel.open
        self.close = kernel.close

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def _smbus(bus: Bus, address: int, call: _SmbusData) -> None:
    """Write a block to a register on, as the kernel does it: one plain message."""
    if call.read_write == 1 or call.size != I2C_BLOCK or not call.data:
        raise _refuse(errno.EOPNOTSUPP)
    data = (ctypes.c_uint8 * (BLOCK_AT_MOST + 1)).from_address(call.data)
    if not 1 <= data[0] <= BLOCK_AT_MOST:
        raise _refuse(errno.EINVAL)
    bus.transfer([BusMessage(address, bytes((call.command, *data[1 : 1 + data[0]])))])
