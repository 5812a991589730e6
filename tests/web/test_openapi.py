"""The document of the API says what the API does: every route, every status, every part."""

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings, strategies
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import FailureGroup
from werkzeug.exceptions import InternalServerError

from companion.i18n.translate import LANGUAGES
from companion.journal import JournalState
from companion.maintenance.measurement import MeasuredTable
from companion.maintenance.stopper_status import TrailPoint
from companion.maintenance.view import (
    CalibrationShown,
    EnrolmentShown,
    MaintenanceDetails,
    MaintenanceSnapshot,
    SeatTried,
    StopperShown,
    Version,
)
from companion.referee.calibration_store import CalibrationFault, CalibrationFileFault
from companion.referee.commands import DoAction, GiveUp
from companion.sensing.enrolment import Guess, Next
from companion.sensing.events import ChartSample, FoulCode, FoulFinding, Weight
from companion.system.status import Condition
from companion.web.openapi import ROUTES, WHY, document
from tests.web.room import HOST, FakeRoom, app, client, phones
from tests.web.still import Still

DOCUMENT = document()
OPERATIONS = [(path, method) for path, found in DOCUMENT["paths"].items() for method in found]
HERE = f"http://{HOST}"
EXAMPLES, MANY = 4, 400  # of each operation; with --full
ROLES = (None, "red", "table")
MALFORMED = {400, 413, 415}  # never what the document allows
CHECKED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
)


def routes(of: Flask) -> Iterator[tuple[str, str]]:
    """Yield every route of an app's API, as the document writes it."""
    for rule in of.url_map.iter_rules():
        if rule.rule.startswith("/api/"):
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                yield re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower()


def simulated(room: FakeRoom) -> Flask:
    """Return the app of a table at which a person can play, too: it has all there is."""
    return app(phones(room, hands=Still()))


def test_every_route_of_the_api_is_documented_and_nothing_else() -> None:
    assert sorted(routes(simulated(FakeRoom()))) == sorted(OPERATIONS)


def test_it_is_a_sound_document() -> None:
    schemathesis.openapi.from_dict(DOCUMENT).validate()


def test_all_that_it_refers_to_is_there_and_nothing_else() -> None:
    names = {one.removeprefix("#/components/schemas/") for one in references(DOCUMENT)}
    assert names == {*DOCUMENT["components"]["schemas"]}


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_every_schema_is_sound(name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    assert not jsonschema_rs.validator_for(schema).is_valid(7)  # each is of an object


def references(part: Any) -> Iterator[str]:
    """Yield all that a part of the document refers to."""
    match part:
        case {"$ref": str(name)}:
            yield name
        case dict():
            for inner in part.values():
                yield from references(inner)
        case list():
            for inner in part:
                yield from references(inner)


def test_it_is_what_the_companion_hands_out() -> None:
    assert client(FakeRoom()).get("/api/openapi.json").get_json() == DOCUMENT


def test_every_status_that_is_documented_says_what_it_means() -> None:
    given_ = {status for route in ROUTES for status in route.faults}
    assert given_ == {*WHY}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_foreign_page_and_a_foreign_name_are_documented_as_they_are_answered(route: Any) -> None:
    path = re.sub(r"{\w+}", "x", route.path)
    phone = client(simulated(FakeRoom()))
    for status, headers in (
        (421, {"Host": "evil.example"}),
        (403, {"Host": HOST, "Origin": "http://evil.example"}),
    ):
        answer = phone.open(path, method=route.method.upper(), headers=headers)
        assert answer.status_code == status
        assert {*answer.get_json()["error"]} == {"code", "sentence"}
        assert status in route.faults


def test_what_breaks_is_told_as_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    room = FakeRoom("red", "blue")
    made = simulated(room)
    made.testing = False
    monkeypatch.setattr(made, "dispatch_request", _breaks)
    for route in ROUTES:
        path = re.sub(r"{\w+}", "x", route.path)
        answer = client(made).open(path, method=route.method.upper(), json={})
        assert answer.status_code == 500
        assert 500 in route.faults
        assert "secret" not in answer.text


def _breaks() -> None:
    raise InternalServerError("secret")


def table(*acts: str) -> FakeRoom:
    """Return a table of red and blue at which somebody peeked, and then this was done."""
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 8"))
    point = ChartSample(0, 71.6, 0.05, stands=None)
    room.tell(FoulFinding(9, FoulCode.PEEK, Weight.FOUL, 0, 700_000, (4,), "blue", 0.97, (point,)))
    for act in acts:
        assert room.wish(DoAction(act)).refused is None
    return room


READ = ("place red", "place blue", "flip", "say red 5", "say blue 3")
TABLES: dict[str, Callable[[], FakeRoom]] = {
    "before any match": FakeRoom,
    "choosing": lambda: table("place red"),
    "moving": lambda: table(*READ),
    "over": lambda: _given_up(table(*READ)),
    "won": lambda: table("correct pawns red:24,red:city,red:city", *READ, "move red 24"),
    "in the workshop": lambda: _opened(FakeRoom()),
}


def _given_up(room: FakeRoom) -> FakeRoom:
    room.wish(GiveUp())
    return room


def _opened(room: FakeRoom) -> FakeRoom:
    full = Condition(JournalState.FULL, 7, {"file": "journal.sqlite3"})
    stopper = StopperShown(
        3, 5, 80, -61, "0.1.0", ailments=(full,), trail=(TrailPoint(4, 70, 3, stands=True),)
    )
    enrolling = EnrolmentShown(False, 13, (3, 4), Next.READ, (3,), (Guess(7, 0.5),))
    known = CalibrationShown(
        13, 0, 2, (Version(2, "now"),), (CalibrationFault(CalibrationFileFault.ABSENT, "c.json"),)
    )
    measured = MeasuredTable("2026-11-27", False, 13, 60, pad_ms={"red": (20, 31)})
    opened = MaintenanceDetails(
        (stopper,), (SeatTried("red"),), known, enrolling, "all", measured=measured
    )
    room.workshop = MaintenanceSnapshot(3, (full,), 13, 12, 70, True, opened)
    return room


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", TABLES)
def test_every_answer_is_as_documented_whatever_happens(kind: str, language: str) -> None:
    room = TABLES[kind]()
    phone = client(simulated(room), "red", language)
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    schema.app = phone.application
    known = {"match": "m0", "view": "table"}
    for route in ROUTES:
        if route.method == "get" and ("{match}" not in route.path or room.matches()):
            case = schema[route.path]["GET"].Case(path_parameters=known)
            answer = case.call_and_validate(session=phone, base_url=HERE, checks=checks())
            told = 406 if route.path == "/api/stream" else 200
            if route.path.endswith("/coach") and kind != "won":
                told = 404
            assert answer.status_code == told


def checks() -> list[Any]:
    """Return what schemathesis is to look at."""
    load_all_checks()
    return [check for check in CHECKS.get_all() if check.__name__ in CHECKED]


def test_all_that_is_to_be_looked_at_exists() -> None:
    assert len(checks()) == len(CHECKED)


SENT = [
    *((path, method, GenerationMode.POSITIVE) for path, method in OPERATIONS),
    *((one.path, one.method, GenerationMode.NEGATIVE) for one in ROUTES if one.body or one.query),
]


@pytest.mark.slow(but=8)
@pytest.mark.parametrize(("path", "method", "mode"), SENT)
def test_whatever_is_sent_is_answered_as_documented(
    path: str, method: str, mode: GenerationMode, full: bool
) -> None:
    room = table(*READ)
    made = simulated(room)
    readers = [client(made, role) for role in ROLES]
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    schema.app = made
    operation = schema[path][method.upper()]

    @settings(
        max_examples=MANY if full else EXAMPLES,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), phone=strategies.sampled_from(readers))
    def ask(case: schemathesis.Case[Any], phone: FlaskClient) -> None:
        answer = case.call_and_validate(session=phone, base_url=HERE, checks=checks())
        if mode is GenerationMode.POSITIVE:
            assert answer.status_code not in MALFORMED, answer.text

    ask()


def test_a_document_that_says_something_else_would_be_noticed() -> None:
    lies = deepcopy(DOCUMENT)
    lies["components"]["schemas"]["Now"]["properties"]["round"] = {"type": "string"}
    schema = schemathesis.openapi.from_dict(lies)
    phone = client(table())
    schema.app = phone.application
    case = schema["/api/snapshot"]["GET"].Case()
    with pytest.raises(FailureGroup):
        case.call_and_validate(session=phone, base_url=HERE, checks=checks())
