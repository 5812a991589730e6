"""The screens on the walls: each has a short code until a director says what it shows."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from sqlite3 import Connection
from threading import Lock
from typing import Final

from companion.hall.store import Store

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS screens (
    id INTEGER PRIMARY KEY,
    mark TEXT NOT NULL UNIQUE, -- of what its browser keeps
    code TEXT NOT NULL UNIQUE,
    shows TEXT NOT NULL -- a wall and what of it, such as `table 7`; empty: nobody has said
) STRICT;
"""
MOST: Final = 64
LETTERS: Final = "ABCDEFGHJKLMNPRSTUVWXYZ"  # those that nobody takes for another
CODE: Final = 4


@dataclass(frozen=True, slots=True)
class ScreenNow:
    """A screen, and what it shows."""

    id: int
    code: str
    shows: str

    @property
    def wall(self) -> str:
        """Return the kind of picture; empty: none yet."""
        return self.shows.partition(" ")[0]

    @property
    def about(self) -> str:
        """Return of what it is."""
        return self.shows.partition(" ")[2]


class Screens:
    """All screens; any thread may call this."""

    def __init__(self, store: Store, changed: Callable[[str], object]) -> None:
        self._store, self._changed, self._lock = store, changed, Lock()
        rows = store.read("SELECT id, mark, code, shows FROM screens ORDER BY id")
        self._screens = {mark: ScreenNow(id_, code, shows) for id_, mark, code, shows in rows}

    def __iter__(self) -> Iterator[ScreenNow]:
        """Go through all of them."""
        return iter([*self._screens.values()])

    def of(self, name: str | None) -> ScreenNow | None:
        """Return the screen whose browser keeps this name."""
        return None if name is None else self._screens.get(_mark(name))

    def numbered(self, id_: int) -> ScreenNow | None:
        """Return a screen."""
        return next((one for one in self if one.id == id_), None)

    def coded(self, code: str) -> ScreenNow | None:
        """Return the screen that shows a code."""
        return next((one for one in self if one.code == code.strip().upper()), None)

    def open(self) -> str:
        """Let a browser be a screen; return the name that it is to keep."""
        name = secrets.token_urlsafe(16)
        with self._lock:
            unused = [mark for mark, one in self._screens.items() if not one.shows]
            gone = [*unused, *self._screens][0] if len(self._screens) >= MOST else None
            code = self._new_code()

            def add(file: Connection) -> int:
                file.execute("DELETE FROM screens WHERE mark = ?", (gone,))
                added = "INSERT INTO screens (mark, code, shows) VALUES (?, ?, '') RETURNING id"
                found: int = file.execute(added, (_mark(name), code)).fetchone()[0]
                return found

            id_ = self._store.write(add)
            if gone is not None:
                del self._screens[gone]
            self._screens[_mark(name)] = ScreenNow(id_, code, "")
        return name

    def show(self, id_: int, shows: str) -> None:
        """Have a screen show something."""
        with self._lock:
            mark, one = next((mark, one) for mark, one in self._screens.items() if one.id == id_)
            self._store.write(
                lambda file: file.execute("UPDATE screens SET shows = ? WHERE id = ?", (shows, id_))
            )
            self._screens[mark] = ScreenNow(id_, one.code, shows)
        self._changed(f"screen-{id_}")

    def _new_code(self) -> str:
        taken = {one.code for one in self._screens.values()}
        while (code := "".join(secrets.choice(LETTERS) for _ in range(CODE))) in taken:
            pass
        return code


def _mark(name: str) -> str:
    return sha256(name.encode(errors="replace")).hexdigest()
