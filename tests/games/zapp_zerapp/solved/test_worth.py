"""What a match is worth adds up, whatever is played, and a broken table is done without."""

from random import Random

import pytest

from companion.core.game import TABLE
from companion.games.zapp_zerapp.rules import Colour, Phase, Settings, SitOut, State, ZappZerapp
from companion.games.zapp_zerapp.solution import worth

RED, GREEN, BLUE, YELLOW = Colour
TABLES = {
    "two, opposite": Settings((RED, BLUE)),
    "two, side by side": Settings((GREEN, BLUE)),
    "two, the other way round": Settings((RED, YELLOW)),
    "three": Settings((RED, GREEN, YELLOW)),
    "four": Settings(),
    "profi": Settings((RED, GREEN, BLUE), profi=True),
    "overlook": Settings((GREEN, YELLOW), overlook=True),
    "no shuffle": Settings((GREEN, YELLOW), shuffle=False),
}


def played(settings: Settings, seed: int) -> list[State]:
    """Return the states of a random match, in their order."""
    game, chance = ZappZerapp(settings), Random(seed)
    states = [game.start()]
    while seats := game.turns(state := states[-1]):
        options = game.legal(state, seats[0])
        odds = game.odds(state) if seats[0] == TABLE else None
        states.append(game.apply(state, chance.choices(options, odds)[0]))
    return states


@pytest.mark.parametrize("settings", TABLES.values(), ids=TABLES)
def test_every_state_has_a_worth_and_the_end_is_certain(settings: Settings) -> None:
    known = worth(settings)
    states = played(settings, 1)
    for state in states[-120:]:
        values = known.of(state)
        assert sum(values) == pytest.approx(1, abs=1e-12)
        assert min(values) >= 0
    winner = states[-1].pawns.index((25, 25, 25))
    assert known.of(states[-1])[settings.seats.index(Colour(winner))] == 1


@pytest.mark.parametrize("settings", TABLES.values(), ids=TABLES)
def test_the_best_move_changes_nothing(settings: Settings) -> None:
    known, game = worth(settings), ZappZerapp(settings)
    for state in played(settings, 2)[-120:]:
        if state.phase is not Phase.MOVE:
            continue
        moves = known.moves(state.pawns, state.barrels, state.queue)
        assert set(moves) == set(game.legal(state, state.queue[0]))
        at = settings.seats.index(state.queue[0])
        assert max(after[at] for after in moves.values()) == known.of(state)[at]
        for move, after in moves.items():
            assert after == pytest.approx(known.of(game.apply(state, move)), abs=1e-12)


@pytest.mark.parametrize("settings", TABLES.values(), ids=TABLES)
def test_nothing_is_told_of_numbers_before_the_flip(settings: Settings) -> None:
    known = worth(settings)
    before = None
    for state in played(settings, 3)[-60:]:
        if state.phase in {Phase.PLACE, Phase.FLIP}:
            assert before in {None, known.of(state)}
            before = known.of(state)
        else:
            before = None


def test_whoever_sits_out_has_less_and_a_number_too_high_is_like_it() -> None:
    settings = Settings((RED, BLUE))
    known, game = worth(settings), ZappZerapp(settings)
    state = next(s for s in played(settings, 4)[20:] if s.phase is Phase.PLACE)
    out = game.rule(state, SitOut(RED))
    assert known.of(out)[0] < known.of(state)[0]
    curve = known.curve(state.pawns, state.magic, RED)
    assert len(curve) == 13
    assert len(set(curve[state.magic :])) == 1
