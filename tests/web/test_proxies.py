"""Reverse proxies: only those that are named are believed, and only of the hop before them."""

import json
from collections.abc import Callable, Iterator
from time import thread_time

import pytest

from companion.system.config import WebConfig
from companion.web.common.proxies import (
    FORWARDED,
    FORWARDED_FOR,
    FORWARDED_PROTO,
    PROXIED,
    Caller,
    TrustedProxies,
)
from companion.web.common.rate_limit import TRIES
from companion.web.common.request_guard import from_here
from companion.web.server import PhoneServer
from tests.web.room import FakeRoom, client, phones
from tests.web.test_server import HERE, Served, until

NAME = "table.example.org"
FAR = {"Host": NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
ORIGIN = {"Origin": f"https://{NAME}", "Content-Type": "application/json"}
WRONG = {"pin": "000000"}


@pytest.mark.parametrize(
    ("headers", "address", "scheme"),
    [
        ({}, "10.0.0.9", "http"),
        ({FORWARDED_FOR: "203.0.113.7"}, "203.0.113.7", "http"),
        ({FORWARDED_FOR: "127.0.0.1, 203.0.113.7"}, "203.0.113.7", "http"),  # forged on the left
        ({FORWARDED_FOR: "6.6.6.6, 203.0.113.7, 10.0.0.8"}, "203.0.113.7", "http"),  # two proxies
        ({FORWARDED_FOR: "203.0.113.7:4711", FORWARDED_PROTO: "HTTPS"}, "203.0.113.7", "https"),
        ({FORWARDED_FOR: "2001:db8::7", FORWARDED_PROTO: "gopher"}, "2001:db8::7", "http"),
        ({FORWARDED_FOR: "10.0.0.7, 10.0.0.8"}, "10.0.0.7", "http"),  # nobody but proxies
        ({FORWARDED: "for=203.0.113.7;proto=https"}, "203.0.113.7", "https"),
        ({FORWARDED: 'For="[2001:db8::7]:4711"; Proto=https'}, "2001:db8::7", "https"),
        ({FORWARDED: 'for="x,y", for=203.0.113.7;by=10.0.0.9'}, "203.0.113.7", "http"),
        ({FORWARDED: "for=203.0.113.7", FORWARDED_FOR: "203.0.113.7"}, "203.0.113.7", "http"),
        ({FORWARDED_PROTO: "https"}, "10.0.0.9", "http"),  # by itself it says nothing
        ({FORWARDED_FOR: " , "}, "10.0.0.9", "http"),
    ],
)
def test_a_trusted_proxy_says_who_calls(headers: dict[str, str], address: str, scheme: str) -> None:
    believed = TrustedProxies(["10.0.0.0/24", "::1"])
    assert believed.caller("10.0.0.9", headers) == Caller(address, scheme)
    assert believed.caller("::ffff:10.0.0.9", headers) in (
        Caller(address, scheme),
        Caller("::ffff:10.0.0.9", scheme),
    )
    assert believed.caller("203.0.113.99", headers) == Caller("203.0.113.99")
    assert TrustedProxies().caller("10.0.0.9", headers) == Caller("10.0.0.9")


def test_who_calls_by_https_without_a_proxy_does_so_whatever_proxies_there_are() -> None:
    believed = TrustedProxies(["10.0.0.9"])
    forged = {FORWARDED_FOR: "1.2.3.4", FORWARDED_PROTO: "http"}
    assert believed.caller("192.168.7.9", forged, "https") == Caller("192.168.7.9", "https")
    assert believed.caller("10.0.0.9", {}, "https") == Caller("10.0.0.9", "https")
    assert believed.caller("10.0.0.9", forged, "https") == Caller("1.2.3.4", "http")
    passed_on = {FORWARDED_FOR: "1.2.3.4"}  # and not said how: as ever, that is the plain way
    assert believed.caller("10.0.0.9", passed_on, "https") == Caller("1.2.3.4", "http")


@pytest.mark.parametrize(
    "headers",
    [
        {FORWARDED: "for=6.6.6.6", FORWARDED_FOR: "203.0.113.7"},
        {FORWARDED_FOR: "unknown"},
        {FORWARDED: "for=_hidden"},
        {FORWARDED_FOR: "203.0.113.7, 999.1.1.1"},
        {FORWARDED: "proto=https"},
        {FORWARDED: "for=203.0.113.7, for=10.0.0.8", FORWARDED_FOR: "6.6.6.6, 10.0.0.8"},
        {FORWARDED: 'for=6.6.6.6;by=", for="[2001:db8::7]";host="x,y"'},  # a quote too many
        {FORWARDED: "for=203.0.113.7;for=6.6.6.6"},
    ],
)
def test_who_calls_is_not_guessed(headers: dict[str, str]) -> None:
    assert TrustedProxies(["127.0.0.1", "10.0.0.8"]).caller("127.0.0.1", headers) is None


@pytest.mark.parametrize("host", ['"for=6.6.6.6"', "xfor=6.6.6.6", '"; for=6.6.6.6"'])
def test_the_name_that_a_stranger_calls_is_no_address(host: str) -> None:
    headers = {FORWARDED: f"for=203.0.113.7;host={host};proto=https"}
    told_by = TrustedProxies(["127.0.0.1"]).caller("127.0.0.1", headers)
    assert told_by == Caller("203.0.113.7", "https")


@pytest.mark.parametrize("header", ["a" * 15_000 + '"', "a" + " " * 15_000 + "b", "," * 15_000])
def test_no_header_keeps_the_server_busy(header: str) -> None:
    """It is read where all lines are served: what takes seconds would stop everybody's pages."""
    before_s = thread_time()
    TrustedProxies(["127.0.0.1"]).caller("127.0.0.1", {FORWARDED: header})
    assert thread_time() - before_s < 1  # 18 s, 7 s and 0.01 s, read by guessing


# --- the server behind one ------------------------------------------------------------------------


class Proxied(Served):
    """A table that believes a proxy at 127.0.0.1, and no other."""

    def serve(self, pages: PhoneServer) -> int:
        """Start the pages for people far away."""
        web = WebConfig(names=(NAME,), proxies=(HERE,))
        return pages.start(0, HERE, web).here.port


@pytest.fixture
def proxied() -> Iterator[Proxied]:
    made = Proxied()
    yield made
    made.hang_up()


def test_a_page_by_the_far_name_names_the_far_address(proxied: Proxied) -> None:
    page = proxied.get("/join", **FAR).read().decode()
    assert f"https://{NAME}" in page
    at_home = proxied.get("/join").read().decode()
    assert at_home.index(HERE if HERE in at_home else ":") < at_home.index(NAME)
    assert proxied.get("/join", Host="evil.example").status == 421


def test_a_phone_far_away_is_let_in_with_a_secure_cookie(proxied: Proxied) -> None:
    pin = json.dumps({"pin": proxied.server.pairing.pin}).encode()
    answer = proxied.post("/api/pair", pin, **FAR | ORIGIN)
    assert answer.status == 200
    assert "; Secure" in (answer.headers["Set-Cookie"] or "")
    plain = proxied.post("/api/pair", pin)
    assert plain.status == 200
    assert "; Secure" not in (plain.headers["Set-Cookie"] or "")
    foreign = proxied.post("/api/pair", pin, **FAR | ORIGIN | {"Origin": f"http://{NAME}"})
    assert foreign.status == 403


def test_wrong_pins_count_against_whoever_sends_them(proxied: Proxied) -> None:
    body = json.dumps(WRONG).encode()

    def tries(*, caller: str) -> int:
        return proxied.post("/api/pair", body, **FAR | ORIGIN | {"X-Forwarded-For": caller}).status

    assert [tries(caller="203.0.113.7") for _ in range(TRIES + 1)] == [403] * TRIES + [429]
    assert tries(caller="6.6.6.6, 203.0.113.7") == 429  # what it forges is not looked at
    assert tries(caller="203.0.113.8") == 403


def test_a_stranger_is_no_proxy() -> None:
    """Without a word in the configuration, headers change nothing but what locality grants."""
    body, served = json.dumps(WRONG).encode(), Served()
    forged = [{"X-Forwarded-For": f"203.0.113.{n}"} for n in range(TRIES + 1)]
    statuses = [served.post("/api/pair", body, **headers).status for headers in forged]
    served.hang_up()
    assert statuses == [403] * TRIES + [429]


def test_contradicting_headers_are_refused(proxied: Proxied) -> None:
    answer = proxied.get("/api/pair", **FAR | {"Forwarded": "for=127.0.0.1"})
    assert answer.status == 400
    assert json.loads(answer.read())["error"]["code"] == "unknown-caller"


def test_behind_a_proxy_nobody_is_on_the_same_computer() -> None:
    """A plain proxy_pass says nothing of the world: `Host` is 127.0.0.1, and so is the address."""
    tested = client(phones(FakeRoom("red", "blue")))
    direct = {"Host": "127.0.0.1:8000"}

    def is_local(**environ: object) -> bool:
        with tested.application.test_request_context(
            headers=direct, environ_overrides={"REMOTE_ADDR": HERE} | environ
        ):
            return from_here()

    assert is_local()
    assert not is_local(**{PROXIED: True})


def test_a_stream_is_not_kept_by_nginx(proxied: Proxied) -> None:
    stream = proxied.listen(**FAR)
    assert stream.headers["X-Accel-Buffering"] == "no"
    assert until(lambda: len(proxied.watchers) == 1)
    (watcher,) = proxied.watchers
    assert watcher.home == "203.0.113.7"


def test_turns_go_by_who_calls(proxied: Proxied) -> None:
    """Eight lines of the same proxy carry eight people: each is a home of its own."""
    homes: Callable[[], set[str]] = lambda: {getattr(line, "home", "") for line in proxied.channels}  # noqa: E731
    for n in range(8):
        proxied.get("/api/pair", **FAR | {"X-Forwarded-For": f"203.0.113.{n}"}).read()
    assert {f"203.0.113.{n}" for n in range(8)} <= homes()
