"""No phone learns what is in hands of others: two tables that differ in it look the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.workshop import health
from tests.outputs.web.games.witches import play, witches
from tests.outputs.web.looking import Looked, differences
from tests.outputs.web.room import FakeRoom, client, phones

SEATS = ("red", "green", "violet")
# Red holds the same; Green and Violet have changed one card with each other, one with the pile.
ONE = ("red:1 red:2 red:3", "blue:1 blue:2 white:7 white:8", "blue:3 blue:4 white:9")
OTHER = ("red:1 red:2 red:3", "blue:1 blue:2 white:9 green:9", "blue:3 blue:4 white:7")
OTHERS = (("watcher", "en"), ("red", "de"), ("table", "en"), ("watcher", "de"), ("blue", "en"))
Step = Callable[[FakeRoom], None]
STEPS: tuple[Step, ...] = (
    lambda room: play(room, "play red red:1"),
    lambda room: play(room, "play green blue:1", "play violet blue:3"),
    lambda room: play(room, "change red red:1"),
)


@pytest.fixture(autouse=True)
def computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer's own disk and temperature are no secret, but not the same each time."""
    found = health.read(Path())
    monkeypatch.setattr(health, "read", lambda _: found)


def pair() -> list[FakeRoom]:
    """Return two tables that differ only in what Green and Violet hold."""
    return [witches(*hands, seats=SEATS, turned="yellow:4") for hands in (ONE, OTHER)]


def test_no_phone_learns_what_others_hold(full: bool) -> None:
    rooms = pair()
    looked = [Looked.at(phones(room)) for room in rooms]
    assert list(differences(looked, OTHERS[:3])) == []
    for number, step in enumerate(STEPS):
        for room in rooms:
            step(room)
        last = step is STEPS[-1]
        who = OTHERS if full or last else OTHERS[number : number + 2]
        assert list(differences(looked, who)) == []
    assert rooms[0].now.seen_by("green") != rooms[1].now.seen_by("green")


def test_whoever_holds_the_cards_does_see_them() -> None:
    """So that the test above listens at the right places."""
    rooms = pair()
    looked = [Looked.at(phones(room)) for room in rooms]
    for one in looked:
        one.phones["green", "en"] = client(one.app, "green")
    found = [sight.splitlines()[0] for sight in differences(looked, [("green", "en")])]
    for path in ("/", "/api/snapshot", "/api/view/table", "/api/stream?view=table"):
        assert f"('green', 'en') {path}" in found, path
    for path in ("/history", "/history/{match}", "/api/matches/{match}/export"):
        assert f"('green', 'en') {path}" not in found, path
