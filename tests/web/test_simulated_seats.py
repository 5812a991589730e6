"""Who may sit down at a simulated table, from where, and that each seat has hands of its own."""

from contextlib import closing
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.i18n.translate import LANGUAGES, say
from companion.maintenance.view import CalibrationShown, MaintenanceDetails, MaintenanceSnapshot
from companion.present.simulated_hands import SightOfTable, SittingPlayer
from companion.system.text import Text
from companion.web.context import WebContext
from companion.web.server import PhoneServer
from tests.web.room import FakeRoom, app, client, phones
from tests.web.still import ACT, TABLE, Still, Told, told

SIT_BY_PIN = (
    "To sit down here, this phone needs the PIN; a browser on the same computer as the companion "
    "does not."
)
OPEN = "This simulated table is open to every browser on this computer. Other devices need the PIN."
OPENED = MaintenanceDetails((), (), CalibrationShown(13, 13, None, (), ()))
PRESS = {"act": "press", "for_s": 0.2}
ELSEWHERE = ("192.168.7.66", "::ffff:192.168.7.66", "fe80::66%eth0", "2001:db8::66", "10.0.0.1", "")
PROXIES = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
HERE = "127.0.0.1:8000"


@pytest.fixture
def simulated() -> WebContext:
    """Return a simulated table whose button lets in who waits for it."""

    def pressed() -> None:
        assert of.pairing.held("red")

    of = phones(hands=Told(pressed=pressed))
    return of


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
def test_no_header_lets_anybody_be_here(simulated: WebContext, name: str, said: str) -> None:
    stranger = at(simulated, "192.168.7.66")
    asked = stranger.post("/api/pair", json={"seat": "red"}, headers={name: said})
    assert asked.status_code == 403


@pytest.mark.parametrize("name", PROXIES)
def test_whoever_comes_by_a_proxy_of_this_computer_is_not_here(name: str) -> None:
    with PhoneServer(FakeRoom("red", "blue"), hands={"red": Still()}) as server:
        port = server.start(0, "127.0.0.1").here.port
        ours = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        for more, status in (({name: "192.168.7.66"}, 403), ({}, 200)):
            with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as line:
                line.request("POST", "/api/pair", '{"seat": "red"}', ours | more)
                assert line.getresponse().status == status


@pytest.mark.parametrize("address", ["192.168.7.5", "::ffff:192.168.7.5", "127.0.0.1"])
@pytest.mark.parametrize("host", ["192.168.7.5:8000", "zapp.local:8000"])
def test_a_name_for_others_is_not_here(simulated: WebContext, address: str, host: str) -> None:
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
def test_a_browser_here_sits_down_unasked(simulated: WebContext, address: str, host: str) -> None:
    browser = right_here(simulated, address, host)
    assert 'id="take-seat"' in browser.get("/simulated").text
    assert 'id="by-button"' in browser.get("/join").text
    assert told(browser.post("/api/pair", json={"seat": "red"}))["role"] is None
    assert browser.post(ACT, json=PRESS).status_code == 200
    assert told(browser.get("/api/pair"))["role"] == "red"


@pytest.mark.parametrize("role", ["table", "blue"])
def test_a_phone_let_in_by_pin_sits_down_from_anywhere(simulated: WebContext, role: str) -> None:
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


def test_the_seat_is_taken_by_its_button_as_at_a_real_table(simulated: WebContext) -> None:
    phone, other = right_here(simulated), right_here(simulated)
    assert told(phone.post("/api/pair", json={"seat": "red"}))["role"] is None
    assert phone.post(ACT, json={"act": "lift", "barrel": 1}).status_code == 403
    assert other.post(ACT, json=PRESS).status_code == 403  # it waits for nothing
    assert phone.post(ACT, json=PRESS).status_code == 200
    assert told(phone.get("/api/pair"))["role"] == "red"
    assert phone.post(ACT, json={"act": "lift", "barrel": 1}).status_code == 200
    assert told(other.get("/api/pair"))["role"] is None


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


def test_what_one_seat_hears_and_reads_is_only_in_the_answer_to_its_act() -> None:
    looks = []
    for number in (1, 13):
        served, hands, _ = several("red", "green", "blue", "yellow")
        hands["green"]._number = number
        green = client(served, "green")
        felt = green.post(ACT, json={"act": "shake", "barrel": 0, "for_s": 0.5, "vigour": "firmly"})
        assert len(told(felt)["heard"][0]["knocks"]) == number
        read = told(green.post(ACT, json={"act": "peek", "barrel": 0, "for_s": 1}))["read"]
        assert read == {"lasts_ms": 1400, "number": number, "from_ms": 300, "until_ms": 1100}
        paths = ("/simulated", TABLE, "/api/snapshot", "/")
        others = [client(served, seat) for seat in ("red", "blue", "yellow", "table", None)]
        looks.append([phone.get(path).data for phone in (green, *others) for path in paths])
    assert looks[0] == looks[1]
