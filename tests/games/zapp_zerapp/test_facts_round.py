"""A round, from the roll to the last mover, and the end: facts ZZ-6 to ZZ-11 and ZZ-15."""

from collections import Counter
from itertools import product

import pytest

from companion.core.game import TABLE, Outcome
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import CameHome, Colour, Order, Phase, Roll, Say, Shown, Won
from companion.system.errors import Illegal
from tests.games.zapp_zerapp import tables
from tests.games.zapp_zerapp.tables import BLUE, GREEN, RED, YELLOW, opening, placed, position

EVERYBODY: list[int | None] = [*Colour, TABLE, None]


# Phase 1: the roll.


def test_zz_6_the_magic_number_is_the_sum_of_two_dice() -> None:
    table = opening()
    assert table.game.turns(table.state) == (TABLE,)
    assert table.may(TABLE) == [f"roll {magic}" for magic in range(2, 13)]
    dice = Counter(one + other for one, other in product(range(1, 7), repeat=2))
    assert list(table.game.odds(table.state)) == [dice[magic] for magic in range(2, 13)]
    for seat in Colour:
        assert table.may(seat) == []


@pytest.mark.parametrize("magic", [1, 13, 0, -2])
def test_zz_6_two_dice_give_no_other_number(magic: int) -> None:
    table = opening()
    with pytest.raises(Illegal):
        table.game.apply(table.state, Roll(magic))


def test_zz_6_the_magic_number_is_announced_and_stays_visible_to_all() -> None:
    table = opening(RED, GREEN)
    assert table.tell("roll 9") == (rules.MagicNumber(1, 9),)
    for text in ["roll 9", "place red 5", "place green 3", "flip", "move red start"]:
        table = table.do(text)
        assert [table.game.view(table.state, viewer).magic for viewer in EVERYBODY] == [9] * 6
    table = table.do("move green start")
    assert table.game.view(table.state, RED).magic == 0, "the next round has no number yet"


def test_zz_6_it_is_rolled_once() -> None:
    table = opening(RED, GREEN).do("roll 9")
    with pytest.raises(Illegal):
        table.game.apply(table.state, Roll(9))


# Phase 2: the barrels.


def test_zz_7_all_shake_at_once_and_place_in_any_order() -> None:
    table = opening().do("roll 9")
    assert table.game.turns(table.state) == (RED, GREEN, BLUE, YELLOW)
    table = table.do("place blue 4")
    assert table.game.turns(table.state) == (RED, GREEN, YELLOW)
    assert table.tell("place red 1") == (rules.Placed(RED, (GREEN, YELLOW)),)
    assert table.may(BLUE) == [], "one barrel each, and no second one"
    with pytest.raises(Illegal):
        table.game.apply(table.state, rules.Place(BLUE, 5))
    for viewer in EVERYBODY:
        assert table.game.view(table.state, viewer).placed == (BLUE,)


def test_zz_7_a_barrel_of_another_may_not_be_taken() -> None:
    table = opening().do("roll 9", "place blue 4")
    free = [number for number in range(1, 14) if number != 4]
    assert table.may(RED) == ["place red", *(f"place red {number}" for number in free)]
    with pytest.raises(Illegal):
        table.game.apply(table.state, rules.Place(RED, 4))


def test_zz_7_a_barrel_that_nobody_has_read_blocks_no_number() -> None:
    table = opening().do("roll 9", "place blue", "place red")
    assert len(table.may(GREEN)) == 14
    assert table.do("place green", "place yellow 13").state.phase is Phase.FLIP


def test_zz_7_they_flip_once_every_player_has_placed_one() -> None:
    table = opening(RED, GREEN, BLUE).do("roll 9", "place blue 4", "place red 11")
    with pytest.raises(Illegal):
        table.game.apply(table.state, rules.Flip())
    table = table.do("place green 7")
    assert table.game.turns(table.state) == (TABLE,)
    assert table.may(TABLE) == ["flip"]
    assert table.game.odds(table.state) == (1,)
    assert table.game.view(table.state, RED).numbers == ()
    assert table.tell("flip")[:3] == (
        Shown(RED, 11, works=False),
        Shown(GREEN, 7, works=True),
        Shown(BLUE, 4, works=True),
    )
    flipped = table.do("flip")
    for viewer in EVERYBODY:
        view = flipped.game.view(flipped.state, viewer)
        assert view.numbers == ((RED, 11), (GREEN, 7), (BLUE, 4))


def test_zz_7_numbers_that_nobody_knew_are_said_after_the_flip() -> None:
    table = placed(9, {RED: None, GREEN: 5, BLUE: None})
    assert table.tell("flip") == (Shown(GREEN, 5, works=True),)
    table = table.do("flip")
    assert table.state.phase is Phase.SAY
    left = [number for number in range(1, 14) if number != 5]
    assert table.may(TABLE) == [f"say {who} {n}" for who in ["red", "blue"] for n in left]
    assert list(table.game.odds(table.state)) == [1] * 24
    assert table.game.view(table.state, None).numbers == ((GREEN, 5),)
    assert table.tell("say blue 10") == (Shown(BLUE, 10, works=False),)
    table = table.do("say blue 10")
    assert table.may(TABLE) == [f"say red {n}" for n in left if n != 10]
    assert table.tell("say red 6") == (Shown(RED, 6, works=True), Order((RED, GREEN)))
    table = table.do("say red 6")
    assert table.game.view(table.state, None).order == (RED, GREEN)


@pytest.mark.parametrize("wrong", [Say(GREEN, 6), Say(RED, 5), Say(RED, 14), Say(YELLOW, 6)])
def test_zz_7_only_a_missing_number_that_is_free_can_be_said(wrong: Say) -> None:
    table = placed(9, {RED: None, GREEN: 5, BLUE: None}).do("flip")
    with pytest.raises(Illegal):
        table.game.apply(table.state, wrong)


@pytest.mark.parametrize(("number", "works"), [(1, True), (7, True), (8, True), (9, False)])
def test_zz_8_equal_or_lower_is_effective(number: int, *, works: bool) -> None:
    other = 2
    table = placed(8, {RED: number, GREEN: other})
    assert Shown(RED, number, works) in table.tell("flip")
    table = table.do("flip")
    assert (RED in table.state.queue) is works
    said = placed(8, {RED: None, GREEN: other}).do("flip")
    assert Shown(RED, number, works) in said.tell(f"say red {number}")
    assert said.do(f"say red {number}").state == table.state


def test_zz_8_whose_barrel_fails_sits_the_round_out() -> None:
    table = placed(6, {RED: 7, GREEN: 6}).do("flip")
    assert table.game.turns(table.state) == (GREEN,)
    assert table.may(RED) == []
    table = table.do("move green start")
    assert table.state.phase is Phase.ROLL
    assert table.pawns == {RED: tables.AT_START, GREEN: (0, 0, 6)}


def test_zz_8_if_every_barrel_fails_the_next_round_begins() -> None:
    table = placed(2, {RED: 3, GREEN: 13})
    assert table.tell("flip") == (
        Shown(RED, 3, works=False),
        Shown(GREEN, 13, works=False),
        Order(()),
        rules.RoundOver(1, shuffle=True, roller=GREEN),
    )
    table = table.do("flip")
    assert table.state == opening(RED, GREEN).state._replace(round=2)


# Phase 3: the movers.


def test_zz_9_the_highest_number_moves_first() -> None:
    table = placed(12, {RED: 4, GREEN: 11, BLUE: 12, YELLOW: 3})
    assert Order((BLUE, GREEN, RED, YELLOW)) in table.tell("flip")
    table = table.do("flip")
    for seat in [BLUE, GREEN, RED, YELLOW]:
        assert table.game.turns(table.state) == (seat,)
        for waiting in {*Colour} - {seat}:
            assert table.may(waiting) == []
            with pytest.raises(Illegal):
                table.game.apply(table.state, rules.Move(waiting, 0))
        table = table.do(f"move {seat.name} start")
    assert table.state.phase is Phase.ROLL


def test_zz_9_each_moves_exactly_one_own_pawn_that_many_fields() -> None:
    table = placed(12, {RED: 4, GREEN: 11}).do("flip", "move green start", "move red start")
    assert table.pawns == {RED: (0, 0, 4), GREEN: (0, 0, 11)}


@pytest.mark.parametrize("magic", range(2, 13))
def test_zz_9_thirteen_never_works_and_one_always_does(magic: int) -> None:
    table = placed(magic, {RED: 13, GREEN: 1}).do("flip")
    assert table.game.view(table.state, None).order == (GREEN,)


def test_zz_9_numbers_are_unique_so_no_two_can_tie() -> None:
    table = placed(9, {RED: None, GREEN: None}).do("flip", "say green 5")
    with pytest.raises(Illegal):
        table.game.apply(table.state, Say(RED, 5))


@pytest.mark.parametrize("shuffle", [True, False])
def test_zz_10_all_barrels_go_back_and_are_shuffled_unless_agreed_otherwise(
    *, shuffle: bool
) -> None:
    table = opening(RED, GREEN, shuffle=shuffle)
    table = table.do("roll 9", "place red 5", "place green 3", "flip", "move red start")
    assert table.tell("move green start")[-1] == rules.RoundOver(1, shuffle, roller=GREEN)
    table = table.do("move green start")
    assert table.state.barrels == (rules.EMPTY,) * 4
    view = table.game.view(table.state, None)
    assert (view.placed, view.numbers, view.order) == ((), (), ())
    table = table.do("roll 2")
    assert len(table.may(RED)) == len(table.may(GREEN)) == 14, "every barrel can be had again"


def test_zz_10_shuffling_is_the_rule() -> None:
    assert rules.Settings().shuffle
    everyone_fails = placed(2, {RED: 3, GREEN: 4})
    assert everyone_fails.tell("flip")[-1] == rules.RoundOver(1, shuffle=True, roller=GREEN)


def test_zz_11_a_different_player_is_suggested_each_round_clockwise() -> None:
    table = opening(RED, BLUE, YELLOW)
    suggested = []
    for _ in range(4):
        suggested.append(table.game.view(table.state, None).roller)
        assert table.game.turns(table.state) == (TABLE,), "who rolls is free"
        table = table.do("roll 2", "place red 3", "place blue 4", "place yellow 5", "flip")
    assert suggested == [RED, BLUE, YELLOW, RED]


# The end.


def nearly_won() -> tables.Table:
    """Red needs one pawn more, and so does green, who moves after red."""
    return position(red=(20, 25, 25), green=(24, 25, 25), numbers={RED: 7, GREEN: 6})


def test_zz_15_the_third_pawn_home_wins_at_once() -> None:
    table = nearly_won()
    assert table.tell("move red 20")[1:] == (CameHome(RED, 3), Won(RED))
    table = table.do("move red 20")
    assert table.game.turns(table.state) == ()
    for seat in [*Colour, TABLE]:
        assert table.may(seat) == []
    assert table.game.outcome(table.state) == Outcome((RED,), ((RED, 3), (GREEN, 2)))
    for viewer in EVERYBODY:
        view = table.game.view(table.state, viewer)
        assert (view.phase, view.winner, view.turns) == (Phase.OVER, RED, ())
    for late in [rules.Move(GREEN, 24), Roll(7), rules.Flip()]:
        with pytest.raises(Illegal):
            table.game.apply(table.state, late)


def test_zz_15_a_second_pawn_home_does_not_win() -> None:
    table = position(red=(0, 20, 25), green=(24, 25, 25), numbers={RED: 7, GREEN: 6})
    assert table.tell("move red 20")[1:] == (CameHome(RED, 2),)
    table = table.do("move red 20")
    assert table.game.outcome(table.state) is None
    assert table.game.view(table.state, None).winner is None
    assert table.game.turns(table.state) == (GREEN,)


def test_zz_15_on_the_gate_field_nobody_has_won() -> None:
    table = position(red=(20, 25, 25), green=tables.AT_START, numbers={RED: 4})
    assert table.do("move red 20").game.outcome(table.do("move red 20").state) is None
    assert not any(isinstance(event, CameHome | Won) for event in table.tell("move red 20"))


def test_zz_15_the_last_of_a_round_can_win_too() -> None:
    table = position(red=tables.AT_START, green=(24, 25, 25), numbers={GREEN: 1})
    events = table.tell("move green 24")
    assert events[1:] == (CameHome(GREEN, 3), Won(GREEN)), "and no next round is announced"
    assert table.do("move green 24").game.outcome(table.do("move green 24").state) == Outcome(
        (GREEN,), ((RED, 0), (GREEN, 3))
    )
