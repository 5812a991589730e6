"""Whoever is no director gets nowhere on the director's pages, whatever is sent there."""

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.hall.director_page import ORDERS
from companion.hall.server_app import HallServer, create_app
from companion.mqtt import join_code
from companion.mqtt.client import Broker, Client, ConnectionStatus
from companion.mqtt.signing import password
from companion.web.common.server import CONNECTIONS
from tests.mqtt.broker import LOOPBACK, wait_until
from tests.programs import need

HOME = "http://localhost"
HUGE = 2_000_000


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallServer]:
    with HallServer(tmp_path) as hall:
        yield hall


def browser(hall: HallServer, *, directs: bool = False) -> FlaskClient:
    found = create_app(hall, hall.views).test_client()
    if directs:
        found.set_cookie("rappelwacht-hall", hall.accounts.sign_in("director"))
    return found


def sent(client: FlaskClient, path: str, origin: str = HOME, **form: str) -> int:
    headers = {"Origin": origin, "Accept-Language": "en"}
    if path.startswith("/api/"):
        return client.post(path, json=form, headers=headers).status_code
    return client.post(path, data=form, headers=headers).status_code


FORMS = [("/joining", {"name": "attic"}), ("/joining/attic", {}), ("/screens", {"code": "ABCD"})]
WISHES = [*FORMS, *(("/api/director", {"do": one}) for one in ORDERS)]


@pytest.mark.parametrize(("path", "form"), WISHES, ids=str)
def test_a_guest_and_a_foreign_page_direct_nothing(
    hall: HallServer, path: str, form: dict[str, str]
) -> None:
    hall.join_table("attic", "a secret")
    assert sent(browser(hall), path, **form) == 403
    assert sent(browser(hall, directs=True), path, "http://evil.example", **form) == 403
    assert hall.tables.secret("attic") == "a secret"
    assert not hall.tournament.now.tables


def test_no_way_in_is_forgotten(hall: HallServer) -> None:
    """Whatever the address, a foreign page changes nothing, and nobody does by looking."""
    hall.join_table("attic", "a secret")
    director = browser(hall, directs=True)
    names = hall.store.read("SELECT name FROM sqlite_master WHERE type = 'table'")
    every = [f"SELECT * FROM {name}" for (name,) in names]  # noqa: S608 - our own tables

    def kept() -> list[object]:
        return [*map(hall.store.read, every)]

    before, rules = kept(), director.application.url_map.iter_rules()
    ways = [(one.rule, one.methods or set()) for one in rules]
    for rule, methods in ways:
        path = rule.replace("<name>", "attic").replace("<number>", "1")
        director.get(path)
        if "POST" in methods:
            assert sent(director, path, "http://evil.example", do="begin-anew") == 403, path
            assert director.post(path, json={}).status_code == 403, path  # whoever does not say
    assert kept() == before
    assert len(ways) > 20


@pytest.mark.parametrize("path", ["/director", "/joining", "/joining/attic", "/screens"])
def test_a_guest_sees_nothing_of_what_a_director_sees(hall: HallServer, path: str) -> None:
    hall.join_table("attic", "a secret")
    hall.tournament.check_in("Ada")
    told = browser(hall).get(path, follow_redirects=True).text
    assert not re.search(rf"RW1-|Ada|{hall.accounts.pin}", told)
    view = browser(hall).get(f"/api/view{path}").text
    assert "Ada" not in view


def test_whoever_is_refused_gets_back_to_the_hall(hall: HallServer) -> None:
    told = browser(hall).get("/tables/99", headers={"Accept-Language": "en"})
    assert told.status_code == 404
    assert '<a class="button" href="/">To the hall</a>' in told.text


def test_what_is_huge_is_refused(hall: HallServer) -> None:
    """The server reads no body that is longer; whatever gets past it is refused by its parts."""
    hall.tournament.check_in("Ada")
    assert sent(browser(hall), "/api/check-in", name="x" * HUGE, animal="owl") >= 400
    assert len(hall.tournament.now.guests) == 1


DEEP = b"[" * 30_000
HOSTILE = (
    DEEP, DEEP + b"]" * 30_000, b'{"name": ' + DEEP, b'{"a":' * 9_000, b"null", b"",
    b'{"name": "\\ud800", "animal": "owl"}', b'{"name": ' + b"9" * 5_000 + b"}", b'{"name": NaN}',
    b'{"do": "deed", "deed": {"kind": "\\ud800"}}', b"\xff\xfe\x00",
    b'{"do": "deed", "deed": ' + b"[" * 900 + b"]" * 900 + b"}",
)  # fmt: skip


@pytest.mark.parametrize("body", HOSTILE, ids=lambda body: repr(body[:30]))
def test_no_body_breaks_the_hall_or_is_taken_for_a_wish(hall: HallServer, body: bytes) -> None:
    for directs in (False, True):
        client = browser(hall, directs=directs)
        for rule in client.application.url_map.iter_rules():
            if "POST" in (rule.methods or ()) and rule.rule.startswith("/api/"):
                headers = {"Origin": HOME, "Content-Type": "application/json"}
                answer = client.post(rule.rule, data=body, headers=headers)
                assert 400 <= answer.status_code < 500, rule.rule
    assert not hall.tournament.now.guests


@pytest.mark.parametrize("dripped", [b"", b"GET / HTTP/1.1\r\nX-Slow: "])
def test_more_lines_than_there_are_places_keep_nobody_out(hall: HallServer, dripped: bytes) -> None:
    """About a thousand lines of one address, silent or half a request each, had shut it for all."""
    hall.serve(0, LOOPBACK)
    with ExitStack() as life:

        def line(sent: bytes, address: str) -> socket.socket:
            there = (LOOPBACK, hall.here.port)
            made = life.enter_context(socket.create_connection(there, 60, (address, 0)))
            made.sendall(sent)
            return made

        for _ in range(CONNECTIONS + 60):
            line(dripped, LOOPBACK)
        page = f"GET / HTTP/1.1\r\nHost: {LOOPBACK}:{hall.here.port}\r\n\r\n".encode()
        for address in ("127.0.0.2", LOOPBACK):
            assert line(page, address).recv(12) == b"HTTP/1.1 200"


def test_an_erased_name_is_no_longer_seen_at_a_table_either(
    hall: HallServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.tables.get_or_add("attic")
    person, renewed = hall.tournament.check_in("Ada"), list[str]()
    monkeypatch.setattr(hall.views, "changed", lambda name, _="": renewed.append(name))
    for wish in ({"do": "forget", "person": person}, {"do": "begin-anew"}):
        renewed.clear()
        assert sent(browser(hall, directs=True), "/api/director", **wish) == 200
        assert {"evening", "table-1"} <= {*renewed}


def test_a_code_that_somebody_else_has_seen_can_be_made_again(tmp_path: Path) -> None:
    need("mosquitto", "openssl")
    with HallServer(tmp_path) as hall:
        own = hall.own_broker(tmp_path, LOOPBACK)
        director = browser(hall, directs=True)
        assert sent(director, "/joining", name="attic") == 303

        def comes() -> Client:
            text = hall.code("attic")
            assert text is not None
            word = password(join_code.read(text).secret)
            found = Client(
                Broker(LOOPBACK, own.tls_port or 0, "attic", word, own.authority), "", print
            )
            found.start()
            return found

        thief = comes()
        wait_until(lambda: thief.connected)
        assert sent(director, "/joining/attic") == 303
        wait_until(lambda: thief.reach is ConnectionStatus.REFUSED and not thief.connected)
        table = comes()
        wait_until(lambda: table.connected)
        for one in (thief, table):
            one.close()
        assert sent(director, "/joining/cellar") == 404
