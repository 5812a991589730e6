"""How right the solved tables are that are shipped, how large, and how soon they advise.

A table is rounded to eight bits; so what it was rounded from is solved again, from there. The
enumerator then says how far that is from what follows from the next rounds, and the table's choices
are weighed by it.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean, quantiles
from time import thread_time
from typing import Final

from companion.games.zapp_zerapp.rules import Colour, Settings
from companion.games.zapp_zerapp.rules.model import ALL_AT_START, BARRELS, Barrels, Camps
from companion.games.zapp_zerapp.rules.rounds import ROLL_ODDS, SUMS
from companion.games.zapp_zerapp.solution import worth
from companion.games.zapp_zerapp.solution.exact import Exact
from companion.games.zapp_zerapp.solution.table import (
    CAMPS,
    COUNT,
    HOME,
    NUMBER,
    PACKED,
    SHIPPED,
    WON,
    Pairing,
    find_table,
)
from rappelwacht_research.sweeps import Solved, solve, unrounded
from research.package_tests.solved.enumerator import Camp, Enumerator

SEATINGS: Final = ((Colour.RED, Colour.BLUE), (Colour.RED, Colour.GREEN))


def figures(states: int, seed: int) -> dict[str, float]:
    """Return what was measured, of both seatings together."""
    residuals, regrets, advice = [], [], []
    for seats in SEATINGS:
        settings = Settings(seats)
        solved = _solved(settings)
        chance = Random(seed)
        residuals += _residuals(settings, solved, states, chance)
        regrets += list(_regrets(settings, solved, 10 * states, chance))
        advice += list(_advice(settings, 2 * states, chance))
    return {
        "residual_max": max(residuals),
        "regret_mean": fmean(regrets),
        "regret_max": max(regrets),
        "table_mb": sum(file.stat().st_size for file in SHIPPED.glob(f"*{PACKED}")) / 1e6,
        "advice_p95_ms": quantiles(advice, n=20)[-1],
    }


def _solved(settings: Settings) -> Solved:
    table = find_table(Pairing.for_colours(settings.board, *settings.seats))
    if table is None:
        raise SystemExit(f"no table comes with the package for {settings.seats}")
    with tempfile.TemporaryDirectory() as folder:
        return solve(settings, Path(folder) / "kept.npy", _progress, unrounded(table))


def _progress(sweep: int, part: float, off: float) -> None:
    print(f"\rsweep {sweep}, {part:4.0%}, {off:.0e} off ", end="", file=sys.stderr, flush=True)


def _camp(chance: Random) -> Camp:
    return CAMPS[chance.choice([camp for camp in range(COUNT) if camp != HOME])]


def _residuals(settings: Settings, solved: Solved, states: int, chance: Random) -> list[float]:
    """Return how far random states are from what the enumerator makes of the next rounds."""
    names = [seat.name.lower() for seat in settings.seats]
    entries = {colour.name.lower(): settings.board.entries[colour] for colour in Colour}

    def leaf(one: Camp, other: Camp) -> float:
        return float(solved.values[NUMBER[one], NUMBER[other]])  # type: ignore[index]

    told = Enumerator(names, settings.board.ring, entries, leaf)
    off = []
    for state in range(states):
        print(f"\r{state} of {states} states ", end="", file=sys.stderr, flush=True)
        board = _camp(chance), _camp(chance)
        off.append(abs(told.round(board) - leaf(*board)))
    return off


def _regrets(settings: Settings, solved: Solved, states: int, chance: Random) -> Iterator[float]:
    """Yield what the table's best number and best move cost, by what it was rounded from."""
    table = find_table(solved.pairing)
    assert table is not None
    first, second = settings.seats
    right = Exact(settings, (first, second), lambda p, q: float(solved.values[p, q]) * WON)
    read = Exact(settings, (first, second), table.value())
    for _ in range(states):
        camps = NUMBER[_camp(chance)], NUMBER[_camp(chance)]  # type: ignore[index]
        (magic,) = chance.choices(SUMS, ROLL_ODDS)
        side, sign = chance.choice([(0, 1), (1, -1)])
        curve, true = (one.curve(*camps, magic, side) for one in (read, right))
        chosen = max(range(BARRELS), key=lambda number: sign * curve[number])
        yield max(sign * (one - true[chosen]) for one in true) / WON
        rest = ((1 - side, chance.randint(1, magic)),) if chance.random() < 0.5 else ()
        walks = right.sides[side].walks(camps[side])[chance.randint(1, magic)]
        after = [right.moved(*camps, side, walk) for walk in walks]
        seen = [sign * read.moving(*one, rest) for one in after]
        worths = [sign * right.moving(*one, rest) for one in after]
        yield (max(worths) - worths[seen.index(max(seen))]) / WON


def _advice(settings: Settings, states: int, chance: Random) -> Iterator[float]:
    """Yield how many milliseconds of computing it took to weigh all numbers, then all moves."""
    known = worth(settings)
    first, second = settings.seats
    for _ in range(states):
        camps = {first: _camp(chance), second: _camp(chance)}
        red, green, blue, yellow = (camps.get(c, ALL_AT_START) for c in Colour)
        pawns: Camps = (red, green, blue, yellow)  # type: ignore[assignment]
        (magic,) = chance.choices(SUMS, ROLL_ODDS)
        begun = thread_time()
        known.curve(pawns, magic, first)
        yield (thread_time() - begun) * 1000
        one, other = chance.sample(range(1, magic + 1), 2)
        has = {first: max(one, other), second: min(one, other)}
        red_, green_, blue_, yellow_ = (has.get(c, 0) for c in Colour)
        barrels: Barrels = (red_, green_, blue_, yellow_)
        begun = thread_time()
        known.moves(pawns, barrels, (first, second))
        yield (thread_time() - begun) * 1000
