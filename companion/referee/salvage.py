"""A damaged journal file: what can be read of it goes into a new one, and it is kept aside.

The new file is complete before any name changes, and the names change in an order that `finish` can
carry on from, so a power cut in between loses nothing.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.private_files import create, sync_folder
from companion.referee import journal_log
from companion.referee.entry import Entry
from companion.referee.journal_file import COLUMNS, Connect, JournalFile, connect, entry, told
from companion.referee.journal_log import Log
from companion.referee.journal_state import Damaged

LOGS: Final = ("-wal", "-journal")  # what SQLite keeps beside a file
PAGE_BYTES: Final = 4096
SMALLEST_BYTES: Final = 40  # the least that an event takes: it limits how many there can be
PAGE_COUNT: Final = slice(28, 32)  # in the first page


def replace(path: Path, entries: Sequence[Entry], connect: Connect) -> Path:
    """Put a new journal with these events in the place of a damaged one; return where that is."""
    new = _new(path)
    _remove(new)
    create(new)
    with closing(JournalFile.open(str(new), connect)) as file:
        file.add(entries)
        file.settle()
    sync_folder(path)
    aside = _aside(path, _free(path))
    if path.exists():
        path.rename(aside)
        sync_folder(path)
    _swap(path, aside)
    return aside


def finish(path: Path) -> None:
    """Carry on where a replacement was interrupted, if one was."""
    if not _new(path).exists():
        return
    if path.exists():
        _remove(_new(path))  # it may be half-written, and what it was read from is still there
    else:
        _swap(path, _aside(path, max(1, _free(path) - 1)))


def read(path: Path) -> list[Entry]:
    """Return what can be read of a journal file, however damaged, without touching it.

    Of each match that is its beginning, as far as it is whole: what follows a gap means nothing.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "copy")
        _copy(path, copy)
        log = _log_of(copy)
        file = copy.read_bytes()
        found = _found(copy, partial(_copy, path))
        if log.damaged:  # SQLite itself reads it only up to what is bad in it
            for image in journal_log.images(file, log):
                found = _found(copy, partial(_put, image)) | found
    return _beginnings(found[position] for position in sorted(found))


def log_damaged(path: Path) -> bool:
    """Tell whether something in the middle of the log is bad: SQLite would drop what follows it."""
    return _log_of(path).damaged


def orphaned(path: Path) -> bool:
    """Tell whether the file is gone or empty though its log is not: SQLite would drop the log."""
    return not _size(path) and _size(_log(path, "-wal")) > 0


def _swap(path: Path, aside: Path) -> None:
    """Move the damaged file's logs to it, then the new file to its name."""
    for log in LOGS:
        with suppress(FileNotFoundError):
            _log(path, log).rename(_log(aside, log))
    sync_folder(path)
    _new(path).rename(path)
    sync_folder(path)


def _log_of(path: Path) -> Log:
    log = _log(path, "-wal")
    return journal_log.read(log.read_bytes() if log.exists() else b"")


def _found(copy: Path, put: Callable[[Path], None]) -> dict[int, Entry]:
    """Return the events of a file that is put in place, with their positions."""
    put(copy)
    found = dict(_rows(copy))
    if not found:
        put(copy)  # reading may have changed it
        _give_first_page(copy)
        found = dict(_rows(copy))
    return found


def _put(image: bytes, to: Path) -> None:
    _remove(to)
    to.write_bytes(image)


def _rows(path: Path) -> Iterator[tuple[int, Entry]]:
    """Yield every event that is whole, with its position; where reading fails, in halves."""
    ranges = [(1, sum(_size(part) for part in (path, _log(path, "-wal"))) // SMALLEST_BYTES)]
    asked = (
        f"SELECT position, {COLUMNS} FROM events "  # noqa: S608 - our own columns
        "WHERE position BETWEEN ? AND ?"
    )
    with told():
        connection = connect(str(path))
    with closing(connection):
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute(asked, (1, 0))  # are there such columns at all?
        except (sqlite3.Error, UnicodeError):  # what SQLite says about it may not be text, either
            return
        while ranges:
            first, last = ranges.pop()
            try:
                for position, *row in connection.execute(asked, (first, last)):
                    with suppress(Damaged):
                        yield position, entry(tuple(row))
            except (sqlite3.Error, UnicodeError):
                middle = (first + last) // 2
                ranges += [(first, middle), (middle + 1, last)] if first < last else []


def _beginnings(entries: Iterable[Entry]) -> list[Entry]:
    """Leave out what follows a gap in its match."""
    matches: dict[str, dict[int, Entry]] = {}
    for found in entries:
        matches.setdefault(found.match, {}).setdefault(found.number, found)
    whole: list[Entry] = []
    for numbers in matches.values():
        end = next(number for number in count() if number not in numbers)
        whole += [numbers[number] for number in range(end)]
    return whole


def _give_first_page(path: Path) -> None:
    """Replace the page that tells where all others are; it is nearly the same in every journal."""
    pages = _size(path) // PAGE_BYTES
    other = path.with_name("other")
    with suppress(FileNotFoundError):
        other.unlink()
    JournalFile.open(str(other)).close()
    page = bytearray(other.read_bytes()[:PAGE_BYTES])
    page[PAGE_COUNT] = pages.to_bytes(4, "big")
    with path.open("r+b") as file:
        file.write(page)


def _copy(path: Path, to: Path) -> None:
    """Copy a file and its logs; what the disk does not give back is zeros in the copy."""
    _remove(to)
    to.touch()
    for log in ("", *LOGS):
        source, target = _log(path, log), _log(to, log)
        if source.exists():
            with source.open("rb", buffering=0) as file, target.open("wb") as copy:
                for start in range(0, _size(source), PAGE_BYTES):
                    copy.write(_page(file.fileno(), start))


def _page(descriptor: int, start: int) -> bytes:
    try:
        return os.pread(descriptor, PAGE_BYTES, start)
    except OSError:
        return bytes(PAGE_BYTES)


def _remove(path: Path) -> None:
    for log in ("", *LOGS):
        _log(path, log).unlink(missing_ok=True)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _log(path: Path, log: str) -> Path:
    return path.with_name(path.name + log)


def _new(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.damaged-{number}")


def _free(path: Path) -> int:
    """Return the first number under which nothing is kept aside yet."""
    return next(
        number
        for number in count(1)
        if not any(_log(_aside(path, number), log).exists() for log in ("", *LOGS))
    )
