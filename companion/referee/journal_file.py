"""The journal's file: one table of SQLite to which events are added, and nothing ever changed.

An event is on the disk when `add` returns: its pages were written to the log beside the file (WAL)
and synced (synchronous FULL), and a half-written end of the log is not read. That holds as far as
the disk tells the truth. Many SD cards call data written that are still in their cache; when the
power goes, such a card may lose the last events, and a worn one also old ones. What is found is
then still a beginning of what was played, and the seals show what is not. A log in which a byte
went bad is noticed before SQLite drops what follows it (see `journal_log`); only where more than a
bit of the last transaction or two is wrong, that cannot be told from a torn end. The log is emptied
at every start and at the end of every match.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, Final, Protocol, Self

from companion.private_files import opened
from companion.referee.entry import Entry, Match
from companion.referee.journal_state import Damaged, JournalFault, JournalState

VERSION: Final = 1  # of the schema; a program that finds a greater one leaves the file alone
LAST_VERSION: Final = 255  # nobody will ever write a greater one: it is damaged
OURS: Final = 0x5A417070  # "ZApp": what tells our files from those of other programs
SCHEMA: Final = (
    """CREATE TABLE events (
        position INTEGER PRIMARY KEY, -- in the order in which they were written
        match_id TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number >= 0),
        at_ms INTEGER NOT NULL, -- since 1970, for people to read
        kind TEXT NOT NULL,
        body TEXT NOT NULL, -- a JSON object
        request TEXT,
        ends INTEGER NOT NULL CHECK (ends IN (0, 1)),
        seal INTEGER NOT NULL, -- CRC-32 of all but the position; see entry.py
        UNIQUE (match_id, number)
    ) STRICT""",
    """CREATE TRIGGER events_follow BEFORE INSERT ON events
        WHEN EXISTS (SELECT 1 FROM events WHERE position = NEW.position) OR NEW.number IS NOT
            (SELECT coalesce(max(number) + 1, 0) FROM events WHERE match_id = NEW.match_id)
        BEGIN SELECT RAISE(ABORT, 'an event follows the one before it'); END""",
    """CREATE TRIGGER events_stay BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'events are never changed'); END""",
    """CREATE TRIGGER events_remain BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'events are never removed'); END""",
    f"PRAGMA application_id = {OURS}",
    f"PRAGMA user_version = {VERSION}",
)
MAGIC: Final = b"SQLite format 3\0"
HEAD_BYTES: Final = 100
FORMATS: Final = slice(18, 20)  # to write and to read
KNOWN_FORMATS: Final = {b"\1\1", b"\2\2"}  # without a log and with one
IN_MEMORY: Final = ":memory:"
BITE: Final = 32  # events that are read at once: between bites whoever writes has its turn
CACHE_KB: Final = 500  # four times as much is usual, and would fill within an evening for nothing
COLUMNS: Final = "match_id, number, at_ms, kind, body, request, ends, seal"
ADD: Final = f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own columns
FAULTS: Final = {
    sqlite3.SQLITE_PERM: JournalState.FORBIDDEN,
    sqlite3.SQLITE_BUSY: JournalState.IN_USE,
    sqlite3.SQLITE_LOCKED: JournalState.IN_USE,
    sqlite3.SQLITE_READONLY: JournalState.READ_ONLY,
    sqlite3.SQLITE_IOERR: JournalState.FAILING,
    sqlite3.SQLITE_CANTOPEN: JournalState.FAILING,
    sqlite3.SQLITE_FULL: JournalState.FULL,
}


class Connection(Protocol):
    """What is used of a database: little enough for others than the standard library's."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = ..., /) -> Iterable[tuple[Any, ...]]:
        """Run one statement and give its rows."""

    def close(self) -> object:
        """Let go of the file."""


Connect = Callable[[str], Connection]


def connect(name: str) -> Connection:
    """Return a database of the standard library; every statement is its own transaction."""
    return sqlite3.connect(name, timeout=0, isolation_level=None, check_same_thread=False)


class JournalFile:
    """An open journal file; no other program can use it meanwhile, and threads take turns."""

    def __init__(self, connection: Connection, *, in_memory: bool) -> None:
        self._connection = connection
        self._turn = RLock()
        self.in_memory = in_memory  # then it is only a copy

    @classmethod
    def open(cls, name: str, connect: Connect = connect) -> Self:
        """Open a journal, or begin one where there is none or an empty file."""
        if name != IN_MEMORY and Path(name).exists():
            _check_head(Path(name))
        with told():
            connection = connect(name)
        try:
            with told():
                return cls(_prepared(connection), in_memory=name == IN_MEMORY)
        except BaseException:
            with suppress(sqlite3.Error, ValueError):
                connection.close()
            raise

    def add(self, entries: Sequence[Entry]) -> None:
        """Write events, all or none; they are on the disk when this returns."""
        with told(), self._turn:
            if len(entries) == 1:
                self._run(ADD, *_row(entries[0]))
            elif entries:
                self._add_all(entries)

    def events(self, match: str) -> tuple[Entry, ...]:
        """Return the events of a match in order; none, if it is not here."""
        asked = f"""SELECT {COLUMNS} FROM events WHERE match_id = ? AND number >= ?
            ORDER BY number LIMIT ?"""  # noqa: S608 - our own columns
        entries: list[Entry] = []
        rows = None
        while rows is None or len(rows) == BITE:
            with told():
                rows = self._run(asked, match, len(entries), BITE)
                entries += map(entry, rows)
        if [found.number for found in entries] != [*range(len(entries))]:
            raise Damaged(match)
        return tuple(entries)

    def matches(self) -> tuple[Match, ...]:
        """Return all matches, the one that was begun last first."""
        asked = f"""WITH known AS (
                SELECT match_id AS id, max(number) AS end FROM events GROUP BY match_id
            ) SELECT {COLUMNS} FROM known CROSS JOIN events
                ON match_id = id AND (number = 0 OR number = end)
            ORDER BY (SELECT position FROM events WHERE match_id = id AND number = 0) DESC, number
        """  # noqa: S608 - our own columns
        with told():
            ends = [entry(row) for row in self._run(asked)]
        spans: dict[str, list[Entry]] = {}
        for found in ends:
            spans.setdefault(found.match, []).append(found)
        return tuple(Match(span[0], span[-1]) for span in spans.values())

    def settle(self) -> None:
        """Move the log into the file itself, and the file to the disk, whoever wrote it."""
        with told():
            self._run("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let go of the file; what was added stays, whatever fails here."""
        with suppress(sqlite3.Error, ValueError), self._turn:
            self._connection.close()

    def _add_all(self, entries: Sequence[Entry]) -> None:
        self._run("BEGIN IMMEDIATE")
        try:
            for added in entries:
                self._run(ADD, *_row(added))
            self._run("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error, ValueError):
                self._run("ROLLBACK")
            raise

    def _run(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        with self._turn:
            return list(self._connection.execute(sql, parameters))


def entry(row: tuple[Any, ...]) -> Entry:
    """Return the event that a row holds, if its seal is whole."""
    match, number, at_ms, kind, text, request, ends, seal = row
    try:
        found = Entry(match, number, at_ms, kind, text, request, bool(ends))
        whole = found.seal == seal
    except (TypeError, ValueError) as error:  # bytes where there was text
        raise Damaged(match) from error
    if not whole:
        raise Damaged(match)
    return found


def _row(added: Entry) -> tuple[object, ...]:
    told = (added.match, added.number, added.at_ms, added.kind, added.text, added.request)
    return (*told, int(added.ends), added.seal)


def _prepared(connection: Connection) -> Connection:
    """Check whose file it is and that it is sound, and make it a journal if it is empty."""

    def ask(sql: str) -> Any:
        return next(iter(list(connection.execute(sql))), (None,))[0]

    ask("PRAGMA locking_mode = EXCLUSIVE")  # and so without a third file, for shared memory
    ask("PRAGMA cell_size_check = ON")
    ask("PRAGMA trusted_schema = OFF")
    schema = _schema(connection)
    ask("PRAGMA synchronous = FULL")
    ask(f"PRAGMA cache_size = -{CACHE_KB}")
    whose = ask("PRAGMA application_id") & 0xFFFFFFFF
    if schema and whose != OURS:
        if (whose ^ OURS).bit_count() == 1:
            raise Damaged("a bit of whose it is")
        raise JournalFault(JournalState.FOREIGN)
    version = ask("PRAGMA user_version")
    a_bit = (version ^ VERSION).bit_count() == 1 and schema == _ours()
    if schema and VERSION < version <= LAST_VERSION and not a_bit:
        raise JournalFault(JournalState.NEWER)
    if schema and (version != VERSION or not _ours() <= schema):
        raise Damaged("the version or the schema")
    if schema and (fault := ask("PRAGMA integrity_check(1)")) != "ok":
        raise Damaged(fault)
    ask("PRAGMA journal_mode = WAL")
    if not schema:
        for statement in ("BEGIN IMMEDIATE", *SCHEMA, "COMMIT"):
            ask(statement)
    return connection


def _schema(connection: Connection) -> frozenset[tuple[Any, ...]]:
    """Return what tables and triggers a file says it has."""
    try:
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")
        return frozenset(rows)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
            raise Damaged(error) from error  # of a format that SQLite does not know
        raise


@cache
def _ours() -> frozenset[tuple[Any, ...]]:
    """Return what a journal has: a bit that turned over there may look sound to SQLite."""
    with closing(sqlite3.connect(IN_MEMORY, isolation_level=None)) as made:
        for statement in SCHEMA:
            made.execute(statement)
        return _schema(made)


def _check_head(path: Path) -> None:
    """Raise Damaged for a file whose format does not exist; SQLite would not write it."""
    with opened(path) as file:  # before SQLite has it: closing it would end SQLite's locks
        head = file.read(HEAD_BYTES)
    if len(head) == HEAD_BYTES and head[:16] == MAGIC and head[FORMATS] not in KNOWN_FORMATS:
        raise Damaged("the format")


@contextmanager
def told() -> Iterator[None]:
    """Turn what a database raises into what the journal understands."""
    try:
        yield
    except (sqlite3.Error, OverflowError, ValueError) as error:
        code = getattr(error, "sqlite_errorcode", None)
        kind = None if code is None else code & 0xFF  # the rest says where it happened
        if kind in (None, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise Damaged(error) from error  # without a code, text could not be decoded
        raise JournalFault(FAULTS.get(kind, JournalState.UNFORESEEN), error) from error
