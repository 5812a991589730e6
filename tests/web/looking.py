"""All that phones can get out of a table: every route of its app, as everybody who may ask.

Two tables are looked at side by side; what differs is yielded as soon as it is seen.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, product, zip_longest
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import companion.web
from companion.core.plugin import GAMES
from companion.web.context import WebContext
from tests.web.room import HOST, app, client

STATIC = Path(companion.web.__file__).parent / "static"
PARAMETER = re.compile(r"<(?:[^:<>]+:)?(\w+)>")
FILLED: Mapping[str, tuple[str, ...]] = {  # what stands for each parameter of a route
    "match": ("{match}", "none"),
    "view": ("table", "workshop", "simulated", "tv-de", "tv-en", "snapshot", "none"),
    "game": (*GAMES, "none"),
    "filename": (*sorted(file.name for file in STATIC.iterdir()), "none.css"),
    "kind": ("crt", "pem", "mobileconfig", "none"),
}
QUERIES: Mapping[str, tuple[str, ...]] = {
    "/history/<match>": ("", "?step=1", "?step=999&part="),
    "/tv": ("", "?language=de", "?language=none"),
    "/api/matches": ("", "?limit=1", "?limit=x"),
    "/api/stream": ("", "?view=table", "?view=workshop", "?view=tv-en", "?view=none"),
}
SAME = ("/manual", "/games/", "/api/openapi.json", "/api/asyncapi", "/api/games")
NOWHERE = ("/none", "/api/none", "/static/../none", "//none")
REFUSED: tuple[tuple[str, object], ...] = (  # none of it changes anything
    (
        "/api/commands",
        {"request": "q", "match": "m0", "version": 999, "wish": {"kind": "roll-for-us"}},
    ),
    ("/api/commands", {"request": "q", "wish": {"kind": "act", "text": "say red 3"}}),
    ("/api/commands", {"request": "q", "wish": {"kind": "act", "text": "place red 3"}}),
    ("/api/commands", {"request": "q", "wish": {"kind": "act", "text": "nonsense"}}),
    ("/api/commands", {"request": "q", "wish": {"kind": "rule", "foul": 99, "upheld": True}}),
    ("/api/commands", {"request": "q", "wish": {"kind": "settle", "seat": "red"}}),
    ("/api/commands", {"wish": {}}),
    ("/api/boards/check", {"ring": "R G"}),
)
ROLES = (("watcher", "en"), ("red", "de"), ("table", "en"), ("watcher", "de"), ("blue", "en"))
CANONICAL = (  # times and names that chance has made; nothing else
    (re.compile(rb"Date: [^\r\n]+"), b"DATE"),
)


@dataclass(slots=True)
class Looked:
    """A table that is looked at, by the phones that are paired with it, and what it logs."""

    app: Flask
    match: str
    phones: dict[tuple[str, str], FlaskClient]
    logged: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, of: WebContext, made: Flask | None = None, match: str = "m0") -> Looked:
        """Return a table with phones of all kinds."""
        made = made or app(of)
        phones = {
            (role, language): client(made, None if role == "watcher" else role, language)
            for role, language in ROLES
        }
        return cls(made, match, phones)


Sight = tuple[str, bytes]  # what was asked by whom, and all that came back


def differences(tables: Sequence[Looked], who: Sequence[tuple[str, str]] = ROLES) -> Iterator[str]:
    """Yield what phones can see that differs between two tables."""
    (one, other), readers = tables, tuple(who)
    with listening() as ear:
        pairs = zip(sights(one, readers, ear), sights(other, readers, ear), strict=True)
        for (asked, answer), (also, answer_too) in pairs:
            assert asked == also
            if answer != answer_too:
                yield f"{asked}\n{_apart(answer, answer_too)}"
    if one.logged != other.logged:
        yield f"log\n{one.logged}\n{other.logged}"


def sights(table: Looked, readers: tuple[tuple[str, str], ...], ear: Ear) -> Iterator[Sight]:
    """Yield all that these readers can see of a table now."""

    def seen(answer: Callable[[], TestResponse]) -> bytes:
        ear.heard = table.logged  # the tables take turns
        return _seen(answer())

    for place, reader in enumerate(readers):
        phone = table.phones[reader]
        for path in (*addresses(table.app), *NOWHERE):
            whole = len(readers) == len(ROLES)
            if path.startswith("/static/") and (place or not whole):
                continue  # a file knows neither its reader nor the moment: it is read in the end
            if path.startswith(SAME) and not whole:
                continue  # these do not know the moment, either
            filled = path.replace("{match}", table.match)
            yield f"{reader} {path}", seen(partial(_get, phone, filled))
        for path, sent in REFUSED:
            yield f"{reader} {path} {sent}", seen(partial(phone.post, path, json=sent))
        for header in ({"Host": "evil.example"}, {"Host": HOST, "Origin": "http://evil.example"}):
            yield f"{reader} {header}", seen(partial(phone.get, "/api/snapshot", headers=header))


def addresses(of: Flask) -> Iterator[str]:
    """Yield a path for every route of an app, whatever it takes; KeyError for an unknown part."""
    for rule in sorted(of.url_map.iter_rules(), key=lambda rule: rule.rule):
        names = PARAMETER.findall(rule.rule)
        for values in product(*(FILLED[name] for name in names)):
            pieces = PARAMETER.split(rule.rule)[::2]
            path = "".join(chain(*zip_longest(pieces, values, fillvalue="")))
            yield from (path + query for query in QUERIES.get(rule.rule, ("",)))


def _get(phone: FlaskClient, path: str) -> TestResponse:
    if path.startswith("/api/stream"):
        return phone.get(path, headers={"Accept": "text/event-stream"}, buffered=False)
    return phone.get(path)


def _seen(answer: TestResponse) -> bytes:
    body = answer.get_data() if answer.mimetype != "text/event-stream" else _first_event(answer)
    answer.close()
    said = f"{answer.status}\n{answer.headers}".encode() + body
    for pattern, word in CANONICAL:
        said = pattern.sub(word, said)
    return said


def _first_event(answer: TestResponse) -> bytes:
    """Return what a stream says up to its first event."""
    heard = b""
    for piece in answer.response:
        heard += piece.encode() if isinstance(piece, str) else piece
        if b"event:" in heard:
            return heard
    return heard


class Ear(logging.Handler):
    """Takes down what is logged, for the one that is looked at just now."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(f"{record.name} {record.levelname} {record.getMessage()}")


@contextmanager
def listening() -> Iterator[Ear]:
    """Take down what is logged meanwhile, by any logger, however unimportant."""
    ear, root = Ear(), logging.getLogger()
    loggers = [root, *(logging.getLogger(name) for name in logging.root.manager.loggerDict)]
    levels = [(logger, logger.level) for logger in loggers]
    root.addHandler(ear)
    try:
        for logger in loggers:
            logger.setLevel(logging.DEBUG)
        yield ear
    finally:
        for logger, level in levels:
            logger.setLevel(level)
        root.removeHandler(ear)


def _apart(one: bytes, other: bytes) -> str:
    """Return where two answers begin to differ."""
    place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
    near = slice(max(0, place - 80), place + 80)
    return f"{one[near]!r}\n{other[near]!r}"
