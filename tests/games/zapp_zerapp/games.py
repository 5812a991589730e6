"""Random tables and random games of the core, for every test that plays at random."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import cast

from companion.core.game import Action
from companion.games.zapp_zerapp.rules import (
    FIELDS,
    PRESETS,
    Board,
    Colour,
    Settings,
    State,
    ZappZerapp,
)

TABLES = tuple(seats for count in (2, 3, 4) for seats in combinations(Colour, count))  # ZZ-1
VARIANTS = {  # of the settings: profi and overlook
    "base": (False, False),
    "profi": (True, False),
    "overlook": (False, True),
    "both": (True, True),
}
KINDS = ("R", "G", "B", "Y", "RG", "GB", "BY", "YR", "RB", "GY", "BR", "YG")

Four = tuple[int, int, int, int]


def random_board(rng: random.Random) -> Board:
    """Return one of the presets, or any other ring that the game can be played on."""
    if rng.random() < 1 / 2:
        return rng.choice(list(PRESETS.values()))
    castles = rng.choice((1, 3, 8))  # from hardly any castle fields to hardly anything else
    weights = [3] * 4 + [castles] * (len(KINDS) - 4)
    entries = rng.sample(range(FIELDS), 4)
    return Board(
        tuple(rng.choices(KINDS, weights, k=FIELDS)),
        cast(Four, tuple(entries)),
        cast(Four, tuple((entry - 1) % FIELDS for entry in entries)),
    )


def random_action(rng: random.Random, game: ZappZerapp, state: State) -> Action:
    """Return something that somebody may do now, each seat and then each choice alike."""
    return rng.choice(game.legal(state, rng.choice(game.turns(state))))


def random_game(rng: random.Random, game: ZappZerapp) -> Iterator[tuple[State, Action]]:
    """Play a whole game; yield every state but the last, and what is done in it."""
    state = game.start()
    while game.turns(state):
        action = random_action(rng, game, state)
        yield state, action
        state = game.apply(state, action)


def random_settings(rng: random.Random) -> Settings:
    """Return any table."""
    profi, overlook, shuffle = rng.choices((False, True), k=3)
    return Settings(rng.choice(TABLES), profi, overlook, shuffle, random_board(rng))
