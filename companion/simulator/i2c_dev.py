"""The kernel's side of /dev/i2c-N, as software: what smbus2 opens and calls.

It must not know what any chip means: it reads the structures of the ioctl calls from memory, as
the kernel does, and hands messages to simulated buses. All the code above stays the real one:

    kernel = Kernel({1: Bus({0x34: chip})})
    with kernel.below(smbus2.smbus2):       # the module whose `os` and `ioctl` are replaced
        smbus2.SMBus(1).write_byte_data(0x34, 0xA1, 64)

What is not a simulated bus goes to the real kernel.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from companion.simulator.bus import Bus, BusMessage

SLAVE, SLAVE_FORCE = 0x0703, 0x0706  # the requests of linux/i2c-dev.h
QUICK, BYTE, BYTE_DATA, WORD_DATA, BLOCK_DATA, I2C_BLOCK = 0, 1, 2, 3, 5, 8  # of linux/i2c.h
FUNCTIONALITY: Final = 0x00000001 | 0x0EFF0008  # plain I2C, and what the kernel emulates with it
READ_FLAG: Final = 0x0001
BLOCK_AT_MOST: Final = 32
MESSAGES_AT_MOST: Final = 42


class _SmbusData(ctypes.Structure):  # struct i2c_smbus_ioctl_data
    _fields_ = (
        ("read_write", ctypes.c_uint8),
        ("command", ctypes.c_uint8),
        ("size", ctypes.c_uint32),
        ("data", ctypes.c_void_p),
    )


class _Msg(ctypes.Structure):  # struct i2c_msg
    _fields_ = (
        ("address", ctypes.c_uint16),
        ("flags", ctypes.c_uint16),
        ("length", ctypes.c_uint16),
        ("buffer", ctypes.c_void_p),
    )


class _Rdwr(ctypes.Structure):  # struct i2c_rdwr_ioctl_data
    _fields_ = (("messages", ctypes.c_void_p), ("count", ctypes.c_uint32))


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
        match request, argument:
            case ((0x0703 | 0x0706), int(address)):
                self._address(bus, opened, address, forced=request == SLAVE_FORCE)
            case 0x0705, (ctypes.c_ulong() | ctypes.c_uint32()) as functions:
                functions.value = FUNCTIONALITY
            case 0x0720, ctypes.Structure() as call:
                _smbus(bus, opened.address, _SmbusData.from_address(ctypes.addressof(call)))
            case 0x0707, ctypes.Structure() as call:
                _rdwr(bus, _Rdwr.from_address(ctypes.addressof(call)))
            case ((0x0701 | 0x0702), int()):
                pass
            case _:
                raise _refuse(errno.ENOTTY)
        return 0

    @staticmethod
    def _address(bus: Bus, opened: _Opened, address: int, *, forced: bool) -> None:
        if not 0 <= address <= 0x7F:
            raise _refuse(errno.EINVAL)
        if address in bus.claimed and not forced:
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
    """Carry out an SMBus call with plain messages, as the kernel does for a Pi's buses."""
    data = (ctypes.c_uint8 * (BLOCK_AT_MOST + 2)).from_address(call.data) if call.data else None
    reads = call.read_write == 1
    if call.size == QUICK:
        bus.transfer([BusMessage(address, wants=0) if reads else BusMessage(address)])
    elif call.size == BYTE and not reads:
        bus.transfer([BusMessage(address, bytes((call.command,)))])
    elif data is None:
        raise _refuse(errno.EINVAL)
    elif call.size == BYTE:
        data[0] = bus.transfer([BusMessage(address, wants=1)])[0].data[0]
    elif reads:
        _smbus_read(bus, address, call, data)
    else:
        bus.transfer([BusMessage(address, bytes((call.command,)) + _payload(call.size, data))])


def _payload(size: int, data: Any) -> bytes:
    if size in (BYTE_DATA, WORD_DATA):
        return bytes(data[: size - 1])
    if size not in (BLOCK_DATA, I2C_BLOCK):
        raise _refuse(errno.EOPNOTSUPP)
    if not 1 <= data[0] <= BLOCK_AT_MOST:
        raise _refuse(errno.EINVAL)
    return bytes(data[size == I2C_BLOCK : 1 + data[0]])  # an SMBus block sends its length too


def _smbus_read(bus: Bus, address: int, call: _SmbusData, data: Any) -> None:
    if call.size not in (BYTE_DATA, WORD_DATA, I2C_BLOCK):
        raise _refuse(errno.EOPNOTSUPP)
    block = call.size == I2C_BLOCK
    count = data[0] if block else call.size - 1
    if block and not 1 <= count <= BLOCK_AT_MOST:
        raise _refuse(errno.EINVAL)
    asked = BusMessage(address, bytes((call.command,)))
    answer = bus.transfer([asked, BusMessage(address, wants=count)])[1].data
    data[block : block + count] = answer


def _rdwr(bus: Bus, call: _Rdwr) -> None:
    """Carry out several messages in one transfer."""
    if not 1 <= call.count <= MESSAGES_AT_MOST:
        raise _refuse(errno.EINVAL)
    raw = (_Msg * call.count).from_address(call.messages)
    asked = [
        BusMessage(m.address, wants=m.length)
        if m.flags & READ_FLAG
        else BusMessage(m.address, ctypes.string_at(m.buffer, m.length))
        for m in raw
    ]
    for m, done in zip(raw, bus.transfer(asked), strict=True):
        if done.wants:
            ctypes.memmove(m.buffer, done.data, done.wants)
