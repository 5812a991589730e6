"""Care on the Workshop page: who may, how the table confirms it, and what a match forbids."""

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.referee.snapshot import Snapshot
from companion.web.context import WebContext
from companion.web.pairing_queue import CONFIRMED_S, WINDOW_S
from tests.web.room import PIN, FakeRoom, app, client, phones
from tests.web.still import Still


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Bare(FakeRoom):
    """A table of which nothing is built."""

    @property
    def snapshot(self) -> Snapshot:
        return replace(self.now, parts=frozenset())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def table(clock: Clock, room: FakeRoom | None = None, **others: Any) -> WebContext:
    whole = phones(room or FakeRoom(), **others)
    whole.pairing._clock_s = clock
    return whole


def ask(phone: FlaskClient, act: str = "restart", **more: Any) -> dict[str, Any]:
    answer = phone.post("/api/care/confirm", json={"act": act, **more})
    return {"status": answer.status_code, **(answer.json or {})}


def test_a_button_held_at_the_table_confirms_it_and_no_second_tap_does(clock: Clock) -> None:
    at = table(clock)
    phone = client(at, "table")
    assert ask(phone) == {"status": 200, "confirmed": False, "by": "button", "waits_s": 30}
    assert not ask(phone, again=True)["confirmed"]
    assert "restart this computer: hold down" in client(at).get("/").text
    assert at.pairing.waits_for_press("green")
    assert at.pairing.held("green")
    assert ask(phone) == {"status": 200, "confirmed": True, "by": "button", "waits_s": 120}
    assert "hold down the button of any seat" not in client(at).get("/").text
    assert not at.pairing.held("green")  # that press is the game's


def test_where_buttons_are_simulated_or_missing_a_second_tap_does(clock: Clock) -> None:
    for at in (table(clock, Bare()), table(clock, hands=Still())):
        phone = client(at, "red")
        assert ask(phone) == {"status": 200, "confirmed": False, "by": "tap", "waits_s": 30}
        assert not at.pairing.held("red")
        assert not ask(phone)["confirmed"]  # it was sent twice, not meant twice
        assert ask(phone, again=True)["confirmed"]


def test_what_is_confirmed_is_done_once_by_that_phone_in_time(clock: Clock) -> None:
    at = table(clock, Bare())
    pairing = at.pairing
    names = ("one", "other")
    for phone in names:
        assert not pairing.take_confirmed(phone, "restart")
    pairing.confirm("one", "restart", by_button=False, again=False)
    assert pairing.confirm("one", "restart", by_button=False, again=True) is True
    assert not pairing.take_confirmed("other", "restart")
    assert not pairing.take_confirmed("one", "backup")
    assert pairing.take_confirmed("one", "restart")
    assert not pairing.take_confirmed("one", "restart")
    pairing.confirm("one", "restart", by_button=False, again=False)
    clock.now_s += WINDOW_S
    assert pairing.confirm("one", "restart", by_button=False, again=True) is False  # it begins anew
    pairing.confirm("one", "restart", by_button=False, again=True)
    clock.now_s += CONFIRMED_S
    assert not pairing.take_confirmed("one", "restart")


def test_one_phone_waits_at_a_time_and_a_newcomer_at_a_seat_goes_first(clock: Clock) -> None:
    at = table(clock)
    made = app(at)
    one, other, stranger = client(made, "table"), client(made, "red"), client(made)
    ask(one)
    refused = ask(other, "backup")
    assert refused["status"] == 409
    assert refused["error"]["code"] == "taken"
    assert stranger.post("/api/pair", json={"seat": "blue"}).status_code == 200
    assert at.pairing.held("blue")  # who holds it lets that phone in, and means nothing else
    assert not ask(one)["confirmed"]
    assert at.pairing.held("red")
    assert ask(one)["confirmed"]
    clock.now_s += CONFIRMED_S
    assert ask(other, "backup")["status"] == 200


def test_who_only_watches_and_what_is_malformed_are_refused(clock: Clock) -> None:
    at = table(clock)
    assert ask(client(at))["status"] == 403
    assert at.pairing.confirming is None
    assert 'id="care"' not in client(at).get("/workshop").text
    phone = client(at, "table")
    wrong: tuple[Any, ...] = ("", "erase", 7, None, ["restart"], {})
    for act in wrong:
        assert ask(phone, act)["status"] == 400
    assert ask(phone, again="yes")["status"] == 400
    assert PIN not in phone.get("/workshop").text
