"""The pages about the past: every match step by step, as far as it lies open, and all together."""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from time import monotonic

import pytest
from flask import Flask

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.games.zapp_zerapp.summary import Tally, together
from companion.journal.entry import body_text
from companion.present.history import Result, pace, retell, sentences
from companion.present.viewer import Viewer
from companion.referee.commands import Call, CorrectAction, DoAction, GiveUp, NewMatch, Rule, Undo
from companion.referee.events import HouseRules
from companion.system.text import SeatName
from companion.web.common.asset_version import build
from tests.games.zapp_zerapp.test_summary import GAME, play
from tests.web.room import FakeRoom, app, client
from tests.web.test_server import DEADLINE_S

RED, GREEN, BLUE, YELLOW = Colour


def played(*times: str) -> FakeRoom:
    """Return a room in which whole matches were played, one for each word."""
    room = FakeRoom()
    for _ in times:
        settings = Settings((RED, GREEN, BLUE), profi=True)
        room.wish(NewMatch(ZappZerapp.name, pack(settings), HouseRules()))
        play(room, GAME)
    return room


@lru_cache(maxsize=4)
def its_app(room: FakeRoom) -> Flask:
    """Return the app of a room, always the same one."""
    return app(room)


def page(room: FakeRoom, path: str, language: str = "en", role: str | None = None) -> str:
    """Return what somebody reads, who on a busy machine waits until all is read."""
    end_s = monotonic() + DEADLINE_S
    while monotonic() < end_s:
        answer = client(its_app(room), role, language).get(path)
        assert answer.status_code == 200
        if 'http-equiv="refresh"' not in answer.text.partition("<noscript>")[0]:
            return answer.text
    raise AssertionError("it is never all read")


def words(html: str) -> str:
    """Return what of a page people read."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def test_an_empty_history_says_what_to_do() -> None:
    assert 'href="/setup"' in page(FakeRoom(), "/history")
    assert "Hier wurde noch keine Partie gespielt." in page(FakeRoom(), "/history", "de")


def test_all_matches_are_listed_the_newest_first_with_what_became_of_them() -> None:
    room = played("once")
    room.wish(NewMatch(ZappZerapp.name, pack(Settings((RED, YELLOW))), HouseRules()))
    room.wish(DoAction("roll 8"))
    room.wish(GiveUp())
    room.wish(NewMatch(ZappZerapp.name, pack(Settings((BLUE, YELLOW))), HouseRules()))
    html = page(room, "/history")
    assert re.findall(r'href="/history/(m\d)"', html) == ["m2", "m1", "m0"]
    told = words(html)
    first, second, third = (told.index(one) for one in ("Not finished", "Given up", "Red has won"))
    assert first < second < third
    assert "Red Green Blue" in told


def test_many_matches_are_folded_away_but_all_are_there() -> None:
    room = FakeRoom()
    for _ in range(10):
        room.wish(NewMatch(ZappZerapp.name, pack(Settings((RED, YELLOW))), HouseRules()))
        room.wish(GiveUp())
    shown, _, folded = page(room, "/history").partition("<details>")
    assert shown.count('class="card match"') == 8
    assert folded.count('class="card match"') == 2


def test_statistics_take_in_only_what_was_played_to_its_end() -> None:
    room = played("once", "twice")
    room.wish(NewMatch(ZappZerapp.name, pack(Settings((RED, YELLOW))), HouseRules()))
    for text in ("roll 8", "place red 7", "place yellow 9", "flip"):
        room.wish(DoAction(text))
    found = [retell(match, room.entries(match.id)).past for match in room.matches()]
    total = together(
        [past.tally for past in found if isinstance(past.tally, Tally) and past.counts]
    )
    assert total.lengths == (5, 5)
    assert total.mean_rounds == 5.0
    assert total.players[YELLOW].spells == 0
    assert (total.players[RED].worked, total.players[RED].banished) == (10, 2)
    assert total.off[SeatName.RED] == Counter({-6: 2, -1: 4, 0: 4})
    assert total.best == (SeatName.RED,)
    html = page(room, "/history")
    assert html.count('<svg class="plot misses') == 3
    assert "10/10" in html


def test_a_match_is_told_again_step_by_step() -> None:
    room = played("once")
    first = words(page(room, "/history/m0?step=0"))
    assert "Red, Green and Blue play. Profi version" in first
    flip = words(page(room, "/history/m0?step=5"))
    assert "Red shows 4: the spell works." in flip
    assert "Round 1, magic number 10" in flip
    assert "Red has all three apprentices in the city and wins!" in words(page(room, "/history/m0"))


@pytest.mark.parametrize("wanted", ["", "x", "-1", "99999", "²", "1" * 400])
def test_a_step_that_is_none_is_the_last(wanted: str) -> None:
    room = played("once")
    assert page(room, f"/history/m0?step={wanted}&part") == page(room, "/history/m0?step=36&part")


def test_a_part_of_the_page_is_what_the_whole_page_shows_of_that_step() -> None:
    room = played("once")
    part = page(room, "/history/m0?step=7&part", "de")
    assert "<html" not in part
    assert part.strip() in page(room, "/history/m0?step=7", "de")


def test_steps_lead_to_their_neighbours_also_without_a_script() -> None:
    html = page(played("once"), "/history/m0?step=7&part")
    assert re.findall(r'href="\?step=(\d+)"', html) == ["0", "6", "8", "36"]


def test_what_was_taken_back_put_right_called_and_ruled_is_told() -> None:
    room = FakeRoom("red", "blue")
    for text in ("roll 8", "place red 4", "place blue 6", "flip"):
        room.wish(DoAction(text))
    room.wish(DoAction("move blue start"), by="blue")
    room.wish(Undo(), by="blue")
    room.wish(Call("snatched", "red"))
    room.wish(Rule(1, upheld=False))
    room.wish(CorrectAction(1, "roll 9"))
    room.wish(GiveUp(), by="table")
    told = words(page(room, "/history/m0"))
    for sentence in (
        "Taken back (Blue): 1 action.",
        "Red – snatched a barrel?",
        "Red – snatched a barrel: no, says the table.",
        "Corrected: the magic number was 9, not 8.",
        "The match was given up (the table).",
    ):
        assert sentence in told


def test_every_event_has_a_sentence_in_both_languages() -> None:
    room = played("once")
    told = retell(room.matches()[0], room.entries("m0"))
    for step in told.steps:
        both = {sentences(step, Viewer(language)) for language in ("en", "de")}
        assert all(both)
        assert len(both) == 2


def test_nothing_that_is_sealed_is_in_the_past_until_all_are_flipped() -> None:
    rooms = FakeRoom("red", "blue"), FakeRoom("red", "blue")
    rooms[1].numbers.update({stopper: 14 - stopper for stopper in range(1, 14)})
    for stopper, seat in ((3, "red"), (11, "blue")):
        for room in rooms:
            if seat == "red":
                room.wish(DoAction("roll 8"))
            room.place(seat, stopper)
        for path in ("/history", "/history/m0", "/history/m0?step=0&part"):
            assert len({page(room, path, role="table") for room in rooms}) == 1
    assert "This match is being played." in page(rooms[0], "/history/m0")
    for room in rooms:
        room.flip(3, 11)
    shown = [words(page(room, "/history/m0")) for room in rooms]
    assert "Red shows 3" in shown[0]
    assert "Red shows 11" in shown[1]
    assert "stopper 3" not in "".join(shown)


def test_a_number_that_was_typed_is_not_told_before_the_flip() -> None:
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 8"))
    before = page(room, "/history/m0")
    room.wish(DoAction("place red 7"))
    after = page(room, "/history/m0")
    assert "Red has chosen" not in after
    assert words(before).split("Export")[0] in words(after).replace(
        "This match is being played. It shows what everybody may know; what is still hidden "
        "comes after the flip. ",
        "",
    )


@pytest.mark.parametrize("place", [5, -1])
def test_a_damaged_match_is_shown_as_such_and_breaks_nothing(place: int) -> None:
    room = played("hurt", "whole")
    entries = room.paper.matches["m0"]
    entries[place] = replace(entries[1], number=entries[place].number)  # rolled once more
    html = page(room, "/history")
    assert html.count("Damaged") == 1
    assert html.count("has won") == 1
    told = page(room, "/history/m0", "de")
    assert "im Journal beschädigt" in told
    assert 'id="step"' in told


@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_match_of_a_newer_version_is_not_called_damaged(place: int) -> None:
    room = played("newer", "known")
    entries = room.paper.matches["m0"]
    entries[place] = replace(entries[place], kind="prophesied", text=body_text({"by": "red"}))
    html = page(room, "/history")
    assert (html.count("Of a newer version"), html.count("Damaged")) == (1, 0)
    assert html.count("has won") == 1
    told = page(room, "/history/m0", "de")
    assert "installiere die neuere" in told
    assert "beschädigt" not in told
    assert ('id="step"' in told) is (place != 0)


def test_a_damaged_end_does_not_tell_what_stands_in_it() -> None:
    room = FakeRoom("red", "blue")
    for text in ("roll 8", "place red 7"):
        room.wish(DoAction(text))
    entries = room.paper.matches["m0"]
    broken = json.dumps({"do": "place", "seat": "red", "barrel": 77})
    entries[-1] = replace(entries[-1], text=body_text(entries[-1].body | {"action": broken}))
    assert "77" not in page(room, "/history/m0").replace(build(), "")
    assert retell(room.matches()[0], room.entries("m0")).past.result is Result.DAMAGED


def test_an_unknown_match_is_not_found() -> None:
    assert client(played("once")).get("/history/m9").status_code == 404
    assert client(played("once")).get("/history/..%2f..%2fetc").status_code == 404


def test_a_match_can_be_taken_along() -> None:
    html = page(played("once"), "/history/m0")
    assert 'href="/api/matches/m0/export"' in html
    assert "Which stopper stood where is left out." in html
    room = FakeRoom()
    room.wish(NewMatch("blackmore", {"seats": ["red", "green", "blue"]}, HouseRules()))
    room.wish(GiveUp())
    html = page(room, "/history/m0")
    assert 'href="/api/matches/m0/export"' in html
    assert "topper" not in html  # there are none


def test_a_match_that_goes_on_is_read_again() -> None:
    room = FakeRoom("red", "blue")
    phone = client(room)
    assert "magic number" not in words(phone.get("/history/m0").text)
    room.wish(DoAction("roll 8"))
    assert "magic number 8" in words(phone.get("/history/m0").text)


def test_every_step_says_for_how_long_it_is_shown_and_whether_anything_moves() -> None:
    room = played("once")
    paces = [pace(step) for step in retell(room.matches()[0], room.entries("m0")).steps]
    told = re.findall(r'<li data-ms="(\d+)"( data-moves)?', page(room, "/history/m0"))
    assert told == [(str(one.ms), " data-moves" if one.moves else "") for one in paces]
    assert all(700 <= one.ms <= 4000 for one in paces)
    moves = [number for number, one in enumerate(paces) if one.moves]
    assert 8 <= len(moves) < len(paces) / 2
    assert "Green leaves the start" in words(page(room, f"/history/m0?step={moves[0]}&part"))
