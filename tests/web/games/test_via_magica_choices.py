"""The page of Via Magica: what can be done on it, and by whom."""

import re

import pytest

from companion.games.via_magica.page import unseen
from companion.games.via_magica.rules import PORTALS, Animus, Phase
from companion.referee import automation
from companion.referee.commands import RollForUs
from companion.referee.events import Bot, HouseRules, Roller
from companion.system.text import SeatName
from tests.web.games.magic import (
    DISPLAY,
    HANDS,
    by_hand,
    caught,
    crystallize,
    kept,
    mages,
    play,
    taking,
    to_open,
    told,
)
from tests.web.games.test_via_magica import OFFERS
from tests.web.playing import do, head, offered, page, texts

AUTO = HouseRules(roller=Roller.COMPANION)


def test_a_seat_chooses_three_of_its_hand_on_its_own_phone_alone() -> None:
    room = mages()
    red, green, table = (page(room, role) for role in ("red", "green", "table"))
    kinds = [int(kind) for kind in re.findall(r'name="portals" id="keep-(\d+)"', red)]
    assert kinds == sorted(HANDS[0])
    assert 'value="keep red" checked' in red
    assert re.findall(r'name="portals" id="keep-(\d+)"', green) == [
        str(kind) for kind in sorted(HANDS[1])
    ]
    assert 'name="portals"' not in table
    assert "Everybody chooses on their own phone" in table
    assert "Everybody chooses on their own phone" in page(room, None)
    play(room, "keep red portals 9,21,33")
    red = page(room, "red")
    assert "You have kept" in red
    assert 'name="portals"' not in red
    assert "You have kept" not in page(room, "green")


def test_of_two_alike_one_is_offered() -> None:
    room = mages((33, 33, 9, 21, 24, 27), HANDS[1])
    kinds = re.findall(r'name="portals" id="keep-(\d+)"', page(room, "red"))
    assert kinds == ["9", "21", "24", "27", "33"]


def test_the_catcher_draws_or_tells_what_was_drawn() -> None:
    room = kept(house=AUTO)
    assert {"kind": "roll-for-us"} in offered(page(room, "red"))
    assert not any(text.startswith("catch") for text in texts(page(room, "red")))
    assert "draw-for-us" not in page(room, "green")
    room = kept()
    for role in ("red", "table"):
        assert [text for text in texts(page(room, role)) if text.startswith("catch")] == [
            f"catch {animus.name.lower()}" for animus in Animus
        ]
    do(room, "catch shadow")
    crystallize(room)
    assert "catch shadow" not in texts(page(room, "red"))


def test_a_crystal_is_placed_by_tapping_a_field_from_the_supply_or_from_another_field() -> None:
    room = caught("water", "earth", "water")
    html = page(room, "red")
    legal = {write for write in texts(html) if write.startswith("crystallize")}
    assert {"crystallize red 33:water", "crystallize red 33:water 9:earth"} <= legal
    assert all(text.split()[1] == "red" for text in legal)
    assert html.count('name="source"') == 1 + 2  # the supply, and where crystals lie
    assert texts(page(room, "green")) != texts(html)
    both = page(room, "table")
    assert 'id="building-r3-red"' in both
    assert 'id="building-r3-green"' in both
    play(room, "crystallize red 33:water")
    assert "building-r3-red" not in page(room, "red")


def test_what_one_chooses_stays_while_others_act() -> None:
    room = caught("water")
    before = re.findall(r'id="([^"]*r1-green[^"]*)"', page(room, "green"))
    play(room, "crystallize red 33:water")
    assert re.findall(r'id="([^"]*r1-green[^"]*)"', page(room, "green")) == before
    assert before


def test_of_several_that_open_the_first_caller_is_told() -> None:
    room = to_open()
    for role in ("red", "green", "table"):
        assert [text for text in texts(page(room, role)) if text.startswith("call")] == [
            *("call red", "call green", "call")
        ]
    play(room, "call green")
    assert "open green 33" in texts(page(room, "green"))
    assert "open green 33" not in texts(page(room, "red"))


def test_a_portal_is_taken_from_the_table_by_whoever_opened_one() -> None:
    room = taking()
    wanted = [f"take red {number}" for number in sorted(DISPLAY)]
    assert [text for text in texts(page(room, "red")) if text.startswith("take")] == wanted
    assert page(room, "red").count("On the table") == 1
    assert not any(text.startswith("take") for text in texts(page(room, "green")))


def test_powers_and_rewards_are_used_or_left() -> None:
    hands = ((33, 13, 40, 24, 27, 12), HANDS[1])
    room = mages(*hands, animi=("air", "water", "earth", "fire", "air", "water"))
    play(room, "keep red portals 13,33,40", "keep green portals 25,34,39")
    for field in ("13:air", "13:water", "13:earth", "13:fire"):
        play(room, "draw", f"crystallize red {field}")
        crystallize(room)
    play(room, "open red 13")
    assert head(page(room, "red")) == "Portal 13: place 1 crystal anywhere."
    assert head(page(room, "green", "de")) == "Rot, Tor 13: setze 1 Kristall irgendwohin."
    found = texts(page(room, "red"))
    assert {"crystallize red 33:air", "waive red"} <= set(found)
    play(room, "crystallize red 33:water", "take red 11", "draw", "crystallize red 33:air")
    crystallize(room)
    play(room, "open red 33", "take red 38")
    assert room.now.view.phase is Phase.REWARD
    assert head(page(room, "red", "de")) == "Verlangst du eine Belohnung?"
    assert head(page(room, None)) == "Does Red claim a reward?"
    assert {"claim red two", "waive red"} <= set(texts(page(room, "red")))
    play(room, "claim red two")
    assert re.search(r"for two portals</th><td>2</td><td><span[^>]*>.*?Red", page(room, None))


def test_by_hand_people_tell_what_lies_on_the_table_and_what_each_has_kept() -> None:
    room = by_hand()
    assert head(page(room)) == "Lay five portals on the table. Which one is number 1?"
    assert [text for text in texts(page(room)) if text.startswith("draw")] == sorted(
        (f"draw {number}" for number in PORTALS),
        key=lambda text: (PORTALS[int(text.split()[1])].hue, int(text.split()[1])),
    )
    play(room, "draw 24", "draw 24")
    assert "draw 24" not in texts(page(room))
    play(room, "draw 26", "draw 27", "draw 28")
    assert head(page(room, "red", "de")) == "Welche drei Tore hat jeder von euch behalten?"
    assert "keep red portals 33" in texts(page(room, "table"))
    assert "keep green portals 33" not in texts(page(room, "table"))  # one after another
    assert "keep green portals 33" in texts(page(room, "green"))
    do(room, "keep red portals 33")
    assert "keep red portals 33" not in texts(page(room, "red"))
    assert OFFERS.search(page(room, None)) is None


def test_by_hand_the_replacing_portal_is_told_in_a_round_and_the_animus_by_its_key() -> None:
    room = told(by_hand())
    for animus in ("water", "air"):
        play(room, f"catch {animus}", f"crystallize red 33:{animus}")
        crystallize(room)
    play(room, "open red 33", "take red 11")
    assert head(page(room)) == "Which portal comes to the table next?"
    assert unseen(room.now.view)[11] == 1
    play(room, "draw 33")
    assert 33 in room.now.view.display
    assert "catch earth" in texts(page(room, "red"))
    assert {"kind": "roll-for-us"} in offered(page(room, "red"))


def test_whoever_acts_has_a_bot_draw_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automation, "ALONE", 0)
    room = mages(house=HouseRules(bots=(Bot(SeatName.RED, "greedy"),)))
    play(room, "keep green portals 3,10,13")
    assert (room.now.view.phase, room.now.view.catcher) == (Phase.CATCH, SeatName.RED)
    assert "draw-for-us" not in page(room, None)
    for role in ("green", "table"):
        assert {"kind": "roll-for-us"} in offered(page(room, role))
    do(room, RollForUs())
    assert room.now.view.phase is Phase.CRYSTALLIZE
