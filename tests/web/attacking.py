"""What attackers of the phones' pages send: raw bytes over real lines, and texts that would run."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web.common import server
from companion.web.context import WebContext
from tests.web.looking import addresses
from tests.web.room import HOST
from tests.web.test_server import HERE, Served, pieces

PATIENCE_S: Final = 60.0  # for whatever must come; a busy machine is slow
EVENTS: Final = "Accept: text/event-stream"
OURS: Final = HOST.split(":")[0]
JSON: Final = {"content_type": "application/json"}
ROLL: Final = {"request": "r", "wish": {"kind": "act", "text": "roll 7"}}
PAYLOADS: Final = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</script><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "{{7*7}}${7*7}",
    "{seat} {x.__class__} {0}",
    "\u202e<b>\u2028\x00",
)
RUNS: Final = ("<script>alert", "<img src=x", "<svg/onload", "' onmouseover='", "7*7}}49", "49${")
INSIDE: Final = ("Traceback", 'File "', "werkzeug", "waitress", "jinja", "site-packages", ".py")


class Attacked(Served):
    """A served table, and somebody who speaks to it byte by byte."""

    @property
    def host(self) -> str:
        return f"{HERE}:{self.port}"

    def head(self, start: str, *more: str, host: str | None = None) -> bytes:
        """Return a request's head; our own name is in it unless there is another."""
        named = self.host if host is None else host
        lines = (f"{start} HTTP/1.1", f"Host: {named}", *more, "", "")
        return "\r\n".join(lines).encode("latin-1")

    def say(self, sent: bytes, address: str = "") -> bytes:
        """Return all that comes back until the line is closed, or cut because of too much."""
        with socket.create_connection((HERE, self.port), PATIENCE_S, (address, 0)) as line:
            heard = b""
            with suppress(ConnectionResetError, BrokenPipeError):
                line.sendall(sent)
                for piece in pieces(line):
                    heard += piece
            return heard

    def ask(self, start: str, *more: str, host: str | None = None) -> bytes:
        return self.say(self.head(start, "Connection: close", *more, host=host))

    def page_comes(self) -> bool:
        """Tell whether the table page is still served to a phone."""
        return self.ask("GET /").startswith(b"HTTP/1.1 200 ")


@contextmanager
def attacked() -> Iterator[Attacked]:
    """Serve a table for as long as it is attacked."""
    made = Attacked()
    try:
        with made.server:
            yield made
    finally:
        made.hang_up()


def few_places(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let fewer lines be open at once than usual; return how many."""
    monkeypatch.setattr(server, "CONNECTIONS", 120)
    return 120


def status(answer: bytes) -> int:
    """Return the status of a raw answer."""
    return int(answer.split(b" ", 2)[1])


def paths(of: Flask) -> tuple[str, ...]:
    """Return a path for every route, filled in every way that means something."""
    return tuple(path.replace("{match}", "m0") for path in addresses(of))


class Page(HTMLParser):
    """What a browser would make of a page, as far as something in it could run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.runs: list[str] = []
        self._inline = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self._inline = tag if tag in {"script", "style"} else self._inline
        if tag == "script" and not (named.get("src") or "").startswith("/static/"):
            self.runs.append("script")
        for name, value in attrs:
            to = (value or "").strip().lower()
            if name.startswith("on") or name == "style" or to.startswith(("javascript:", "data:t")):
                self.runs.append(f"{tag} {name}={value}")
        if tag in {"base", "iframe", "object", "embed"}:
            self.runs.append(tag)

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag: str) -> None:
        self._inline = "" if tag == self._inline else self._inline

    def handle_data(self, data: str) -> None:
        if self._inline and data.strip():
            self.runs.append(f"{self._inline}: {data[:40]}")


def harmless(answer: Any) -> None:
    """Demand that nothing a browser makes of an answer runs."""
    assert answer.status_code < 500, answer.request.path
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "script-src 'self';" in answer.headers["Content-Security-Policy"]
    if answer.mimetype == "text/html":
        assert "microphone=()" in answer.headers["Permissions-Policy"]
        assert Page(answer.text).runs == [], answer.request.path
        assert not [run for run in RUNS if run in answer.text], answer.request.path
    else:
        assert answer.mimetype.startswith(("application/", "image/svg", "text/css", "text/java"))
    for inside in INSIDE:
        assert inside not in answer.text or answer.request.path == "/manual", inside


def stolen(phone: FlaskClient, of: WebContext) -> str:
    """Return the name that this phone sends in its cookie."""
    cookie = phone.get_cookie(of.pairing.cookie, domain=OURS)
    assert cookie is not None
    return cookie.value


def plant(phone: FlaskClient, of: WebContext, name: str) -> None:
    """Have a phone send this name."""
    phone.set_cookie(of.pairing.cookie, name, domain=OURS)
