"""The simulated table's page: whoever took the seat acts by hands; all others only look."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.codec import pack
from companion.games.trap_the_wizard.rules import Settings, TrapTheWizard
from companion.games.zapp_zerapp.rules import BARRELS
from companion.i18n.translate import LANGUAGES, say
from companion.maintenance.view import CalibrationShown, MaintenanceDetails, MaintenanceSnapshot
from companion.present.simulated_hands import (
    HeardKnock,
    Peeked,
    RattleHeard,
    ShakeVigour,
    SightOfTable,
    SittingPlayer,
)
from companion.referee.commands import NewMatch, RollForUs
from companion.referee.events import HouseRules
from companion.system.errors import CompanionError
from companion.system.text import Text
from companion.web import simulated_page
from companion.web.context import WebContext
from companion.web.server import PhoneServer
from companion.web.simulated_page import FRESH_S, STAY_S, TableWatcher
from companion.web.simulated_schema import MOST_S, SAMPLES
from tests.web.playing import do
from tests.web.room import FakeRoom, app, client, phones
from tests.web.still import Still

ACT = "/api/simulated/act"
TABLE = "/api/simulated/table"
SIT_BY_PIN = (
    "To sit down here, this phone needs the PIN; a browser on the same computer as the companion "
    "does not."
)
OPEN = "This simulated table is open to every browser on this computer. Other devices need the PIN."
OPENED = MaintenanceDetails((), (), CalibrationShown(13, 13, None, (), ()))
WAIT_S = 60.0  # for whatever must come; a busy machine is slow
FULL = "Both hands are full; put a barrel back first."


class Told(Still):
    """Hands that remember what they were told."""

    def __init__(self, number: int = 7, pressed: Callable[[], object] = bool) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.looks = self.stays = 0
        self._number, self._pressed = number, pressed

    def table(self) -> SightOfTable:
        self.looks += 1
        return super().table()

    def stay(self) -> None:
        self.stays += 1

    def sit(self) -> None:
        self.told.append(("sit",))

    def leave(self) -> None:
        self.told.append(("leave",))

    def lift(self, handle: int) -> RattleHeard:
        self.told.append(("lift", handle))
        return RattleHeard(600)

    def put_back(self, handle: int) -> RattleHeard:
        self.told.append(("put_back", handle))
        return RattleHeard(700)

    def shake(
        self, handle: int, for_s: float, vigour: ShakeVigour = ShakeVigour.AS_USUAL
    ) -> RattleHeard:
        self.told.append(("shake", handle, for_s, vigour))
        knocks = (HeardKnock(20 * i, 0.25) for i in range(self._number))
        return RattleHeard(round(1000 * for_s), tuple(knocks))

    def compare(self, one: int, other: int) -> tuple[RattleHeard, RattleHeard]:
        self.told.append(("compare", one, other))
        return RattleHeard(1600, (HeardKnock(5, 0.5),)), RattleHeard(1500, (HeardKnock(9, 1.0),))

    def place(self, handle: int) -> RattleHeard:
        self.told.append(("place", handle))
        return RattleHeard(800)

    def peek(self, handle: int, for_s: float) -> Peeked:
        self.told.append(("peek", handle, for_s))
        return Peeked(1400, self._number, 300, 1100)

    def flip(self, handle: int) -> RattleHeard:
        self.told.append(("flip", handle))
        return RattleHeard(900)

    def press(self, for_s: float) -> None:
        self.told.append(("press", for_s))
        self._pressed()


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


def told(answer: TestResponse) -> Any:
    """Return what an answer carries."""
    return answer.json


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


@pytest.mark.parametrize("role", [None, "blue"])
def test_whoever_does_not_sit_there_is_offered_the_seat(role: str | None) -> None:
    of = phones(hands=Told())
    page = (right_here(of) if role is None else client(of, role)).get("/simulated").text
    assert 'id="take-seat"' in page
    assert "data-plays" not in page
    assert 'data-do="' not in page
    assert ("Play as Red" if role else "Play now as Red") in page
    beside = page.partition('<div class="hands">')[0]  # then it is seen beside the board, too
    assert ('id="take-seat" data-asked' in beside) == (role is None)


def test_nobody_is_offered_the_seat_of_somebody_who_plays_there() -> None:
    served = phones(hands=Told())
    client(served, "red").post("/api/people", json={"seat": "red", "name": "Oma"})
    page = client(served, "blue").get("/simulated").text
    assert "take-seat" not in page
    assert "and listen" not in page
    assert "take-seat" in right_here(served).get("/simulated").text  # it may be Oma who comes back


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


def test_stones_are_heard_and_a_label_is_read_only_in_the_answer_to_an_act() -> None:
    """What the ear and the eye of one person find out is told to nobody else."""
    looks, felt = [], []
    for number in (1, 13):
        of = phones(hands=Told(number))
        person, watcher = client(of, "red"), client(of)
        peek = {"act": "peek", "barrel": 0, "for_s": 1}
        shake = {"act": "shake", "barrel": 0, "for_s": 0.5, "vigour": "firmly"}
        felt.append(told(person.post(ACT, json=shake))["heard"])
        read = told(person.post(ACT, json=peek))["read"]
        assert read == {"lasts_ms": 1400, "number": number, "from_ms": 300, "until_ms": 1100}
        paths = ("/simulated", TABLE, "/api/snapshot", "/")
        looks.append([phone.get(path).data for phone in (person, watcher) for path in paths])
    assert [len(one["knocks"]) for heard in felt for one in heard] == [1, 13]
    assert looks[0] == looks[1]


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


@pytest.fixture
def simulated() -> WebContext:
    """Return a simulated table whose button lets in who waits for it."""

    def pressed() -> None:
        assert of.pairing.held("red")

    of = phones(hands=Told(pressed=pressed))
    return of


PRESS = {"act": "press", "for_s": 0.2}
ELSEWHERE = ("192.168.7.66", "::ffff:192.168.7.66", "fe80::66%eth0", "2001:db8::66", "10.0.0.1", "")
PROXIES = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
HERE = "127.0.0.1:8000"


def at(of: WebContext, address: str, role: str | None = None) -> FlaskClient:
    """Return a phone that calls from an address."""
    phone = client(of, role)
    phone.environ_base["REMOTE_ADDR"] = address
    return phone


@pytest.mark.parametrize("address", ELSEWHERE)
@pytest.mark.parametrize("seat", ["red", "blue", "yellow"])
def test_nobody_from_elsewhere_is_let_in_by_a_simulated_button(
    simulated: WebContext, address: str, seat: str
) -> None:
    stranger = at(simulated, address)
    asked = stranger.post("/api/pair", json={"seat": seat})
    assert (asked.status_code, told(asked)["error"]["code"]) == (403, "by-pin")
    assert stranger.post(ACT, json=PRESS).status_code == 403
    assert simulated.pairing.asked == ()
    assert told(stranger.get("/api/pair"))["role"] is None
    assert simulated.pairing.pin not in stranger.get("/join").text
    undo = {"request": "r", "wish": {"kind": "take-back"}}
    assert stranger.post("/api/commands", json=undo).status_code == 403


@pytest.mark.parametrize("name", PROXIES)
@pytest.mark.parametrize("said", ["127.0.0.1", "for=127.0.0.1", "192.168.7.5"])
def test_nobody_is_here_because_a_header_says_so(
    simulated: WebContext, name: str, said: str
) -> None:
    stranger = at(simulated, "192.168.7.66")
    asked = stranger.post("/api/pair", json={"seat": "red"}, headers={name: said})
    assert asked.status_code == 403


@pytest.mark.parametrize("name", PROXIES)
def test_whoever_comes_by_a_proxy_of_this_computer_is_not_here(name: str) -> None:
    with PhoneServer(FakeRoom("red", "blue"), hands={"red": Still()}) as server:
        port = server.start(0, "127.0.0.1").here.port
        ours = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        for more, status in (({name: "192.168.7.66"}, 403), ({}, 200)):
            with closing(HTTPConnection("127.0.0.1", port, timeout=WAIT_S)) as line:
                line.request("POST", "/api/pair", '{"seat": "red"}', ours | more)
                assert line.getresponse().status == status


@pytest.mark.parametrize("address", ["192.168.7.5", "::ffff:192.168.7.5", "127.0.0.1"])
@pytest.mark.parametrize("host", ["192.168.7.5:8000", "zapp.local:8000"])
def test_a_name_by_which_others_find_us_is_not_here(
    simulated: WebContext, address: str, host: str
) -> None:
    browser = right_here(simulated, address, host)
    assert 'id="door"' not in browser.get("/simulated").text
    assert browser.get("/").status_code == 200
    asked = browser.post("/api/pair", json={"seat": "red"})
    assert (asked.status_code, told(asked)["error"]["code"]) == (403, "by-pin")


def right_here(of: WebContext, address: str = "127.0.0.1", host: str = HERE) -> FlaskClient:
    """Return a browser of the computer on which the companion runs."""
    browser = at(of, address)
    browser.environ_base["HTTP_ORIGIN"] = f"http://{host}"
    browser.open = partial(browser.open, base_url=f"http://{host}")  # type: ignore[method-assign]
    return browser


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_the_same_computer_the_first_page_is_the_table_with_a_key_to_play(language: str) -> None:
    of = phones(FakeRoom(), hands=Told())
    of.room.workshop = MaintenanceSnapshot(opened=OPENED)  # type: ignore[misc]
    browser = right_here(of)
    browser.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    page = browser.get("/", follow_redirects=True)
    assert page.request.path == "/simulated"
    for sentence in ("Play now as {seat}", "How to play (2 min)", "Watch", OPEN):
        seat = {"en": "Red", "de": "Rot"}[language]
        assert say(Text(sentence, seat=seat), language) in page.text, sentence
    assert "begin-practice" in page.text
    assert of.pairing.pin not in page.text


@pytest.mark.parametrize("name", PROXIES)
def test_the_first_page_of_whoever_comes_by_a_proxy_opens_nothing(name: str) -> None:
    browser = right_here(phones(FakeRoom(), hands=Told()))
    page = browser.get("/", headers={name: "127.0.0.1"})
    assert page.status_code == 200
    assert "/simulated" not in page.text.partition("<main")[2]
    assert 'id="door"' not in browser.get("/simulated", headers={name: "x"}).text


def test_being_on_the_same_computer_opens_no_real_table() -> None:
    browser = right_here(phones())
    assert browser.get("/").status_code == 200
    undo = {"request": "r", "wish": {"kind": "take-back"}}
    assert browser.post("/api/commands", json=undo).status_code == 403


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", [HERE, "localhost:8000", "[::1]:8000"])
def test_a_browser_of_this_computer_sits_down_without_a_pin(
    simulated: WebContext, address: str, host: str
) -> None:
    browser = right_here(simulated, address, host)
    assert 'id="take-seat"' in browser.get("/simulated").text
    assert 'id="by-button"' in browser.get("/join").text
    assert told(browser.post("/api/pair", json={"seat": "red"}))["role"] is None
    assert browser.post(ACT, json=PRESS).status_code == 200
    assert told(browser.get("/api/pair"))["role"] == "red"


@pytest.mark.parametrize("role", ["table", "blue"])
def test_a_phone_that_the_pin_let_in_sits_down_from_wherever_it_is(
    simulated: WebContext, role: str
) -> None:
    phone = at(simulated, "192.168.7.20", role)
    assert told(phone.post("/api/pair", json={"seat": "red"}))["role"] in ("red", "blue")
    if role == "blue":
        assert phone.post(ACT, json=PRESS).status_code == 200
    assert told(phone.get("/api/pair"))["role"] == "red"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_is_elsewhere_is_told_how_to_sit_down(simulated: WebContext, language: str) -> None:
    stranger = client(simulated, language=language)
    stranger.environ_base["REMOTE_ADDR"] = "192.168.7.66"
    page = stranger.get("/simulated").text
    assert 'id="take-seat"' not in page
    assert say(Text(SIT_BY_PIN), language) in page
    assert 'href="/join"' in page
    join = stranger.get("/join").text
    assert 'id="by-button"' not in join
    assert 'id="ask"' not in join


def test_a_phone_that_was_let_go_while_it_waits_presses_nothing_from_elsewhere(
    simulated: WebContext,
) -> None:
    phone = at(simulated, "192.168.7.20", "blue")
    assert phone.post("/api/pair", json={"seat": "red"}).status_code == 200
    simulated.pairing.roles = {}  # such as by more phones than there is room for
    assert phone.post(ACT, json=PRESS).status_code == 403


def test_at_a_real_table_a_button_lets_in_a_phone_from_anywhere() -> None:
    of = phones()
    phone = at(of, "192.168.7.66")
    assert 'id="by-button"' in phone.get("/join").text
    assert phone.post("/api/pair", json={"seat": "red"}).status_code == 200
    assert of.pairing.held("red")
    assert told(phone.get("/api/pair"))["role"] == "red"


def test_the_seat_is_taken_by_its_button_as_at_a_real_table() -> None:
    of: WebContext | None = None

    def pressed() -> None:
        assert of is not None
        assert of.pairing.held("red")

    hands = Told(pressed=pressed)
    of = phones(hands=hands)
    phone, other = right_here(of), right_here(of)
    assert told(phone.post("/api/pair", json={"seat": "red"}))["role"] is None
    assert phone.post(ACT, json={"act": "lift", "barrel": 1}).status_code == 403
    press = {"act": "press", "for_s": 0.2}
    assert other.post(ACT, json=press).status_code == 403  # it waits for nothing
    assert phone.post(ACT, json=press).status_code == 200
    assert told(phone.get("/api/pair"))["role"] == "red"
    assert phone.post(ACT, json={"act": "lift", "barrel": 1}).status_code == 200
    assert told(other.get("/api/pair"))["role"] is None


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
    monkeypatch.setattr("companion.web.simulated_page.STAY_S", 0.0)
    hands = Told()
    made = app(phones(hands=hands))
    cases = [(None, 0), ("blue", 0), ("table", 2), ("red", 2), ("table", 0)]  # at last it is red's
    for role, stays in cases:
        phone, before = client(made, role), hands.stays
        for path in ("/simulated", "/api/simulated/table"):
            assert phone.get(path).status_code == 200
        assert hands.stays - before == stays, role


# --- several people -------------------------------------------------------------------------------


class At(Told):
    """Hands at a seat, perhaps of a guest."""

    def __init__(self, seat: str, sitting: SittingPlayer = SittingPlayer.YOU) -> None:
        super().__init__()
        self.seat, self.sitting = seat, sitting

    def table(self) -> SightOfTable:
        return replace(super().table(), sitting=self.sitting)


def several(*playing: str, guests: tuple[str, ...] = ()) -> tuple[Flask, dict[str, At], WebContext]:
    """Return a table where each of four seats has hands."""
    hands = {
        seat: At(seat, SittingPlayer.GUEST if seat in guests else SittingPlayer.YOU)
        for seat in ("red", "green", "blue", "yellow")
    }
    of = phones(FakeRoom(*playing), hands=hands)
    return app(of), hands, of


def test_each_phone_has_the_hands_of_its_own_seat_below() -> None:
    served, hands, _ = several("red", "green", "blue", "yellow")
    for seat, own in hands.items():
        phone = client(served, seat)
        page = phone.get("/simulated").text
        assert f'data-seat="{seat}" data-plays' in page
        assert told(phone.get(TABLE))["sight"]["seat"] == seat
        assert phone.post(ACT, json={"act": "lift", "barrel": 1}).status_code == 200
        assert own.told == [("lift", 1)]
        own.told.clear()
        assert all(not other.told for other in hands.values())


def test_whoever_has_no_seat_is_offered_one_that_is_free_and_then_has_its_hands() -> None:
    served, hands, of = several("red", "green", guests=("green", "yellow"))
    client(served, "red")
    watcher = right_here(of)
    page = watcher.get("/simulated").text
    assert 'id="take-seat"' in page
    assert "Play now as Green" in page
    assert told(watcher.get(TABLE))["sight"]["seat"] == "green"
    hands["green"]._pressed = lambda: of.pairing.held("green")
    assert watcher.post("/api/pair", json={"seat": "green"}).status_code == 200
    assert watcher.post(ACT, json=PRESS).status_code == 200
    assert told(watcher.get("/api/pair"))["role"] == "green"
    assert 'data-seat="green" data-plays' in watcher.get("/simulated").text


def test_the_button_that_is_pressed_is_that_of_the_seat_that_was_asked_for() -> None:
    served, hands, of = several("red", "green", "blue", guests=("blue",))
    phone = client(served, "red")
    hands["blue"]._pressed = lambda: of.pairing.held("blue")
    phone.post("/api/pair", json={"seat": "blue"})
    assert phone.post(ACT, json=PRESS).status_code == 200
    assert (hands["red"].told, hands["blue"].told) == ([], [("press", 0.2)])
    assert told(phone.get("/api/pair"))["role"] == "blue"


def test_a_phone_in_the_middle_has_hands_that_are_nobody_elses() -> None:
    served, hands, _ = several("red", "green")
    client(served, "red")
    middle = client(served, "table")
    assert 'data-seat="green" data-plays' in middle.get("/simulated").text
    assert middle.post(ACT, json={"act": "lift", "barrel": 2}).status_code == 200
    assert (hands["red"].told, hands["green"].told) == ([], [("lift", 2)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_does_not_play_in_this_match_is_told_so_and_has_no_dead_hands(
    language: str,
) -> None:
    served, hands, _ = several("red", "blue")
    phone = client(served, "yellow", language)
    page = phone.get("/simulated").text
    assert 'id="left-out"' in page
    assert "data-plays" not in page
    assert "take-seat" not in page
    answer = phone.post(ACT, json={"act": "lift", "barrel": 2})
    assert answer.status_code == 422
    sentence = told(answer)["error"]["sentence"]
    assert sentence in page
    assert sentence.startswith({"en": "Yellow does not play", "de": "Gelb spielt"}[language])
    assert phone.post(ACT, json={"act": "sit"}).status_code == 200  # for the next match
    assert hands["yellow"].told == [("sit",)]


def test_before_a_match_every_seat_has_hands() -> None:
    served, hands, _ = several()
    phone = client(served, "yellow")
    assert 'data-seat="yellow" data-plays' in phone.get("/simulated").text
    assert phone.post(ACT, json={"act": "lift", "barrel": 2}).status_code == 200
    assert hands["yellow"].told == [("lift", 2)]


def test_what_one_seat_hears_and_reads_reaches_no_phone_of_another() -> None:
    looks = []
    for number in (1, 13):
        served, hands, _ = several("red", "green", "blue", "yellow")
        hands["green"]._number = number
        green = client(served, "green")
        felt = green.post(ACT, json={"act": "shake", "barrel": 0, "for_s": 0.5, "vigour": "firmly"})
        assert len(told(felt)["heard"][0]["knocks"]) == number
        assert told(green.post(ACT, json={"act": "peek", "barrel": 0, "for_s": 1}))["read"]
        paths = ("/simulated", TABLE, "/api/snapshot", "/")
        others = [client(served, seat) for seat in ("red", "blue", "yellow", "table", None)]
        looks.append([phone.get(path).data for phone in others for path in paths])
    assert looks[0] == looks[1]


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
def test_motion_that_is_not_as_it_must_be_is_refused(
    red: FlaskClient, wrong: dict[str, Any]
) -> None:
    assert red.post(MOTION, json=LIES | wrong).status_code == 400


def test_a_page_that_floods_the_table_with_motion_has_to_wait(
    always: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
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
