"""Floods, and bodies that mean mischief: whatever is sent, the table page is still served."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Event

import pytest

from companion.journal import ListedMatch
from companion.referee.commands import Command, DoAction, Undo
from companion.web.app import STREAMS
from companion.web.common.request_guard import BODY_BYTES
from companion.web.common.server import (
    CONNECTIONS,
    LARGEST_BYTES,
    THREADS,
    THREADS_EACH,
    UNREAD_BYTES,
)
from tests.web.attacking import (
    EVENTS,
    JSON,
    PATIENCE_S,
    ROLL,
    Attacked,
    attacked,
    few_places,
    harmless,
    status,
)
from tests.web.room import FakeRoom, app, client, phones
from tests.web.still import Still
from tests.web.test_server import until


@pytest.fixture(scope="module")
def open_to_attack() -> Iterator[Attacked]:
    with attacked() as made:
        yield made


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> int:
    """Have fewer places than usual: how many there are decides nothing here."""
    return few_places(monkeypatch)


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom("red", "blue")


# --- floods ---------------------------------------------------------------------------------------


def test_a_body_without_end_is_cut_off_soon(open_to_attack: Attacked) -> None:
    kind, ours = "Content-Type: application/json", f"Origin: http://{open_to_attack.host}"
    for path in ("/api/pair", "/api/commands", "/api/boards/check", "/language", "/"):
        start = f"POST {path}"
        huge = open_to_attack.head(start, kind, ours, "Content-Length: 1073741824")
        assert status(open_to_attack.say(huge)) == 413
    for endless in (b"1000\r\n" + b" " * 4096 + b"\r\n", b"1;" + b"x" * 4096, b"0" * 4096):
        head = open_to_attack.head("POST /api/pair", kind, ours, "Transfer-Encoding: chunked")
        line = open_to_attack.raw(head)
        with suppress(ConnectionError):  # once it is cut off
            for _ in range(2 * LARGEST_BYTES // 4096):
                line.sendall(endless)
            assert line.recv(12)[9:12] in (b"400", b"413")
    chunk = b"11000\r\n" + b" " * 0x11000 + b"\r\n0\r\n\r\n"
    assert len(chunk) > BODY_BYTES
    head = open_to_attack.head(
        "POST /api/pair", kind, ours, "Transfer-Encoding: chunked", "Connection: close"
    )
    assert status(open_to_attack.say(head + chunk)) == 413


def test_heads_without_measure_are_refused(open_to_attack: Attacked) -> None:
    many = tuple(f"X-{number}: y" for number in range(3000))
    for lines in (many, ("X: " + "y" * 20_000,), ("Cookie: " + "a=b; " * 5000,)):
        answer = open_to_attack.ask("GET /", *lines)
        assert answer == b"" or status(answer) == 413  # cut, or told why
    answer = open_to_attack.ask("GET /" + "a" * 20_000)
    assert answer == b"" or status(answer) == 413
    assert open_to_attack.page_comes()


@pytest.mark.parametrize("dripped", [b"", b"GET / HTTP/1.1\r\nX-Slow: "])
def test_more_lines_than_there_are_places_keep_nobody_out(places: int, dripped: bytes) -> None:
    """Silent lines, and those of a slow loris, make room for a phone that asks something."""
    with attacked() as flooded:
        silent = [flooded.raw(dripped) for _ in range(places + 60)]
        assert flooded.page_comes()
        for line in silent[-80:]:
            line.sendall(b"a")
        assert flooded.page_comes()
        assert len(flooded.channels) <= places


@pytest.mark.parametrize("jump_s", [-45 * 60.0, 50 * 365 * 24 * 3600.0])
def test_a_jumping_clock_turns_nobody_away(
    monkeypatch: pytest.MonkeyPatch, places: int, jump_s: float
) -> None:
    """By the wall clock a newcomer's line would have been the one that was silent longest."""
    with attacked() as flooded:
        for _ in range(places + 60):
            flooded.raw()
        assert flooded.page_comes()
        wall_s = time.time
        monkeypatch.setattr(time, "time", lambda: wall_s() + jump_s)
        newest = [flooded.raw() for _ in range(20)]
        assert flooded.page_comes()
        for line in newest:
            line.sendall(flooded.head("GET /static/style.css"))
            assert line.recv(12) == b"HTTP/1.1 200"


def test_one_address_that_holds_all_streams_leaves_half_of_them_to_another() -> None:
    with attacked() as greedy:
        asked = greedy.head("GET /api/stream?view=table", EVENTS, "Connection: close")
        for _ in range(STREAMS):
            greedy.raw(asked, room_bytes=2048)
        assert greedy.held(STREAMS)
        for _ in range(STREAMS // 2):
            line = greedy.raw(asked, address="127.0.0.2")
            assert line.recv(12)[9:] == b"200"
        assert status(greedy.say(asked, "127.0.0.2")) == 503
        assert until(lambda: greedy.server.held == STREAMS)  # whoever was given up takes a moment


@pytest.mark.parametrize("times", [1, 100])
def test_whoever_asks_for_much_and_reads_nothing_holds_no_thread(times: int) -> None:
    """Answers that nobody reads would each have kept a thread waiting."""
    with attacked() as deaf:
        request = deaf.head("GET /api/openapi.json")
        for _ in range(THREADS + 16):
            deaf.raw(request * times, room_bytes=2048)
        assert until(lambda: len(deaf.channels) == THREADS + 16)
        assert deaf.page_comes()
        assert deaf.page_comes()


def test_more_lines_than_there_are_that_ask_and_read_nothing_drive_away_no_other_address() -> None:
    """The one that had to go was whoever came next, for theirs was the only line to be idle."""
    with attacked() as flooded:
        asked = flooded.head("GET /api/openapi.json") * 5
        other = flooded.raw(address="127.0.0.2")  # which has not asked yet
        for _ in range(CONNECTIONS + 60):
            flooded.raw(asked, room_bytes=2048)
        other.sendall(flooded.head("GET /"))
        assert other.recv(12) == b"HTTP/1.1 200"
        for _ in range(20):
            flooded.raw(asked, room_bytes=2048)
            line = flooded.raw(flooded.head("GET /"), address="127.0.0.2")
            assert line.recv(12) == b"HTTP/1.1 200"
        assert len(flooded.channels) <= CONNECTIONS
        assert sum(one.total_outbufs_len for one in flooded.channels) < 2 * UNREAD_BYTES


def test_addresses_take_turns_and_one_that_asks_slowly_leaves_threads_to_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_go, begun = Event(), list[str]()
    with attacked() as asked:
        ask = asked.room.matches

        def slow() -> Sequence[ListedMatch]:
            begun.append("slow")
            assert let_go.wait(PATIENCE_S)
            return ask()

        monkeypatch.setattr(asked.room, "matches", slow)
        lines = [asked.raw(asked.head("GET /api/matches")) for _ in range(20)]
        assert until(lambda: len(begun) == THREADS_EACH)
        for _ in range(3):
            assert asked.say(asked.head("GET /", "Connection: close"), "127.0.0.2")
        assert len(begun) == THREADS_EACH
        let_go.set()
        assert {line.recv(12) for line in lines} == {b"HTTP/1.1 200"}


def test_streams_that_nobody_reads_leave_the_page_to_the_others() -> None:
    with attacked() as deaf:
        asked = deaf.head("GET /api/stream?view=table", EVENTS)
        for _ in range(STREAMS + 10):
            deaf.raw(asked, room_bytes=2048)
        assert deaf.held(STREAMS)
        for turn in range(20):
            wish = Undo() if turn % 2 else DoAction("roll 7")
            deaf.room.ask(Command(f"turn-{turn}", wish, "red"))
        assert deaf.page_comes()


def test_no_request_hides_in_another(open_to_attack: Attacked) -> None:
    hidden = open_to_attack.head("GET /static/style.css", "Connection: close")
    kind = "Content-Type: application/json"
    for lines in (
        ("Content-Length: 4", "Content-Length: 5"),
        ("Content-Length: 4, 4",),
        ("Content-Length: +4",),
        ("Content-Length: -4",),
        ("Content-Length: 0x4",),
        ("Content-Length: 4\n",),
        ("Transfer-Encoding: xchunked",),
        ("Transfer-Encoding: chunked, identity",),
        ("Transfer-Encoding: \x0bchunked",),
        ("Transfer-Encoding : chunked",),
        ("Content-Length : 4",),
        ("X: y\rContent-Length: 4",),
    ):
        answer = open_to_attack.say(open_to_attack.head("POST /api/pair", kind, *lines) + hidden)
        assert status(answer) in (400, 501), lines
        assert answer.count(b"HTTP/1.") == 1, lines


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        ("1.1", ("Content-Length: 5", "Transfer-Encoding: chunked")),
        ("1.1", ("Transfer-Encoding: chunked", "Content-Length: 500")),
        ("1.1", ("Transfer-Encoding: chunked, chunked",)),
        ("1.1", ("Transfer-Encoding: chunked", "TRANSFER-ENCODING: chunked")),
        ("1.1", ("Transfer-Encoding:", "Content-Length: 5")),
        ("1.1", ("Transfer-Encoding:\r\n chunked",)),
        ("1.0", ("Transfer-Encoding: chunked", "Connection: keep-alive")),
    ],
)
def test_a_request_whose_end_a_proxy_may_see_elsewhere_is_refused(
    open_to_attack: Attacked, version: str, lines: tuple[str, ...]
) -> None:
    head = open_to_attack.head("POST /api/pair", "Content-Type: application/json", *lines)
    hidden = open_to_attack.head("GET /static/style.css", "Connection: close")
    asked = head.replace(b"HTTP/1.1", f"HTTP/{version}".encode(), 1) + b"0\r\n\r\n"
    answer = open_to_attack.say(asked + hidden)
    assert status(answer) == 400
    assert answer.count(b"HTTP/1.") == 1
    assert b'"unreadable"' in answer


# --- bodies that mean mischief --------------------------------------------------------------------


DEEP = b"[" * 900 + b"]" * 900
BODIES = (
    b"", b"null", b"0", b"[]", b'"\\ud800"', b"\xff\xfe\x00", b"{}" * 2, b"\xef\xbb\xbf{}",
    b'{"pin": NaN}', b'{"pin": 1e999}', b'{"pin": ' + b"9" * 4000 + b"}", b'{"pin": "\\u0000"}',
    b'{"seat": "red", "seat": {}}', b'{"pin": "\\ud800\\udc00\\ud800"}', b'{"a": ' + DEEP + b"}",
    b'{"request": "r", "request": [], "wish": {"kind": "flip"}}', b'{"' + b"a" * 60_000 + b'": 1}',
    b'{"request": "r", "wish": {"kind": "rule", "foul": ' + b"9" * 4000 + b', "upheld": true}}',
    b'{"request": "r", "wish": {"kind": "rule", "foul": 1e999, "upheld": true}}',
    b'{"request": "r", "wish": {"kind": "act", "text": "roll \xd9\xa7"}}',
    b'{"request": "r", "wish": {"kind": "act", "text": "correct pawns ' + b"," * 900 + b'"}}',
    b'{"request": "r", "wish": {"kind": "act", "text": "\\ud800"}}',
    b'{"request": "r", "wish": {"kind": "put-right", "deed": -1, "text": "roll 7"}}',
    b'{"request": "r", "version": -1, "wish": {"kind": "roll-for-us"}}',
    b'{"request": "r", "version": 999999999, "wish": {"kind": "roll-for-us"}}',
    b'{"request": "r", "version": 1e3, "wish": {"kind": "roll-for-us"}}',
    b'{"request": "__proto__", "wish": {"kind": "__class__"}}',
    b'{"act": "press", "for_s": 1' + b"0" * 400 + b"}", b'{"act": "press", "for_s": -1e999}',
    b'{"act": "peek", "barrel": 1' + b"0" * 400 + b', "for_s": 1}',
    b'{"act": "lift", "barrel": true}', b'{"act": "shake", "barrel": 1, "for_s": null}',
)  # fmt: skip


def test_no_body_breaks_anything_or_is_taken_for_a_wish(room: FakeRoom) -> None:
    made = app(phones(room, hands=Still()))
    made.testing = False
    phone = client(made, "table")
    for body in BODIES:
        for rule in made.url_map.iter_rules():
            if "POST" in (rule.methods or ()) and rule.rule != "/api/unpair":
                answer = phone.post(rule.rule, data=body, **JSON)
                assert answer.status_code < 500, (rule.rule, body[:80])
                harmless(answer)
        assert phone.post("/api/unpair", data=body + b"!", **JSON).status_code == 400
    assert phone.get("/api/pair").json == {"role": "table", "waits_s": 0}
    assert room.now.version == 0


def test_the_name_of_anothers_request_opens_no_answer_and_swallows_no_wish(room: FakeRoom) -> None:
    made = app(room)
    red, blue = client(made, "red"), client(made, "blue")
    assert red.post("/api/commands", json=ROLL).json == {"request": "r", "version": 1}
    assert red.post("/api/commands", json=ROLL).json == {"request": "r", "version": 1}
    other = {"request": "r", "wish": {"kind": "act", "text": "place blue"}}
    for phone, sent in ((blue, other), (blue, ROLL), (red, ROLL | {"wish": {"kind": "take-back"}})):
        answer = phone.post("/api/commands", json=sent)
        assert answer.status_code == 422
        assert "under a new name" in answer.text
    assert room.now.version == 1
