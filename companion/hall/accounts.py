"""Sign-in and roles in a hall: the director by a PIN, a player by having checked in on a phone.

Whoever is neither may look at everything that is public. A phone carries a name that nobody can
guess; the hall's file holds only a hash of it, so whoever reads that file cannot sign in with it.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from sqlite3 import Connection
from threading import Lock
from typing import Final

from flask import Response, abort, redirect, request

from companion.hall.store import Store
from companion.present.viewer import Viewer
from companion.system.errors import CompanionError
from companion.web.common import errors, flask_app, rate_limit
from companion.web.common.flask_app import hashed

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS phones (mark TEXT PRIMARY KEY, role TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""
DIRECTOR: Final = "director"
COOKIE: Final = "rappelwacht-hall"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at a page: in what language, and in what role."""

    reader: Viewer
    role: str | None = None  # DIRECTOR, the id of a player, or nobody in particular

    @property
    def directs(self) -> bool:
        return self.role == DIRECTOR

    @property
    def player(self) -> str | None:
        return None if self.directs else self.role


class Accounts:
    """The phones that were signed in; all of it may be called from any thread."""

    def __init__(self, store: Store, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock_s = store, clock_s
        self._guesses, self._lock = rate_limit.PinRateLimit(), Lock()
        self._roles: dict[str, str] = dict(store.read("SELECT mark, role FROM phones"))
        self.pin = store.write(lambda file: _kept(file, "pin", f"{secrets.randbelow(10**6):06}"))

    def secret(self, name: str, new: Callable[[], str]) -> str:
        """Return the secret that this hall keeps under a name; it is made when first asked for."""
        return self._store.write(lambda file: _kept(file, name, new()))

    def role(self) -> str | None:
        """Return the role of the phone whose request is being answered."""
        phone = flask_app.cookie(COOKIE)
        return None if phone is None else self._roles.get(hashed(phone))

    def directs(self) -> bool:
        """Tell whether the director sent the request that is being answered."""
        return self.role() == DIRECTOR

    def visitor(self) -> Visitor:
        """Return who sent the request that is being answered."""
        return Visitor(flask_app.current_viewer(), self.role())

    def demand_sign_in(self) -> None:
        """Lead anybody but the director to where they sign in, and then back."""
        if not self.directs():
            abort(redirect(f"/sign-in?back={request.path}", 303))

    def demand_director(self) -> None:
        """Raise the answer for anybody but the director."""
        if not self.directs():
            why = CompanionError(
                "Only the director can do this; sign in with the PIN of the hall first."
            )
            raise errors.RequestError(403, "not-director", why)

    def enter(self, pin: str) -> str:
        """Let the director in; return the phone's new name, or raise why not."""
        address, now_s = request.remote_addr or "", self._clock_s()
        with self._lock:
            if rest_s := self._guesses.rest_s(address, now_s):
                count = round(rest_s) or 1
                why = CompanionError("Too many wrong PINs; try again in {count} s.", count=count)
                raise errors.RequestError(429, "too-many", why)
            given = "".join(pin.split())
            if not secrets.compare_digest(given.encode(errors="replace"), self.pin.encode()):
                self._guesses.count(address, now_s)
                why = CompanionError(
                    "Wrong PIN; the right one is shown where the hall was started."
                )
                raise errors.RequestError(403, "wrong-pin", why)
            self._guesses.forget(address)
        return self.sign_in(DIRECTOR)

    def sign_in(self, role: str) -> str:
        """Let a phone in as the director, or as the player of an id; return its new name."""
        phone = secrets.token_urlsafe(16)
        mark = hashed(phone)
        self._store.write(
            lambda file: file.execute("INSERT INTO phones VALUES (?, ?)", (mark, role))
        )
        self._roles[mark] = role
        return phone

    def remember(self, answer: Response, phone: str) -> Response:
        return flask_app.set_cookie(answer, COOKIE, phone)

    def leave(self, answer: Response) -> Response:
        """Sign out the phone whose request is being answered."""
        mark = hashed(flask_app.cookie(COOKIE) or "")
        self._store.write(lambda file: file.execute("DELETE FROM phones WHERE mark = ?", (mark,)))
        self._roles.pop(mark, None)
        return flask_app.delete_cookie(answer, COOKIE)

    def forget(self, role: str) -> None:
        """Sign out every phone that is signed in as somebody."""
        self._store.write(lambda file: file.execute("DELETE FROM phones WHERE role = ?", (role,)))
        self._roles = {mark: other for mark, other in self._roles.items() if other != role}


def _kept(file: Connection, name: str, new: str) -> str:
    file.execute("INSERT OR IGNORE INTO secrets VALUES (?, ?)", (name, new))
    value: str = file.execute("SELECT value FROM secrets WHERE name = ?", (name,)).fetchone()[0]
    return value
