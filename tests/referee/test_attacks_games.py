"""Attacks on the referee of the games with hidden hands, dice and players of the companion."""

import json
from random import Random
from typing import Any

import pytest

from companion.core.game import TABLE
from companion.core.notation import write
from companion.referee import automation, commands
from companion.referee.commands import CorrectAction, DoAction, GiveUp, NewMatch, RollForUs, Undo
from companion.referee.events import Bot, HouseRules, Roller
from companion.referee.replay import count_unsealed, replay_steps
from companion.system.text import SEATS, SeatName, seat_word
from tests.core.test_persistent_list import items_of
from tests.referee.tables import Round
from tests.referee.test_every_game import begun, step

RED, GREEN, BLUE, *_ = SeatName
DEALT = ("blackmore", "via-magica")
CHOSEN = {
    "blackmore": ("deal red white:9", "turn white:9"),
    "via-magica": ("deal red 7", "draw 7", "turn"),
}
NOTHING = "The companion did that itself; there is nothing to correct."


def hands(table: Round) -> list[Any]:
    return [table.now.seen_by(seat).hand for seat in SEATS[:3]]


@pytest.mark.parametrize("by", ["red", "table"])
@pytest.mark.parametrize("game", DEALT)
def test_nobody_puts_right_what_the_companion_dealt(game: str, by: str) -> None:
    """It gave whoever wanted it another card, and told by its refusal what others hold."""
    table = begun(game)
    match, before = table.referee.match, hands(table)
    assert match is not None
    for event, action in zip(match.acts, match.log.actions, strict=True):
        for text in (write(action), *CHOSEN[game]):
            refused = table.wish(CorrectAction(event, text), by=by).refused
            assert str(refused) == NOTHING, (event, text)
    assert hands(table) == before


def test_nobody_puts_right_what_a_player_of_the_companion_did() -> None:
    table, chance = begun("trap-the-wizard", Bot(GREEN, "greedy"), Bot(BLUE, "greedy")), Random(3)
    for _ in range(8):
        step(table, chance)
    match = table.referee.match
    assert match is not None
    theirs = [
        (event, action)
        for event, action in zip(match.acts, match.log.actions, strict=True)
        if action.seat in (GREEN, BLUE)
    ]
    assert theirs
    for event, action in theirs:
        assert str(table.wish(CorrectAction(event, write(action)), by="table").refused) == NOTHING


@pytest.mark.parametrize("game", DEALT)
def test_nobody_gets_other_cards_by_taking_back(game: str) -> None:
    """They go back as they lay: the same is drawn again, also when it comes to somebody else."""
    table, chance = begun(game), Random(2)
    for _ in range(30):
        if table.now.over:
            break
        before = table.referee.match
        seat = next((seat for seat in table.now.view.turns), TABLE)
        own = None if seat == TABLE else seat_word(seat)
        wish = RollForUs() if own is None else DoAction(write(table.now.seen_by(own).choices[0]))
        found = []
        for _ in range(4):
            assert table.wish(wish, by=own or "red").refused is None
            match = table.referee.match
            assert match is not None
            found.append((match.log.actions, table.now.seen, table.now.view))
            assert table.wish(Undo()).refused is None
        assert all(one == found[0] for one in found)
        assert before is not None
        assert table.referee.match is not None
        assert table.referee.match.log == before.log
        step(table, chance)


@pytest.mark.parametrize("game", [*DEALT, "trap-the-wizard", "zapp-zerapp"])
def test_nobody_gets_another_draw_by_taking_back_and_pulling_the_plug(game: str) -> None:
    table, chance = begun(game), Random(2)
    for _ in range(12):
        seat = next((seat for seat in table.now.view.turns), TABLE)
        own = None if seat == TABLE or game == "zapp-zerapp" else seat_word(seat)
        wish = RollForUs() if own is None else DoAction(write(table.now.seen_by(own).choices[0]))
        found = []
        for _ in range(2):
            answer = table.wish(wish, by=own or "red")
            assert answer.refused is None, answer.refused
            match = table.referee.match
            assert match is not None
            found.append((match.log.actions, table.now.seen, table.now.view))
            assert table.wish(Undo()).refused is None
            table = table.again()  # its chance starts over, too
        assert found[0] == found[1]
        if game == "zapp-zerapp":
            play_round(table)
        else:
            step(table, chance)


def play_round(table: Round) -> None:
    seats = [seat.colour for seat in table.now.seats]
    wishes: list[commands.CommandBody] = [
        RollForUs(),
        *(DoAction(f"place {seat}") for seat in seats),
        DoAction("flip"),
    ]
    wishes += [DoAction(f"say {one} 13") for one in seats[:1]]  # too much: nobody moves
    wishes += [DoAction(f"say {one} {11 + place}") for place, one in enumerate(seats[1:])]
    for wish in wishes:
        answer = table.wish(wish)
        assert answer.refused is None, (wish, answer.refused)


def test_what_people_told_and_took_back_is_not_what_the_companion_rolls() -> None:
    table, rolled = begun("trap-the-wizard"), set()
    for number in (1, 2, 3, 4, 5, 6):
        assert table.wish(DoAction(f"roll {number}")).refused is None
        assert table.wish(Undo()).refused is None
        table = table.again()
        assert table.wish(RollForUs()).refused is None
        rolled.add(table.now.view.points)
        assert table.wish(Undo()).refused is None
    assert len(rolled) == 1


@pytest.mark.parametrize("game", ["zapp-zerapp", "trap-the-wizard", "via-magica"])
def test_where_the_companion_rolls_nobody_tells_a_roll_nor_puts_one_right(game: str) -> None:
    table, house = Round(), HouseRules(roller=Roller.COMPANION)
    assert table.wish(NewMatch(game, {"seats": ["red", "green"]}, house)).refused is None
    while RollForUs() not in [offer.wish for offer in table.now.seats[0].offers]:
        step(table, Random(1))
    told = "catch water" if game == "via-magica" else "roll 3"
    assert table.wish(DoAction(told)).refused is not None
    assert [offer.wish for offer in table.now.seats[0].offers][:1] == [RollForUs()]
    assert not any(isinstance(offer.wish, DoAction) for offer in table.now.seats[0].offers)
    assert table.wish(RollForUs()).refused is None
    assert str(table.wish(CorrectAction(table.now.acted, told)).refused) == NOTHING


def test_a_roll_that_is_taken_back_comes_again_but_people_may_tell_another() -> None:
    table, rolled = begun("trap-the-wizard"), set()
    for _ in range(20):
        assert table.wish(RollForUs()).refused is None
        rolled.add(table.now.view.points)
        assert table.wish(Undo()).refused is None
    assert len(rolled) == 1
    for number in (1, 5):
        assert table.wish(DoAction(f"roll {number}")).refused is None
        assert table.now.view.points == number
        assert table.wish(Undo()).refused is None


def test_another_match_is_dealt_otherwise() -> None:
    table = begun("blackmore")
    before = hands(table)
    wish = NewMatch("blackmore", {"seats": list(SEATS[:3])}, HouseRules())
    assert table.wish(wish).refused is None
    assert hands(table) != before


@pytest.mark.parametrize("game", DEALT)
def test_giving_up_opens_no_hand_for_it_can_be_taken_back(game: str) -> None:
    table, chance = begun(game), Random(2)
    for _ in range(4):
        step(table, chance)
    assert table.wish(GiveUp()).refused is None
    steps, _ = replay_steps(table.papers["m0"])
    for one in steps[: count_unsealed(steps)]:
        assert not one.entry.text.count("deal"), one.entry
    assert table.wish(Undo()).refused is None
    assert not table.now.over


@pytest.mark.parametrize("game", DEALT)
def test_no_part_that_lies_open_holds_a_hidden_card_before_the_end(game: str) -> None:
    table, chance = begun(game), Random(9)
    while not table.now.over:
        steps, _ = replay_steps(table.papers["m0"])
        opened = [json.loads(one.entry.text) for one in steps[: count_unsealed(steps)]]
        assert not any('"deal"' in one.get("action", "") for one in opened)
        for _ in range(40 if table.now.version < 200 else 500):
            if not table.now.over:
                step(table, chance)
    assert table.now.over
    steps, _ = replay_steps(table.papers["m0"])
    assert count_unsealed(steps) == len(steps)


@pytest.mark.parametrize("game", DEALT)
def test_what_a_player_of_the_companion_holds_is_in_no_snapshot(game: str) -> None:
    """A phone can be paired for any seat."""
    table = begun(game, Bot(GREEN, "greedy"))
    assert table.now.seen_by("green") == table.now.view
    assert table.now.seen_by("green").hand == ()
    assert table.now.seen_by("red").hand


@pytest.mark.parametrize("game", ["trap-the-wizard", *DEALT])
@pytest.mark.parametrize("seat", SEATS)
def test_no_stopper_is_looked_for_in_a_game_without_barrels(game: str, seat: str) -> None:
    """Sensing knows four seats; a fifth would stay in it, and end the next match of barrels."""
    table = begun(game, count=4 if game == "trap-the-wizard" else 6)
    assert table.wish(commands.AssignBarrel(seat, 3)).refused is not None
    assert not table.sensed


def test_where_only_the_companion_is_left_to_play_it_waits_now_and_then_for_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A round of its own players can last for ever; meanwhile the table would hear nobody."""
    monkeypatch.setattr(automation, "ALONE", 2)
    table = begun("trap-the-wizard", Bot(GREEN, "greedy"), Bot(BLUE, "greedy"))
    for text in ("roll 1", "move red start 5"):
        assert table.wish(DoAction(text)).refused is None
    assert table.now.view.turns == (TABLE,)
    assert table.now.view.player == BLUE  # green has rolled and moved
    assert RollForUs() in [offer.wish for offer in table.now.seats[0].offers]
    assert table.wish(RollForUs(), by="red").refused is None
    assert table.now.view.player == RED
    assert table.wish(Undo()).refused is None
    assert table.now.view.player == BLUE


def test_a_long_match_is_kept_once() -> None:
    """Each moment leads back to all before it; with a copy of the log in each, memory ran out."""
    table, chance = begun("trap-the-wizard", rounds=999_999_999), Random(1)
    for _ in range(60):
        step(table, chance)
    newest = table.referee.match
    assert newest is not None
    match, seen = newest, 0
    while match.before is not None:
        match, seen = match.before, seen + 1
        assert match.log.actions == newest.log.actions[: len(match.log.actions)]
        if match.acts:
            for name in ("actions", "states"):
                kept, whole = getattr(match.log, name), getattr(newest.log, name)
                assert items_of(kept) is items_of(whole)
    assert seen == 60
