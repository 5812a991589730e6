"""Every table as the hall knows it now: by its number on the wall, and by its name in topics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Final

from companion.errors import RulesError
from companion.hall.store import Store
from companion.hall_link.payloads import Online, State
from companion.hall_link.protocol import fits
from companion.present.public import snapshot_of
from companion.referee.snapshot import Snapshot

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    secret TEXT -- agreed on when it joined; none: it was only heard of
) STRICT;
"""
MOST: Final = 2_000  # tables; whoever claims that there are more is not believed


OFF: Final = Online(online=False)


@dataclass(frozen=True)
class TableNow:
    """A table as it was last heard of."""

    number: int
    name: str
    online: Online = OFF
    state: State | None = None
    refused: int = 0  # how much of what it said could not be read
    garbled: bool = False  # whether that is true of its latest state
    rivalled: bool = False  # whether another computer claims to be this table, and is sent away

    @property
    def foreign(self) -> bool:
        """Whether it says what only another version of the hall understands."""
        return not fits(self.online.protocol)

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
            return snapshot_of(self.state)
        except (RulesError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None


class Tables:
    """All tables; any thread may look, and the link's thread tells."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, Lock()
        rows = store.read("SELECT number, name, secret FROM tables ORDER BY number")
        self._tables = {name: TableNow(number, name) for number, name, _ in rows}
        self._secrets: dict[str, str] = {name: secret for _, name, secret in rows if secret}

    def __iter__(self) -> Iterator[TableNow]:
        """Go through all of them by their numbers."""
        return iter(sorted([*self._tables.values()], key=lambda one: one.number))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._tables)

    def named(self, name: str) -> TableNow | None:
        """Return the table with a name."""
        return self._tables.get(name)

    def protocol(self, name: str) -> str:
        """Return the protocol that a table last said it speaks."""
        found = self._tables.get(name)
        return "" if found is None else found.online.protocol

    def numbered(self, number: str) -> TableNow | None:
        """Return the table with a number as shown on walls and in addresses."""
        return next((one for one in [*self._tables.values()] if str(one.number) == number), None)

    def secret(self, name: str) -> str | None:
        """Return the secret agreed on with a table when it joined."""
        return self._secrets.get(name)

    def secrets(self) -> dict[str, str]:
        """Return the secrets of all tables that joined, by their names."""
        return dict(self._secrets)

    def join(self, name: str, secret: str) -> TableNow:
        """Remember a table and the secret agreed on with it."""
        found = self.heard_of(name)
        assert found is not None
        self._secrets[name] = secret
        self._store.write(
            lambda file: file.execute("UPDATE tables SET secret = ? WHERE name = ?", (secret, name))
        )
        return found

    def heard_of(self, name: str) -> TableNow | None:
        """Return a table that spoke, known from now on; None: there are too many."""
        with self._lock:
            if (found := self._tables.get(name)) is not None:
                return found
            if len(self._tables) >= MOST:
                return None
            number = 1 + max((one.number for one in self._tables.values()), default=0)
            found = self._tables[name] = TableNow(number, name)
        added = "INSERT OR IGNORE INTO tables (number, name) VALUES (?, ?)"
        self._store.later(lambda file: file.execute(added, (number, name)))
        return found

    def tell(self, name: str, **now: object) -> None:
        """Note what is new at a table: its state, whether it is online."""
        with self._lock:
            self._tables[name] = replace(self._tables[name], **now)  # type: ignore[arg-type]

    def refuse(self, name: str) -> int:
        """Count something that could not be read; return how often that has happened."""
        with self._lock:
            found = self._tables[name]
            self._tables[name] = replace(found, refused=found.refused + 1)
            return found.refused + 1
