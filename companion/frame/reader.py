"""Who sent a request: the language of the phone, and what it may do.

A watcher may look at everything. Who has paired a phone acts from it: for one seat, or for the
whole table, as the one phone does that lies in its middle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import Flask, Response, abort, g, redirect, request

from companion.frame import cookies
from companion.people.seating import Seating
from companion.present.reader import Reader
from companion.present.signs import face_svg
from companion.say import LANGUAGES
from companion.say import spoken as _spoken

LANGUAGE: Final = "language"  # the cookie of who switched to another


def reader() -> Reader:
    """Return who sent the request that is being answered."""
    known: Reader = g.reader
    return known


def introduce(
    app: Flask, role_of: Callable[[], str | None], seating: Callable[[], Seating]
) -> None:
    """Let every request know its reader, and every template speak the reader's language."""

    @app.before_request
    def _remember() -> None:
        g.reader = Reader(_language(), role_of(), seating())

    @app.context_processor
    def _speak() -> dict[str, object]:
        known = getattr(g, "reader", Reader())
        spoken_here = sorted(LANGUAGES.values(), key=lambda one: one.own_name)
        words = {"say": known.say, "name": known.name, "face": lambda seat: face_svg(seat, known)}
        return {"reader": known, "languages": spoken_here, **words}

    @app.post("/language")
    def language() -> Response:
        """Speak another language to this phone, and go back to where it was."""
        chosen, back = request.form.get("language"), request.form.get("back", "/")
        if chosen not in LANGUAGES:
            abort(400)
        gone_back = app.make_response(redirect(back if is_local(back) else "/", 303))
        return cookies.give(gone_back, LANGUAGE, chosen)


def is_local(path: str) -> bool:
    r"""Tell whether this leads to a page of ours, however a browser may read it.

    >>> [is_local(path) for path in ("/join", "//evil", "/\\evil", "http://evil", "/\tx")]
    [True, False, False, False, False]
    """
    return path[:1] == "/" and path[1:2] not in ("/", "\\") and path.isprintable()


def _language() -> str:
    """Return the language that somebody switched to, or the one that the phone asks for."""
    chosen = request.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES) or _spoken({})
