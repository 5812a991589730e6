"""The server over real sockets: bounds, phones that vanish or stall, and an end that is one."""

import itertools
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse, IncompleteRead
from types import SimpleNamespace
from typing import Any

import pytest
from waitress.channel import HTTPChannel

from companion.cli import simulated_table
from companion.referee.commands import Command, DoAction, Undo
from companion.system.errors import CompanionError
from companion.web.app import STREAMS
from companion.web.common import fanout, server
from companion.web.common import server as serving
from companion.web.common.server import WHOLE_REQUEST_S, listening
from companion.web.server import PhoneServer
from tests.web.room import FakeRoom

HERE = "127.0.0.1"
DEADLINE_S = 60.0  # for whatever must come; a busy machine is slow
EVENTS = {"Accept": "text/event-stream"}


class Served:
    """A table whose pages are served on this computer."""

    def __init__(self, room: FakeRoom | None = None) -> None:
        self.room = room or FakeRoom("red", "blue")
        self.server = PhoneServer(self.room)
        self.room.join(self.server)
        self.port = self.serve(self.server)
        self._lines: list[HTTPConnection | HTTPResponse | socket.socket] = []

    def serve(self, pages: PhoneServer) -> int:
        """Start the pages; return their port."""
        return pages.start(0, HERE).here.port

    def get(self, path: str, method: str = "GET", **headers: str) -> HTTPResponse:
        return self._ask(path, method, None, headers)

    def _ask(
        self, path: str, method: str, body: bytes | None, headers: dict[str, str]
    ) -> HTTPResponse:
        line = HTTPConnection(HERE, self.port, timeout=DEADLINE_S)
        line.request(method, path, body, headers)
        answer = line.getresponse()
        self._lines += [answer, line]
        return answer

    def post(self, path: str, body: bytes, **headers: str) -> HTTPResponse:
        ours = {"Origin": f"http://{HERE}:{self.port}", "Content-Type": "application/json"}
        return self._ask(path, "POST", body, ours | headers)

    def let_in(self, role: str) -> str:
        """Return the cookie of a phone that is let in for a role."""
        phone = self.server.pairing.enter(HERE, self.server.pairing.pin, role)
        return f"{self.server.pairing.cookie}={phone}"

    def listen(self, **headers: str) -> HTTPResponse:
        return self.get("/api/stream", **EVENTS | headers)

    def raw(
        self, sent: bytes = b"", room_bytes: int = 65_536, address: str = HERE
    ) -> socket.socket:
        line = socket.socket()
        self._lines.append(line)
        line.settimeout(DEADLINE_S)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room_bytes)
        line.bind((address, 0))
        line.connect((HERE, self.port))
        line.sendall(sent)
        return line

    def held(self, count: int) -> bool:
        """Wait until so many listen."""
        return until(lambda: self.server.held == count)

    @property
    def channels(self) -> Sequence[HTTPChannel]:
        """Return the lines of all phones, as the server has them."""
        assert self.server.server is not None
        return self.server.server.phones()

    @property
    def watchers(self) -> Sequence[fanout._Watcher]:
        """Return those who follow live, as the fan-out has them."""
        assert self.server.live is not None
        return [*self.server.live.fanout._watchers.values()]

    def hang_up(self) -> None:
        """Serve no longer, and close every line."""
        self.server.stop()
        for line in self._lines:
            line.close()


@pytest.fixture
def served() -> Iterator[Served]:
    made = Served()
    yield made
    made.hang_up()


def ended(line: socket.socket) -> bool:
    """Say that nothing comes any more; a line that nobody had taken up yet ends with a reset."""
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def until(true: Callable[[], bool]) -> bool:
    """Wait until something is true; False if it never is."""
    end_s = time.monotonic() + DEADLINE_S
    passing = threading.Event()
    while not true():
        if time.monotonic() > end_s:
            return False
        passing.wait(0.005)
    return True


def pieces(line: socket.socket) -> Iterator[bytes]:
    """Yield what comes until the line ends; it must end soon, though heartbeats would go on."""
    end_s = time.monotonic() + DEADLINE_S
    while piece := line.recv(65_536):
        assert time.monotonic() < end_s, "the line does not end"
        yield piece


def heard_until(line: socket.socket, enough: Callable[[bytes], bool]) -> bytes:
    """Return what is heard as soon as that is enough."""
    heard = b""
    for piece in pieces(line):
        heard += piece
        if enough(heard):
            return heard
    raise AssertionError("the line has ended")


def rest_of(response: HTTPResponse) -> bytes:
    """Return what comes until a stream ends, without heartbeats; it must end soon."""
    end_s, heard = time.monotonic() + DEADLINE_S, b""
    while piece := response.read1():
        assert time.monotonic() < end_s, "the stream does not end"
        heard += piece
    return heard.replace(fanout.HEARTBEAT, b"")


def event(response: HTTPResponse) -> tuple[str, str, dict[str, object]]:
    """Read the next event of a stream that is no heartbeat."""
    fields: dict[str, str] = {}
    end_s = time.monotonic() + DEADLINE_S
    while True:
        line = response.readline().decode().rstrip("\n")
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields.get("event", "beat") != "beat":
            return fields["event"], fields["id"], json.loads(fields["data"])
        else:
            assert time.monotonic() < end_s, "nothing came but heartbeats"
            fields = {}


def test_a_page_arrives_without_a_word_about_who_serves_it(served: Served) -> None:
    answer = served.get("/join")
    assert answer.status == 200
    assert answer.headers["Server"] is None
    assert answer.headers["Via"] is None
    assert b"</html>" in answer.read()


def test_a_stream_tells_the_newest_and_then_what_changes(served: Served) -> None:
    stream = served.listen()
    name, first, snapshot = event(stream)
    assert (name, snapshot["version"]) == ("snapshot", 0)
    served.room.ask(Command("1", DoAction("roll 7"), "red"))
    name, second, snapshot = event(stream)
    assert (name, snapshot["version"]) == ("snapshot", 1)
    assert first != second


def test_whoever_comes_back_gets_only_what_is_new(served: Served) -> None:
    _, seen, _ = event(served.listen())
    again = served.listen(**{"Last-Event-ID": seen})
    served.room.ask(Command("1", DoAction("roll 7"), "red"))
    assert event(again)[2]["version"] == 1
    late = served.listen(**{"Last-Event-ID": seen})  # and at once, if it changed meanwhile
    assert event(late)[2]["version"] == 1


def test_places_are_bounded_and_who_finds_none_is_told_to_ask(served: Served) -> None:
    streams = [served.listen() for _ in range(STREAMS)]
    assert {stream.status for stream in streams} == {200}
    assert served.held(STREAMS)
    late = served.listen()
    assert (late.status, late.headers["Retry-After"]) == (503, "2")
    assert json.loads(late.read())["error"]["code"] == "busy"
    asked = served.get("/api/view/table")  # there are threads left for those who ask
    assert asked.status == 200
    seen = asked.headers["ETag"]
    assert served.get("/api/view/table", **{"If-None-Match": seen}).status == 304
    streams.pop().close()
    assert served.held(STREAMS - 1)
    assert served.listen().status == 200


def test_a_head_takes_no_place(served: Served) -> None:
    assert served.get("/api/stream", "HEAD", **EVENTS).status == 200
    assert served.held(0)


def test_a_phone_that_leaves_frees_its_place_without_waiting_for_a_heartbeat(
    served: Served,
) -> None:
    stream = served.listen()
    event(stream)
    assert served.server.held == 1
    stream.close()
    assert served.held(0)


def test_whoever_never_reads_costs_little_and_holds_up_nobody(served: Served) -> None:
    request = f"GET /api/stream?view=table HTTP/1.1\r\nHost: {HERE}\r\n"
    deaf = served.raw(f"{request}Accept: text/event-stream\r\n\r\n".encode(), room_bytes=4096)
    assert served.held(1)
    reading = served.listen()
    event(reading)
    for turn in range(60):
        wish = Undo() if turn % 2 else DoAction("roll 7")
        answer = served.room.ask(Command(f"turn-{turn}", wish, "red"))
        assert answer is not None
        assert answer.refused is None
        while event(reading)[2]["version"] != served.room.snapshot.version:
            pass
    # what has been read to its end may still count as on its way for a moment
    assert until(lambda: sum(watcher.rest is not None for watcher in served.watchers) == 1)
    (rest,) = (watcher.rest for watcher in served.watchers if watcher.rest is not None)
    assert len(rest) < 100_000  # of one piece, however much was told since
    assert deaf.fileno() >= 0


def test_every_line_is_given_up_by_the_kernel_when_its_phone_is_silent(served: Served) -> None:
    served.raw(b"GET / HTTP/1.1\r\n")
    event(served.listen())
    assert until(lambda: len(served.channels) == len(served.watchers) == 1)
    for line in (served.channels[0].socket, served.watchers[0].line):
        assert line is not None
        silent_ms = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
        assert silent_ms == server.SILENT_MS
        assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        buffered = line.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        assert buffered <= 2 * server.SEND_BUFFER_BYTES  # Linux counts its own needs, too


def test_a_dripping_request_is_cut_off(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow loris sends a byte now and then so that its line never seems to be idle."""
    line = served.raw(b"GET / HTTP/1.1\r\nX-Slow: ")
    assert until(lambda: bool(served.channels))
    (channel,) = served.channels
    assert until(lambda: channel.request is not None)
    request = channel.request
    assert request is not None
    begun_s = channel.last_activity
    line.sendall(b"a")
    assert until(lambda: request.header_plus.endswith(b"a"))
    assert until(lambda: channel.last_activity == begun_s)
    inside = served.server.server
    assert inside is not None
    wall_s = time.time()
    monkeypatch.setattr(time, "time", lambda: wall_s + 1e9)  # it jumps: that ends no line
    inside.maintenance(time.time())
    assert not channel.will_close
    monkeypatch.setattr(time, "time", lambda: 0.0)
    late_s = begun_s + serving.WHOLE_REQUEST_S + 2
    monkeypatch.setattr(serving._Channel, "clock_s", lambda: late_s)
    inside.pull_trigger()
    assert ended(line)


def test_a_watcher_who_reads_nothing_makes_room_for_who_plays_along_at_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits until the kernel gives it up."""
    monkeypatch.setattr(server, "SILENT_MS", 600_000)
    served = Served()
    request.addfinalizer(served.hang_up)
    asked = f"GET /api/stream HTTP/1.1\r\nHost: {HERE}\r\nAccept: text/event-stream\r\n\r\n"
    for _ in range(STREAMS):
        served.raw(asked.encode(), room_bytes=2048)
    assert served.held(STREAMS)
    turns = itertools.count()

    def stuck() -> bool:
        turn = next(turns)
        wish = Undo() if turn % 2 else DoAction("roll 7")
        served.room.ask(Command(f"turn-{turn}", wish, "red"))
        return sum(one.waits for one in served.watchers) == STREAMS

    assert until(stuck)
    phone = served.server.pairing.enter(HERE, served.server.pairing.pin, "red")
    for _ in range(STREAMS):
        stream = served.listen(Cookie=f"{served.server.pairing.cookie}={phone}")
        assert stream.status == 200
        assert event(stream)[0] == "snapshot"
    assert served.get("/api/view/table").status == 200


def test_whoever_plays_along_gets_a_stream_though_watchers_of_one_address_hold_all(
    served: Served,
) -> None:
    streams = []
    for _ in range(STREAMS):  # the first is the oldest only if it is served before others come
        streams.append(served.listen())
        assert event(streams[-1])[0] == "snapshot"
    phone = served.server.pairing.enter(HERE, served.server.pairing.pin, "red")
    playing = served.listen(Cookie=f"{served.server.pairing.cookie}={phone}")
    assert event(playing)[0] == "snapshot"
    assert until(lambda: len(served.watchers) == STREAMS)
    with suppress(IncompleteRead, ConnectionResetError):
        assert rest_of(streams[0]) == b""  # the oldest
    assert served.server.held == STREAMS
    served.room.ask(Command("one", DoAction("roll 7"), "red"))
    assert event(streams[1])[0] == "snapshot"
    assert served.listen().status == 503


def test_a_huge_body_is_refused_before_it_is_sent(served: Served) -> None:
    for size, status in ((10**9, b"413"), (70_000, b"413")):
        head = (
            f"POST /api/pair HTTP/1.1\r\nHost: {HERE}:{served.port}\r\n"
            f"Origin: http://{HERE}:{served.port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {size}\r\n\r\n"
        )
        line = served.raw(head.encode())
        if size < serving.LARGEST_BYTES:
            line.sendall(b" " * size)
        assert line.recv(12)[-3:] == status


def test_what_is_not_http_is_refused_in_a_line(served: Served) -> None:
    for nonsense in (b"\x16\x03\x01\x02\x00\r\n\r\n", b"GET\r\n\r\n", b"A" * 20_000 + b"\r\n\r\n"):
        answer = served.raw(nonsense).recv(4096)
        assert b"Traceback" not in answer
        assert b"aitress/" not in answer


def test_a_browser_that_tries_https_first_is_not_kept_waiting(served: Served) -> None:
    line = served.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32))
    line.settimeout(WHOLE_REQUEST_S / 2)
    assert ended(line)


def test_no_thread_and_no_line_is_left_soon_after_the_end(request: pytest.FixtureRequest) -> None:
    before = set(threading.enumerate())
    made = Served()
    request.addfinalizer(made.hang_up)  # its threads must not be there before
    with made.server:
        streams = [made.listen() for _ in range(5)]
        event(streams[0])
        asleep = made.raw()
    assert until(lambda: set(threading.enumerate()) == before)
    try:
        rest = streams[0].read()
    except IncompleteRead as cut:  # the line went before its last chunk did
        rest = cut.partial
    except ConnectionResetError:
        rest = b""
    assert not rest.replace(b"event: beat\ndata: {}\n\n", b"")  # a busy machine is slow to end
    assert ended(asleep)
    with pytest.raises(ConnectionRefusedError):
        made.raw()
    made.server.stop()  # once more does no harm


def test_the_same_port_serves_again_at_once() -> None:
    with PhoneServer(FakeRoom("red", "blue")) as first:
        port = first.start(0, HERE).here.port
    with PhoneServer(FakeRoom("red", "blue")) as second:
        assert second.start(port, HERE).here.port == port


def test_another_port_is_used_if_taken(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "USUAL_PORT", served.port)
    with listening(None, HERE) as other:
        port = other.getsockname()[1]
        assert served.port < port < served.port + server.NEAR
    real: Any = SimpleNamespace(site=SimpleNamespace(here=SimpleNamespace(port=port)))
    assert f"at port {port}" in str(simulated_table.moved(None, real))
    assert simulated_table.moved(port, real) is None  # somebody chose it
    monkeypatch.setattr(simulated_table, "USUAL_PORT", port)
    assert simulated_table.moved(None, real) is None


def test_a_port_that_is_in_use_is_named(served: Served) -> None:
    with pytest.raises(CompanionError, match=f"Port {served.port} is in use"):
        listening(served.port, HERE)
    with pytest.raises(CompanionError, match=f"another port: --port {served.port + 1}"):
        listening(served.port, HERE)
    with pytest.raises(CompanionError, match="at port 8000 "):
        listening(8000, "192.0.2.77")  # an address that nobody has


def test_nothing_of_phones_is_in_the_log(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        served.get("/").read()
        stream = served.listen()
        event(stream)
        stream.close()
        assert served.held(0)
        served.raw(b"nonsense\r\n\r\n").recv(100)
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
    assert served.server.pairing.pin not in caplog.text


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"nonsense\r\n\r\n", 400, "unreadable"),
        (b"GET /api/snapshot HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400, "unreadable"),
        (b"GET /api/snapshot HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, "unreadable"),
        (b"GET / HTTP/1.1\r\nA: " + b"x" * 20_000 + b"\r\n\r\n", 413, "too-large"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: odd\r\n\r\n", 400, "unreadable"),
        (b"POST /api/pair HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n", 413, "too-large"),
    ],
)
def test_what_is_not_sound_http_is_answered_as_every_other_fault(
    served: Served, sent: bytes, status: int, code: str
) -> None:
    answer = HTTPResponse(served.raw(sent))
    answer.begin()
    assert (answer.status, answer.headers["Content-Type"]) == (status, "application/json")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    told = json.loads(answer.read())
    assert told["error"]["code"] == code
    assert told["error"]["sentence"].endswith(".")
    answer.close()


EXPECTS = "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nExpect: 100-continue\r\n"


@pytest.mark.parametrize(
    ("request_line", "more", "status"),
    [
        ("GET /api/snapshot", "", 200),
        ("GET /api/snapshot", "Content-Length: 0\r\n", 200),
        ("GET /api/snapshot", "Content-Length: x\r\n", 400),
    ],
)
def test_whoever_announces_a_body_and_sends_none_is_answered(
    served: Served, request_line: str, more: str, status: int
) -> None:
    answer = HTTPResponse(served.raw(f"{request_line} HTTP/1.1\r\n{EXPECTS}{more}\r\n".encode()))
    answer.begin()
    assert answer.status == status
    answer.close()


def test_whoever_announces_a_body_is_asked_for_it(served: Served) -> None:
    head = f"POST /api/pair HTTP/1.1\r\n{EXPECTS}Content-Type: application/json\r\n"
    line = served.raw(f"{head}Content-Length: 2\r\n\r\n".encode())
    assert line.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    line.sendall(b"{}")
    answer = HTTPResponse(line)
    answer.begin()
    assert answer.status == 400
    answer.close()
