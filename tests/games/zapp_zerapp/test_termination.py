"""Every game ends: random ones after not too many rounds, and any one can still be won."""

import random
from statistics import mean

import pytest

from companion.games.zapp_zerapp.rules import (
    Colour,
    Flip,
    Phase,
    Place,
    Roll,
    Settings,
    State,
    ZappZerapp,
)
from tests.games.zapp_zerapp.games import (
    TABLES,
    VARIANTS,
    random_board,
    random_game,
    random_settings,
)

GAMES, IN_FULL = 12, 1000  # for every table and variant
MOST_ROUNDS = 1000  # of a random game
ALONE = 3 * 13  # rounds in which a lone guild brings three pawns over 25 steps, two at a time


@pytest.mark.slow(but=12)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seats", TABLES, ids=lambda seats: " ".join(c.name for c in seats))
def test_random_games_end(seats: tuple[Colour, ...], variant: str, full: bool) -> None:
    profi, overlook = VARIANTS[variant]
    lengths = []
    for seed in range(IN_FULL if full else GAMES):
        rng = random.Random(f"{seats} {variant} {seed}")
        game = ZappZerapp(Settings(seats, profi, overlook, board=random_board(rng)))
        for state, action in random_game(rng, game):
            assert state.round <= MOST_ROUNDS
            last, end = state, action
        assert game.apply(last, end).phase is Phase.OVER
        lengths.append(last.round)
    assert min(lengths) >= 3, "25 steps, at most 12 a round"
    assert 20 <= mean(lengths) <= 80


def test_whoever_alone_gets_through_wins(full: bool) -> None:
    """So no position is without a way out, and endless games have probability zero."""
    for seed in range(4000 if full else 60):
        rng = random.Random(seed)
        game = ZappZerapp(random_settings(rng))
        states = [state for state, _ in random_game(rng, game) if state.phase is Phase.ROLL]
        state, runner = rng.choice(states), rng.choice(game.seats)
        rounds = 0
        while game.outcome(state) is None:
            state = play_alone(game, state, runner)
            rounds += 1
        outcome = game.outcome(state)
        assert outcome is not None
        assert outcome.winners == (runner,)
        assert rounds <= ALONE


def play_alone(game: ZappZerapp, state: State, runner: Colour) -> State:
    """Play a round with the magic number 2, in which only one barrel works."""
    state = game.apply(state, Roll(2))
    for seat in game.seats:
        state = game.apply(state, Place(seat, 2 if seat == runner else 10 + seat))
    state = game.apply(state, Flip())
    return game.apply(state, game.legal(state, runner)[0])
