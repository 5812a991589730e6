"""Attacks from foreign pages and by texts that would run; none gets anywhere."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from companion.journal import NewEntry
from companion.referee.events import (
    BarrelAssigned,
    ChartPoint,
    FoulRaised,
    HandCount,
    MatchAbandoned,
    UndoneTo,
    to_json,
)
from companion.system.logs import Lines
from companion.web.history_page import JSONL
from companion.web.pairing import Pairing
from tests.web.attacking import (
    EVENTS,
    JSON,
    PAYLOADS,
    ROLL,
    Attacked,
    attacked,
    harmless,
    paths,
    status,
    stolen,
)
from tests.web.playing import do
from tests.web.room import HOST, PIN, FakeRoom, app, client, phones

EVIL = "http://evil.example"


@pytest.fixture(scope="module")
def open_to_attack() -> Iterator[Attacked]:
    with attacked() as made:
        yield made


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom("red", "blue")


# --- names: DNS rebinding and all that a host can be written as -----------------------------------


FORMS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1:{port}, evil.example",
    "evil.example, 127.0.0.1:{port}",
    "127.0.0.1:{port}\r\nHost: evil.example",
    "evil.example\r\nHost: 127.0.0.1:{port}",
    "127.0.0.1:{port}\r\n , evil.example",
    "evil.example\r\nX-Forwarded-Host: 127.0.0.1\r\nForwarded: host=127.0.0.1",
    "127.0.0.1@evil.example",
    "evil.example@127.0.0.1",
    "127.0.0.1:evil.example",
    "127.0.0.1/evil.example",
    "127.0.0.1?evil.example",
    "127.0.0.1#evil.example",
    "127.0.0.1\\evil.example",
    "127.0.0.1%00.evil.example",
    "127.0.0.1.evil.example.",
    "127.0.0.1..",
    "localhost.evil.example",
    "[::1].evil.example",
    "[::1%25lo].evil.example",
    "[::1%25evil.example%25lo]",
    "[::2%25lo]",
    "[::ffff:192.0.2.77]",
    "127.0.0.1%25lo",
    "[::1",
    "::1",
    "0x7f000001",
    "127.1",
    "0",
    "",
    " ",
    "\xff\xfe",
    "a" * 9000,
)


@pytest.mark.parametrize("form", FORMS)
def test_a_host_in_any_form_opens_nothing_if_not_ours(open_to_attack: Attacked, form: str) -> None:
    host = form.format(port=open_to_attack.port)
    for path in ("/join", "/api/stream", "/static/style.css", "/api/none"):
        answer = open_to_attack.ask(f"GET {path}", EVENTS, host=host)
        assert status(answer) in (400, 421), (path, answer[:200])
        assert b"evil" not in answer


def test_whoever_names_no_host_at_all_gets_nothing(open_to_attack: Attacked) -> None:
    for start in (b"GET /join HTTP/1.0\r\n\r\n", b"GET /join\r\n\r\n"):
        assert status(open_to_attack.say(start)) == 421
    nameless = open_to_attack.say(b"GET /join HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert status(nameless) == 421


def test_a_whole_address_as_target_changes_neither_name_nor_redirects(
    open_to_attack: Attacked,
) -> None:
    ours = open_to_attack.host
    assert status(open_to_attack.ask(f"GET http://{ours}/join", host="evil.example")) == 421
    assert status(open_to_attack.ask(f"GET http://{ours}", host="evil.example")) == 421
    for start in ("GET http://evil.example/join", "GET http://evil.example", "GET //evil.example/"):
        head, _, page = open_to_attack.ask(start).partition(b"\r\n\r\n")
        assert b"evil" not in head
        assert not re.search(rb"(href|src|action)=.[^>]*evil", page)
    assert status(open_to_attack.ask("CONNECT evil.example:443")) in (403, 404, 405)


# --- changes from foreign pages -------------------------------------------------------------------


def foreign(phone: FlaskClient) -> FlaskClient:
    """Have a paired phone open a foreign page: its cookies go along, our origin does not."""
    del phone.environ_base["HTTP_ORIGIN"]
    return phone


def test_no_picture_nor_link_changes_anything_whatever_method_it_claims(room: FakeRoom) -> None:
    phone = foreign(client(room, "table"))
    claims = {"X-HTTP-Method-Override": "POST", "X-HTTP-Method": "POST", "X-Method-Override": "PUT"}
    query = {"_method": "POST", "all": "true", "language": "de", "seat": "blue", "pin": PIN}
    for path in ("/api/commands", "/api/pair", "/api/unpair", "/language", "/api/boards/check"):
        phone.get(path, headers=claims, query_string=query | {"wish": json.dumps(ROLL["wish"])})
    assert phone.get("/api/pair").json == {"role": "table", "waits_s": 0}
    assert '<html lang="en"' in phone.get("/join").text
    assert room.commands == []


def test_nobody_is_told_that_foreign_pages_may_ask(room: FakeRoom) -> None:
    made = app(room)
    phone = foreign(client(made, "table"))
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x"}
    for path in paths(made):
        for origin in ({"Origin": EVIL}, {"Origin": "null"}, {"Origin": f"http://{HOST}"}, {}):
            answer = phone.options(path, headers=asks | origin)
            assert answer.status_code == 403 or "evil" not in str(origin)
            assert not [name for name, _ in answer.headers if name.lower().startswith("access-")]


def test_a_foreign_page_takes_no_place_in_the_stream(open_to_attack: Attacked) -> None:
    for line in (f"Origin: {EVIL}", "Origin: null", "Sec-Fetch-Site: cross-site"):
        assert status(open_to_attack.ask("GET /api/stream", EVENTS, line)) == 403
    assert status(open_to_attack.ask("GET /api/stream", "Accept: image/*")) == 406
    assert open_to_attack.server.held == 0


# --- texts that would run -------------------------------------------------------------------------


@pytest.mark.slow(but=4)
@pytest.mark.parametrize("text", PAYLOADS)
def test_no_text_that_people_can_send_runs_on_any_page(room: FakeRoom, text: str) -> None:
    made = app(room)
    phone = client(made, "table")
    wishes: list[dict[str, Any]] = [
        {"kind": text},
        {"kind": "act", "text": text},
        {"kind": "act", "text": f"correct pawns {text}"},
        {"kind": "call", "code": text, "seat": "red"},
        {"kind": "call", "code": "peek", "seat": text},
        {"kind": "settle", "seat": text, "stopper": 1},
        {"kind": "try-seat-light", "colour": text},
        {"kind": "new-match", "game": text, "settings": {}},
        {"kind": "new-match", "game": "zapp-zerapp", "settings": {text: text}},
        {"kind": "new-match", "game": "zapp-zerapp", "settings": {"seats": [text]}},
        {"kind": "new-match", "game": "zapp-zerapp", "settings": {}, "house": {"cost": text}},
        {"kind": "put-right", "deed": 1, "text": text},
    ]
    for wish in wishes:
        refused = phone.post("/api/commands", json={"request": "x", "wish": wish})
        assert 400 <= refused.status_code < 500, wish
        harmless(refused)
    for sent in (
        {"request": text, "wish": wishes[0]},
        {text: text},
        {"request": "y", "wish": text},
    ):
        harmless(phone.post("/api/commands", json=sent))
    for board in ({"ring": text}, {"ring": [text] * 24}, {text: text}, text):
        harmless(phone.post("/api/boards/check", json=board))
    harmless(phone.post("/api/pair", json={"pin": text}))
    harmless(phone.post("/language", data={"language": text, "back": text}))
    named = {"User-Agent": text, "Accept-Language": text, "Referer": text}
    latin = {name: value.encode("utf-8").decode("latin-1") for name, value in named.items()}
    plain = {name: value.replace("\x00", "") for name, value in latin.items()}
    query = dict.fromkeys(
        ("ring", "entries", "seat", "board", "cost", "step", "part", "view", "seen", "limit"), text
    )
    inside = quote(text, safe="")
    for path in (*paths(made), f"/{inside}", f"/history/{inside}", f"/api/matches/{inside}"):
        if not path.startswith(("/static/", "/api/stream")):
            asked = phone.get(
                path.split("?")[0], headers=plain | {"Host": HOST}, query_string=query
            )
            harmless(asked)
    own = query | {"board": "own", "ring": f"{text} " * 24, "entries": "0 6 12 18"}
    harmless(phone.get("/setup/checked", query_string=own))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        to_json(FoulRaised(1, PAYLOADS[0], "foul", "red", 0, 100)),
        to_json(FoulRaised(1, "peek", PAYLOADS[1], "red", 0, 100)),
        to_json(FoulRaised(1, "peek", "foul", PAYLOADS[1], 0, 100)),
        to_json(
            FoulRaised(1, "peek", "foul", "red", -5, 10**8, (ChartPoint(10**8, -(10**8), 0, None),))
        ),
        to_json(
            FoulRaised(1, "too-many-in-hand", "foul", "red", 1, 1, (), (HandCount(0, 100_000, -1),))
        ),
        ("did", {"action": "[" * 5000, "by": PAYLOADS[0]}),
        ("did", {"action": '{"do": "roll", "magic": 1e999}', "by": PAYLOADS[0]}),
        ("amended", {"deed": 1, "action": PAYLOADS[0], "by": PAYLOADS[0]}),
        to_json(BarrelAssigned(PAYLOADS[0], 99)),
        to_json(UndoneTo(-1, PAYLOADS[0])),
        to_json(MatchAbandoned(PAYLOADS[1])),
    ],
)
def test_nothing_in_a_journal_from_elsewhere_runs_or_breaks_a_page(
    room: FakeRoom, kind: str, body: dict[str, Any]
) -> None:
    do(room, "roll 7")
    room.paper.append("m0", 2, NewEntry(kind, body))
    made = app(room)
    made.testing = False
    phone = client(made, "table")
    for path in ("/history", "/history/m0", "/history/m0?step=2&part=", "/api/matches/m0"):
        harmless(phone.get(path))
    assert phone.get("/api/matches/m0/export").mimetype == JSONL


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "/\n/evil.x",
        "http:evil.example", "http:///evil.example", "javascript:alert(1)", " //evil.example",
        "/%0d%0aSet-Cookie:%20a=b", "/\r\nSet-Cookie: a=b", "/ok\r\n\r\n<script>", "///evil",
        "/.//evil.example", "/;@evil.example", "/\u2028/evil.example", "/\x00/evil.example",
        "https://192.168.7.5:8000/", "data:text/html,x", "/\u3002evil", "/../..//evil.example",
    ],
)  # fmt: skip
def test_who_chooses_a_language_stays_and_slips_in_no_header(room: FakeRoom, back: str) -> None:
    answer = client(room).post("/language", data={"language": "de", "back": back})
    location = answer.headers["Location"]
    assert not {"\r", "\n", "\t", "\\", "\x00"} & {*location}
    leads_to = urlsplit(urljoin(f"http://{HOST}/language", location))
    assert (leads_to.scheme, leads_to.netloc) == ("http", HOST)
    assert not location.startswith("//")
    assert [value.split("=")[0] for value in answer.headers.getlist("Set-Cookie")] == ["language"]


def test_no_header_is_slipped_in_by_any_path(open_to_attack: Attacked) -> None:
    slipped = "%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a<script>"
    for path in (f"/{slipped}", f"/history/{slipped}", f"/api/matches/{slipped}/export",
                 f"/static/{slipped}", f"/api/view/{slipped}", f"/join/?{slipped}"):  # fmt: skip
        head, _, body = open_to_attack.ask(f"GET {path}").partition(b"\r\n\r\n")
        assert b"set-cookie" not in head.lower(), path
        assert b"<script>" not in body or b"application/json" in head, path


@pytest.mark.parametrize(
    "path",
    [
        "/static/../web.py", "/static/%2e%2e/web.py", "/static/..%2fweb.py", "/static/..%252fa.py",
        "/static/%c0%ae%c0%ae/web.py", "/static/..%5cweb.py", "/static/....//web.py",
        "/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static/style.css%00.py",
        "/static/./../server.py", "/../../etc/passwd", "/history/..%2f..%2fphone.key",
        "/api/matches/..%2fphone.key/export", "/api/view/..%2fstatic", "/static/file:%2f%2f/etc",
        "/static/\\..\\web.py", "/static/;/../web.py", "http://127.0.0.1/static/../../web.py",
    ],
)  # fmt: skip
def test_no_path_leads_out_over_a_real_line(open_to_attack: Attacked, path: str) -> None:
    answer = open_to_attack.ask(f"GET {path}")
    assert status(answer) in (308, 400, 404), answer[:100]
    assert b"import" not in answer
    assert b"root:" not in answer


# --- what could tell a number ---------------------------------------------------------------------


def placed(red: int, blue: int) -> FakeRoom:
    room = FakeRoom("red", "blue")
    do(room, "roll 7")
    room.place("red", red)
    room.place("blue", blue)
    return room


def test_neither_marks_nor_lengths_nor_conditions_tell_a_sealed_number() -> None:
    one, other = (client(placed(*stands), "table") for stands in ((3, 9), (9, 3)))
    for path in paths(one.application):
        if path.startswith(("/static/", "/api/stream")):
            continue
        mark = one.get(path).headers.get("ETag", '"none"')
        seen: list[list[tuple[int, list[tuple[str, str]], int]]] = []
        for phone in (one, other):
            answers = [
                phone.open(path, method=method, headers=also | {"Host": HOST})
                for method, also in (
                    ("HEAD", {}),
                    ("GET", {"If-None-Match": mark}),
                    ("GET", {"Range": "bytes=0-9"}),
                    ("OPTIONS", {}),
                )
            ]
            for answer in answers:
                answer.headers.pop("Date", None)  # the second in which it was asked tells nothing
            seen.append([(one.status_code, [*one.headers], len(one.data)) for one in answers])
        assert seen[0] == seen[1], path


# --- methods and logs -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method", ["HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "CONNECT", "PROPFIND", "X"]
)
def test_no_method_gets_more_than_it_should(room: FakeRoom, method: str) -> None:
    made = app(room)
    made.testing = False
    phone = client(made, "table")
    for path in paths(made):
        if not path.startswith("/static/") or path.endswith("style.css"):
            answer = phone.open(path, method=method, headers={EVENTS[:6]: EVENTS[8:], "Host": HOST})
            assert answer.status_code < 500
            assert "Server" not in answer.headers
            assert "rappelwacht=" not in answer.text  # as TRACE would send it back
            if answer.mimetype != "text/event-stream":
                harmless(answer)
            answer.close()
    assert (room.commands, room.now.version) == ([], 0)


def test_no_secret_is_logged_by_any_try(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    whole = phones(pairing=Pairing(tmp_path, PIN))
    made = app(whole)
    made.testing = False
    caplog.handler.setFormatter(Lines())
    made.add_url_rule("/broken", view_func=lambda: dict[str, str]()[PIN])
    with caplog.at_level(logging.DEBUG):
        phone = client(made, "table")
        wrong = json.dumps({"pin": PIN, "x": PIN})
        phone.post("/api/pair", data=wrong, **JSON)
        phone.get(f"/{PIN}?pin={PIN}", headers={"User-Agent": PIN, "Host": HOST})
        assert phone.get("/broken").status_code == 500
    assert "KeyError" in caplog.text
    mark = next(iter(whole.pairing.roles))
    for secret in (PIN, stolen(phone, whole), mark):
        assert secret not in caplog.text
