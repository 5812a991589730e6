"""Whoever searches at Trap the Wizard looks on until its next roll, and always comes to an end."""

from random import Random

import pytest

from companion.core.game import TABLE
from companion.core.players.monte_carlo import SearchBudget, searching
from companion.core.plugin import players
from companion.games.trap_the_wizard.players import FORESIGHT
from companion.games.trap_the_wizard.rules import Phase, Robe, Settings, State, TrapTheWizard
from tests.games.trap_the_wizard.tables import position

RED, GREEN, BLUE, YELLOW, JOKER = Robe
EXPERT = players("trap-the-wizard")["expert"]
WAITING = position(  # nobody comes within the other's reach here who is never impatient
    {RED: (25, 28), GREEN: (9, (18, (RED, BLUE, BLUE, JOKER)), 54), BLUE: (), YELLOW: ()},
    taken={RED: (BLUE, YELLOW, YELLOW, YELLOW)},
    rounds=1,
)


def ended(game: TrapTheWizard, state: State, chance: Random) -> int:
    """Have experts play on to the end, and return how many actions it took."""
    actions = 0
    while seats := game.turns(state):
        view = game.view(state, seats[0])
        if seats[0] == TABLE:
            action = chance.choice(game.legal(state, TABLE))
        else:
            action = EXPERT(game.settings, view, seats[0], view.choices, chance)
        state, actions = game.apply(state, action), actions + 1
        assert actions < 4_000
    return actions


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", range(4))
def test_two_experts_who_wait_for_each_other_come_to_an_end(seed: int) -> None:
    assert ended(WAITING.game, WAITING.state, Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("six_passes", [False, True])
def test_four_experts_come_to_an_end(six_passes: bool) -> None:
    game = TrapTheWizard(Settings(rounds=1, six_passes=six_passes))
    assert ended(game, game.start(), Random(1))


def test_a_playout_ends_before_the_next_roll_or_where_a_seat_has_nobody_left() -> None:
    ends: list[State] = []

    class Recorded(type(FORESIGHT)):  # type: ignore[misc]
        def _worth(self, game: TrapTheWizard, state: State, seat: int) -> float:
            ends.append(state)
            return float(super()._worth(game, state, seat))

    choose = searching(TrapTheWizard, Recorded(), SearchBudget(playouts=24, rests=1))
    game, chance = TrapTheWizard(), Random(3)
    state = game.start()
    for _ in range(900):
        seat = game.turns(state)[0]
        view = game.view(state, seat)
        if seat != TABLE and len(state.wizards[seat]) == 1:
            assert choose(game.settings, view, seat, view.choices, chance) in view.choices
            assert all(
                end.phase in {Phase.ROLL, Phase.OVER}
                and (end.turn == seat or not end.wizards[seat])
                for end in ends
            )
            ends = []
        state = game.apply(state, chance.choice(game.legal(state, seat)))


def test_what_a_seat_can_do_with_its_next_number_counts() -> None:
    laden = [position({RED: ((at, (BLUE,)), 34), BLUE: (40, 41)}) for at in (6, 20)]
    near, far = (FORESIGHT.worth(one.game, one.state, RED) for one in laden)
    assert near > far
    state = laden[0].state
    assert FORESIGHT.rests(state, RED)
    assert not FORESIGHT.rests(state, BLUE)
    assert FORESIGHT.worth(laden[0].game, state, BLUE) < 0 < near
