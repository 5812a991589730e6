"""The page on https: what it says, gives away and refuses, and that the plain page is as it was."""

import base64
import plistlib
import ssl
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient

from companion.system.certificates import PagesCertificate
from companion.system.config import WebConfig
from companion.system.status import Condition
from companion.web.common.addresses import OwnAddresses
from companion.web.common.flask_app import BY_HTTPS
from companion.web.common.request_guard import HEADERS
from companion.web.common.tls import Https, HttpsState
from companion.web.context import WebContext
from companion.web.trust_page import KINDS, profile
from tests.web.attacking import Page, harmless, stolen
from tests.web.room import FakeRoom, app, client, phones

OWN = ("192.168.7.5", "fd00::7")
NOW = datetime(2026, 12, 24, tzinfo=UTC)
KNOWN = PagesCertificate(
    b"\x30\x82a root in DER",
    "Rappelwacht zapp 3F2A",
    frozenset({"localhost", "127.0.0.1", "zapp.local", *OWN}),
    NOW,
    NOW + timedelta(days=365),
)
POLICY = "Content-Security-Policy"
HOME, SAFE = "http://zapp.local:8000", "https://zapp.local:8443"


def here(web: WebConfig | None = None) -> OwnAddresses:
    return OwnAddresses(8000, lambda: OWN, "zapp", named=lambda: True, web=web)


@pytest.fixture
def whole() -> WebContext:
    """Return a table whose pages come by https, too, as far as pages know."""
    https = Https(here=here())
    https.certificate, https.condition = (
        KNOWN,
        Condition(HttpsState.SERVED, 0, {"port": 8443, "date": "2027-12-24"}),
    )
    https.line = SimpleNamespace(port=8443)  # type: ignore[assignment]
    return phones(FakeRoom("red", "blue"), here=here(), https=https)


def get(phone: FlaskClient, path: str, host: str = "zapp.local:8000") -> str:
    answer = phone.get(path, base_url=f"http://{host}")
    assert answer.status_code == 200
    return answer.text


def links(text: str) -> set[str]:
    """Return the addresses by https that a page names."""
    return {piece.split('"')[0] for piece in text.split('href="')[1:] if piece.startswith("https:")}


def test_it_names_where_the_pages_are_and_here_localhost_besides(whole: WebContext) -> None:
    phone = app(whole).test_client()
    over = {f"https://{host}:8443/trust/over" for host in ("zapp.local", "192.168.7.5")}
    assert links(get(phone, "/trust")) == over
    local = {"REMOTE_ADDR": "127.0.0.1"}
    answer = phone.get("/trust", base_url="http://localhost:8000", environ_overrides=local)
    assert links(answer.text) == {*over, "https://localhost:8443/trust/over"}
    stranger = {"REMOTE_ADDR": "192.168.7.9"}
    answer = phone.get("/trust", base_url="http://zapp.local", environ_overrides=stranger)
    assert "localhost" not in answer.text


def test_its_script_may_ask_the_same_computer_by_https_and_nobody_else(whole: WebContext) -> None:
    phone = app(whole).test_client()
    for host, allowed in (
        ("zapp.local:8000", " https://zapp.local:8443"),
        ("192.168.7.5", " https://192.168.7.5:8443"),
        ("[fd00::7]:8000", ""),  # no policy can name such an address
    ):
        policy = phone.get("/trust", base_url=f"http://{host}").headers[POLICY]
        assert policy == HEADERS[POLICY].replace(
            "connect-src 'self'", f"connect-src 'self'{allowed}"
        )
    by_https = phone.get("/trust", base_url=SAFE)
    assert by_https.headers[POLICY] == HEADERS[POLICY]
    assert phone.get("/join", base_url="http://zapp.local").headers[POLICY] == HEADERS[POLICY]


def test_a_name_that_the_certificate_lacks_is_not_led_to(whole: WebContext) -> None:
    far = here(WebConfig(names=("table.example.org",)))
    phone = app(replace_here(whole, far)).test_client()
    text = get(phone, "/trust", "table.example.org")
    assert "table.example.org:8443" not in text
    assert 'id="try"' not in text


def replace_here(whole: WebContext, other: OwnAddresses) -> WebContext:
    return phones(FakeRoom("red", "blue"), here=other, https=whole.https)


def test_each_system_gets_the_certificate_as_it_takes_it(whole: WebContext) -> None:
    phone = app(whole).test_client()
    files = {kind: phone.get(f"/trust/rappelwacht.{kind}", base_url=HOME) for kind in KINDS}
    assert {kind: answer.mimetype for kind, answer in files.items()} == KINDS
    assert files["crt"].data == KNOWN.root
    assert ssl.PEM_cert_to_DER_cert(files["pem"].text) == KNOWN.root
    read = plistlib.loads(files["mobileconfig"].data)
    (payload,) = read["PayloadContent"]
    assert payload["PayloadType"] == "com.apple.security.root"
    assert payload["PayloadContent"] == KNOWN.root
    assert profile(KNOWN) == files["mobileconfig"].data  # to the byte, each time
    other = plistlib.loads(profile(replace(KNOWN, root=b"another")))
    ours = {read["PayloadUUID"], payload["PayloadUUID"]}
    assert len({*ours, other["PayloadUUID"], other["PayloadContent"][0]["PayloadUUID"]}) == 4
    shown = sha256(KNOWN.root).hexdigest().upper()
    assert shown in get(phone, "/trust").replace(":", "")


def test_whoever_trusts_it_reads_which_names_it_may_vouch_for_besides_a_homes(
    whole: WebContext,
) -> None:
    phone = app(whole).test_client()
    assert "also pretend" not in get(phone, "/trust")
    whole.https.certificate = replace(KNOWN, far=("table.example.org", "google.com"))
    assert "also pretend to be table.example.org" in (page := get(phone, "/trust"))
    assert "google.com" in page


def test_no_key_is_ever_sent(whole: WebContext) -> None:
    phone = client(app(whole), "table")
    for path in (
        "/trust",
        "/trust/over",
        "/away",
        *(f"/trust/rappelwacht.{kind}" for kind in KINDS),
    ):
        body = phone.get(path, base_url=HOME).data
        assert b"PRIVATE" not in body
        assert b"PRIVATE" not in base64.b64decode(body, validate=False)


def test_without_a_certificate_it_says_why_and_gives_none(whole: WebContext) -> None:
    whole.https.certificate = whole.https.line = None
    whole.https.condition = Condition(HttpsState.CLOCK, 0, {"date": "1970-01-01"})
    phone = app(whole).test_client()
    text = get(phone, "/trust")
    assert "clock says 1970-01-01" in text
    assert links(text) == set()
    assert phone.get("/trust/rappelwacht.crt", base_url=HOME).status_code == 404


def test_nothing_that_a_stranger_writes_runs_or_breaks_it(whole: WebContext) -> None:
    phone, chance = app(whole).test_client(), Random(7)
    letters = "\"'<>&;{}%\\/:@[]#?=. \tabz09\x7fäé"
    for _ in range(300):
        word = "".join(chance.choices(letters, k=chance.randrange(1, 40)))
        headers = {"Host": chance.choice((word, f"zapp.local:{word}", "zapp.local")), "X": word}
        path = chance.choice(("/trust", "/trust/ok", "/trust/over", "/away"))
        path = chance.choice((path, f"/trust/rappelwacht.{word}", f"/trust/{word}"))
        try:
            answer = phone.get(path, headers=headers, query_string={"v": word})
        except ValueError:  # no client sends it
            continue
        assert answer.status_code in {200, 204, 400, 404, 421}, (path, headers)
        assert "script-src 'self';" in answer.headers[POLICY]
        assert "\n" not in answer.headers[POLICY]
        if answer.mimetype == "text/html":
            harmless(answer)
            assert Page(answer.text).runs == []
        answer.close()


# --- the plain page is as it was, and a phone may be at both --------------------------------------


def test_the_plain_page_is_the_same_with_https_and_without(whole: WebContext) -> None:
    without = phones(FakeRoom("red", "blue"), here=here())
    for path in ("/", "/join", "/setup", "/history", "/tv"):
        texts = [get(app(of).test_client(), path) for of in (whole, without)]
        assert texts[0] == texts[1]
        assert "app.js" not in texts[0]
    by_https = app(whole).test_client().get("/", base_url=SAFE).text
    assert '<script src="/static/app.js' in by_https


def test_a_phone_that_is_let_in_at_the_plain_page_is_let_in_by_https(whole: WebContext) -> None:
    made = app(whole)
    plain = client(made, "red")
    safe = made.test_client()
    safe.set_cookie(whole.pairing.cookie, stolen(plain, whole), domain="zapp.local")
    paired = safe.get("/api/pair", base_url=SAFE)
    assert paired.json == {"role": "red", "waits_s": 0}


def test_what_https_keeps_the_plain_page_neither_sees_nor_is_hindered_by(whole: WebContext) -> None:
    """Browsers refuse a cookie by http that would replace a secure one of the same name."""
    made = app(whole)
    ours = {"Origin": SAFE}
    phone = made.test_client()
    pin = {"pin": whole.pairing.pin, "seat": "red"}
    let_in = phone.post("/api/pair", json=pin, base_url=SAFE, headers=ours)
    cookie = let_in.headers["Set-Cookie"]
    assert cookie.startswith(f"{BY_HTTPS}{whole.pairing.cookie}=")
    assert "; Secure" in cookie
    assert "Domain" not in cookie
    assert "Path=/;" in f"{cookie};"
    assert stolen(client(made, "blue"), whole)  # under the plain name
    gone = phone.post("/api/unpair", json={}, base_url=SAFE, headers=ours)
    assert {header.split("=")[0] for header in gone.headers.getlist("Set-Cookie")} == {
        whole.pairing.cookie,
        f"{BY_HTTPS}{whole.pairing.cookie}",
    }


def test_only_the_worker_may_stand_before_all_pages(whole: WebContext) -> None:
    phone = app(whole).test_client()
    for script, scope in (("worker", "/"), ("act", None)):
        answer = phone.get(f"/static/{script}.js", base_url=SAFE)
        assert answer.headers.get("Service-Worker-Allowed") == scope
        answer.close()
