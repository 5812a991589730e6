"""Private files and folders, which only their owner may read: they hold hands and keys.

Every file that takes the place of another is written here, those of the system, too: it is whole or
as it was before, even if the power goes meanwhile.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, Final
from zipfile import BadZipFile, ZipFile

FILE: Final = 0o600
FOLDER: Final = 0o700
OTHERS: Final = 0o077  # what they may do
ENTRY_BYTES: Final = 256  # of a file in the directory of a zip, at most


class NotOrdinary(OSError):
    """A pipe or a device is where an ordinary file should be."""


def write(path: Path, data: bytes, mode: int = FILE) -> None:
    """Write a file, with one of before or none in its place; it is on the disk when this returns.

    OSError: it is as it was; only where the folder itself could not be settled it is the new one.
    """
    with replacing(path, mode) as file:
        file.write(data)


@contextmanager
def replacing(path: Path, mode: int = FILE) -> Iterator[BinaryIO]:
    """Write a file piece by piece, and replace the one before once all is there."""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)  # of an attempt that was cut off
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            if mode != FILE:
                os.fchmod(file.fileno(), mode)  # whatever the umask is
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
    sync_folder(path)


def read(path: Path, most_bytes: int) -> bytes:
    """Return what an ordinary file holds; OSError where there is none, or a larger one."""
    with open_to_read(path) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def open_to_read(path: Path, flags: int = 0) -> BinaryIO:
    """Open an ordinary file to be read; OSError for a pipe or device: it may have people wait."""
    flags |= os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    descriptor = os.open(path, flags)
    try:
        demand_ordinary(os.fstat(descriptor).st_mode, path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


class _ZipDirectory:
    """A file of which a zip's directory is read; later as much of it as is wanted."""

    def __init__(self, file: IO[bytes], most_bytes: int) -> None:
        self._file, self.most_bytes = file, most_bytes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int = -1) -> bytes:
        if not self.most_bytes:
            return self._file.read(size)
        more = self.most_bytes + 1
        data = self._file.read(min(size, more) if size >= 0 else more)
        if len(data) == more:
            raise BadZipFile("its directory is too large")
        return data


def opened_zip(file: IO[bytes], most_files: int) -> ZipFile:
    """Open a zip that somebody made, which may name millions of files: each would take memory.

    BadZipFile: it holds more than that many, or is none.
    """
    directory = _ZipDirectory(file, most_files * ENTRY_BYTES)
    archive = ZipFile(directory)
    directory.most_bytes = 0
    return archive


def demand_ordinary(mode: int, path: Path) -> None:
    """Raise OSError for what is no ordinary file."""
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise NotOrdinary(errno.EINVAL, "not an ordinary file", str(path))


def opener(path: str, flags: int) -> int:
    """Open a file as `open` does, but one that is new is for its owner alone."""
    return os.open(path, flags, FILE)


def create(path: Path) -> None:
    """Create an empty file, unless there is one."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE))


def sync_folder(path: Path) -> None:
    """Wait until the names in a file's folder are on the disk."""
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def tighten(path: Path) -> None:
    """Take from others what they may do with a file or folder, if it is ours to say.

    Where that fails, such as on a read-only card, all is as it was.
    """
    with suppress(OSError):
        if not path.is_symlink() and path.stat().st_mode & OTHERS:
            path.chmod(FOLDER if path.is_dir() else FILE)
