"""In practice the coach tells what moves cost; else, and of what is hidden, not a byte."""

import json
import re
from dataclasses import replace

import pytest

from companion.coach.hints import coaching
from companion.coach.report import reported
from companion.core.codec import pack
from companion.core.notation import write
from companion.games.zapp_zerapp.coach import COACH
from companion.games.zapp_zerapp.rules import Colour, Phase, Place, Settings
from companion.present.viewer import Viewer
from companion.referee.commands import NewMatch, Undo
from companion.referee.events import HouseRules, from_json, to_json
from companion.referee.handlers import usual_match
from companion.referee.match import started_event
from companion.referee.people.person import Animal
from tests.games.zapp_zerapp.coach.matches import TWO, listened, read_aloud, ruled
from tests.web.playing import do, offered, page
from tests.web.room import FakeRoom, client, phones

RED, GREEN, BLUE, YELLOW = Colour
PRACTICE = HouseRules(coached=True)


def room_of(settings: Settings, house: HouseRules = PRACTICE) -> FakeRoom:
    room = FakeRoom()
    do(room, NewMatch("zapp-zerapp", pack(settings), house))
    return room


def told(room: FakeRoom, role: str | None = "table") -> tuple[list[str], list[str]]:
    """Return what the coach tells of what was done, and its hints."""
    found = coaching(room.snapshot, Viewer(role=role))
    assert found is not None
    return [one.sentence for one in found.lately], [one.sentence for one in found.hints]


def points(sentence: str) -> float:
    return float(re.findall(r"([\d.]+) points", sentence)[0])


def test_without_practice_nothing_is_told_nor_even_remembered() -> None:
    room = room_of(Settings(TWO), HouseRules())
    for action in listened(1).actions[:40]:
        do(room, write(action))
        assert coaching(room.snapshot, Viewer(role="red")) is None
        assert not room.snapshot.lately
    assert "coaching" not in page(room)


@pytest.mark.parametrize("aloud", [False, True])
def test_every_move_costs_what_the_report_says_after_the_end(aloud: bool) -> None:
    log = read_aloud(listened(1)) if aloud else listened(1)
    after_end = reported(log, COACH, COACH.judge(log.game))
    errors = {one.place: one.error for one in after_end.decisions}
    heard = {one.place: one.heard for one in after_end.ears if one.heard.seat == RED}
    room, seen = room_of(log.game.settings), 0
    for place, action in enumerate(log.actions):
        do(room, write(action))
        if place in errors:
            first = told(room)[0][0]
            seen += 1
            if round(errors[place] * 100, 1) > 0:
                assert points(first) == pytest.approx(errors[place] * 100, abs=0.051), first
            else:
                assert first == "Nothing would have been better."
        if place in heard and room.snapshot.view.phase is Phase.MOVE:
            (first,) = told(room, "red")[0]
            assert first.startswith(f"By ear: {heard[place].took} ")
    assert seen == len(errors) > 10


def test_before_the_flip_no_byte_depends_on_who_holds_which_number() -> None:
    """Two tables that differ in nothing but the numbers show the same to everybody."""
    log, again = listened(1), list[str]()
    rooms = [room_of(log.game.settings) for _ in range(2)]
    for action in log.actions[:60]:
        if isinstance(action, Place) and action.barrel is not None:
            other = replace(action, barrel=action.barrel % 13 + 1)
            do(rooms[0], write(action))
            do(rooms[1], write(other))
            again = [f"putback {write(action).split()[1]}", *again, write(action)]
            for role in ("red", "blue", "table", None):
                here, there = (page(room, role) for room in rooms)
                assert here == there
                assert ("hint-" in here) == bool(told(rooms[0], role)[1])
        else:
            for room in rooms:  # to go on alike, the same numbers lie open in both
                do(room, *again, write(action))
            again.clear()


def test_hints_are_for_whoever_decides_and_the_best_stands_first() -> None:
    room = room_of(Settings(TWO))
    (dice,) = told(room, "red")[1]
    assert dice.startswith("Whatever the dice show, you have 50.0 points")
    for action in listened(1).actions[:28]:
        do(room, write(action))
    (red,) = told(room, "red")[1]
    assert red.startswith("Listen for 12: with it you have 55.3 points")
    assert [*map(len, (told(room, "table")[1], told(room, None)[1]))] == [2, 0]
    for action in listened(1).actions[28:32]:
        do(room, write(action))
    best, second = told(room, "red")[1]
    assert points(best) > points(second)
    assert told(room, "blue")[1] == []
    html = page(room, "red")
    assert html.index('id="hint-') < html.index("45.5 points")
    assert 'id="hint-' not in page(room, "blue")


def test_taking_back_takes_back_what_was_told() -> None:
    room = room_of(Settings(TWO))
    for action in listened(1).actions[:26]:
        do(room, write(action))
    before = told(room)
    do(room, write(listened(1).actions[26]))
    assert told(room) != before
    do(room, Undo())
    assert told(room) == before


@pytest.mark.parametrize("seats", [TWO, (RED, GREEN, BLUE, YELLOW)])
def test_whatever_people_rule_the_page_is_made(seats: tuple[Colour, ...]) -> None:
    log = ruled(4, seats)
    room = room_of(log.game.settings)
    for action in log.actions[:60]:
        do(room, write(action))
        for role in ("table", None):
            assert coaching(room.snapshot, Viewer("de", role)) is not None


def test_practice_is_chosen_at_set_up_and_agreed_on_again_by_buttons() -> None:
    said = {"seat": ["red", "blue"], "version": "base", "board": "two-before-city"}
    plain, practice = FakeRoom(), FakeRoom()
    for room, more in ((plain, {}), (practice, {"coached": "1"})):
        html = client(room, "table").get("/setup/checked", query_string=said | more).text
        (wish,) = [one for one in offered(html) if one["kind"] == "newmatch" or "house" in one]
        assert bool(wish["house"].get("coached")) == bool(more), wish
    room = room_of(Settings(TWO))
    assert 'name="coached" value="1" checked' in client(room, "table").get("/setup").text
    assert not usual_match(["red", "blue"], room.referee.match).house.coached


def test_practice_says_nothing_of_how_good_anybody_is() -> None:
    for house, known in ((HouseRules(), "1 match"), (PRACTICE, "Nobody")):
        room = room_of(Settings(TWO), house)
        made = phones(room)
        made.people.sit("red", "Anna", Animal.OWL, kept=True)
        made.people.playing("m0", ("red", "blue"), over=False)
        do(room, *(write(action) for action in listened(1).actions))
        assert known in client(made, "table").get("/history/coach").text


def test_older_journals_know_no_practice_and_newer_ones_write_it_only_where_it_is() -> None:
    game = listened(1).game
    assert "coached" not in json.dumps(to_json(started_event(game, HouseRules())))
    kind, body = to_json(started_event(game, PRACTICE))
    assert from_json(kind, body) == started_event(game, PRACTICE)
