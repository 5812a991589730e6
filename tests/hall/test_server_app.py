"""The hall's frame: who may come in, what is kept, and how a thousand watchers are told."""

import http.client
import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.hall.accounts import COOKIE, DIRECTOR
from companion.hall.page import View
from companion.hall.server_app import HallServer
from companion.hall.store import Store
from companion.hall.tournament.events import (
    Begun,
    Chosen,
    Mode,
    ResultCorrected,
    ResultEntered,
    TableAdded,
)

HERE = "127.0.0.1"
PATIENCE_S = 60.0


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallServer]:
    with HallServer(tmp_path) as hall:
        hall.serve(0, HERE)
        yield hall


def asked(
    hall: HallServer, method: str, path: str, body: str = "", **headers: str
) -> tuple[http.client.HTTPResponse, str]:
    line = http.client.HTTPConnection(HERE, hall.here.port, timeout=PATIENCE_S)
    host = f"{HERE}:{hall.here.port}"
    usual = {"Host": host, "Content-Type": "application/x-www-form-urlencoded"}
    if method == "POST":
        usual["Origin"] = f"http://{host}"
    line.request(method, path, body, usual | {k.replace("_", "-"): v for k, v in headers.items()})
    with closing(line), line.getresponse() as answer:
        return answer, answer.read().decode(errors="replace")


def test_whoever_announces_a_body_and_sends_none_is_answered(hall: HallServer) -> None:
    answer, _ = asked(hall, "GET", "/", Expect="100-continue")
    assert answer.status == 200


@pytest.mark.parametrize("path", ["/", "/evening", "/director", "/screen", "/asyncapi"])
def test_what_a_page_loads_is_served(hall: HallServer, path: str) -> None:
    answer, html = asked(hall, "GET", path, Cookie=f"{COOKIE}={hall.accounts.sign_in(DIRECTOR)}")
    assert answer.status == 200
    loaded = re.findall(r'<(?:link|script)[^>]*(?:href|src)="(/[^"]+)"', html)
    assert loaded
    assert {url: asked(hall, "GET", url)[0].status for url in loaded} == dict.fromkeys(loaded, 200)


class Watcher:
    """A page that follows a view."""

    def __init__(self, hall: HallServer, view: str, cookie: str = "") -> None:
        self.line = socket.create_connection((HERE, hall.here.port), timeout=PATIENCE_S)
        self.line.sendall(
            f"GET /api/stream?view={view} HTTP/1.1\r\nHost: {HERE}:{hall.here.port}\r\n"
            f"Accept: text/event-stream\r\nCookie: {cookie}\r\n\r\n".encode()
        )
        self.got = b""

    def __del__(self) -> None:
        self.line.close()

    def until(self, sign: bytes) -> bytes:
        late_s = time.monotonic() + PATIENCE_S  # heartbeats come, whatever else does not
        while sign not in self.got:
            assert time.monotonic() < late_s, self.got
            piece = self.line.recv(65536)
            assert piece, self.got
            self.got += piece
        before, self.got = self.got.split(sign, 1)
        return before + sign


def shown(hall: HallServer) -> dict[str, Any]:
    """Let the hall have a view whose parts a test can change."""
    told: dict[str, Any] = {"": "begin"}
    hall.views._views["proof"] = View(  # type: ignore[index]
        lambda _, who, about: f"<p>{told['']} {about} {who.role or ''}</p>",
        personal=True,
        part=lambda _, __, part: f"<p>{told[part]}</p>",
        has=lambda *_: True,
    )
    return told


def test_what_was_written_is_there_again_and_what_fails_harms_nothing_else(tmp_path: Path) -> None:
    schema = "CREATE TABLE IF NOT EXISTS said (word TEXT PRIMARY KEY) STRICT"
    store = Store(tmp_path / "hall.sqlite3", schema)
    store.later(lambda file: file.execute("INSERT INTO said VALUES ('one')"))
    store.later(lambda file: file.execute("INSERT INTO said VALUES ('one')"))  # there already
    store.write(lambda file: file.execute("INSERT INTO said VALUES ('two')"))
    with pytest.raises(ZeroDivisionError):
        store.write(lambda file: (file.execute("INSERT INTO said VALUES ('three')"), 1 // 0))
    store.close()
    again = Store(tmp_path / "hall.sqlite3", schema)
    assert again.read("SELECT word FROM said ORDER BY word") == [("one",), ("two",)]
    again.close()
    assert (tmp_path / "hall.sqlite3").stat().st_mode & 0o077 == 0


def test_the_director_comes_in_by_the_pin_and_stays_in_after_a_restart(tmp_path: Path) -> None:
    with HallServer(tmp_path) as hall:
        hall.serve(0, HERE)
        assert asked(hall, "POST", "/sign-in", "pin=none")[0].status == 403
        foreign, _ = asked(
            hall, "POST", "/sign-in", f"pin={hall.accounts.pin}", Origin="http://evil"
        )
        assert foreign.status == 403
        right, _ = asked(hall, "POST", "/sign-in", f"pin={hall.accounts.pin}&back=//evil")
        assert (right.status, right.headers["Location"]) == (303, "/")
        cookie = re.match("[^;]+", right.headers["Set-Cookie"])
        assert cookie
    assert cookie[0].partition("=")[2].encode() not in (tmp_path / "hall.sqlite3").read_bytes()
    with HallServer(tmp_path) as hall:
        hall.serve(0, HERE)
        told = asked(hall, "GET", "/sign-in", Cookie=cookie[0])[1]
        assert "This phone directs the hall." in told
        assert "This phone directs the hall." not in asked(hall, "GET", "/sign-in")[1]


def test_whoever_watches_gets_what_is_newest_each_with_what_is_theirs(hall: HallServer) -> None:
    told = shown(hall)
    phone = hall.accounts.sign_in("player-7")
    one = Watcher(hall, "proof-a")
    other = Watcher(hall, "proof-a", f"rappelwacht-hall={phone}")
    assert b"<p>begin a </p>" in one.until(b"}\n\n")
    assert b"<p>begin a player-7</p>" in other.until(b"}\n\n")
    told[""] = "later"
    hall.changed("proof-a")
    assert b"<p>later a </p>" in one.until(b"later a </p>")
    assert b"player-7" in other.until(b"later a player-7</p>")
    told["x"] = "only this"
    hall.changed("proof-a", "x")
    piece = one.until(b'only this</p>"}')
    assert json.loads(piece.rpartition(b"data: ")[2]) == {"part": "x", "html": "<p>only this</p>"}


@pytest.mark.parametrize("shows", ["evening", "standings"])
def test_what_an_tournament_hangs_on_a_wall_is_renewed(hall: HallServer, shows: str) -> None:
    hall.tournament.do(TableAdded("1"))
    hall.tournament.do(Chosen("zapp-zerapp", Mode.POINTS, 2, 4, 2))
    ada, bo = (hall.tournament.check_in(name) for name in ("Ada", "Bo"))
    hall.tournament.propose()
    hall.screens.open()
    (screen,) = hall.screens
    hall.screens.show(screen.id, shows)

    def now() -> str:
        return asked(hall, "GET", f"/api/view/screen-{screen.id}")[1].strip()

    wall, seen = Watcher(hall, f"screen-{screen.id}"), [now()]
    wall.until(seen[0].encode())
    for event in (Begun(), ResultEntered(0, ((ada,), (bo,))), ResultCorrected(0, ((bo,), (ada,)))):
        hall.tournament.do(event)
        if (told := now()) != seen[-1]:
            wall.until(told.encode())
            seen.append(told)
    assert len(seen) > 1


def test_whoever_reads_nothing_skips_what_is_outdated(hall: HallServer) -> None:
    told = shown(hall)
    deaf = Watcher(hall, "proof")
    deaf.until(b"begin")
    other = Watcher(hall, "proof")
    other.until(b"begin")
    for turn in range(40):
        told[""] = f"{turn} " + "x" * 100_000
        hall.changed("proof")
        other.until(f"<p>{turn} x".encode())
    told[""] = "last"
    hall.changed("proof")
    missed = deaf.until(b"<p>last")
    assert missed.count(b"event: view") < 40


def test_a_line_that_ends_is_forgotten(hall: HallServer) -> None:
    shown(hall)
    watcher = Watcher(hall, "proof")
    watcher.until(b"begin")
    assert hall.views.live.fanout.held == 1
    watcher.line.close()
    late_s = time.monotonic() + PATIENCE_S
    while hall.views.live.fanout.held:
        assert time.monotonic() < late_s


def test_whoever_comes_to_what_nobody_watched_is_told_how_it_is_now(hall: HallServer) -> None:
    told = shown(hall)
    first = Watcher(hall, "proof")
    first.until(b"begin")
    first.line.close()
    late_s = time.monotonic() + PATIENCE_S
    while hall.views.live.fanout.held:
        assert time.monotonic() < late_s
    told[""] = "meanwhile"
    hall.changed("proof")
    time.sleep(0.2)  # nobody watches, so nothing is made of it
    assert b"meanwhile" in Watcher(hall, "proof").until(b"}\n\n")


def test_a_view_that_is_none_and_a_picture_that_asks_are_refused(hall: HallServer) -> None:
    assert asked(hall, "GET", "/api/stream?view=none", Accept="text/event-stream")[0].status == 404
    assert asked(hall, "GET", "/api/stream?view=none", Accept="image/png")[0].status == 406
    assert asked(hall, "GET", "/", Host="evil.example")[0].status == 421
