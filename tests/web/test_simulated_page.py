"""The simulated table's page: whoever took the seat acts by hands; all others only look."""

import json
import re
from contextlib import closing
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.codec import pack
from companion.games.trap_the_wizard.rules import Settings, TrapTheWizard
from companion.games.zapp_zerapp.rules import BARRELS
from companion.present.simulated_hands import RattleHeard, ShakeVigour, SightOfTable
from companion.referee.commands import NewMatch, RollForUs
from companion.referee.events import HouseRules
from companion.system.errors import CompanionError
from companion.web import simulated_page
from companion.web.common import validation
from companion.web.common.errors import Malformed
from companion.web.simulated_page import FRESH_S, MOST_S, SAMPLES, STAY_S, TableWatcher
from tests.web.playing import do
from tests.web.room import FakeRoom, app, client, phones
from tests.web.still import ACT, TABLE, Still, Told, told

WAIT_S = 60.0  # for whatever must come; a busy machine is slow
FULL = "Both hands are full; put a barrel back first."


class Full(Still):
    """Hands that can take nothing more, at a table that has ended since."""

    ended = False

    def table(self) -> SightOfTable:
        if self.ended:
            raise CompanionError("The simulated table does not answer; it may have ended.")
        return super().table()

    def lift(self, handle: int) -> RattleHeard:  # noqa: ARG002 - it refuses any barrel
        raise CompanionError(FULL)


@pytest.fixture(scope="module")
def always() -> Told:
    return Told()


@pytest.fixture(scope="module")
def served(always: Told) -> Flask:
    return app(phones(FakeRoom("red", "green", "blue"), hands=always))


@pytest.fixture
def hands(always: Told) -> Told:
    always.told.clear()
    return always


@pytest.fixture
def red(served: Flask, hands: Told) -> FlaskClient:  # noqa: ARG001 - forgets what was told before
    return client(served, "red")


# --- the page -------------------------------------------------------------------------------------


def test_where_the_table_is_real_nothing_of_it_exists() -> None:
    phone = client(phones(), "red")
    assert phone.get("/simulated").status_code == 404
    assert phone.get(TABLE).status_code == 404
    assert phone.post(ACT, json={"act": "leave"}).status_code == 404
    assert "/simulated" not in phone.get("/").text


def test_the_page_has_all_barrels_and_the_referee_beside_them(red: FlaskClient) -> None:
    page = red.get("/simulated").text
    assert page.count("data-spot") == BARRELS
    assert page.count('data-do="lift" data-barrel=') == BARRELS  # for those who use no picture
    assert 'data-live="table"' in page
    assert "data-plays" in page
    assert 'id="press"' in page


def test_the_app_that_a_phone_keeps_begins_where_people_play(served: Flask) -> None:
    with closing(client(served).get("/static/manifest.json")) as manifest:
        begins = json.loads(manifest.text)["start_url"]
    page = client(served).get(begins, follow_redirects=True)
    assert page.request.path == "/simulated"
    assert client(FakeRoom()).get(begins).status_code == 200  # a real table has one page


@pytest.mark.parametrize("path", ["/join", "/people?seat=red", "/right", "/workshop", "/nowhere"])
def test_every_way_back_leads_to_the_barrels(served: Flask, path: str) -> None:
    page = client(served, "table").get(path, follow_redirects=True).text
    assert re.search(r'(href|data-next|data-then)="/simulated"', page)
    assert not re.search(r'(href|data-next|data-then)="/"', page)


def test_it_speaks_german(served: Flask) -> None:
    page = client(served, "red", "de").get("/simulated").text
    assert "Schütteln" in page
    assert "in deiner Hand" in page


def test_everybody_sees_the_table(served: Flask) -> None:
    seen = told(client(served).get(TABLE))
    assert seen["seats"] == ["red", "green", "blue"]
    assert (seen["sight"]["seat"], seen["sight"]["sitting"]) == ("red", "you")
    assert [one["handle"] for one in seen["sight"]["barrels"]] == list(range(BARRELS))
    assert {one["where"] for one in seen["sight"]["barrels"]} == {"plateau"}


def test_whoever_has_nothing_to_take_back_is_not_asked_what_is_wrong() -> None:
    room = FakeRoom()
    do(room, NewMatch(TrapTheWizard.name, pack(Settings()), HouseRules()))
    page = client(phones(room, hands=Told()), "red").get("/simulated").text
    assert 'id="wrong"' not in page
    do(room, RollForUs())
    page = client(phones(room, hands=Told()), "red").get("/simulated").text
    assert 'id="wrong"' in page


# --- acts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "done", "lasts_ms"),
    [
        ({"act": "lift", "barrel": 3}, ("lift", 3), 600),
        ({"act": "put_back", "barrel": 0}, ("put_back", 0), 700),
        ({"act": "place", "barrel": 12}, ("place", 12), 800),
        ({"act": "flip", "barrel": 12}, ("flip", 12), 900),
        ({"act": "compare", "barrel": 1, "other": 2}, ("compare", 1, 2), 1600),
        ({"act": "peek", "barrel": 4, "for_s": 0.8}, ("peek", 4, 0.8), 1400),
        ({"act": "press", "for_s": 1}, ("press", 1.0), 0),
        ({"act": "sit"}, ("sit",), 0),
        ({"act": "leave"}, ("leave",), 0),
        (
            {"act": "shake", "barrel": 5, "for_s": 0.5, "vigour": "wildly"},
            ("shake", 5, 0.5, ShakeVigour.WILDLY),
            500,
        ),
    ],
    ids=lambda value: value["act"] if isinstance(value, dict) else "",
)
def test_hands_do_what_the_person_wants(
    red: FlaskClient, hands: Told, act: dict[str, Any], done: tuple[Any, ...], lasts_ms: int
) -> None:
    answer = red.post(ACT, json=act)
    assert answer.status_code == 200
    assert hands.told == [done]
    assert told(answer)["lasts_ms"] == lasts_ms


def test_both_barrels_are_heard_when_two_are_compared(red: FlaskClient) -> None:
    heard = told(red.post(ACT, json={"act": "compare", "barrel": 8, "other": 2}))["heard"]
    assert heard == [
        {"barrel": 8, "knocks": [{"at_ms": 5, "strength": 0.5}]},
        {"barrel": 2, "knocks": [{"at_ms": 9, "strength": 1.0}]},
    ]


@pytest.mark.parametrize(
    ("act", "named"),
    [
        ({}, "act"),
        ({"act": "eat"}, "act"),
        ({"act": ["lift"]}, "act"),
        ({"act": "lift"}, "barrel"),
        ({"act": "lift", "barrel": True}, "barrel"),
        ({"act": "lift", "barrel": 1.5}, "barrel"),
        ({"act": "lift", "barrel": -1}, "barrel"),
        ({"act": "place", "barrel": BARRELS}, "barrel"),
        ({"act": "lift", "barrel": 1, "other": 2}, "other"),
        ({"act": "compare", "barrel": 1}, "other"),
        ({"act": "peek", "barrel": 1}, "for_s"),
        ({"act": "peek", "barrel": 1, "for_s": "1"}, "for_s"),
        ({"act": "press", "for_s": 0}, "for_s"),
        ({"act": "press", "for_s": MOST_S + 0.1}, "for_s"),
        ({"act": "press", "for_s": True}, "for_s"),
        ({"act": "shake", "barrel": 1, "for_s": 1, "vigour": "as usual"}, "vigour"),
        ({"act": "leave", "x" * 99: 1}, "x" * 40),
    ],
)
def test_an_act_that_is_none_is_refused_with_the_name_of_what_is_wrong(
    red: FlaskClient, hands: Told, act: dict[str, Any], named: str
) -> None:
    answer = red.post(ACT, json=act)
    assert answer.status_code == 400
    assert told(answer)["error"]["code"] == "malformed"
    assert f"'{named}'" in told(answer)["error"]["sentence"]
    assert hands.told == []


@pytest.mark.parametrize("data", ["", "7", "[]", '{"act": "press", "for_s": NaN}'])
def test_what_is_not_an_object_is_refused(red: FlaskClient, hands: Told, data: str) -> None:
    assert red.post(ACT, data=data, content_type="application/json").status_code == 400
    assert hands.told == []


def test_what_hands_cannot_do_is_said_in_the_language_of_the_person() -> None:
    phone = client(phones(hands=Full()), "red", "de")
    answer = phone.post(ACT, json={"act": "lift", "barrel": 1})
    assert answer.status_code == 422
    assert told(answer)["error"] == {
        "code": "refused",
        "sentence": "Beide Hände sind voll; stell zuerst ein Fass zurück.",
    }


def test_a_table_that_has_ended_is_told_of_in_a_sentence() -> None:
    hands = Full()
    phone = client(phones(hands=hands), "red")
    hands.ended = True
    assert phone.get(TABLE).status_code == 504
    page = phone.get("/simulated")
    assert page.status_code == 504
    assert "it may have ended" in page.text


# --- who may --------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [None, "blue", "yellow"])
@pytest.mark.parametrize(
    "act", [{"act": "lift", "barrel": 1}, {"act": "press", "for_s": 0.2}, {"act": "leave"}, {}]
)
def test_nobody_acts_for_a_seat_of_others(
    served: Flask, hands: Told, role: str | None, act: dict[str, Any]
) -> None:
    assert client(served, role).post(ACT, json=act).status_code == 403
    assert hands.told == []


def test_the_phone_of_the_whole_table_may_act_there_too(served: Flask) -> None:
    phone = client(served, "table")
    assert phone.post(ACT, json={"act": "lift", "barrel": 1}).status_code == 200


def test_a_foreign_page_moves_no_hand(red: FlaskClient, hands: Told) -> None:
    foreign = {"Origin": "http://evil.example", "Host": "192.168.7.5:8000"}
    assert red.post(ACT, json={"act": "leave"}, headers=foreign).status_code == 403
    assert hands.told == []


# --- looking --------------------------------------------------------------------------------------


def test_many_phones_share_one_look() -> None:
    now_s = 0.0
    hands = Told()
    eye = TableWatcher(hands, lambda: now_s)
    for _ in range(50):
        eye.look()
    assert hands.looks == 1
    now_s = FRESH_S
    eye.look()
    assert hands.looks == 2
    eye.blink()
    eye.look()
    assert hands.looks == 3


def test_whoever_comes_while_another_looks_sees_what_was_seen_before() -> None:
    now_s = 0.0
    looking, seen = Event(), Event()

    class Slow(Told):
        def table(self) -> SightOfTable:
            if self.looks:
                looking.set()
                assert seen.wait(WAIT_S)
            return super().table()

    hands = Slow()
    eye = TableWatcher(hands, lambda: now_s)
    before = eye.look()
    now_s = 1.0
    other = Thread(target=eye.look)
    other.start()
    assert looking.wait(WAIT_S)
    assert eye.look() is before
    seen.set()
    other.join(WAIT_S)
    assert hands.looks == 2


def test_one_who_cannot_look_keeps_nobody_else_from_looking() -> None:
    hands = Full()
    eye = TableWatcher(hands, lambda: 0.0)
    hands.ended = True
    for _ in range(2):
        with pytest.raises(CompanionError):
            eye.look()
    hands.ended = False
    assert eye.look().seat == "red"


def test_only_the_phone_of_a_seat_counts_as_its_person_being_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hands, times = Told(), iter((100.0, 100.5, 100.0 + STAY_S))
    eye = TableWatcher(hands, lambda: next(times))
    for _ in range(3):
        eye.stay()
    assert hands.stays == 2
    monkeypatch.setattr(simulated_page, "STAY_S", 0.0)
    hands = Told()
    made = app(phones(hands=hands))
    cases = [(None, 0), ("blue", 0), ("table", 2), ("red", 2), ("table", 0)]  # at last it is red's
    for role, stays in cases:
        phone, before = client(made, role), hands.stays
        for path in ("/simulated", "/api/simulated/table"):
            assert phone.get(path).status_code == 200
        assert hands.stays - before == stays, role


# --- a phone as the barrel ------------------------------------------------------------------------

MOTION = "/api/simulated/motion"
LIES = {
    "barrel": 3,
    "down": [0, 0, -9.8],
    "up": [0, 0, 9.8],
    "felt": [[12.5, 0, 0.1, -9.8]],
    "flips": False,
}


def test_only_whoever_sits_there_moves_a_barrel_by_phone(served: Flask, red: FlaskClient) -> None:
    answer = red.post(MOTION, json=LIES)
    assert told(answer) == {
        "pose": "moving",
        "knocks": [{"at_ms": 0, "strength": 0.5}],
        "number": None,
    }
    assert client(served).post(MOTION, json=LIES).status_code == 403
    foreign = {"Origin": "http://elsewhere.example"}
    assert red.post(MOTION, json=LIES, headers=foreign).status_code == 403


@pytest.mark.parametrize(
    "wrong",
    [
        {"felt": []},
        {"felt": [[0, 0, 0, 0]] * (SAMPLES + 1)},
        {"felt": [[0, 0, 0]]},
        {"felt": [[0, 0, 0, None]]},
        {"felt": [[0, 0, 0, True]]},
        {"felt": [[0, 0, 0, 1e11]]},
        {"felt": [[0, 0, 0, float("nan")]]},
        {"felt": [[float("inf"), 0, 0, 0]]},
        {"down": [0, float("nan"), -9.8]},
        {"felt": "lies"},
        {"down": [0, 0]},
        {"up": None},
        {"barrel": BARRELS},
        {"number": 7},
        {"flips": None},
    ],
)
def test_motion_not_as_it_must_be_is_refused(red: FlaskClient, wrong: dict[str, Any]) -> None:
    assert red.post(MOTION, json=LIES | wrong).status_code == 400


def test_of_a_list_with_one_right_length_that_is_said() -> None:
    with pytest.raises(Malformed) as refused:
        validation.check([0, 0], simulated_page.numbers(3), "up")
    assert isinstance(refused.value.why, CompanionError)
    assert refused.value.why.values == {"where": "up", "count": 3}


def test_a_page_that_floods_has_to_wait(always: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_page, "BATCHES", (3, 600.0))  # however slow a machine is
    red = client(phones(hands=always), "red")
    answers = [red.post(MOTION, json=LIES) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 600


def test_only_the_page_of_hands_may_feel_how_a_phone_is_moved(red: FlaskClient) -> None:
    for path, allowed in {"/simulated": "(self)", "/": "()", "/right": "()"}.items():
        policy = red.get(path, follow_redirects=False).headers.get("Permissions-Policy", "")
        if policy:
            assert f"accelerometer={allowed}" in policy
            assert f"gyroscope={allowed}" in policy
            assert "camera=()" in policy


def test_who_is_told_how_to_trust_this_table_is_led_to_a_page_that_there_is(
    red: FlaskClient,
) -> None:
    page = red.get("/simulated").text
    (path,) = re.findall(r'id="untrusted" hidden><a href="([^"]+)"', page)
    assert red.get(path).status_code == 200
