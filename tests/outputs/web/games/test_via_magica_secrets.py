"""No phone learns what others were dealt and keep: two tables that differ in it look the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.workshop import health
from tests.outputs.web.games.magic import mages, play
from tests.outputs.web.looking import Looked, differences
from tests.outputs.web.room import FakeRoom, client, phones

SEATS = ("red", "green", "violet")
# Red is dealt the same; Green and Violet have changed portals with each other and with the stack.
ONE = ((33, 9, 21, 24, 27, 12), (34, 10, 39, 25, 13, 3), (22, 40, 31, 4, 36, 18))
OTHER = ((33, 9, 21, 24, 27, 12), (34, 10, 22, 40, 13, 35), (39, 25, 31, 1, 36, 18))
KEPT = (("10,34,39", "4,22,40"), ("13,22,34", "25,31,39"))
OTHERS = (("watcher", "en"), ("red", "de"), ("table", "en"), ("watcher", "de"), ("blue", "en"))


@pytest.fixture(autouse=True)
def computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer's own disk and temperature are no secret, but not the same each time."""
    found = health.read(Path())
    monkeypatch.setattr(health, "read", lambda _: found)


def pair() -> list[FakeRoom]:
    """Return two tables that differ only in what Green and Violet were dealt, and in the stack."""
    return [mages(*hands, seats=SEATS) for hands in (ONE, OTHER)]


def test_no_phone_learns_what_others_were_dealt_and_what_they_keep(full: bool) -> None:
    rooms = pair()
    looked = [Looked.at(phones(room)) for room in rooms]
    assert list(differences(looked, OTHERS[:3])) == []
    for room, (green, _) in zip(rooms, KEPT, strict=True):
        play(room, f"keep green portals {green}")
    assert list(differences(looked, OTHERS if full else OTHERS[1:2])) == []
    for room, (_, violet) in zip(rooms, KEPT, strict=True):
        play(room, f"keep violet portals {violet}")
    assert list(differences(looked, OTHERS)) == []  # Red has not kept its own: nothing is unveiled
    assert rooms[0].now.seen_by("green") != rooms[1].now.seen_by("green")


def test_once_all_is_unveiled_it_is_seen_by_all() -> None:
    """So that the test above listens at the right places; and each phone sees its own hand."""
    rooms = pair()
    looked = [Looked.at(phones(room)) for room in rooms]
    for one in looked:
        one.phones["green", "en"] = client(one.app, "green")
    found = [sight.splitlines()[0] for sight in differences(looked, [("green", "en")])]
    for path in ("/", "/api/snapshot", "/api/view/table", "/api/stream?view=table"):
        assert f"('green', 'en') {path}" in found, path
    for path in ("/history", "/history/{match}", "/api/matches/{match}/export"):
        assert f"('green', 'en') {path}" not in found, path
    for room, (green, violet) in zip(rooms, KEPT, strict=True):
        play(room, f"keep green portals {green}", f"keep violet portals {violet}")
        play(room, "keep red portals 9,21,33")
    found = [sight.splitlines()[0] for sight in differences(looked, [("watcher", "en")])]
    for path in ("/", "/api/snapshot", "/api/stream?view=table", "/history/{match}"):
        assert f"('watcher', 'en') {path}" in found, path
    # what was dealt and discarded nobody ever sees, so an export waits for the end of the match
    assert "('watcher', 'en') /api/matches/{match}/export" not in found
