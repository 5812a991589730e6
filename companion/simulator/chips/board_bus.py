"""A board's own I2C bus, called as MicroPython's machine.I2C is; and what all chips on it share.

Time comes from a callable, so that a simulation can run it as fast as it likes.

    bus = BoardBus({0x19: Lis2dw12(...), 0x2A: Nau7802(...)})
    bus.readfrom_mem(0x19, 0x0F, 1)         # b"D": that is 0x44
    bus.stuck = True                        # something holds a line down
    bus.chips[0x2A].powered = False         # nobody acknowledges
    bus.chips[0x2A].fault = Fault.STUCK
"""

import errno
from collections.abc import Callable
from enum import Enum
from random import Random
from statistics import NormalDist
from typing import Final, Protocol

Clock = Callable[[], int]  # µs, as true as the simulation's own
NORMAL: Final = tuple(NormalDist().inv_cdf((i + 0.5) / 4096) for i in range(4096))


class SensorFault(Enum):
    """What can happen to a sensor that still answers."""

    STUCK = "stuck"  # the same value forever
    SATURATED = "saturated"  # the end of its range forever
    DEAF = "deaf"  # no new values


class Unmodelled(Exception):
    """A driver touched something that the chip's model lacks, or that must not be touched."""

    def __init__(self, chip: str, action: str, register: int) -> None:
        super().__init__(chip, action, register)

    def __str__(self) -> str:
        return "{}: {} of register 0x{:02X} is not modelled.".format(*self.args)


class Chip(Protocol):
    powered: bool
    fault: SensorFault | None

    def read(self, register: int, count: int) -> bytes:
        """Return the bytes from a register on."""

    def write(self, register: int, data: bytes) -> None:
        """Take the bytes from a register on."""


def normal(rng: Random) -> float:
    """Return a draw from a bell curve of width 1, using only the source's `random()`."""
    return NORMAL[int(rng.random() * 4096)]


class BoardBus:
    def __init__(self, chips: dict[int, Chip]) -> None:
        self.chips = chips
        self.stuck = False
        self.failing = 0  # this many transfers fail from now on

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Return the bytes from a register on; raise OSError as MicroPython does."""
        return self._chip(address).read(register, count)

    def readfrom_mem_into(
        self, address: int, register: int, buffer: bytearray | memoryview
    ) -> None:
        buffer[:] = self.readfrom_mem(address, register, len(buffer))

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        self._chip(address).write(register, data)

    def _chip(self, address: int) -> Chip:
        if self.stuck:
            raise OSError(errno.ETIMEDOUT, "ETIMEDOUT")
        if self.failing:
            self.failing -= 1
            raise OSError(errno.EIO, "EIO")
        chip = self.chips.get(address)
        if chip is None or not chip.powered:
            raise OSError(errno.ENODEV, "ENODEV")
        return chip
