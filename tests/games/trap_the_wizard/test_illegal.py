"""What is refused, and the sentence that says why and what would be right."""

from typing import Any

import pytest

from companion.games.trap_the_wizard.rules import Leave, Move, Robe, Roll, State, TrapTheWizard
from companion.system.errors import Illegal
from tests.games.golden import check_refusals
from tests.games.trap_the_wizard.tables import BLUE, HOME, JOKER, RED, opening, position

ROLLING = opening(RED, BLUE)
CAMPS: dict[Robe, Any] = {RED: ((6, (BLUE,)), 32, (40, (JOKER,))), BLUE: (34, 34)}
MOVING = position(CAMPS, 2)
REST = position({RED: ((6, (BLUE,)), 32), BLUE: (9, 34)}, 4).do("move red 6 start")
SHARED: dict[Robe, Any] = {RED: ((32, (JOKER,)), 6), BLUE: (34, 8)}

MOMENTS = {
    "moving": MOVING,
    "points left over": REST,
    "again": opening(RED, BLUE, six_passes=True).do("roll 6", "move red start 10"),
    "the joker is held": position(SHARED, 2),
    "the joker may spare": position(SHARED, 2, joker_spares=True),
    "over": position({RED: (30,), BLUE: (32,)}, 2, round_=5).do("move red 30 32"),
    "a six may be passed": opening(RED, BLUE, six_passes=True),
    "home by an exact roll": opening(RED, BLUE, home_exact=True),
    "home by an exact roll, a six may be passed": opening(
        RED, BLUE, home_exact=True, six_passes=True
    ),
}


def moment(heading: str) -> tuple[TrapTheWizard, State]:
    """Return the start for all other headings."""
    table = MOMENTS.get(heading, ROLLING)
    return table.game, table.state


def test_each_refusal_says_why_and_what_is_right(rewrite_golden: bool) -> None:
    check_refusals(__file__, moment, rewrite=rewrite_golden)


def test_what_can_be_left_out_may_be_left_out() -> None:
    assert MOVING.do("move red 6 8").camp(RED) == ((8, (BLUE,)), 32, (40, (JOKER,)))
    assert REST.do("leave").turn == ("roll", BLUE)


def test_of_two_wizards_on_a_field_the_load_tells_which_moves() -> None:
    table = position({RED: (30, (30, (BLUE,)), HOME), BLUE: (9, 34)}, 2)
    assert table.do("move red 30 28").camp(RED) == (HOME, 28, (30, (BLUE,)))
    assert table.do("move red 30 28 load blue").camp(RED) == (HOME, (28, (BLUE,)), 30)


def test_a_table_without_rulings_refuses_what_only_looks_like_an_action() -> None:
    assert ROLLING.game.rulings == ()
    for action in (Roll(0), Leave(RED), Move(RED, HOME, 10)):
        with pytest.raises(Illegal):
            ROLLING.game.apply(ROLLING.state, action)


def test_a_word_that_this_table_does_not_use_is_refused_for_what_it_says() -> None:
    table = opening(RED, BLUE).do("roll 6", "move red start 10")
    with pytest.raises(Illegal):
        table.do("again red")
