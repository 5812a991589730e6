"""Whether what a table tells before the flip betrays how many stones a barrel holds.

A barrel is shaken, looked at twice and placed, by hands that do not know what it holds. A listener
has all that was told of it, with its times, from many tables of which the truth is known, and
guesses of others: by a ridge regression over every figure, ten parts in turn being the others.
Chance is right once in thirteen times. Each table is played a second time, with other stones under
the same hands: by how much that moves what is told, nobody can know who has not seen both.

    ./run bench listener [--json] [--tables 100] [--exact]

With --exact, findings are told as they were found, and not in coarse steps. Shares bear Wilson
intervals of 95 %. The same number of tables gives the same figures.
"""

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from companion.games.zapp_zerapp.rules import BARRELS
from companion.referee.events import ChartPoint, FoulRaised
from companion.sensing import fouls, quantise
from research.bench._odds import wilson
from research.bench._report import parser, tell
from tests.scenarios.permuted import Told, round_of, swapped

NUMBERS = range(1, BARRELS + 1)
PARTS = 10
STIFF = 30.0  # of the regression: tables are few, and figures many
FAR = 4.0  # deviations: further out, a figure says no more
GRID_MS = range(-300, 1000, 100)
Figures = list[float]


def play(seed: int, *, exact: bool) -> tuple[int, list[Told], list[Told]]:
    """Return what is told of a barrel with so many stones, and with others."""
    one, other = Random(f"numbers {seed}").sample(NUMBERS, 2)
    if exact:
        patch.object(quantise, "coarse", lambda finding: finding).start()
        patch.object(fouls, "coarse", lambda finding: finding).start()
        patch.object(quantise, "sure", lambda confidence: confidence).start()
    with TemporaryDirectory() as folder:
        told = []
        for number in (one, other):
            (place := Path(folder) / f"{number}").mkdir()
            told.append(round_of(place, seed, swapped(number)))
    return one, told[0], told[1]


# --- what a listener has ----------------------------------------------------------------------


def figures(told: Sequence[Told]) -> Figures:
    """Return all that was told as a row of numbers."""
    row = [float(len(told))]
    last = told[-1].fouls
    for place in range(2):
        times = [one.at_us / 1000 for one in told if len(one.fouls) > place]
        row += [times[0], times[-1]] if times else [0.0, 0.0]
        row += _of_foul(last[place]) if len(last) > place else [0.0] * (5 + 2 * len(GRID_MS))
    placed = [one.at_us / 1000 for one in told if one.placed]
    return [*row, placed[0] if placed else 0.0, placed[-1] if placed else 0.0]


def _of_foul(foul: FoulRaised) -> Figures:
    points = foul.evidence
    tilts = [float(point.tilt_deg) for point in points] or [0.0]
    row = [float(foul.length_ms), float(foul.percent), float(len(points))]
    row += [max(tilts), fmean([float(p.deviation_permille) for p in points] or [0.0])]
    for at_ms in GRID_MS:
        near = _near(points, at_ms)
        row += [float(near.tilt_deg), float(near.deviation_permille)] if near else [0.0, 0.0]
    return row


def _near(points: Sequence[ChartPoint], at_ms: int) -> ChartPoint | None:
    near = min(points, key=lambda point: abs(point.at_ms - at_ms), default=None)
    return near if near and abs(near.at_ms - at_ms) <= GRID_MS.step else None


# --- how a listener guesses -------------------------------------------------------------------


def guesses(rows: Sequence[Figures], numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield of each table what it held, and what somebody guesses who knows the other parts."""
    places = list(range(len(rows)))
    Random("parts").shuffle(places)
    for part in range(PARTS):
        asked = places[part::PARTS]
        known = [place for place in places if place not in set(asked)]
        weights, scales = _learned([rows[k] for k in known], [numbers[k] for k in known])
        told = [_score(rows[place], weights, scales) for place in known]
        of = {n: [t for t, k in zip(told, known, strict=True) if numbers[k] == n] for n in NUMBERS}
        for place in asked:
            yield numbers[place], _guess(_score(rows[place], weights, scales), of)


def _learned(
    rows: Sequence[Figures], numbers: Sequence[int]
) -> tuple[Figures, list[tuple[float, float]]]:
    scales = [(fmean(column), pstdev(column) or 1.0) for column in zip(*rows, strict=True)]
    table = [_scaled(row, scales) for row in rows]
    size = len(scales)
    sums = [[sum(row[a] * row[b] for row in table) for b in range(size)] for a in range(size)]
    for at in range(size):
        sums[at][at] += STIFF
    middle = fmean(numbers)
    aims = [
        sum(row[a] * (number - middle) for row, number in zip(table, numbers, strict=True))
        for a in range(size)
    ]
    return _solved(sums, aims), scales


def _scaled(row: Figures, scales: Sequence[tuple[float, float]]) -> Figures:
    return [
        min(max((value - mean) / deviation, -FAR), FAR)
        for value, (mean, deviation) in zip(row, scales, strict=True)
    ]


def _score(row: Figures, weights: Figures, scales: Sequence[tuple[float, float]]) -> float:
    return sum(w * v for w, v in zip(weights, _scaled(row, scales), strict=True))


def _guess(score: float, of: dict[int, list[float]]) -> int:
    """Return the number whose tables score most like this one."""
    return min(NUMBERS, key=lambda n: abs(fmean(of[n]) - score) if of[n] else FAR * BARRELS)


def _solved(rows: list[Figures], aims: Figures) -> Figures:
    """Return the solution of equations, by elimination; the diagonal is heavy."""
    size = len(aims)
    table = [[*row, aim] for row, aim in zip(rows, aims, strict=True)]
    for at in range(size):
        pivot = table[at]
        for below in table[at + 1 :]:
            factor = below[at] / pivot[at]
            for place in range(at, size + 1):
                below[place] -= factor * pivot[place]
    found = [0.0] * size
    for at in reversed(range(size)):
        rest = sum(table[at][place] * found[place] for place in range(at + 1, size))
        found[at] = (table[at][size] - rest) / table[at][at]
    return found


# --- what is reported -------------------------------------------------------------------------


def report(tables: Sequence[tuple[int, list[Told], list[Told]]]) -> dict[str, Any]:
    """Return all figures by name."""
    rows, numbers = [figures(told) for _, told, _ in tables], [number for number, _, _ in tables]
    found = list(guesses(rows, numbers))
    right = sum(number == guess for number, guess in found)
    return {
        "tables": len(tables),
        "guessed_right": right / len(tables),
        "guessed_right_interval": wilson(right, len(tables)),
        "chance": round(1 / BARRELS, 4),
        "missed_by": round(fmean(abs(number - guess) for number, guess in found), 2),
        "missed_by_chance": round(fmean(abs(a - b) for a in NUMBERS for b in NUMBERS), 2),
        **_moved([(one, other) for _, one, other in tables]),
    }


def _moved(pairs: Sequence[tuple[list[Told], list[Told]]]) -> dict[str, Any]:
    """Return by how much other stones under the same hands move what is told."""
    alike = [(a, b) for a, b in pairs if _kinds(a) == _kinds(b)]
    later = [abs(x.at_us - y.at_us) / 1000 for a, b in alike for x, y in zip(a, b, strict=True)]
    charts = [fouls for a, b in alike for fouls in zip(a[-1].fouls, b[-1].fouls, strict=True)]
    later.sort()
    return {
        "told_the_same_things": len(alike) / len(pairs),
        "charts": len(charts),
        "charts_the_same": sum(a == b for a, b in charts) / max(1, len(charts)),
        "percent_moved_most": max((abs(a.percent - b.percent) for a, b in charts), default=0),
        "length_moved_most_ms": max((abs(a.length_ms - b.length_ms) for a, b in charts), default=0),
        "time_moved_p95_ms": round(later[len(later) * 95 // 100], 2) if later else None,
        "time_moved_most_ms": round(later[-1], 2) if later else None,
    }


def _kinds(told: Sequence[Told]) -> list[Any]:
    return [(one.placed, [(foul.code, foul.weight) for foul in one.fouls]) for one in told]


def main() -> None:
    """Measure and print."""
    words = parser("listener", __doc__)
    words.add_argument("--tables", type=int, default=100, help="so many are played, twice each")
    words.add_argument("--exact", action="store_true", help="tell findings as they were found")
    words.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = words.parse_args()
    begun = time.monotonic()
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(options.processes, maxtasksperchild=50) as pool:
        seeds = range(1, options.tables + 1)
        tables = list(pool.imap(partial(play, exact=options.exact), seeds))
    found = report(tables) | {"seconds": round(time.monotonic() - begun)}
    tell(found, as_json=options.json)


if __name__ == "__main__":
    main()
