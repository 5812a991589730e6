"""People far away, through nginx and Caddy as the guide sets them up."""

import json
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path

import pytest

from companion.system.config import WebConfig
from companion.web.common.rate_limit import TRIES
from companion.web.common.server import free_port
from companion.web.server import PhoneServer
from tests import programs
from tests.web.playing import do, moving
from tests.web.room import client
from tests.web.test_server import DEADLINE_S, HERE, Served, until

NAME = "table.example.org"
SETUPS = Path(__file__).parents[2] / "hardware/service/far"
STREAMS = 20


class Far(Served):
    """A table with a proxy in front of it, on this computer."""

    proxy = ""

    def __init__(self, folder: Path) -> None:
        self.https = free_port(HERE)
        super().__init__()
        start = {"nginx": _nginx, "caddy": _caddy}[self.proxy]
        self.program = start(folder, self.https, self.port)
        assert until(self._answers), "the proxy does not start"

    def serve(self, pages: PhoneServer) -> int:
        """Start the pages for people far away."""
        web = WebConfig(names=(f"{NAME}:{self.https}",), proxies=(HERE,))
        return pages.start(0, HERE, web).here.port

    def _answers(self) -> bool:
        assert self.program.poll() is None, "the proxy ended"
        try:
            return self.far("GET", "/api/pair").status == 200
        except OSError:
            return False

    def far(self, method: str, path: str, body: object = None, **headers: str) -> HTTPResponse:
        """Ask through the proxy, as a phone does that calls the table by its name."""
        line = _Named(HERE, self.https, timeout=DEADLINE_S)
        self._lines.append(line)
        sent = None if body is None else json.dumps(body)
        own = {"Host": f"{NAME}:{self.https}"}
        if sent is not None:
            own |= {"Content-Type": "application/json", "Origin": f"https://{own['Host']}"}
        line.request(method, path, sent, own | headers)
        answer = line.getresponse()
        self._lines.append(answer)
        return answer

    def hang_up(self) -> None:
        """End the proxy, too."""
        super().hang_up()  # first: Caddy waits for those who still follow
        self.program.terminate()
        self.program.wait(DEADLINE_S)


class _Named(HTTPSConnection):
    """A connection to this computer that asks for the table's name."""

    def connect(self) -> None:
        line = socket.create_connection((self.host, self.port), self.timeout)
        trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE  # it is this test's own
        self.sock = trust.wrap_socket(line, server_hostname=NAME)


def _set(text: str, *changes: tuple[str, str]) -> str:
    """Return a file for this computer; what is changed there stands in it exactly once."""
    for before, after in changes:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def _nginx(folder: Path, https: int, port: int) -> "subprocess.Popen[bytes]":
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    request = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
    subprocess.run(
        [*request, "-nodes", "-subj", f"/CN={NAME}", "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    site = _set(
        (SETUPS / "nginx.conf").read_text("utf-8"),
        ("listen 443 ssl", f"listen {HERE}:{https} ssl"),
        ("127.0.0.1:8000", f"{HERE}:{port}"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(certificate)),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(key)),
    )
    spare = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"daemon off; pid {folder}/pid; events {{}}\nhttp {{ access_log off;\n{spare}{site}}}\n"
    (folder / "nginx.conf").write_text(whole, "utf-8")
    words = (
        programs.path("nginx") or "",
        "-p",
        folder,
        "-e",
        folder / "errors",
        "-c",
        "nginx.conf",
    )
    return subprocess.Popen([*words])


def _caddy(folder: Path, https: int, port: int) -> "subprocess.Popen[bytes]":
    own = "{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n"
    own += f"\thttps_port {https}\n\tdefault_bind {HERE}\n}}\n"
    site = (SETUPS / "Caddyfile").read_text("utf-8")
    (folder / "Caddyfile").write_text(own + site, "utf-8")
    words = (programs.path("caddy") or "", "run", "--config", folder / "Caddyfile")
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "TABLE": f"{HERE}:{port}"}
    return subprocess.Popen(
        [*words, "--adapter", "caddyfile"], env=homes, stderr=subprocess.DEVNULL
    )


@pytest.fixture(params=["nginx", "caddy"])
def far(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Far]:
    programs.need(request.param, "openssl")
    made = type("FarBy", (Far,), {"proxy": request.param})(tmp_path)
    yield made
    made.hang_up()


def test_twenty_phones_far_away_follow_at_once(far: Far) -> None:
    streams = [far.far("GET", "/api/stream", Accept="text/event-stream") for _ in range(STREAMS)]
    assert until(lambda: len(far.watchers) == STREAMS)
    assert {watcher.home for watcher in far.watchers} == {HERE}
    for stream in streams:
        assert stream.status == 200
        _next(stream)  # what there is when somebody comes
    do(far.room, "roll 9")
    for stream in streams:
        assert _next(stream)["version"] == far.room.snapshot.version


def _next(stream: HTTPResponse) -> dict[str, object]:
    """Return the next snapshot of a stream; a proxy that keeps it would miss the deadline."""
    while True:
        line = stream.readline().decode()
        assert line, "the stream has ended"
        if line.startswith("data: ") and line != "data: {}\n":
            read: dict[str, object] = json.loads(line.removeprefix("data: "))
            return read


def test_a_phone_far_away_is_let_in_and_a_stranger_forges_nothing(far: Far) -> None:
    pin = far.server.pairing.pin
    wrong = {"pin": "000000" if pin != "000000" else "000001"}
    forged = [
        far.far(
            "POST",
            "/api/pair",
            wrong,
            **{"X-Forwarded-For": f"203.0.113.{n}", "Forwarded": f"for=203.0.113.{n};proto=http"},
        ).status
        for n in range(TRIES + 1)
    ]
    assert forged == [403] * TRIES + [429]
    here = far.post("/api/pair", json.dumps({"pin": pin}).encode())
    assert here.status == 429  # it is this computer that has guessed, as the proxy says


def test_a_page_far_away_is_whole_and_its_cookie_secure(far: Far) -> None:
    answer = far.far("POST", "/api/pair", {"pin": far.server.pairing.pin, "seat": "red"})
    assert answer.status == 200
    cookie = answer.headers["Set-Cookie"] or ""
    assert "; Secure" in cookie
    kept = cookie.partition(";")[0]
    page = far.far("GET", "/join", Cookie=kept).read().decode()
    assert f"https://{NAME}:{far.https}" in page
    wish = {"request": "far", "wish": {"kind": "act", "text": "roll 8"}}
    assert far.far("POST", "/api/commands", wish, Cookie=kept).status == 200
    assert far.far("GET", "/static/table.css").status == 200


def test_the_guide_names_what_wireguard_wants() -> None:
    """Both ends fit: each is the other's peer, and the phone sends nothing else this way."""
    table = (SETUPS / "table-wireguard.conf").read_text("utf-8")
    phone = (SETUPS / "phone-wireguard.conf").read_text("utf-8")

    def value(text: str, key: str) -> str:
        (only,) = re.findall(rf"^{key} = (.+)$", text, re.MULTILINE)
        return str(only)

    assert value(table, "AllowedIPs").partition("/")[0] == value(phone, "Address").partition("/")[0]
    assert value(phone, "AllowedIPs").partition("/")[0] == value(table, "Address").partition("/")[0]
    assert value(phone, "Endpoint").endswith(f":{value(table, 'ListenPort')}")


def test_what_a_key_needs_comes_with_the_page_and_fits_a_slow_line() -> None:
    """On 100 kbit/s the keys work within eight seconds: --full opens it in a browser."""
    phone = client(moving(), "table")
    page = phone.get("/")
    head = page.text.partition("</head>")[0]
    asked = re.findall(r'(?:src|href)="(/[^"]+[.](?:css|js|svg|woff2)[^"]*)"', head)
    for script in ("live", "act", "table"):
        assert any(path.startswith(f"/static/{script}.js") for path in asked)
    answers = [
        page,
        *(phone.get(path, headers={"Accept-Encoding": "gzip"}, buffered=True) for path in asked),
    ]
    assert sum(len(answer.data) + len(str(answer.headers)) for answer in answers) < 80_000
