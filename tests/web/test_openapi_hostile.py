"""Whatever a stranger sends, nothing breaks, and the answer is one that the document knows."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

import jsonschema_rs
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion.web.common.request_guard import LIMITS
from companion.web.openapi import ROUTES, VIEWS, Route, document
from tests.web.room import FakeRoom, app, client, phones
from tests.web.still import Still

DOCUMENT: Final = document()
FAULT: Final = jsonschema_rs.validator_for(
    {"$ref": "#/components/schemas/Fault", "components": DOCUMENT["components"]}
)
JSON: Final = "application/json"
JSONS: Final = (JSON, "application/json; charset=utf-16", "application/json; charset=\xff")
POSTS: Final = [route for route in ROUTES if route.body is not None]
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "X")
DEPTHS: Final = (LIMITS.deepest + 1, 100, 500, *range(900, 1010, 2), 5_000, 30_000)
BODIES: Final = (
    *(b"", b"{", b"[]", b"null", b'"x"', b"7", b"\xff", b"\x00", b"{}}", b"{'a': 1}", b'{"a": 1,}'),
    *(b"NaN", b'{"a": NaN}', b'{"a": -Infinity}', b'{"a": 1e400}', b'{"a": -1e400}', b'{"a": 01}'),
    *(b'{"a": ' + digits * b"9" + b"}" for digits in (17, 4300, 4301, 60_000)),
    *(b'{"a": "\xff"}', b'{"a": "\xed\xa0\x80"}', b'{"\\ud800": "\\udfff"}', b'{"\\u0000": 1}'),
    *(b'{"a": 1, "a": 2}', b'{"": ""}', b'{"a": "' + b"x" * 60_000 + b'"}', b"\xef\xbb\xbf{}"),
    *(json.dumps({"a": "x"}).encode(code) for code in ("utf-16", "utf-32", "utf-7", "cp037")),
)
FORMS: Final = (
    *("text/plain", "", "application/x-www-form-urlencoded", "application/vnd.api+json"),
    *(
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/jsonl",
        "json",
        "\xff",
    ),
)
ODD: Final = (
    *("", "0", "-1", "1", "7", "1.0", "1e3", "+1", " 1", "1 ", "007", "0x1", "true", "null", "x"),
    *("9" * 9, "9" * 10, "9" * 4299, "9" * 4301, "9" * 5000, "\0", "\ufffd", "\u0661", "\xb2", "%"),
    *(
        "../../etc/passwd",
        "..%2f..",
        "a/b",
        "x" * 2000,
        "<script>",
        "{0}",
        "{seat:and}",
        "red",
        "own",
    ),
    *("[" * 1000, "24 " * 4, "99 99 99 99", "R " * 24, "zapp-zerapp", "blackmore", "m0"),
)
RAW: Final = ("%", "%f", "%ff", "%00", "%ed%a0%80", "%0d%0aX: y", "%2e%2e", "%u0041")


@pytest.fixture(scope="module")
def made() -> Flask:
    """Return the app of a table at which a match is played, with all pages there are."""
    return app(phones(FakeRoom("red", "blue"), hands=Still()))


def answered(answer: TestResponse) -> TestResponse:
    """Return an answer that is no fault of ours, and is told as the document says of all faults."""
    assert answer.status_code < 500, answer.text
    if answer.request.path.startswith("/api/") and answer.status_code >= 400:
        assert answer.mimetype == JSON
        assert answer.request.method == "HEAD" or FAULT.is_valid(answer.get_json()), answer.text
    return answer


def address(route: Route) -> str:
    return re.sub(r"{view}", "table", re.sub(r"{match}", "m0", route.path))


@pytest.mark.parametrize("route", POSTS, ids=lambda route: route.path)
@pytest.mark.parametrize("role", [None, "table"])
def test_no_body_breaks_anything(made: Flask, route: Route, role: str | None) -> None:
    phone = client(made, role)
    for body in BODIES:
        for form in JSONS if len(body) < 4 else JSONS[:1]:
            answer = answered(phone.post(route.path, data=body, content_type=form))
            assert answer.status_code in {200, *route.faults}, (body[:40], answer.text)
    for form in FORMS:
        answer = answered(phone.post(route.path, data=b"{}", content_type=form))
        assert answer.status_code == 415, form


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("route", POSTS, ids=lambda route: route.path)
def test_what_is_nested_too_deeply_is_refused_wherever_it_stands(made: Flask, route: Route) -> None:
    phone = client(made, "table")
    for within in _within(route.body):
        for depth in DEPTHS:
            for left, right in (("[", "]"), ('{"a":', "}")):
                nested = left * depth + ("1" if left != "[" else "") + right * depth
                body = within.replace('"HERE"', nested)
                answer = answered(phone.post(route.path, data=body, content_type=JSON))
                assert answer.status_code == (413 if len(body) > 65_536 else 400), (within, depth)
                assert answer.get_json()["error"]["sentence"]


def _within(schema: Any) -> Iterator[str]:
    """Yield bodies with a place for anything: as a whole, in each part, and deep in a wish."""
    yield '"HERE"'
    for kind in schema.get("oneOf", [schema]):
        for name in kind["properties"]:
            yield json.dumps({name: "HERE"})
    if "wish" in schema.get("properties", {}):
        wish = {"kind": "new-match", "game": "zapp-zerapp", "settings": {"board": "HERE"}}
        yield json.dumps({"request": "r", "wish": wish})
        yield json.dumps({"request": "r", "wish": wish | {"house": {"bots": ["HERE"]}}})


def test_a_sentence_says_that_a_ring_is_nested_too_deeply(made: Flask) -> None:
    ring = "[" * 988 + "]" * 988
    answer = client(made).post("/api/boards/check", data=f'{{"ring": {ring}}}', content_type=JSON)
    assert answer.status_code == 400
    few = client(made).post("/api/boards/check", json={"ring": [[["R"]]]})
    assert few.get_json()["error"]["sentence"] == "'field' is nested too deeply."


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_what_the_document_does_not_name_cannot_be_done(made: Flask, route: Route) -> None:
    known = {one.method.upper() for one in ROUTES if one.path == route.path}
    known |= {"HEAD"} if "GET" in known else set()
    phone = client(made, "table")
    for method in METHODS:
        answer = answered(phone.open(address(route), method=method))
        if method not in known:
            assert answer.status_code == 405, method
            assert {*answer.headers["Allow"].split(", ")} == {*known, "OPTIONS"}
        elif method == "HEAD":
            assert answer.data == b""
            answer.close()
    for path in (f"{address(route)}/", f"{address(route)}%00", f"/api/{address(route)[4:]}"):
        assert answered(phone.open(path, method=route.method.upper())).status_code == 404, path


def test_each_number_of_a_query_is_taken_as_the_document_says(made: Flask) -> None:
    phone = client(made)
    whole = [(route, *one) for route in ROUTES for one in route.query if "minimum" in one[1]]
    assert len(whole) == 2
    for route, name, schema in whole:
        for text in ODD:
            right = text.isascii() and text.isdecimal() and len(text) < 10
            fits = right and schema["minimum"] <= int(text) <= schema["maximum"]
            answer = answered(phone.get(route.path, query_string={name: text}))
            assert answer.status_code == (200 if fits else 400), (name, text)
        for several in ("1&{}=x", "1&{}=1", "x&{}=1"):
            answer = answered(phone.get(f"{route.path}?{name}={several.format(name)}"))
            assert answer.status_code == 400


def test_there_are_the_live_views_that_the_document_names_and_no_others(made: Flask) -> None:
    phone = client(made)
    for view in VIEWS:
        assert answered(phone.get(f"/api/view/{view}")).status_code == 200
    for view in ("snapshot", *ODD):
        path = f"/api/view/{quote(view, safe='', errors='replace')}"
        assert answered(phone.get(path)).status_code in {404, 405}, view
    events = {"Accept": "text/event-stream"}
    for view in ("x", "", "x" * 2000):
        assert answered(phone.get(f"/api/stream?view={view}", headers=events)).status_code == 404


def test_no_address_and_no_query_of_any_page_breaks_anything(made: Flask, full: bool) -> None:
    phone = client(made, "table")
    names = ["step", "part", "game", "seat", "seat-red", "ring", "entries", "board", "version"]
    names += ["cost", "roller", "own-board", "gives-up", "limit", "skip", "seen", "barrels", "hand"]
    pages = [one for one in made.url_map.iter_rules() if "GET" in (one.methods or ())]
    assert len(pages) > 20
    for rule in pages:
        path = re.sub(r"<(?:\w+:)?match>", "m0", rule.rule)
        for queried in ([[name] for name in names] if full else [names]) if "<" not in path else ():
            for text in ODD if full else ODD[::3]:
                answered(phone.get(path, query_string=dict.fromkeys(queried, text))).close()
            for raw in RAW:
                query = "&".join(f"{name}={raw}&{name}=1" for name in queried)
                answered(phone.get(f"{path}?{query}&{raw}")).close()
        if "<" in rule.rule:
            for part in (*(quote(text, safe="", errors="replace") for text in ODD), *RAW):
                answered(phone.get(re.sub(r"<[^>]*>", part, rule.rule))).close()


def test_a_step_of_five_thousand_digits_is_the_last_one(made: Flask) -> None:
    phone = client(made)
    digits = f"?step={'9' * 5000}"
    last = phone.get("/history/m0").text
    assert phone.get(f"/history/m0{digits}").text.replace(digits, "") == last


def test_no_form_breaks_anything(made: Flask) -> None:
    phone = client(made, "table")
    form = "application/x-www-form-urlencoded"
    rules = [one for one in made.url_map.iter_rules() if "POST" in (one.methods or ())]
    posts = [one.rule for one in rules if not one.rule.startswith("/api/")]
    assert posts == ["/language", "/setup/cafe"]
    for path in posts:
        for body in (
            *BODIES,
            *(f"language=de&back=/{text}".encode("utf-8", "replace") for text in ODD),
        ):
            for kind in (form, f"{form}; charset=\xff", *FORMS):
                answer = answered(phone.post(path, data=body, content_type=kind))
                assert answer.status_code in {303, 400, 413}
        for raw in RAW:
            answer = answered(phone.post(path, data=f"language=de&back=/{raw}", content_type=form))
            assert answer.status_code == (303 if path == "/language" else 400)
