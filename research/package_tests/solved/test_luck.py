"""Between players who move as is best, whoever wins more than a match was worth had luck.

So over many matches luck is nothing: a table that were wrong would give some to one side.
"""

from random import Random
from typing import Any

import pytest

from companion.core.game import TABLE
from companion.games.zapp_zerapp.rules import Colour, Move, Phase, Settings, ZappZerapp
from companion.games.zapp_zerapp.solution import worth
from companion.games.zapp_zerapp.solution.table import HOME, NUMBER, Pairing, find_table

np = pytest.importorskip("numpy")

from rappelwacht_research.sweeps import (  # noqa: E402 - it needs numpy
    Ways,
    unrounded,
    ways,
)

RED, GREEN, BLUE, YELLOW = Colour
SEATINGS = {"opposite": (RED, BLUE), "side by side": (RED, GREEN)}
MATCHES = 10_000
START = NUMBER[0, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATINGS.values(), ids=SEATINGS)
def test_in_ten_thousand_matches_there_is_no_luck_on_average(seats: tuple[Colour, Colour]) -> None:
    settings = Settings(seats)
    table = find_table(Pairing.for_colours(settings.board, *seats))
    assert table is not None
    values = unrounded(table)
    won = first_wins(values, ways(settings, *seats), ways(settings, *seats[::-1]), 1)
    luck = won - values[START, START]
    assert abs(luck.mean()) < 3 * luck.std() / MATCHES**0.5


def first_wins(values: Any, first: Ways, second: Ways, seed: int) -> Any:
    """Return which of many matches the first wins, all played at once."""
    chance = np.random.default_rng(seed)
    camps = np.full((2, MATCHES), START)
    while (on := np.flatnonzero((camps != HOME).all(axis=0))).size:
        magic = chance.integers(1, 7, on.size) + chance.integers(1, 7, on.size)
        one = chance.integers(1, 14, on.size)
        other = (one + chance.integers(0, 12, on.size)) % 13 + 1  # any of the other twelve
        has = np.where([one <= magic, other <= magic], [one, other], 0)
        for side in (0, 1):  # those lanes in which this side moves before the other
            lanes = has[side] > has[1 - side]
            both = (first, second), values, camps[:, on[lanes]], has[:, lanes]
            camps[:, on[lanes]] = moved(*both, side)
    return camps[0] == HOME


def moved(both: tuple[Ways, Ways], values: Any, camps: Any, has: Any, side: int) -> Any:
    """Return camps after both moved, this side first, each as is best for itself."""
    lanes, sign = np.arange(camps.shape[1]), 1 - 2 * side
    ends, worths = [], []
    for pawn in range(3):
        after = step(both, camps, has, side, pawn)
        replies = [step(both, after, has, 1 - side, other) for other in range(3)]
        theirs = np.array([sign * values[tuple(end)] for end in replies])
        best = theirs.argmin(axis=0)
        ends.append(np.array(replies)[best, :, lanes].T)
        worths.append(theirs[best, lanes])
    return np.array(ends)[np.array(worths).argmax(axis=0), :, lanes].T


def step(both: tuple[Ways, Ways], camps: Any, has: Any, side: int, pawn: int) -> Any:
    """Return camps after a pawn moved, where its side has a number and nobody has won."""
    moves = both[side]
    at = has[side] - 1, pawn, camps[side]
    works = (has[side] > 0) & (camps != HOME).all(axis=0)
    new = np.empty_like(camps)
    new[side] = np.where(works, moves.to[at], camps[side])
    swept = moves.banned[moves.sweep[at], camps[1 - side]]
    new[1 - side] = np.where(works, swept, camps[1 - side])
    return new


@pytest.mark.parametrize("seats", SEATINGS.values(), ids=SEATINGS)
def test_what_dice_and_barrels_brought_is_all_there_is(seats: tuple[Colour, Colour]) -> None:
    game, known, chance = ZappZerapp(Settings(seats)), worth(Settings(seats)), Random(1)
    for _ in range(3):
        state, luck = game.start(), 0.0
        begun = known.of(state)[0]
        while on := game.turns(state):
            actions = game.legal(state, on[0])
            (action,) = chance.choices(actions, game.odds(state) if on[0] == TABLE else None)
            if state.phase is Phase.MOVE:
                moves = known.moves(state.pawns, state.barrels, state.queue)
                mover = seats.index(state.queue[0])
                action = max(moves, key=lambda move: moves[move][mover])
            before, state = state, game.apply(state, action)
            change = known.of(state)[0] - known.of(before)[0]
            if isinstance(action, Move):
                assert change == pytest.approx(0, abs=1e-12)
            else:  # a roll, and numbers that are turned over or said
                luck += change
        assert begun + luck == pytest.approx(known.of(state)[0], abs=1e-9)
