"""The file of one match: append-only JSON lines, each with a checksum, readable with `cat`.

    {"rappelwacht":"match","version":1,"match":"5f0c7be81a24"} 9f3c61d2
    [{"number":0,"at_ms":1764000000000,"kind":"won","request":null,"ends":true,"body":{}}] 08b1cc5e
    [{"number":1,…},{"number":2,…}] 41d7f0a3

A line holds whatever was written together, so after a power cut all of it is there or nothing. At
its end is the CRC-32 of the line, begun with that of the line before: a line that is lost, swapped
or of another match is noticed. No next line is begun before the one before is on the disk, so:

- What a power cut left of the last line was never acknowledged, and is dropped: it is cut off, or
  has zeros where nothing arrived.
- Anything else is damage. One bit that turned over is turned back, which the checksum allows for;
  of what is worse, all before it is read.
- Lines that are missing at the end are noticed by a number beside the file: how many events were on
  the disk for certain. It is written after them, and no disk is waited for, so a power cut may
  leave a smaller one, or none: then a last line in which more than a bit is wrong, and that looks
  cut off, cannot be told from one that a power cut left.
"""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

from companion.journal.entry import Entry, compact
from companion.journal.status import Damaged, JournalFault, JournalState
from companion.system import private_files

VERSION: Final = 1
SEAL_BYTES: Final = 8
COUNT_BYTES: Final = 20  # ten digits and their checksum
EDGE_BYTES: Final = 8_192  # at the beginning and the end of a file, to list it
MENDED_BYTES: Final = 8_192  # of a line in which a bit is looked for: every one of them is tried
PARTS: Final = ("number", "at_ms", "kind", "request", "ends")


class SealedLine(NamedTuple):
    """A whole line: what it says, where the next one begins, and its checksum."""

    text: bytes
    end: int
    seal: int


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds, as far as it is whole."""

    entries: tuple[Entry, ...] = ()
    damaged: bool = False
    data: bytes = b""  # all of it, if it is damaged


class MatchFile:
    """A file that is written by this program alone; whatever is written is on the disk then."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size, self._seal, self._inode = 0, 0, 0

    @property
    def as_left(self) -> bool:
        """Whether the file is as it was written last; OSError where nobody can tell."""
        try:
            return self._is(self.path.stat())
        except (FileNotFoundError, NotADirectoryError):
            return False

    def write(self, entries: Sequence[Entry]) -> None:
        """Write the whole file anew, in the place of what is there."""
        lines, seal = [], 0
        head = {"rappelwacht": "match", "version": VERSION, "match": entries[0].match}
        for text in (compact(head), *(_text([entry]) for entry in entries)):
            line, seal = _sealed(text, seal)
            lines.append(line)
        data = b"".join(lines)
        if len(entries) < _count(self.path):
            # first and for good: after a power cut a higher count would tell of lost events
            _write_count(self.path, len(entries), sync=True)
        private_files.write(self.path, data)
        self._size, self._seal, self._inode = len(data), seal, self.path.stat().st_ino
        _write_count(self.path, len(entries))

    def append(self, entries: Sequence[Entry]) -> None:
        """Add events, all or none; Damaged, if the file is not as it was left."""
        line, seal = _sealed(_text(entries), self._seal)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if not self._is(os.fstat(descriptor)):
                raise Damaged(self.path)
            rest = memoryview(line)
            while rest:
                rest = rest[os.pwrite(descriptor, rest, self._size + len(line) - len(rest)) :]
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)
        self._size, self._seal = self._size + len(line), seal
        _write_count(self.path, entries[-1].number + 1)

    def _is(self, there: os.stat_result) -> bool:
        return (there.st_ino, there.st_size) == (self._inode, self._size)


def read(path: Path) -> Content:
    """Return what a file holds, up to where it is damaged or was cut off."""
    least = _count(path)  # first: more may be added meanwhile
    with private_files.open_to_read(path) as file:
        return content(file.read(), path, least)


def content(data: bytes, path: Path, least: int = 0) -> Content:
    """Return what the bytes of a file say, which held so many events at least.

    JournalFault, if a newer version wrote them.
    """
    match, entries, whole = "", list[Entry](), data
    start = seal = 0
    with suppress(ValueError, LookupError, TypeError, RecursionError):  # nobody writes that
        while start < len(whole):
            if (line := _line(whole, start, seal)) is None:
                if (mended := _mended(whole, start, seal)) is None:
                    break
                whole = mended
            elif start == 0:
                match, start, seal = _head(line.text, path), line.end, line.seal
            else:
                entries += _entries(match, line.text, len(entries))
                start, seal = line.end, line.seal
    torn = start < len(whole) and _is_torn(whole[start:])
    damaged = whole is not data or len(entries) < max(1, least)
    damaged |= start < len(whole) and not torn
    return Content(tuple(entries), damaged, data if damaged else b"")


def edges(path: Path) -> tuple[Entry, Entry] | None:
    """Return the first and the last event without reading all; None: all of it has to be read."""
    least = _count(path)
    with private_files.open_to_read(path) as file:
        beginning = file.read(EDGE_BYTES)
        file.seek(max(0, os.fstat(file.fileno()).st_size - EDGE_BYTES))
        end = file.read()
    head = _line(beginning, 0, 0)
    first = head and _line(beginning, head.end, head.seal)
    before = end.rfind(b"\n", 0, -1)
    if head is None or first is None or before < SEAL_BYTES:
        return None
    last = _line(end, before + 1, _seal(end[before - SEAL_BYTES : before]))
    if last is None or last.end != len(end):
        return None
    try:
        match = _head(head.text, path)
        ends = _entries(match, first.text, 0)[0], _entries(match, last.text)[-1]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return ends if least <= ends[1].number + 1 else None


# --- how many events are on the disk for certain --------------------------------------------------


def count_file(path: Path) -> Path:
    """Return the file beside that of a match which holds the number of its events."""
    return path.with_name(f".{path.stem}.count")


def _count(path: Path) -> int:
    """Return how many events a file held for certain; 0, where nobody knows."""
    try:
        line = _line(private_files.read(count_file(path), COUNT_BYTES), 0, 0)
        return 0 if line is None else int(line.text)
    except (OSError, ValueError):
        return 0


def _write_count(path: Path, count: int, *, sync: bool = False) -> None:
    """Write down how many events a file holds; a disk that fails costs only this check."""
    line, _ = _sealed(f"{count:010}", 0)
    flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW
    with suppress(OSError):
        descriptor = os.open(count_file(path), flags, private_files.FILE)
        try:
            os.pwrite(descriptor, line, 0)
            if sync:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _text(entries: Sequence[Entry]) -> str:
    parts = (compact({name: getattr(entry, name) for name in PARTS}) for entry in entries)
    pairs = zip(parts, entries, strict=True)
    return "[" + ",".join(f'{part[:-1]},"body":{entry.text}}}' for part, entry in pairs) + "]"


def _sealed(text: str, before: int) -> tuple[bytes, int]:
    """Return a line, and its checksum."""
    data = text.encode("ascii")
    seal = crc32(data, before)
    return b"%s %08x\n" % (data, seal), seal


def _line(data: bytes | bytearray, start: int, before: int) -> SealedLine | None:
    """Return the line that begins there, if it is whole."""
    end = data.find(b"\n", start)
    text, seal = data[start : end - SEAL_BYTES - 1], data[end - SEAL_BYTES - 1 : end]
    if end < start + SEAL_BYTES or seal != b" %08x" % (checksum := crc32(text, before)):
        return None
    return SealedLine(bytes(text), end + 1, checksum)


def _mended(data: bytes, start: int, before: int) -> bytes | None:
    """Return the data with one bit turned back that makes the line whole which begins there."""
    end = data.find(b"\n", start)
    end = -1 if end < 0 else data.find(b"\n", end + 1)  # the bit may have made a line of two
    line = bytearray(data[start : len(data) if end < 0 else end + 1][:MENDED_BYTES])
    for bit in range(8 * len(line)):
        line[bit // 8] ^= 1 << bit % 8
        if _line(line, 0, before) is not None:
            return data[:start] + line + data[start + len(line) :]
        line[bit // 8] ^= 1 << bit % 8
    return None


def _is_torn(rest: bytes) -> bool:
    """Tell whether it may be what a power cut left of one line that was being written."""
    if rest.endswith(b"\n") and b"\0" not in rest:
        return False
    pairs = pairwise(rest.split(b"\n"))
    return not any(_line(line + b"\n", 0, _seal(former[-SEAL_BYTES:])) for former, line in pairs)


def _seal(text: bytes) -> int:
    """Return the checksum that stands there; -1: none.

    >>> _seal(b"08b1cc5e"), _seal(b"in vain!")
    (145869918, -1)
    """
    try:
        return int(text, 16)
    except ValueError:
        return -1


def _head(text: bytes, path: Path) -> str:
    head: Any = json.loads(text)
    if head["version"] > VERSION:
        raise JournalFault(JournalState.NEWER, file=path)
    return str(head["match"])


def _entries(match: str, text: bytes, number: int | None = None) -> list[Entry]:
    """Return the events of a line; ValueError, if they do not begin with that number."""
    entries = [
        Entry(match, text=compact(values["body"]), **{name: values[name] for name in PARTS})
        for values in json.loads(text)
    ]
    numbers = [entry.number for entry in entries]
    if number is not None and numbers != [*range(number, number + len(numbers))]:
        raise ValueError("an event does not follow the one before it")
    return entries
