"""Migration from earlier versions: imports the SQLite journal once, and keeps the database.

The database becomes `journal.sqlite3.imported`. Nothing is mended in it: what can be read becomes
files, and where anything could not, people are told, and an earlier version may read more. This
module can go once nobody comes from version 0.1 any more.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.journal.entry import Entry
from companion.journal.status import journal_fault
from companion.system import private_files

LOG: Final = "-wal"
OURS: Final = 0x5A417070  # "ZApp": what tells our databases from those of other programs
SMALLEST_BYTES: Final = 40  # the least that an event takes: it limits how many there can be
FRAME_BYTES: Final = 24  # of the log, before each page
HEADER_BYTES: Final = 32
SALTS: Final = slice(16, 24)  # in the header: they tell a log from an older one
COLUMNS: Final = "match_id, number, at_ms, kind, body, request, ends, seal"


@dataclass(frozen=True, slots=True)
class Old:
    """What could be read of a database, and whether that is all it held."""

    matches: tuple[tuple[Entry, ...], ...]  # as they were begun
    damaged: bool


def read(path: Path) -> Old | None:
    """Return what a database holds, and leave it as it is; None: there is none of ours."""
    if not (path.exists() or _beside(path, LOG).exists()):
        return None
    with open(_beside(path, ".lock"), "ab", opener=private_files.opener) as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError as error:
            raise journal_fault(error) from error
        with TemporaryDirectory() as folder:
            copy = Path(folder, path.name)
            for end in ("", LOG):
                with (
                    suppress(FileNotFoundError),
                    private_files.open_to_read(_beside(path, end)) as file,
                ):
                    _beside(copy, end).write_bytes(file.read())
            return _read(copy)


def unfinished(path: Path) -> bool:
    """Tell whether a match of an earlier version is not over; JournalFault, if it is in use."""
    old = read(path)
    return old is not None and not all(entries[-1].ends for entries in old.matches)


def put_away(path: Path) -> Path:
    """Rename a database to that of one that was imported; return the name."""
    new, number = _beside(path, ".imported"), 2
    while new.exists():
        new, number = _beside(path, f".imported-{number}"), number + 1
    with suppress(FileNotFoundError):
        _beside(path, LOG).rename(_beside(new, LOG))
    with suppress(FileNotFoundError):
        path.rename(new)  # last: as long as it is there, it is imported once more
    for end in (".lock", "-shm"):
        _beside(path, end).unlink(missing_ok=True)
    private_files.sync_folder(path)
    return new


def _read(copy: Path) -> Old | None:
    log = _beside(copy, LOG)
    logged, size = log.read_bytes() if log.exists() else b"", len(copy.read_bytes())
    entries, damaged = list[Entry](), not size and bool(logged)
    most = (size + len(logged)) // SMALLEST_BYTES
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        try:
            if not _is_ours(database):
                return None
            (_, frames, _) = database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            ((sound,),) = database.execute("PRAGMA integrity_check(1)")
            damaged |= sound != "ok" or frames != _frames(logged, database)
        except (sqlite3.Error, UnicodeError):  # what SQLite says about damage may not be text
            damaged = True
        for entry in _rows(database, most):
            damaged |= entry is None
            entries += [entry] if entry else []
    matches = dict[str, dict[int, Entry]]()
    for entry in entries:
        matches.setdefault(entry.match, {}).setdefault(entry.number, entry)
    whole = [
        tuple(entry for number, entry in sorted(numbers.items()) if {*range(number)} <= {*numbers})
        for numbers in matches.values()
    ]
    damaged |= sum(map(len, whole)) < len(entries)
    return Old(tuple(filter(None, whole)), damaged)


def _is_ours(database: sqlite3.Connection) -> bool:
    """Tell whether it is a journal; one bit of whose it is may have turned over."""
    ((whose,),) = database.execute("PRAGMA application_id")
    ((tables,),) = database.execute("SELECT count(*) FROM sqlite_schema")
    return not tables or ((whose & 0xFFFFFFFF) ^ OURS).bit_count() < 2


def _frames(logged: bytes, database: sqlite3.Connection) -> float:
    """Return how many pages the log was written with; the others in it are of an older log.

    A log that was cut, or that says nothing of itself, is no whole number of pages.
    """
    ((page,),) = database.execute("PRAGMA page_size")
    if not logged:
        return 0
    frames, size = 0, FRAME_BYTES + page
    for start in range(HEADER_BYTES, len(logged), size):
        if logged[start + 8 : start + 16] != logged[SALTS]:
            break
        frames += 1
    return frames or 0.5 if (len(logged) - HEADER_BYTES) % size == 0 else frames + 0.5


def _rows(database: sqlite3.Connection, most: int) -> Iterator[Entry | None]:
    """Yield each event in the order in which they were written; None: something is unreadable."""
    ranges = [(1, most)]
    asked = f"SELECT {COLUMNS} FROM events WHERE position BETWEEN ? AND ? ORDER BY position"  # noqa: S608 - our own columns
    while ranges:
        first, last = ranges.pop()
        rows = list[tuple[Any, ...]]()
        try:
            rows = database.execute(asked, (first, last)).fetchall()
        except (sqlite3.Error, UnicodeError):
            middle = (first + last) // 2
            ranges += [(middle + 1, last), (first, middle)] if first < last else []
            yield None
        yield from map(_entry, rows)


def _entry(row: tuple[Any, ...]) -> Entry | None:
    match, number, at_ms, kind, text, request, ends, seal = row
    try:
        entry = Entry(match, number, at_ms, kind, text, request, bool(ends))
        entry.check()
    except (TypeError, ValueError):
        return None
    return entry if entry.seal == seal else None


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)
