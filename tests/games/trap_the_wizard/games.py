"""Random tables and random games of Trap the Wizard, for every test that plays at random."""

import random
from collections.abc import Iterator
from itertools import combinations

from companion.core.game import Action
from companion.games.trap_the_wizard.rules import (
    PLAYERS,
    SPOKED,
    Board,
    Settings,
    State,
    TrapTheWizard,
)

TABLES = tuple(seats for count in (2, 3, 4) for seats in combinations(PLAYERS, count))
SMALL = Board(  # a ring of 12 with a short cut through the middle: walks meet, and meet themselves
    ((*range(12), 0), (0, 12, 6), (3, 12, 9), (1, 13)), (1, 4, 7, 10), (2, 5, 8, 12), 12
)


def random_settings(rng: random.Random) -> Settings:
    """Return any table, with any reading of the rules."""
    seats = rng.choice(TABLES)
    flags = [rng.random() < 1 / 4 for _ in range(11)]
    return Settings(
        seats,
        rounds=rng.choice((1, 2)),
        turn_back=flags[0],
        pass_over=not flags[1],
        hand_over=not flags[2],
        joker_returns=not flags[3],
        joker_scores=flags[4],
        held_count=not flags[5],
        home_exact=flags[6],
        idle_six_again=not flags[7],
        starter_rotates=not flags[8],
        joker_spares=flags[9],
        six_passes=flags[10],
        sixes=rng.choice((1, 2, 3)),
        board=rng.choice((SMALL, SPOKED)),
    )


def random_game(
    rng: random.Random, game: TrapTheWizard, most: int = 1_000_000
) -> Iterator[tuple[State, Action, State]]:
    """Play a game, whole or so far; yield every state, what is done in it and what it led to."""
    state = game.start()
    for _ in range(most):
        seats = game.turns(state)
        if not seats:
            return
        action = rng.choice(game.legal(state, seats[0]))
        after = game.apply(state, action)
        yield state, action, after
        state = after
