"""An I2C bus as software, and the kernel's side of /dev/i2c-N: what smbus2 opens and calls.

It must not know what any chip means: it reads the structures of the ioctl calls from memory, as
the kernel does, and hands messages to simulated buses. All the code above stays the real one:

    kernel = Kernel({1: Bus({0x34: chip})})
    with kernel.below(smbus2.smbus2):       # the module whose `os` and `ioctl` are replaced
        smbus2.SMBus(1).write_i2c_block_data(0x34, 0xA1, [64])

    bus.unplug(0x34); bus.plug(0x34)        # the chip starts over, as after a loss of power

What is not a simulated bus goes to the real kernel; a call that no driver of ours makes is refused.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, Protocol, Self


class BusDevice(Protocol):
    def write(self, data: bytes) -> None:
        """Take the bytes of one message."""

    def power_on(self) -> None:
        """Start over, as after a loss of power."""


def refusal(number: int, *path: str) -> OSError:
    """Return what a call of the kernel raises; OSError chooses the class by the number."""
    return OSError(number, os.strerror(number), *path)


class Bus:
    """One bus with its chips."""

    def __init__(self, chips: Mapping[int, BusDevice]) -> None:
        self.chips = dict(chips)
        self.unplugged: set[int] = set()
        self.transfers = 0
        self.log = deque[tuple[int, bytes]](maxlen=4096)  # what was written, and to which address

    def unplug(self, address: int) -> None:
        self.unplugged.add(address)

    def plug(self, address: int) -> None:
        """Put the chip back; it has lost its power in between."""
        self.unplugged.discard(address)
        self.chips[address].power_on()

    def write(self, address: int, data: bytes) -> None:
        """Write bytes between one start and one stop; raise OSError as the kernel does."""
        self.transfers += 1
        if address in self.unplugged or address not in self.chips:
            raise refusal(errno.EREMOTEIO)
        self.chips[address].write(data)
        self.log.append((address, data))


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


@dataclass(slots=True)
class _Opened:
    bus: Bus
    address: int = 0


class Kernel:
    """The I2C buses of a computer that is not there."""

    def __init__(self, buses: Mapping[int, Bus]) -> None:
        self.buses = buses
        self.opened: dict[int, _Opened] = {}

    @contextmanager
    def below(self, smbus2: ModuleType) -> Iterator[Self]:
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
        number = next((n for n in self.buses if path == f"/dev/i2c-{n}"), None)
        if number is None:
            return os.open(path, flags)
        descriptor = os.open(os.devnull, flags)
        self.opened[descriptor] = _Opened(self.buses[number])
        return descriptor

    def close(self, descriptor: int) -> None:
        """Close a bus, or a file."""
        self.opened.pop(descriptor, None)
        os.close(descriptor)

    def close_all(self) -> None:
        for descriptor in list(self.opened):
            self.close(descriptor)

    def ioctl(self, descriptor: int, request: int, argument: object = 0) -> int:
        """Do what the i2c-dev driver does for one call."""
        opened = self.opened.get(descriptor)
        if opened is None:
            raise refusal(errno.ENOTTY)
        match request, argument:  # as linux/i2c-dev.h numbers them
            case 0x0703, int(address):  # I2C_SLAVE
                if not 0 <= address <= 0x7F:
                    raise refusal(errno.EINVAL)
                opened.address = address
            case 0x0705, (ctypes.c_ulong() | ctypes.c_uint32()) as functions:  # I2C_FUNCS
                functions.value = FUNCTIONALITY
            case 0x0720, ctypes.Structure() as call:  # I2C_SMBUS
                _smbus(opened, _SmbusData.from_address(ctypes.addressof(call)))
            case 0x0702, int():  # I2C_TIMEOUT
                pass
            case _:
                raise refusal(errno.ENOTTY)
        return 0


class _Os:
    """The module `os` as smbus2 uses it, with files of ours among the real ones."""

    def __init__(self, kernel: Kernel) -> None:
        self.open = kernel.open
        self.close = kernel.close

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def _smbus(opened: _Opened, call: _SmbusData) -> None:
    """Write a block to a register on, as the kernel does it: one plain message."""
    if call.read_write == 1 or call.size != I2C_BLOCK or not call.data:
        raise refusal(errno.EOPNOTSUPP)
    data = (ctypes.c_uint8 * (BLOCK_AT_MOST + 1)).from_address(call.data)
    if not 1 <= data[0] <= BLOCK_AT_MOST:
        raise refusal(errno.EINVAL)
    opened.bus.write(opened.address, bytes((call.command, *data[1 : 1 + data[0]])))
