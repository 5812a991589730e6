"""Who reads a page: which language, and what this phone may do. It must not know the pages.

A watcher may look at everything. Who has paired a phone acts from it: for one seat, or for the
whole table, as the one phone does that lies in its middle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flask import Flask, Response, abort, g, redirect, request

from companion.phone import cookies
from companion.rules.game import SEATS, Event, SeatName
from companion.say import LANGUAGES, Templated, Text, name, say
from companion.say import spoken as _spoken

TABLE: Final = "table"  # a role that may act for every seat
ROLES: Final = (TABLE, *SEATS)
LANGUAGE: Final = "language"  # the cookie of who switched to another


@dataclass(frozen=True, slots=True)
class Reader:
    """A phone and who holds it."""

    language: str = "en"
    role: str | None = None  # None: watches; else one of ROLES

    @property
    def acts(self) -> bool:
        """Whether it may change anything."""
        return self.role is not None

    @property
    def seat(self) -> str | None:
        """Return the seat that it acts for; None: no certain one."""
        return self.role if self.role in SEATS else None

    @property
    def by(self) -> str:
        """Return under which name its commands are written down."""
        return self.role or "phone"

    def may_act_for(self, seat: str) -> bool:
        """Whether it may do what is that seat's to do."""
        return self.role in (TABLE, seat)

    def say(self, thing: Event | Templated | str, **values: object) -> str:
        """Return a sentence in the reader's language; a string is its English template."""
        return say(Text(thing, **values) if isinstance(thing, str) else thing, self.language)

    def name(self, value: object) -> str:
        """Return what people call a value; a colour also by its word."""
        word = SeatName[value.upper()] if isinstance(value, str) and value in SEATS else value
        return name(word, self.language)


def reader() -> Reader:
    """Return who sent the request that is being answered."""
    known: Reader = g.reader
    return known


def introduce(app: Flask, role_of: Callable[[], str | None]) -> None:
    """Let every request know its reader, and every template speak the reader's language."""

    @app.before_request
    def _remember() -> None:
        g.reader = Reader(_language(), role_of())

    @app.context_processor
    def _speak() -> dict[str, object]:
        known = getattr(g, "reader", Reader())
        return {"reader": known, "say": known.say, "name": known.name}

    @app.post("/language")
    def language() -> Response:
        """Speak another language to this phone, and go back to where it was."""
        chosen, back = request.form.get("language"), request.form.get("back", "/")
        if chosen not in LANGUAGES:
            abort(400)
        gone_back = app.make_response(redirect(back if _is_local(back) else "/", 303))
        return cookies.give(gone_back, LANGUAGE, chosen)


def _is_local(path: str) -> bool:
    r"""Tell whether this leads to a page of ours, however a browser may read it.

    >>> [_is_local(path) for path in ("/join", "//evil", "/\\evil", "http://evil", "/\tx")]
    [True, False, False, False, False]
    """
    return path[:1] == "/" and path[1:2] not in ("/", "\\") and path.isprintable()


def _language() -> str:
    """Return the language that somebody switched to, or the one that the phone asks for."""
    chosen = request.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES) or _spoken({})
