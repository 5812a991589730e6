"""A disk that notes what is written to it, breaks when told to, and what a power cut leaves of it.

SQLite runs on it through a VFS of apsw. A write is certain once its file was synced; before that a
power cut may have let through none, all, some in any order, and parts of each. Two things are
taken as ext4 does them: a file whose bytes were synced has its name, and a removal is certain once
any file was synced after it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import apsw

TORN_BYTES = 256  # half a sector: as much of a write as may arrive alone
_NAMES = count()


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes at an offset; without bytes, the file ends there."""

    file: str
    offset: int
    data: bytes | None


@dataclass(frozen=True, slots=True)
class Sync:
    """Everything written to the file before is certain."""

    file: str


@dataclass(frozen=True, slots=True)
class Removal:
    """The file is gone."""

    file: str


@dataclass(frozen=True, slots=True)
class Told:
    """The program was told that so many events are on the disk, and adds some more."""

    certain: int
    coming: int


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A sync has failed; Linux then drops what was to be written, and the next sync succeeds."""

    file: str


Step = Write | Sync | Removal | Told | Forgotten


class Disk:
    """Where a journal is written, as the connect of a `Journal`."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.breaks: Callable[[Step], type[apsw.Error] | None] = lambda _: None
        self._vfs = _Noting(f"noting-{next(_NAMES)}", self)

    def connect(self, name: str) -> Connection:
        """Open a database on this disk."""
        return Connection(name, self._vfs.name)

    def note(self, step: Step) -> None:
        """Take down a step, or fail it."""
        if fault := self.breaks(step):
            if isinstance(step, Sync):
                self.steps.append(Forgotten(step.file))
            raise fault("the disk was told to fail")
        self.steps.append(step)


class Connection:
    """A database of apsw that fails as those of the standard library do."""

    def __init__(self, name: str, vfs: str) -> None:
        with _as_sqlite3():
            self._database = apsw.Connection(name, vfs=vfs)
            self._database.execute("PRAGMA wal_autocheckpoint = 12")  # pages: often

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and give its rows."""
        with _as_sqlite3():
            return list(self._database.execute(sql, parameters))

    def close(self) -> None:
        """Let go of the file."""
        with _as_sqlite3():
            self._database.close()


class _as_sqlite3:  # noqa: N801 - a context manager, used like a function
    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, apsw.Error):
            raised = sqlite3.OperationalError(str(error))
            raised.sqlite_errorcode = apsw_code(error)
            raise raised from error


def apsw_code(error: apsw.Error) -> int:
    """Return the code that SQLite gave an error."""
    codes = {type(apsw.exception_for(code)): code for code in range(1, 27)}
    return codes[type(error)]


class _Noting(apsw.VFS):
    def __init__(self, name: str, disk: Disk) -> None:
        self.name = name
        self._disk = disk
        super().__init__(name, base="")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _NotingFile:  # noqa: N802 - as apsw calls it
        return _NotingFile(self._disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - as apsw calls it
        super().xDelete(filename, syncdir)
        self._disk.note(Removal(Path(filename).name))


class _NotingFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._disk = disk
        self._name = Path(path).name
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - as apsw calls it
        self._disk.note(Write(self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - as apsw calls it
        self._disk.note(Write(self._name, newsize, None))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 - as apsw calls it
        self._disk.note(Sync(self._name))
        super().xSync(flags)


@dataclass(slots=True)
class Moment:
    """What is certain at one time and what is not, for each file."""

    certain: dict[str, bytes] = field(default_factory=dict)
    pending: dict[str, list[Write]] = field(default_factory=dict)
    removed: dict[str, bytes] = field(default_factory=dict)  # which may still be there
    told: Told = field(default_factory=lambda: Told(0, 0))

    def after(self, step: Step, *, lies: bool = False) -> None:
        """Go on by one step; a disk that lies has synced nothing."""
        match step:
            case Write(file):
                self.pending.setdefault(file, []).append(step)
            case Sync(file) if not lies:
                writes = self.pending.pop(file, [])
                self.certain[file] = written(self.certain.get(file, b""), writes)
                self.removed.clear()
            case Removal(file):
                gone = written(self.certain.pop(file, b""), self.pending.pop(file, []))
                self.removed[file] = gone
            case Forgotten(file):
                self.pending.pop(file, None)
            case Told():
                self.told = step

    def images(self, random: Random, some: int) -> Iterator[dict[str, bytes]]:
        """Yield what may be on the disk after a power cut: the two ends, and some between."""
        yield dict(self.certain)
        yield self._image(lambda writes: writes)
        for _ in range(some):
            yield self._image(lambda writes: beginning(writes, random))
            survivors = {file: data for file, data in self.removed.items() if random.random() < 0.5}
            yield survivors | self._image(lambda writes: scattered(writes, random))

    def _image(self, through: Callable[[list[Write]], list[Write]]) -> dict[str, bytes]:
        image = dict(self.certain)
        for file, writes in self.pending.items():
            if arrived := through(writes):
                image[file] = written(image.get(file, b""), arrived)
        return image


def beginning(writes: Sequence[Write], random: Random) -> list[Write]:
    """Return the first of some writes, the last of them torn."""
    whole = random.randint(0, len(writes))
    return [*writes[:whole], *(torn(write, random) for write in writes[whole : whole + 1])]


def scattered(writes: Sequence[Write], random: Random) -> list[Write]:
    """Return any of some writes, any of them torn."""
    arrived = [write for write in writes if random.random() < 0.5]
    return [torn(write, random) if random.random() < 0.5 else write for write in arrived]


def torn(write: Write, random: Random) -> Write:
    """Return the first or the last half-sectors of a write."""
    if write.data is None:
        return write
    cut = random.randrange(0, len(write.data) + 1, TORN_BYTES)
    if random.random() < 0.5:
        return Write(write.file, write.offset, write.data[:cut])
    return Write(write.file, write.offset + cut, write.data[cut:])


def written(data: bytes, writes: Sequence[Write]) -> bytes:
    """Return a file after some writes; what was never written between them is zeros."""
    file = bytearray(data)
    for write in writes:
        if write.data is None:
            del file[write.offset :]
        elif write.data:
            file.extend(bytes(max(0, write.offset - len(file))))
            file[write.offset : write.offset + len(write.data)] = write.data
    return bytes(file)


def moments(steps: Sequence[Step], *, lies: bool = False) -> Iterator[Moment]:
    """Yield the moment after each step: every one at which the power may go."""
    moment = Moment()
    for step in steps:
        moment.after(step, lies=lies)
        yield moment


def lay_out(image: dict[str, bytes], folder: Path) -> None:
    """Write an image as files into an empty folder."""
    for name, data in image.items():
        (folder / name).write_bytes(data)
