"""All tables as the hall knows them now: by number on the wall, and by name in MQTT topics."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from time import monotonic
from typing import Final

from companion.hall.store import Store
from companion.mqtt import payloads, topics
from companion.present.mqtt_state import snapshot_from_state
from companion.referee.snapshot import Snapshot
from companion.system.errors import RulesError

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    secret TEXT -- agreed on when it joined; none: it was only heard of
) STRICT;
"""
MOST: Final = 2_000  # tables; whoever claims that there are more is not believed


OFF: Final = payloads.Online(online=False)


@dataclass(frozen=True)
class TableNow:
    number: int
    name: str
    online: payloads.Online = OFF
    state: payloads.TableState | None = None
    refused: int = 0  # how much of what it said could not be read
    garbled: bool = False  # whether that is true of its latest state
    rivalled: bool = False  # whether another computer claims to be this table, and is sent away

    @property
    def foreign(self) -> bool:
        """Whether it says what only another version of the hall understands."""
        return not topics.fits(self.online.protocol)

    @property
    def unread(self) -> bool:
        """Whether it said something that cannot be shown."""
        return self.foreign or self.garbled or (self.state is not None and self.snapshot is None)

    @cached_property
    def snapshot(self) -> Snapshot | None:
        """Return what there is to see there; None: nothing yet, or this version cannot show it."""
        if self.state is None:
            return None
        try:
            return snapshot_from_state(self.state)
        except (RulesError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None


class HallTables:
    """All tables; any thread may look, and the link's thread tells."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, Lock()
        rows = store.read("SELECT number, name, secret FROM tables ORDER BY number")
        self._tables = {name: TableNow(number, name) for number, name, _ in rows}
        self._secrets: dict[str, str] = {name: secret for _, name, secret in rows if secret}

    def __iter__(self) -> Iterator[TableNow]:
        """Go through all of them by their numbers."""
        return iter(sorted([*self._tables.values()], key=lambda table: table.number))

    def __len__(self) -> int:
        return len(self._tables)

    def named(self, name: str) -> TableNow | None:
        return self._tables.get(name)

    def protocol(self, name: str) -> str:
        """Return the protocol that a table last said it speaks."""
        table = self._tables.get(name)
        return "" if table is None else table.online.protocol

    def numbered(self, number: str) -> TableNow | None:
        """Return the table with a number as shown on walls and in addresses."""
        return next(
            (table for table in [*self._tables.values()] if str(table.number) == number), None
        )

    def secret(self, name: str) -> str | None:
        """Return the secret agreed on with a table when it joined."""
        return self._secrets.get(name)

    def secrets(self) -> dict[str, str]:
        """Return the secrets of all tables that joined, by their names."""
        return dict(self._secrets)

    def join(self, name: str, secret: str) -> TableNow:
        table = self.get_or_add(name)
        assert table is not None
        self._secrets[name] = secret
        self._store.write(
            lambda file: file.execute("UPDATE tables SET secret = ? WHERE name = ?", (secret, name))
        )
        return table

    def get_or_add(self, name: str) -> TableNow | None:
        """Return a table that spoke, known from now on; None: there are too many."""
        with self._lock:
            if (table := self._tables.get(name)) is not None:
                return table
            if len(self._tables) >= MOST:
                return None
            number = 1 + max((table.number for table in self._tables.values()), default=0)
            table = self._tables[name] = TableNow(number, name)
        added = "INSERT OR IGNORE INTO tables (number, name) VALUES (?, ?)"
        self._store.later(lambda file: file.execute(added, (number, name)))
        return table

    def update(self, name: str, **now: object) -> None:
        """Note what is new at a table: its state, whether it is online."""
        with self._lock:
            self._tables[name] = replace(self._tables[name], **now)  # type: ignore[arg-type]

    def refuse(self, name: str) -> int:
        """Count something that could not be read; return how often that has happened."""
        with self._lock:
            table = self._tables[name]
            self._tables[name] = replace(table, refused=table.refused + 1)
            return table.refused + 1


REFUSED_S: Final = 600.0  # then it may try again: perhaps the first one is gone
MOST_DUPLICATES: Final = 8  # marks of a table that are remembered


@dataclass(slots=True)
class _Marks:
    now: str
    before: list[str] = field(default_factory=list)
    refused: dict[str, float] = field(default_factory=dict)  # until when


class DuplicateTables:
    """Who claims to be which table; only the link's two threads ask."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self._clock_s = clock_s
        self._marks: dict[str, _Marks] = {}

    def knows(self, table: str) -> bool:
        """Tell whether anybody has come as a table so far."""
        return table in self._marks

    def comes(self, table: str, mark: str) -> bool:
        """Note who comes; return whether another one is refused from now on."""
        marks = self._marks.setdefault(table, _Marks(mark))
        if mark == marks.now or mark in marks.refused:
            return False
        was, marks.now = marks.now, mark
        if mark not in marks.before:
            marks.before = [*marks.before, was][-MOST_DUPLICATES:]
            return False
        marks.before.remove(mark)
        marks.refused = dict(
            [*marks.refused.items(), (was, self._clock_s() + REFUSED_S)][-MOST_DUPLICATES:]
        )
        return True

    def refused(self, table: str) -> tuple[str, ...]:
        """Return the marks of those who have to keep away from a table's name."""
        marks = self._marks.get(table)
        return () if marks is None else (*marks.refused,)

    def forgiven(self) -> list[str]:
        """Return the tables as which somebody may try again from now on."""
        now_s, names = self._clock_s(), list[str]()
        for table, marks in [*self._marks.items()]:
            still = {mark: until_s for mark, until_s in marks.refused.items() if until_s > now_s}
            if len(still) < len(marks.refused):
                marks.refused = still
                names.append(table)
        return names
