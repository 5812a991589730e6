"""What the document allows is taken, and what it forbids is refused: part by part, oddly filled."""

import json
from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final

import jsonschema_rs
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.web.common.request_guard import LARGEST
from companion.web.openapi import ROUTES, Route, document
from companion.web.pairing import Pairing
from tests.web.room import PIN, app, client, phones
from tests.web.still import Still

DOCUMENT: Final = document()
FAULT: Final = jsonschema_rs.validator_for(
    {"$ref": "#/components/schemas/Fault", "components": DOCUMENT["components"]}
)
JSON: Final = "application/json"
POSTS: Final = [route for route in ROUTES if route.body is not None]
PAIR, COMMANDS = "/api/pair", "/api/commands"
REQUESTS: Final = ("r-1", PIN, "12345678")  # what fits the patterns of the document
ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 1.0, -0.0, 0.5, 1.5, 7, 1e300, -1e300, LARGEST, LARGEST + 1),
    *(-LARGEST, -LARGEST - 1, 10**9, -(10**9), 10**30, 10**4000, "", "x", "r", "\0", "\ud800"),
    *("r-1\n", "red", "RED", " red", "1", "١١١١١١", "x" * 40, "x" * 41, "x" * 65, "x" * 201),
    *("x" * 1000, "x" * 1001, "x" * 2560, "x" * 2561, [], [0], ["red"], ["red", "red"], [[]], {}),
    *([0] * 64, [0] * 65, {"x": 1}, {"x" * 41: 1}, {str(n): n for n in range(65)}, [[["R"]]]),
)


@pytest.fixture
def table() -> FlaskClient:
    """Return a phone that may do everything, at a table that has all there is."""
    passing = count(0, 100)  # wrong PINs are tried as slowly as anybody may
    pairing = Pairing(pin=PIN, clock_s=lambda: next(passing))
    return client(app(phones(hands=Still(), pairing=pairing)), "table")


def told(answer: TestResponse) -> TestResponse:
    """Return an answer that is as the document says of all answers."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400 and answer.request.method != "HEAD":
        assert answer.mimetype == JSON
        assert FAULT.is_valid(answer.get_json()), answer.text
    return answer


def post(phone: FlaskClient, route: Route, body: str | bytes, form: str = JSON) -> TestResponse:
    answer = told(phone.post(route.path, data=body, content_type=form))
    assert answer.status_code in {200, *route.faults}, (body, answer.text)
    return answer


# --- every part, by what the document says of it --------------------------------------------------


def samples(schema: Any) -> Iterator[Any]:
    """Yield some of what a schema allows: the least and the most of each part."""
    match schema:
        case {"const": only}:
            yield only
        case {"enum": [*known]}:
            yield from known
        case {"type": "object", "properties": {**inner}}:
            full = {name: next(samples(one)) for name, one in inner.items()}
            yield full
            yield {name: full[name] for name in schema.get("required", ())}
            for name, one in inner.items():
                yield from ({**full, name: value} for value in samples(one))
        case {"oneOf": [*several]} | {"anyOf": [*several]}:
            for one in several:
                yield from samples(one)
        case {"type": "array", "items": items}:
            yield [next(samples(items))] * schema.get("minItems", 1)
        case {"type": "integer" | "number"}:
            yield from (schema["minimum"], schema["maximum"])
        case {"type": "string", "pattern": pattern}:
            yield next(one for one in REQUESTS if jsonschema_rs.is_valid({"pattern": pattern}, one))
        case {"type": "string"}:
            yield from ("x", "x" * schema["maxLength"])
        case {"type": "boolean"}:
            yield True
        case {"type": "null"}:
            yield None


def oddly(value: Any) -> Iterator[Any]:
    """Yield a value with one part after the other filled oddly, missing, or one too many."""
    yield from ODD
    match value:
        case dict():
            yield {**value, "of_no_use": 1}
            for name, part in value.items():
                yield {one: value[one] for one in value if one != name}
                yield from ({**value, name: odd} for odd in oddly(part))
        case [first, *rest]:
            yield from ([odd, *rest] for odd in oddly(first))


def bodies(schema: Any, full: bool) -> Iterator[Any]:
    """Yield bodies of all kinds, each once: what is allowed, and what differs from it in a part."""
    known = set[str]()
    kinds = schema.get("oneOf", [schema])
    if "wish" in schema.get("properties", {}):
        within = schema["properties"]["wish"]["oneOf"]
        kinds = [{**schema, "properties": {**schema["properties"], "wish": one}} for one in within]
    for kind in kinds:
        right = list(samples(kind))
        tried = right if full else right[:2] if kind is kinds[0] else right[1:2]
        for body in (*right, *(odd for one in tried for odd in oddly(one))):
            if isinstance(body, dict) and (text := json.dumps(body)) not in known:
                known.add(text)
                yield body


@pytest.mark.slow(but=4)
@pytest.mark.parametrize("route", POSTS, ids=lambda route: route.path)
def test_what_the_document_allows_is_taken_and_nothing_else(
    route: Route, table: FlaskClient, full: bool
) -> None:
    assert route.body is not None
    allows = jsonschema_rs.validator_for(route.body)
    taken = refused = 0
    every = 1 if full or route.path != COMMANDS else 8  # there are thousands of commands
    for body in islice(bodies(route.body, full), 0, None, every):
        answer = post(table, route, json.dumps(body))
        if _fits(allows, body):
            taken += 1
            assert answer.status_code not in {400, 413, 415}, (body, answer.text)
        else:
            refused += 1
            assert answer.status_code in _refusals(route, body), (body, answer.text)
    assert taken
    assert refused > (20 if route.body.get("properties", route.body) else 3)


def _fits(allows: Any, body: Any) -> bool:
    return "\\ud800" not in json.dumps(body) and bool(allows.is_valid(body))


def _refusals(route: Route, body: dict[str, Any]) -> set[int]:
    """Return with what a request may be refused whose form is wrong."""
    wish = body.get("wish")
    if route.path == COMMANDS and isinstance(wish, dict) and wish.get("kind") == "new-match":
        return {400, 409, 422}  # what its settings mean, the table itself knows
    if route.path == PAIR and isinstance(body.get("pin"), str):
        return {400, 403}  # no PIN at all is a wrong one
    return {400}
