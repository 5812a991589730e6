"""What comes in and what goes out: foreign names and pages get nothing, and no answer tells how."""

import gzip
import logging
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.i18n.translate import LANGUAGES, say
from companion.system.logs import Lines
from companion.web.common.addresses import OwnAddresses
from companion.web.common.errors import FAULTS
from companion.web.common.request_guard import BODY_BYTES, HEADERS
from tests.web.room import HOST, FakeRoom, app, client, phones

EVENTS = {"Accept": "text/event-stream"}
OURS = (
    "192.168.7.5:8000",
    "192.168.7.5",
    "localhost:1",
    "127.0.0.1",
    "127.0.0.2",
    "[::1]:8000",
    "[0:0::1]",
    "[::1%25lo]:8000",
    "[::ffff:192.168.7.5]:8000",  # version 4, wrapped
    "[::FFFF:c0a8:705]",
    "ZAPP.local",
)
FOREIGN = (
    "evil.example",
    "192.168.7.5.evil.example",
    "192.168.7.6:8000",
    "evil.example:8000",
    "localhost.evil.example",
    "zapp.local.evil.example",
    "zapp",
    "[::2]",
    "[::2%25lo]",
    "[::1%25lo].evil.example",
    "127.0.0.1%25lo",
    "[::ffff:192.168.7.6]",
    "0.0.0.0",  # noqa: S104 - a name that somebody calls us by; nothing listens there
    "2130706433",
    "127.1",
    "a@192.168.7.5",
    "192.168.7.5:8000@evil.example",
    "[::1",
    "evil.example#192.168.7.5",
)


@pytest.fixture(scope="module")
def served() -> Flask:
    return app(FakeRoom("red", "blue"))


@pytest.fixture
def phone(served: Flask) -> FlaskClient:
    return client(served, "table")


def routes(served: Flask) -> Iterator[tuple[str, str]]:
    """Return every route with every method that it has, and one that leads nowhere."""
    for rule in served.url_map.iter_rules():
        path = str(rule)
        for argument in rule.arguments:
            path = path.replace(f"<path:{argument}>", "style.css").replace(f"<{argument}>", "table")
        yield from ((method, path) for method in sorted((rule.methods or set()) - {"OPTIONS"}))
    yield from (("GET", "/nowhere"), ("GET", "/api/nowhere"), ("DELETE", "/"), ("PUT", "/static/x"))


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", OURS)
def test_our_own_names_are_answered_whatever_the_port(phone: FlaskClient, host: str) -> None:
    origin = {"Host": host, "Origin": f"http://{host}"}
    assert phone.get("/api/snapshot", headers=origin).status_code == 200


@pytest.mark.slow(but=6)
@pytest.mark.parametrize("host", FOREIGN)
def test_no_route_answers_to_a_foreign_name(served: Flask, phone: FlaskClient, host: str) -> None:
    for method, path in routes(served):
        for headers in ({}, EVENTS):
            answer = phone.open(
                path, method=method, headers={"Host": host, "Origin": f"http://{host}"} | headers
            )
            assert answer.status_code in (400, 421), (method, path)
            assert not re.search(r"\bred\b", answer.text)
            assert "192.168.7.5" not in answer.text.replace(host, "")
            answer.close()


def test_a_new_address_of_ours_is_known_without_a_restart() -> None:
    own, now_s = ["10.0.0.1"], [0.0]
    here = OwnAddresses(8000, lambda: tuple(own), clock_s=lambda: now_s[0])
    at_table = client(app(phones(here=here)))
    later = {"Host": "10.0.0.2:8000", "Origin": "http://10.0.0.2:8000"}
    assert at_table.get("/join", headers=later).status_code == 421
    own.append("10.0.0.2")  # it joined the Wi-Fi
    now_s[0] += 10
    assert at_table.get("/join", headers=later).status_code == 200


# --- foreign pages ----------------------------------------------------------------------------


def changes(served: Flask) -> list[tuple[str, str]]:
    return [(m, p) for m, p in routes(served) if m not in ("GET", "HEAD")]


EVIL = "http://evil.example"
COMES_FROM: tuple[dict[str, str], ...] = (
    *({"Origin": EVIL}, {"Origin": "null"}, {"Origin": ""}, {"Origin": HOST}),
    *({"Origin": "http://192.168.7.5"}, {"Origin": f"https://{HOST}"}),
    *({"Origin": f"http://{HOST}.evil.example"}, {"Origin": f"http://{HOST}, {EVIL}"}),
    {"Origin": EVIL, "Sec-Fetch-Site": "same-origin"},
    {"Origin": "", "Sec-Fetch-Site": "same-origin"},
)
FORMED = (  # what a page can send without asking first, and what it cannot
    ("text/plain", b'{"seat": "red"}'),
    ("application/x-www-form-urlencoded", b"language=de&pin=271828"),
    ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="language"'),
    ("application/json", b'{"seat": "red"}'),
)


@pytest.mark.parametrize("comes_from", COMES_FROM, ids=str)
def test_no_change_comes_from_a_foreign_page(
    served: Flask, phone: FlaskClient, comes_from: dict[str, str]
) -> None:
    for method, path in changes(served):
        for kind, body in FORMED:
            sent = phone.open(path, method=method, data=body, content_type=kind, headers=comes_from)
            assert (sent.status_code, "Set-Cookie" in sent.headers) == (403, False), (method, path)
            assert "Another website" in sent.text


NOWHERE = (
    *({"Sec-Fetch-Site": site} for site in ("cross-site", "same-site", "none")),
    *({"Referer": f"http://{HOST}/"}, {"X-Requested-With": "XMLHttpRequest"}),
)


def test_no_change_comes_from_nowhere(served: Flask) -> None:
    phone = client(served, "table")
    del phone.environ_base["HTTP_ORIGIN"]
    for method, path in changes(served):
        for no_origin in ({}, *NOWHERE):
            answer = phone.open(path, method=method, json={}, headers=no_origin)
            assert answer.status_code == 403, (method, path)
        assert "in the header Origin" in answer.text  # so that a program knows what it lacks
        from_us = phone.open(
            path, method=method, json={}, headers={"Sec-Fetch-Site": "same-origin"}
        )
        assert from_us.status_code != 403 or "foreign" not in from_us.text


def test_the_api_takes_only_json_so_no_form_can_reach_it(served: Flask, phone: FlaskClient) -> None:
    for method, path in changes(served):
        if path.startswith("/api/") and method == "POST":
            for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
                answer = phone.post(path, data='{"seat": "red"}', content_type=kind)
                assert answer.status_code == 415, (path, kind)


def test_reading_changes_nothing(served: Flask, phone: FlaskClient) -> None:
    before = phone.get("/api/snapshot").text
    for method, path in routes(served):
        if method == "GET":
            phone.get(path, query_string={"pin": "1", "seat": "blue", "text": "roll 7"}).close()
    assert phone.get("/api/snapshot").text == before
    assert phone.get("/api/pair").json == {"role": "table", "waits_s": 0}


# --- what goes out ----------------------------------------------------------------------------


def test_every_answer_bears_what_protects_its_reader(served: Flask, phone: FlaskClient) -> None:
    for method, path in routes(served):
        answer = phone.open(path, method=method)
        seen_there = {"Cross-Origin-Resource-Policy": "cross-origin"} if path == "/trust/ok" else {}
        for name, value in (HEADERS | seen_there).items():
            assert answer.headers[name] == value, (method, path)
        assert "Server" not in answer.headers
        assert "Access-Control-Allow-Origin" not in answer.headers
        if answer.status_code != 304 and not path.startswith(("/static/", "/games/")):
            assert answer.headers["Cache-Control"] == "no-store"
        answer.close()


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(served: Flask) -> None:
    cookie = client(served).post("/api/pair", json={"pin": "271828"}).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "271828" not in cookie


# --- faults -----------------------------------------------------------------------------------


def breaking() -> tuple[Flask, FlaskClient]:
    """Return an app in which everything can go wrong."""
    made = app(FakeRoom("red", "blue"))
    made.testing = False

    @made.route("/broken")
    @made.route("/api/broken")
    def broken() -> str:
        secret = {"the barrel of red": 13}
        raise KeyError(f"{secret} in {__file__}")

    return made, client(made)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/broken", "/api/broken"])
def test_what_breaks_is_told_without_what_or_where(
    path: str, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    phone = breaking()[1]
    with caplog.at_level(logging.DEBUG):
        answer = phone.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 500
    assert say(FAULTS[500][1], language) in answer.text
    for inside in ("KeyError", "barrel of red", "Traceback", ".py", "werkzeug"):
        assert inside not in answer.text
    logged = "\n".join(map(Lines().format, caplog.records))
    assert "barrel of red" not in logged
    assert "Traceback" in logged
    assert "in broken\n" in logged
    assert "\nKeyError" in logged


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_is_a_sentence_in_the_readers_language(served: Flask, language: str) -> None:
    phone = client(served, language=language)
    expected = {"/nowhere": phone.get("/nowhere"), "/api/nowhere": phone.get("/api/nowhere")}
    for path, answer in expected.items():
        sentence = say(FAULTS[404][1], language)
        if path.startswith("/api/"):
            assert answer.json == {"error": {"code": "not-found", "sentence": sentence}}
        else:
            assert sentence in answer.text
            assert f'lang="{language}"' in answer.text
    wrong = phone.delete("/join")
    assert (wrong.status_code, "GET" in wrong.headers["Allow"]) == (405, True)
    assert say(FAULTS[405][1], language) in wrong.text


def test_a_body_that_is_too_large_is_not_even_read(served: Flask, phone: FlaskClient) -> None:
    for method, path in changes(served):
        if method == "POST":
            answer = phone.post(path, data=b" " * (BODY_BYTES + 1), content_type="application/json")
            assert answer.status_code == 413, path
            announced = phone.post(path, environ_overrides={"CONTENT_LENGTH": str(10**9)}, json={})
            assert announced.status_code == 413, path


# --- the language -----------------------------------------------------------------------------


def test_the_language_is_the_phones_until_somebody_chooses(served: Flask) -> None:
    phone = client(served, language="de-AT,de;q=0.9,en;q=0.5")
    assert 'lang="de"' in phone.get("/join").text
    back = phone.post("/language", data={"language": "en", "back": "/join"})
    assert (back.status_code, back.headers["Location"]) == (303, "/join")
    assert '<html lang="en"' in phone.get("/join").text
    assert '<html lang="en"' in client(served, language="fr").get("/join").text


def test_who_chooses_a_language_while_setting_up_a_game_keeps_that_game(served: Flask) -> None:
    phone, path = client(served, "table"), "/setup?game=via-magica"
    assert f'name="back" value="{path}"' in phone.get(path).text
    back = phone.post("/language", data={"language": "de", "back": path})
    assert back.headers["Location"] == path
    assert 'name="back" value="/setup"' in phone.get("/setup").text


def test_a_language_that_nobody_speaks_here_is_refused(served: Flask) -> None:
    assert client(served).post("/language", data={"language": "<b>"}).status_code == 400
    assert client(served).post("/language").status_code == 400


def test_scripts_and_styles_are_compressed_and_nothing_that_may_hold_a_secret() -> None:
    phone = client(FakeRoom("red", "blue"), "table")
    packs = {"Accept-Encoding": "gzip"}
    for path in ("/static/live.js", "/static/style.css", "/games/zapp-zerapp.css"):
        plain, packed = phone.get(path), phone.get(path, headers=packs)
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in plain.headers["Vary"]
        assert "Content-Encoding" not in plain.headers
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) * 2 < len(plain.data)
        mark = packed.headers["ETag"]
        again = phone.get(path, headers={**packs, "If-None-Match": mark})
        assert again.status_code == 304
        for answer in (plain, packed, again):
            answer.close()
    for path in ("/", "/join", "/api/snapshot"):
        assert "Content-Encoding" not in phone.get(path, headers=packs).headers
