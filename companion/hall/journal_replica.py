"""Replicates the open part of every table's journal, byte for byte, over a line that loses data.

A table sends from its journal whatever the hall says it lacks (`Have`). So this needs no queue:
what is there already is dropped, what leaves a gap is dropped, too, and asked for again: so is a
match that another hall asked for, which may have the matches before it where we have not. An entry
that differs from ours replaces it and all that followed: the journal is what is true. All of it
happens in the store's one thread, and what the hall says that it has is read from the disk.
"""

from collections.abc import Callable, Sequence
from sqlite3 import Connection
from typing import Any, Final

from companion.hall.store import Store
from companion.journal import Entry, ListedMatch
from companion.journal.entry import NAMED
from companion.mqtt.payloads import Events, Have
from companion.present.mqtt_state import entry_from_line
from companion.system.errors import Unreadable

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS matches (
    id INTEGER PRIMARY KEY, -- in the order in which we heard of them: no clock is asked
    table_name TEXT NOT NULL,
    match_id TEXT NOT NULL,
    UNIQUE (table_name, match_id)
) STRICT;
CREATE TABLE IF NOT EXISTS deeds (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    at_ms INTEGER NOT NULL, -- by the table's clock, for people to read
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    request TEXT,
    ends INTEGER NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
"""
MOST: Final = 100_000  # entries of a match; a long one has a thousand
ADD: Final = "INSERT INTO deeds VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
COLUMNS: Final = "number, at_ms, kind, body, request, ends"


class JournalReplica:
    def __init__(self, store: Store, hall: str) -> None:
        self.store, self.hall = store, hall
        self._told_last: dict[str, str] = {}  # the match that each table reported last

    def handle_events(self, table: str, events: Events, then: Callable[[], object] = bool) -> None:
        """Handle what a table said; Unreadable: no journal could contain that."""
        entries = _checked(events)
        asked = events.hall == self.hall
        self.store.later(lambda file: self._add(file, table, events.match, entries, asked), then)

    def _add(
        self, file: Connection, table: str, match: str, entries: Sequence[Entry], asked: bool
    ) -> None:
        named = "SELECT id FROM matches WHERE table_name = ? AND match_id = ?"
        known = file.execute(named, (table, match)).fetchone()
        if known is None:
            if entries[0].number or not asked:
                return
            new = "INSERT INTO matches (table_name, match_id) VALUES (?, ?) RETURNING id"
            known = file.execute(new, (table, match)).fetchone()
        (row,) = known
        (count,) = file.execute(
            "SELECT coalesce(max(number) + 1, 0) FROM deeds WHERE match = ?", (row,)
        ).fetchone()
        if entries[0].number > count:
            return
        if asked:
            self._told_last[table] = match
        seals = dict(
            file.execute(
                "SELECT number, seal FROM deeds WHERE match = ? AND number >= ?",
                (row, entries[0].number),
            )
        )
        fresh = next(
            (n for n, entry in enumerate(entries) if seals.get(entry.number) != entry.seal), None
        )
        if fresh is None:
            return
        file.execute(
            "DELETE FROM deeds WHERE match = ? AND number >= ?", (row, entries[fresh].number)
        )
        file.executemany(ADD, [_row(row, entry) for entry in entries[fresh:]])

    # --- what is on the disk ------------------------------------------------------------------

    def have(self, table: str) -> Have:
        """Return what the hall has of a table, which says what it wants next.

        That is of the match of which was told last: who has another journal than before, such as
        the one from before, begins with matches that are here already, and has to get past them.
        """
        rows = self.store.read(
            "SELECT match_id, number, seal FROM matches JOIN deeds ON match = id "
            "WHERE id = (SELECT id FROM matches WHERE table_name = ? "
            "ORDER BY match_id = ? DESC, id DESC LIMIT 1) ORDER BY number DESC LIMIT 1",
            table,
            self._told_last.get(table, ""),
        )
        if not rows:
            return Have(self.hall, None)
        match, number, seal = rows[0]
        return Have(self.hall, match, number + 1, seal)

    def lacks(self, table: str, other: Have) -> bool:
        """Tell whether another hall has something of a table that this one has not."""
        if other.match is None:
            return False
        (count,) = self.store.read(
            "SELECT coalesce(max(number) + 1, 0) FROM matches JOIN deeds ON match = id "
            "WHERE table_name = ? AND match_id = ?",
            table,
            other.match,
        )[0]
        return bool(count < other.next)

    def matches(self, table: str, most: int = 1_000) -> list[ListedMatch]:
        """Return the matches of a table, the newest first."""
        rows = self.store.read(
            "SELECT match_id FROM matches WHERE table_name = ? ORDER BY id DESC LIMIT ?",
            table,
            most,
        )
        entries = [self.entries(table, match) for (match,) in rows]
        return [ListedMatch(some[0], some[-1]) for some in entries if some]

    def ended(self, table: str, after: str) -> list[str]:
        """Return which matches that a table began after one that is here are over, in order."""
        rows = self.store.read(
            "SELECT match_id FROM matches AS one WHERE table_name = ? "
            "AND id > (SELECT id FROM matches WHERE table_name = ? AND match_id = ?) "
            "AND (SELECT ends FROM deeds WHERE match = one.id ORDER BY number DESC LIMIT 1) "
            "ORDER BY id",
            table,
            table,
            after,
        )
        return [name for (name,) in rows]

    def entries(self, table: str, match: str, first: int = 0) -> tuple[Entry, ...]:
        """Return what the hall has of a match, in order, from a number on."""
        rows = self.store.read(
            f"SELECT {COLUMNS} FROM matches JOIN deeds ON match = id "  # noqa: S608 - our own columns
            "WHERE table_name = ? AND match_id = ? AND number >= ? ORDER BY number",
            table,
            match,
            first,
        )
        return tuple(_entry(match, row) for row in rows)

    def seals(self, table: str, match: str, before: int) -> int:
        """Return the sum of the seals of a match's first entries, which then need no rereading."""
        (row,) = self.store.read(
            "SELECT coalesce(sum(seal), 0) FROM matches JOIN deeds ON match = id "
            "WHERE table_name = ? AND match_id = ? AND number < ?",
            table,
            match,
            before,
        )
        return int(row[0])


def _checked(events: Events) -> tuple[Entry, ...]:
    if not NAMED.fullmatch(events.match) or not events.deeds:
        raise Unreadable("'{where}' is not part of a journal.", where=events.match[:40])
    try:
        entries = tuple(entry_from_line(events.match, event) for event in events.deeds)
    except (ValueError, RecursionError):
        raise Unreadable("'{where}' is not part of a journal.", where=events.match) from None
    follows = all(entry.number == events.from_ + n for n, entry in enumerate(entries))
    if not follows or not 0 <= events.from_ < MOST - len(entries):
        raise Unreadable("'{where}' is not part of a journal.", where=events.match)
    return entries


def _row(match: int, entry: Entry) -> tuple[Any, ...]:
    facts = entry.number, entry.at_ms, entry.kind, entry.text, entry.request
    return (match, *facts, int(entry.ends), entry.seal)


def _entry(match: str, row: tuple[Any, ...]) -> Entry:
    number, at_ms, kind, text, request, ends = row
    return Entry(match, number, at_ms, kind, text, request, bool(ends))
