"""The pages by https at a second port: the same app, and nobody slow keeps anybody waiting."""

import errno
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPSConnection
from itertools import cycle
from pathlib import Path
from shutil import copytree
from threading import Event
from types import SimpleNamespace

import pytest
from waitress.channel import HTTPChannel

from companion.referee.commands import Command, DoAction, Undo
from companion.system.config import WebConfig
from companion.web.app import STREAMS
from companion.web.common import server as serving
from companion.web.common.server import TLS_RECORD_BYTES, Server, TlsPort
from companion.web.server import PhoneServer
from tests.programs import need
from tests.web.attacking import EVENTS, Attacked, few_places, status
from tests.web.room import FakeRoom
from tests.web.test_server import DEADLINE_S, HERE, heard_until, pieces, until


class Secured(Attacked):
    """A table that is served by https, too; whoever speaks to it byte by byte does so by that."""

    web: WebConfig | None = None

    def __init__(self, folder: Path) -> None:
        need("openssl")
        self.folder = folder
        room = FakeRoom("red", "blue")
        super().__init__(room)
        self.server.stop()
        self.server = PhoneServer(room, folder)
        room.join(self.server)
        self.plain = self.server.start(0, HERE, self.web, https=True).here.port
        https = self.server.https
        assert until(lambda: https.port is not None), https.condition
        assert https.certificate is not None
        assert https.port is not None
        self.port = https.port
        self.trust = ssl.create_default_context(cadata=https.certificate.root)

    @property
    def gate(self) -> TlsPort:
        """Return where those are greeted who call."""
        assert self.server.https.line is not None
        return self.server.https.line

    def shaken(self, address: str = "", room_bytes: int = 65_536) -> ssl.SSLSocket:
        """Return a line on which both have shaken hands."""
        line = self.raw(b"", room_bytes, address or HERE)
        made = self.trust.wrap_socket(line, server_hostname=HERE)
        self._lines.append(made)
        return made

    def say(self, sent: bytes, address: str = "") -> bytes:
        """Return all that comes back until the line is closed."""
        heard = b""
        with self.shaken(address) as line, suppress(ConnectionError, ssl.SSLError):
            line.sendall(sent)
            for piece in pieces(line):
                heard += piece
        return heard

    def plain_page_comes(self) -> bool:
        """Tell whether the page is still served at the plain port."""
        with socket.create_connection((HERE, self.plain), DEADLINE_S) as line:
            line.sendall(f"GET / HTTP/1.1\r\nHost: {HERE}:{self.plain}\r\n\r\n".encode())
            return line.recv(15) == b"HTTP/1.1 200 OK"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a table that has its certificates, which takes openssl a while."""
    folder = tmp_path_factory.mktemp("begun")
    Secured(folder).hang_up()
    return folder


@pytest.fixture
def secured(begun: Path, tmp_path: Path) -> Iterator[Secured]:
    copytree(begun, tmp_path, dirs_exist_ok=True)
    made = Secured(tmp_path)
    yield made
    made.hang_up()


# --- the same pages -------------------------------------------------------------------------------


def test_all_of_a_long_answer_comes(secured: Secured) -> None:
    answer = secured.ask("GET /api/openapi.json")
    assert status(answer) == 200
    head, _, body = answer.partition(b"\r\n\r\n")
    assert f"Content-Length: {len(body)}\r\n".encode() in head + b"\r\n"
    assert len(body) > 4 * TLS_RECORD_BYTES


def test_a_line_serves_one_request_after_another(secured: Secured) -> None:
    line = HTTPSConnection(HERE, secured.port, timeout=DEADLINE_S, context=secured.trust)
    for path in ("/", "/static/style.css", "/api/snapshot", "/static/act.js"):
        line.request("GET", path)
        answer = line.getresponse()
        assert answer.status == 200
        assert answer.read()
    line.close()


def test_a_stream_tells_what_happens_and_its_end_is_noticed(secured: Secured) -> None:
    line = secured.shaken()
    line.sendall(secured.head("GET /api/stream?view=table", EVENTS))
    assert secured.held(1)
    secured.room.ask(Command("one", DoAction("roll 7"), "red"))
    heard_until(line, lambda heard: heard.count(b"event: view") >= 2)
    line.close()
    assert secured.held(0)


def test_a_stream_ends_with_a_goodbye(secured: Secured) -> None:
    """Without it, nobody knows whether somebody else has cut it off."""
    line = secured.trust.wrap_socket(
        secured.raw(b""), server_hostname=HERE, suppress_ragged_eofs=False
    )
    line.sendall(secured.head("GET /api/stream?view=table", EVENTS))
    assert secured.held(1)
    secured.server.stop()
    for _ in pieces(line):
        pass
    line.close()


def test_nothing_is_sent_in_clear_to_whoever_has_said_goodbye(
    secured: Secured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer was, if it was still being written while its line was closed."""
    secret, deaf, close = b"as the answer goes on", Event(), HTTPChannel.handle_close

    def late(channel: HTTPChannel) -> None:
        channel.send(secret, do_close=False)
        close(channel)

    line, inside = secured.shaken(), secured.server.server
    line.sendall(secured.head("HEAD /"))
    assert line.recv(12) == b"HTTP/1.1 200"
    (channel,) = secured.channels
    assert inside is not None
    monkeypatch.setattr(channel, "readable", deaf.set)
    inside.pull_trigger()
    assert deaf.wait(DEADLINE_S)
    line.setblocking(False)
    with suppress(ssl.SSLError):  # the rest of the answer is unread
        line.unwrap()
    monkeypatch.setattr(HTTPChannel, "handle_close", late)
    channel.handle_close()
    with socket.socket(fileno=line.detach()) as bare:
        bare.settimeout(DEADLINE_S)
        heard = b"".join(pieces(bare))
    assert secret not in heard


def test_what_a_page_sends_counts_by_its_own_scheme_and_port(secured: Secured) -> None:
    kind = "Content-Type: application/json"
    body = b'{"pin": "%s"}' % secured.server.pairing.pin.encode()
    length = f"Content-Length: {len(body)}"
    for origin, expected in (
        (f"https://{secured.host}", 200),
        (f"http://{secured.host}", 403),
        (f"https://{HERE}:{secured.plain}", 403),
        (f"http://{HERE}:{secured.plain}", 403),
    ):
        lines = (kind, length, f"Origin: {origin}", "Connection: close")
        answer = secured.say(secured.head("POST /api/pair", *lines) + body)
        assert status(answer) == expected, origin
        if expected == 200:
            assert b"Set-Cookie: __Host-rappelwacht-" in answer
            assert b"; Secure" in answer
    assert status(secured.ask("GET /", host="bank.example")) == 421


def test_who_sits_at_this_computer_is_known_by_https_too(secured: Secured) -> None:
    here = f"https://localhost:{secured.port}/trust/over".encode()
    assert here in secured.ask("GET /trust")
    assert here not in secured.ask("GET /trust", "Via: 1.1 proxy")


def test_by_the_plain_port_nobody_says_that_he_came_by_https(secured: Secured) -> None:
    """An absolute address in the request made it look so."""
    with socket.create_connection((HERE, secured.plain), DEADLINE_S) as line:
        own = f"{HERE}:{secured.plain}"
        body = b'{"pin": "%s"}' % secured.server.pairing.pin.encode()
        lines = (
            f"POST https://{own}/api/pair HTTP/1.1",
            f"Host: {own}",
            f"Origin: http://{own}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        )
        line.sendall("\r\n".join((*lines, "", "")).encode() + body)
        answer = line.recv(4096)
    assert status(answer) == 200
    assert b"Secure" not in answer


NAMES = (  # by which nobody who means this table calls it
    "bank.example", "zapp.local.bank.example", "0x7f.1", "2130706433", "127.1", "[::1", "::1]",
    "[fe80::1%25eth0]:8443", "[2001:db8::7]", "192.0.2.77", "x" * 9000, "\u0661.local",
    "a" * 64 + ".local", "localhost.bank.example", "localhost:99999", "localhost:-1",
    "localhost:8443:8443", "localhost/../..", "user@localhost", "%6c%6f%63%61%6c%68%6f%73%74",
    "'\"<script>", "..", "-", "*.local",
)  # fmt: skip


def test_whatever_host_a_stranger_writes_gives_nothing_away_and_breaks_nothing(
    secured: Secured,
) -> None:
    pin = secured.server.pairing.pin.encode()
    for name, path in zip(NAMES, cycle(("", "/rappelwacht.pem", "/ok"))):
        sent = f"GET /trust{path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
        answer = secured.say(sent.encode())
        assert status(answer) in {400, 421, 431}, (name[:40], answer[:80])
        assert b"<script>'" not in answer
        assert pin not in answer
        assert b"BEGIN CERTIFICATE" not in answer
    twice = f"GET /trust HTTP/1.1\r\nHost: {secured.host}\r\nHost: bank.example\r\n"
    assert status(secured.say(f"{twice}Connection: close\r\n\r\n".encode())) in {400, 421}
    assert status(secured.ask("GET /trust")) == 200


@pytest.mark.parametrize(
    "called", ["bank.example", "x" * 63 + ".local", "xn--80ak6aa92e.com", None]
)
def test_whatever_name_a_greeting_says_gets_the_same_certificate_and_no_other(
    secured: Secured, called: str | None
) -> None:
    """A browser compares; nothing is looked up by it here."""
    blind = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    blind.check_hostname, blind.verify_mode = False, ssl.CERT_NONE
    with blind.wrap_socket(secured.raw(b""), server_hostname=called) as line:
        shown = line.getpeercert(binary_form=True)
    with secured.shaken() as usual:
        assert shown == usual.getpeercert(binary_form=True)
    if called is not None:
        with pytest.raises(ssl.SSLCertVerificationError), secured.raw(b"") as raw:
            secured.trust.wrap_socket(raw, server_hostname=called)


# --- floods ---------------------------------------------------------------------------------------


GREETING = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"  # how one begins


@pytest.mark.parametrize("said", [b"", GREETING, b"GET / HTTP/1.1\r\n\r\n", b"\x80\xff" * 4000])
def test_whoever_does_not_shake_hands_keeps_nobody_out(
    secured: Secured, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = few_places(monkeypatch)
    for _ in range(places + 60):
        with suppress(ConnectionError):
            secured.raw(said)
    assert secured.page_comes()
    assert secured.plain_page_comes()
    assert len(secured.channels) <= places


def test_many_who_shake_hands_at_once_leave_turns_to_others(
    secured: Secured, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, all_said, shake, look = [""], Event(), ssl.SSLSocket.do_handshake, Server.maintenance

    def shakes(line: ssl.SSLSocket) -> None:
        assert all_said.wait(DEADLINE_S)
        done[-1] += "x"
        shake(line)

    def looks(server: Server, now: float) -> None:
        done.append("")
        look(server, now)

    lines = [secured.raw() for _ in range(3 * serving.SHAKES)]
    assert until(lambda: len(secured.channels) == len(lines))
    monkeypatch.setattr(ssl.SSLSocket, "do_handshake", shakes)
    monkeypatch.setattr(Server, "maintenance", looks)
    for line in lines:
        line.sendall(GREETING)
    all_said.set()
    assert until(lambda: len("".join(done)) == len(lines))
    assert max(map(len, done)) <= serving.SHAKES


def test_a_slow_handshake_is_given_up(secured: Secured, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = secured.raw(GREETING)
    assert until(lambda: len(secured.channels) == 1)
    late_s = secured.channels[0].last_activity + serving.WHOLE_REQUEST_S + 2
    slow.sendall(b"\0")  # a byte now and then does not help it
    monkeypatch.setattr(serving._Channel, "clock_s", lambda: late_s)
    inside = secured.server.server
    assert inside is not None
    inside.pull_trigger()
    assert slow.recv(1) == b""
    assert until(lambda: not secured.channels)


def test_more_lines_than_there_are_places_drive_away_no_other_address(
    secured: Secured, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, other = few_places(monkeypatch), secured.shaken("127.0.0.2")
    for _ in range(places + 60):
        with suppress(ConnectionError, ssl.SSLError):
            secured.shaken()
    other.sendall(secured.head("GET /"))
    assert other.recv(12) == b"HTTP/1.1 200"
    assert secured.page_comes()
    assert secured.plain_page_comes()
    assert len(secured.channels) <= places


def test_whoever_asks_for_much_and_reads_nothing_holds_no_thread(secured: Secured) -> None:
    for _ in range(24):
        line = secured.shaken(room_bytes=2048)
        line.sendall(secured.head("GET /api/openapi.json", "Connection: close"))
    assert secured.page_comes()
    assert secured.plain_page_comes()


def test_a_computer_without_files_left_gives_up_one_line_and_goes_on(secured: Secured) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    gate, usual = secured.gate, secured.gate.context
    gate.context = SimpleNamespace(wrap_socket=full)  # type: ignore[assignment]
    with suppress(ConnectionError):
        assert secured.raw(GREETING).recv(1) == b""
    gate.context = usual
    assert secured.page_comes()


def test_streams_that_nobody_reads_leave_the_page_to_the_others(secured: Secured) -> None:
    asked = secured.head("GET /api/stream?view=table", EVENTS)
    for _ in range(STREAMS + 4):
        secured.shaken(room_bytes=2048).sendall(asked)
    assert secured.held(STREAMS)
    for turn in range(20):
        wish = Undo() if turn % 2 else DoAction("roll 7")
        secured.room.ask(Command(f"turn-{turn}", wish, "red"))
    assert secured.page_comes()


def test_a_body_that_is_too_large_is_refused_here_too(secured: Secured) -> None:
    ours = f"Origin: https://{secured.host}"
    huge = secured.head("POST /api/pair", "Content-Type: application/json", ours,
                        "Content-Length: 1073741824")  # fmt: skip
    assert status(secured.say(huge)) == 413


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_both_versions_of_tls_are_spoken(secured: Secured, version: ssl.TLSVersion) -> None:
    secured.trust.minimum_version = secured.trust.maximum_version = version
    assert secured.page_comes()
    with secured.shaken() as line:
        assert line.version() == {771: "TLSv1.2", 772: "TLSv1.3"}[version.value]


def test_in_the_end_nobody_waits_and_nothing_is_left_open(tmp_path: Path) -> None:
    made = Secured(tmp_path)
    streaming, shaking = made.shaken(), made.raw(GREETING)
    streaming.sendall(made.head("GET /api/stream?view=table", EVENTS))
    assert made.held(1)
    made.server.stop()
    assert shaking.recv(1) == b""
    with suppress(ConnectionError, ssl.SSLError):
        for _ in pieces(streaming):
            pass
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((HERE, made.port), DEADLINE_S)
    made.hang_up()
