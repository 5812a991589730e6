"""Whoever plays by experience reads the table rightly, and beats whoever overlooks choices."""

from random import Random

import pytest

from companion.core.game import TABLE
from companion.games.trap_the_wizard.players import (
    board_facts,
    experienced,
    position_worth,
    state_of,
)
from companion.games.trap_the_wizard.rules import START, Robe, Settings, TrapTheWizard, Wizard
from rappelwacht_research.study.ladder import share_won
from tests.games.trap_the_wizard.tables import position

RED, GREEN, BLUE, YELLOW, JOKER = Robe
PAIR = Settings(seats=(RED, BLUE))
HOME = Wizard(START)


def test_a_view_shows_the_whole_state() -> None:
    game, chance = TrapTheWizard(), Random(1)
    state = game.start()
    for _ in range(400):
        (seat,) = game.turns(state)
        state = game.apply(state, chance.choice(game.legal(state, seat)))
        if seat != TABLE:
            assert state_of(game.view(state, seat)) == state


def test_what_is_held_is_worth_less_where_it_can_be_captured_and_two_protect_each_other() -> None:
    rules, laden, alone = board_facts(PAIR), Wizard(20, (BLUE,)), (Wizard(17),)
    near, far = (((laden,), (), (Wizard(at),), ()) for at in (17, 40))
    assert position_worth(rules, near, RED) < position_worth(rules, far, RED)
    beside = ((laden, Wizard(20)), (), alone, ())
    apart = ((laden, Wizard(21)), (), alone, ())
    assert position_worth(rules, beside, RED) > position_worth(rules, apart, RED)
    assert position_worth(rules, far, RED) > position_worth(
        rules, ((HOME, HOME), (), (HOME,), ()), RED
    )


def test_two_who_wait_for_each_other_grow_impatient() -> None:
    """Without that nobody would ever come within the other's reach here."""
    green = (9, (18, (RED, BLUE, BLUE, JOKER)), 54)
    camps = {RED: (25, 28), GREEN: green, BLUE: (), YELLOW: ()}
    waiting = position(camps, taken={RED: (BLUE, YELLOW, YELLOW, YELLOW)}, rounds=1)
    game = waiting.game
    for seed in range(3):
        chance, state, actions = Random(seed), waiting.state, 0
        while seats := game.turns(state):
            view = game.view(state, seats[0])
            if seats[0] == TABLE:
                action = chance.choice(game.legal(state, TABLE))
            else:
                action = experienced(game.settings, view, seats[0], view.choices, chance)
            state, actions = game.apply(state, action), actions + 1
            assert actions < 2_000, seed


@pytest.mark.slow
def test_experience_beats_whoever_overlooks_choices() -> None:
    """Over 100 matches by two it was 68 %, surely 58 to 76."""
    assert share_won(TrapTheWizard(PAIR), ("good", "casual"), 60, seed=1).share > 0.5
