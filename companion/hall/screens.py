"""The screens on the walls: each shows a short code until a director says what it shows."""

import secrets
import time
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from sqlite3 import Connection
from threading import Lock
from typing import Final

from companion.hall.store import Store
from companion.system import errors
from companion.web.common.flask_app import hashed

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS screens (
    id INTEGER PRIMARY KEY,
    mark TEXT NOT NULL UNIQUE, -- of what its browser keeps
    code TEXT NOT NULL UNIQUE,
    shows TEXT NOT NULL -- a wall and what of it, such as `table 7`; empty: nobody has said
) STRICT;
"""
MOST: Final = 64
SILENT_S: Final = 900.0  # a screen that shows nothing and was not seen for this long makes room
LETTERS: Final = "ABCDEFGHJKLMNPRSTUVWXYZ"  # those that nobody mistakes for another
CODE: Final = 4


@dataclass(frozen=True, slots=True)
class ScreenNow:
    id: int
    code: str
    shows: str

    @property
    def wall(self) -> str:
        """Return the kind of picture; empty: none yet."""
        return self.shows.partition(" ")[0]

    @property
    def about(self) -> str:
        return self.shows.partition(" ")[2]


class Screens:
    """All screens; any thread may call this."""

    def __init__(
        self,
        store: Store,
        changed: Callable[[str], object],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._changed, self._clock_s = store, changed, clock_s
        self._lock = Lock()
        rows = store.read("SELECT id, mark, code, shows FROM screens ORDER BY id")
        self._screens: dict[str, ScreenNow] = {
            mark: ScreenNow(id_, code, shows) for id_, mark, code, shows in rows
        }
        self._seen_s = {screen.id: clock_s() for screen in self._screens.values()}

    def __iter__(self) -> Iterator[ScreenNow]:
        return iter([*self._screens.values()])

    def of(self, name: str | None) -> ScreenNow | None:
        return None if name is None else self._screens.get(hashed(name))

    def seen(self, id_: str) -> ScreenNow | None:
        """Return a screen by its number, now that somebody looks at it."""
        screen = next((screen for screen in self if str(screen.id) == id_), None)
        if screen is not None:
            self._seen_s[screen.id] = self._clock_s()
        return screen

    def coded(self, code: str) -> ScreenNow | None:
        return next((screen for screen in self if screen.code == code.strip().upper()), None)

    def open(self, watched: Container[int] = ()) -> str:
        """Register a browser as a screen; return the name that it has to keep.

        Of those that show nothing, the one that was silent longest makes room; `watched` ones
        are not silent. CompanionError: there is none, so the director has to remove one.
        """
        name = secrets.token_urlsafe(16)
        with self._lock:
            gone = self._silent(watched) if len(self._screens) >= MOST else None
            code = self._new_code()

            def add(file: Connection) -> int:
                file.execute("DELETE FROM screens WHERE mark = ?", (gone,))
                added = "INSERT INTO screens (mark, code, shows) VALUES (?, ?, '') RETURNING id"
                number: int = file.execute(added, (hashed(name), code)).fetchone()[0]
                return number

            id_ = self._store.write(add)
            if gone is not None:
                del self._seen_s[self._screens.pop(gone).id]
            self._screens[hashed(name)] = ScreenNow(id_, code, "")
            self._seen_s[id_] = self._clock_s()
        return name

    def _silent(self, watched: Container[int]) -> str:
        """Return the mark of the screen that nobody will miss."""
        late_s = self._clock_s() - SILENT_S
        gone = [
            (self._seen_s[screen.id], screen.id, mark)
            for mark, screen in self._screens.items()
            if not screen.shows and screen.id not in watched and self._seen_s[screen.id] <= late_s
        ]
        if not gone:
            raise errors.CompanionError(
                "There are already {count} screens; have the director remove one on the Screens "
                "page.",
                count=MOST,
            )
        _, _, mark = min(gone)
        return mark

    def remove(self, id_: int) -> None:
        """Remove a screen; its browser may become a new one."""
        with self._lock:
            self._store.write(lambda file: file.execute("DELETE FROM screens WHERE id = ?", (id_,)))
            self._screens = {
                mark: screen for mark, screen in self._screens.items() if screen.id != id_
            }
            self._seen_s.pop(id_, None)
        self._changed(f"screen-{id_}")

    def show(self, id_: int, shows: str) -> None:
        with self._lock:
            self._store.write(
                lambda file: file.execute("UPDATE screens SET shows = ? WHERE id = ?", (shows, id_))
            )
            self._screens = {
                mark: replace(screen, shows=shows) if screen.id == id_ else screen
                for mark, screen in self._screens.items()
            }
        self._changed(f"screen-{id_}")

    def _new_code(self) -> str:
        taken = {screen.code for screen in self._screens.values()}
        while (code := "".join(secrets.choice(LETTERS) for _ in range(CODE))) in taken:
            pass
        return code
