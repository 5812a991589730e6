"""A disk that notes what is written to it, breaks when told to, and what a power cut leaves of it.

It stands between the program and the system's calls. What a file holds is certain once it was
synced, and which names a folder has once that was; before, a power cut may have let through none,
all, some in any order, and parts of each write.
"""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Self

import pytest


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes at an offset; the file is made if there is none."""

    file: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Sync:
    """Everything written to the file before is certain."""

    file: str


@dataclass(frozen=True, slots=True)
class SyncNames:
    """Which files there are is certain."""


@dataclass(frozen=True, slots=True)
class Rename:
    """A file has another name, perhaps in the place of another file."""

    file: str
    to: str


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


Step = Write | Sync | SyncNames | Rename | Removal | Told | Forgotten


class Disk:
    """The disk of a folder, while it is entered; `breaks` names the fault of a step, if any.

    A step that breaks `late` is done all the same.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.steps: list[Step] = []
        self.breaks: Callable[[Step], int] = lambda _: 0
        self.unreadable: Callable[[], bool] = lambda: False
        self.late = False
        self._known: dict[str, bytes] = {}
        self._patch = pytest.MonkeyPatch()
        self._real = {name: getattr(os, name) for name in CALLS}

    def __enter__(self) -> Self:
        for name in CALLS:
            self._patch.setattr(os, name, getattr(self, f"_{name}"))
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.undo()

    def _name(self, of: int | str | Path) -> str | None:
        path = Path(f"/proc/self/fd/{of}").readlink() if isinstance(of, int) else Path(of)
        return str(path.relative_to(self.folder)) if path.is_relative_to(self.folder) else None

    def _do(self, step: Step, real: Callable[[], Any]) -> Any:
        fault = self.breaks(step)
        if fault and not self.late:
            if isinstance(step, Sync):
                self.steps.append(Forgotten(step.file))
            raise OSError(fault, os.strerror(fault))
        done = real()
        self.steps.append(step)
        if fault:
            raise OSError(fault, os.strerror(fault))
        return done

    def _pwrite(self, descriptor: int, data: memoryview, offset: int) -> int:
        real = self._real["pwrite"]
        if (name := self._name(descriptor)) is None:
            return int(real(descriptor, data, offset))
        step = Write(name, offset, bytes(data))
        try:
            return int(self._do(step, lambda: real(descriptor, data, offset)))
        except OSError as error:
            if error.errno == errno.ENOSPC and not self.late:  # there was room for some of it
                half = len(data) // 2
                real(descriptor, data[:half], offset)
                self.steps.append(Write(name, offset, bytes(data[:half])))
            raise
        finally:
            self._known[name] = (self.folder / name).read_bytes()

    def _fsync(self, descriptor: int) -> None:
        name = self._name(descriptor)
        step: Step | None = SyncNames() if name == "journal" else None
        if name is not None and (self.folder / name).is_file():
            step, data = Sync(name), (self.folder / name).read_bytes()
            if self._known.get(name) != data:  # it was written in another way than by pwrite
                self._do(Write(name, 0, data), lambda: None)
                self._known[name] = data
        self._call(step, "fsync", descriptor)

    def _fdatasync(self, descriptor: int) -> None:
        self._fsync(descriptor)

    def _replace(self, old: str | Path, new: str | Path) -> None:
        name, to = self._name(old), self._name(new)
        self._call(Rename(name, to) if name and to else None, "replace", old, new)
        if name and to:
            self._known[to] = self._known.pop(name)

    def _unlink(self, path: str | Path, **named: Any) -> None:
        ours = "dir_fd" not in named and Path(path).exists()
        name = self._name(path) if ours else None
        self._call(Removal(name) if name else None, "unlink", path, **named)

    def _call(self, step: Step | None, name: str, *args: Any, **named: Any) -> None:
        real = self._real[name]
        if step is None:
            real(*args, **named)
        else:
            self._do(step, lambda: real(*args, **named))

    def _open(self, path: str | Path, *args: Any, **named: Any) -> int:
        if self.unreadable() and "dir_fd" not in named and self._name(path) is not None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return int(self._real["open"](path, *args, **named))

    def _listdir(self, path: str | Path) -> list[str]:
        if self.unreadable() and self._name(path) is not None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return list(self._real["listdir"](path))


CALLS = ("pwrite", "fsync", "fdatasync", "replace", "unlink", "open", "listdir")


@dataclass(slots=True)
class Moment:
    """What is certain at one time and what is not: each file's bytes, and the names of files."""

    certain: dict[int, bytes] = field(default_factory=dict)
    pending: dict[int, list[Write]] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    certain_names: dict[str, int] = field(default_factory=dict)
    renamed: list[tuple[str, int | None]] = field(default_factory=list)  # which file, or none
    told: Told = field(default_factory=lambda: Told(0, 0))
    made: int = 0

    def after(self, step: Step, *, lies: bool = False) -> None:
        """Go on by one step; a disk that lies has synced nothing."""
        match step:
            case Write(file):
                if file not in self.names:
                    self.made += 1
                    self._name(file, self.made)
                self.pending.setdefault(self.names[file], []).append(step)
            case Sync(file) if not lies:
                which = self.names[file]
                writes = self.pending.pop(which, [])
                self.certain[which] = written(self.certain.get(which, b""), writes)
            case SyncNames() if not lies:
                self.certain_names, self.renamed = dict(self.names), []
            case Rename(file, to):
                self._name(to, self.names[file])
                self._name(file, None)
            case Removal(file):
                self._name(file, None)
            case Forgotten(file):
                self.pending.pop(self.names[file], None)
            case Told():
                self.told = step

    def _name(self, name: str, which: int | None) -> None:
        self.renamed.append((name, which))
        self.names = {**self.names, name: which} if which else without(self.names, name)

    def images(self, random: Random, some: int) -> Iterator[dict[str, bytes]]:
        """Yield what may be on the disk after a power cut: the two ends, and some between."""
        yield self._image([], lambda _: [])
        yield self._image(self.renamed, lambda writes: writes)
        for _ in range(some):
            arrived = self.renamed[: random.randint(0, len(self.renamed))]
            yield self._image(arrived, lambda writes: beginning(writes, random))
            yield self._image(arrived, lambda writes: scattered(writes, random))

    def _image(
        self,
        renamed: Sequence[tuple[str, int | None]],
        through: Callable[[list[Write]], list[Write]],
    ) -> dict[str, bytes]:
        names = dict(self.certain_names)
        for name, which in renamed:
            names = {**names, name: which} if which else without(names, name)
        return {
            name: written(self.certain.get(which, b""), through(self.pending.get(which, [])))
            for name, which in names.items()
        }


def without(names: dict[str, int], name: str) -> dict[str, int]:
    """Return all names but one."""
    return {other: which for other, which in names.items() if other != name}


def beginning(writes: Sequence[Write], random: Random) -> list[Write]:
    """Return the first of some writes, the last of them torn."""
    whole = random.randint(0, len(writes))
    return [*writes[:whole], *(torn(write, random) for write in writes[whole : whole + 1])]


def scattered(writes: Sequence[Write], random: Random) -> list[Write]:
    """Return any of some writes, any of them torn."""
    arrived = [write for write in writes if random.random() < 0.5]
    return [torn(write, random) if random.random() < 0.5 else write for write in arrived]


def torn(write: Write, random: Random) -> Write:
    """Return the beginning or the end of a write."""
    cut = random.randrange(len(write.data) + 1)
    if random.random() < 0.5:
        return Write(write.file, write.offset, write.data[:cut])
    return Write(write.file, write.offset + cut, write.data[cut:])


def written(data: bytes, writes: Sequence[Write]) -> bytes:
    """Return a file after some writes; what was never written between them is zeros."""
    file = bytearray(data)
    for write in writes:
        if write.data:
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
    """Write an image as files into a folder."""
    for name, data in image.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
