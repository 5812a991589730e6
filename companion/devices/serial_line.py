"""A serial port through pyserial: opened exclusively, read and written without blocking.

Everything that can go wrong with a port is a `LineError`.
"""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path, PurePath
from typing import Final, Protocol

import serial

BAUD: Final = 115_200  # of no meaning over USB, but a UART bridge needs one
CHUNK: Final = 4096  # what a terminal of the kernel holds


class LineFault(Enum):
    """Why a port cannot be used."""

    GONE = auto()
    BUSY = auto()
    DENIED = auto()
    UNFIT = auto()


_CAUSES: Final = {
    errno.ENOENT: LineFault.GONE,
    errno.ENODEV: LineFault.GONE,
    errno.ENXIO: LineFault.GONE,
    errno.EIO: LineFault.GONE,
    errno.EAGAIN: LineFault.BUSY,  # the lock is held
    errno.EBUSY: LineFault.BUSY,
    errno.EACCES: LineFault.DENIED,
    errno.EPERM: LineFault.DENIED,
}


class LineError(Exception):
    """The port cannot be opened, or is lost."""

    def __init__(self, fault: LineFault, reason: str) -> None:
        super().__init__(fault, reason)
        self.fault = fault
        self.reason = reason

    @classmethod
    def from_error(cls, error: Exception, otherwise: LineFault) -> LineError:
        """Return what an error of pyserial, the kernel or termios means."""
        number = error.args[0] if error.args else None
        if not isinstance(number, int):
            return cls(otherwise, str(error))
        return cls(_CAUSES.get(number, otherwise), os.strerror(number))


class OpenPort(Protocol):
    def fileno(self) -> int:
        """Return the descriptor to wait for."""

    def read(self) -> bytes:
        """Return what has arrived, perhaps nothing."""

    def write(self, data: bytes) -> int:
        """Return how many of the bytes were taken, perhaps none."""

    def close(self) -> None:
        """Close the port."""


class Ports(Protocol):
    """Where hubs may be plugged in."""

    def find(self, patterns: Sequence[str]) -> Sequence[str]:
        """Return the ports that are there and fit."""

    def open(self, path: str) -> OpenPort:
        """Return an open port; raise LineError."""


class SerialLine:
    """An open port; nobody else who asks for it alone gets it meanwhile."""

    def __init__(self, path: str) -> None:
        try:
            self._port = serial.Serial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, termios.error) as error:  # SerialException is an OSError, termios' is not
            raise LineError.from_error(error, LineFault.UNFIT) from error

    def fileno(self) -> int:
        return self._port.fileno()

    def read(self) -> bytes:
        """Return what has arrived, at most a chunk."""
        try:
            return self._port.read(CHUNK)
        except (OSError, termios.error) as error:
            raise LineError.from_error(error, LineFault.GONE) from error

    def write(self, data: bytes) -> int:
        """Return how many of the bytes the port took; perhaps none."""
        try:
            return os.write(self.fileno(), data)  # pyserial's write spins while a port is full
        except BlockingIOError:
            return 0
        except OSError as error:
            raise LineError.from_error(error, LineFault.GONE) from error

    def close(self) -> None:
        """Close the port, whatever has become of it."""
        with suppress(OSError):  # it may be gone already
            self._port.close()


class SerialPorts:
    def find(self, patterns: Sequence[str]) -> list[str]:
        """Return the ports that fit, each once even if it has several names."""
        by_device: dict[Path, str] = {}
        for pattern in patterns:
            with suppress(OSError, RuntimeError, ValueError):  # no pattern, or unreadable folders
                for path in sorted(Path("/").glob("/".join(PurePath("/", pattern).parts[1:]))):
                    by_device.setdefault(_device(path), str(path))
        return list(by_device.values())

    def open(self, path: str) -> OpenPort:
        """Return an open port; raise LineError."""
        return SerialLine(path)


def _device(path: Path) -> Path:
    """Return what a name stands for; a link to itself stands for nothing else."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path
