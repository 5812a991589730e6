"""Infers which weighed barrel holds how many stones (Bayes): all assignments, with likelihoods.

It must not know stoppers, events or people: weights and their errors come in, in mg.

What a barrel's stones weigh is its number times an unknown mean, give or take their spread and the
errors of weighing. For each mean, spread and shell on a grid, the chances of all ways to give each
barrel its own number are summed exactly: barrel after barrel, over the sets of numbers used so far.
A barrel may also be odd: it lacks a stone, or is something else. Then its weight says little, and
what speaks against the others is not explained away.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, log, pi, prod, sqrt

from companion.sensing.settings import BARRELS, EnrolmentSettings

NUMBERS = range(1, BARRELS + 1)
ROOT = sqrt(2 * pi)
FAR = 60.0  # squared deviations: here nothing is left of a bell curve
FINEST, COARSEST = 0.002, 0.06  # as shares of a stone's mass
RARE = 1e-12
COUNTED = 1e-4  # how often people miscount, apart from how often something is odd
INFINITE = float("inf")
Table = list[dict[int, tuple[float, float]]]  # of each row, of each number: proper, and in all


@dataclass(frozen=True, slots=True)
class BarrelRow:
    """One barrel: what its stones weigh, or all of it if the shell is unknown; and what it is."""

    mg: float
    variance: float
    shell_known: bool
    number: int | None = None  # that people have read on it
    counted: bool = False  # its stones were counted, too
    share: float = 0.0  # by what share its cell shows too much or too little of them


@dataclass(frozen=True, slots=True)
class WeightHypothesis:
    """One point of the grid: what stones weigh, how they differ, what shells weigh beyond usual."""

    stone_mg: float
    spread: float
    shell_mg: float
    prior: float  # as a logarithm


@dataclass(frozen=True, slots=True)
class Chance:
    best: tuple[int, ...]  # the likeliest number of each row, all different
    probability: float  # that all of it is right
    likely: tuple[Mapping[int, float], ...]  # of each row: each number's probability
    odd: tuple[float, ...]  # of each row: the probability that it is not what its number says
    stone_mg: float


def infer_numbers(rows: Sequence[BarrelRow], settings: EnrolmentSettings) -> Chance:
    """Return how likely everything is."""
    order = sorted(range(len(rows)), key=lambda at: rows[at].mg)  # neighbours next to each other
    scored = list(_near([rows[at] for at in order], settings))
    top, likeliest = max(scored, key=lambda pair: pair[0])
    worlds = [world for score, world in scored if score > top - settings.depth]
    worlds = worlds[:: len(worlds) // settings.most_worlds + 1]  # for a wide hill this is enough
    ascending = [rows[at] for at in order]
    chance = _over(
        ascending, worlds, _likeliest(likelihood_table(ascending, likeliest, settings)), settings
    )
    place = [order.index(at) for at in range(len(rows))]
    return replace(
        chance,
        best=tuple(chance.best[at] for at in place),
        likely=tuple(chance.likely[at] for at in place),
        odd=tuple(chance.odd[at] for at in place),
    )


def _over(
    rows: Sequence[BarrelRow],
    worlds: Sequence[WeightHypothesis],
    best: tuple[int, ...],
    settings: EnrolmentSettings,
) -> Chance:
    """Return what all points of the grid say together."""
    right = total = stone = 0.0
    likely: list[dict[int, float]] = [dict.fromkeys(NUMBERS, 0.0) for _ in rows]
    odd = [0.0] * len(rows)
    for world in worlds:
        table, prior = likelihood_table(rows, world, settings), exp(world.prior)
        each, sum_of_all = marginals(table, settings)
        for row, (line, ways) in enumerate(zip(table, each, strict=True)):
            for number, way in ways.items():
                proper, in_all = line[number]
                likely[row][number] += prior * way
                odd[row] += prior * way * (1 - proper / in_all)
        total += prior * sum_of_all
        stone += prior * sum_of_all * world.stone_mg
        right += prior * prod(line[n][1] for line, n in zip(table, best, strict=True))
    return Chance(
        best,
        min(1.0, right / total),
        tuple({n: part / total for n, part in chances.items() if part} for chances in likely),
        tuple(part / total for part in odd),
        stone / total,
    )


def likelihood_table(
    rows: Sequence[BarrelRow], world: WeightHypothesis, settings: EnrolmentSettings
) -> Table:
    """Return how likely each weight is for each number: if it is as it should be, and in all."""
    stone, of_stone = world.stone_mg, (world.spread * world.stone_mg) ** 2
    known = {row.number for row in rows}
    free = [number for number in NUMBERS if number not in known]
    table: Table = []
    for row in rows:
        doubt = COUNTED if row.counted else 1.0
        lost, strange = doubt * settings.lost, doubt * settings.strange
        whole, anything = (1 - lost - strange) / ROOT, strange / (2 * settings.strange_mg)
        mg = row.mg if row.shell_known else row.mg - world.shell_mg
        line = {}
        for number in free if row.number is None else (row.number,):
            off = mg - number * stone
            variance = row.variance + number * of_stone + (row.share * number * stone) ** 2
            proper = lacking = 0.0
            if off * off < FAR * variance:
                proper = whole / sqrt(variance) * exp(-off * off / (2 * variance))
            if (off + stone) ** 2 < FAR * variance:
                lacking = lost / ROOT / sqrt(variance) * exp(-((off + stone) ** 2) / (2 * variance))
            line[number] = (proper, proper + lacking + anything)
        table.append(line)
    return table


def _near(
    rows: Sequence[BarrelRow], settings: EnrolmentSettings
) -> Iterator[tuple[float, WeightHypothesis]]:
    """Return the part of the grid where anything is likely, with a score for each point.

    First coarsely with the widest spread, which no grid can miss; then finely where that is near.
    """
    low, high = (log(mg) for mg in settings.stone_mg)
    known = all(row.shell_known for row in rows)
    spreads = settings.spreads if known else settings.spreads[1:2]  # or it hardly matters
    *_, widest = settings.spreads
    coarse = [
        (_score(likelihood_table(rows, world, settings)) + world.prior, world)
        for world in _grid(rows, (low, high), (widest,), settings)
    ]
    top = max(score for score, _ in coarse)
    near = [log(world.stone_mg) for score, world in coarse if score > top - 2 * settings.depth]
    gap = 1.01 * settings.step * COARSEST
    ends = [near[0], *(at for pair in pairwise(near) if pair[1] - pair[0] > gap for at in pair)]
    ends.append(near[-1])
    for begin, end in zip(ends[::2], ends[1::2], strict=True):
        reach = (begin - gap / 2, end + gap / 2)
        for world in _grid(rows, reach, spreads, settings):
            yield _score(likelihood_table(rows, world, settings)) + world.prior, world


def _grid(
    rows: Sequence[BarrelRow],
    reach: tuple[float, float],
    spreads: tuple[float, ...],
    settings: EnrolmentSettings,
) -> Iterator[WeightHypothesis]:
    """Return points so close together that whatever lies between follows from them."""
    at, end = reach
    variance = sum(row.variance for row in rows) / len(rows)
    unknown = sum(not row.shell_known for row in rows)
    shells = [0.0]
    if unknown:
        shells = _around(3 * settings.shell_common_mg, settings.step * sqrt(variance / unknown))
    while at < end:
        stone = exp(at)
        varied = variance + 7 * (spreads[0] * stone) ** 2  # of a barrel in the middle
        deviation = sqrt(varied / (63 * len(rows))) / stone  # 63: the mean of the numbers' squares
        step = settings.step * min(max(deviation, FINEST), COARSEST)
        for shell in shells:
            prior = log(step) - (shell / settings.shell_common_mg) ** 2 / 2
            for spread in spreads:
                yield WeightHypothesis(stone, spread, shell, prior)
        at += step


def _around(reach: float, step: float) -> list[float]:
    half = int(reach / step) + 1
    return [reach * at / half for at in range(-half, half + 1)]


def _score(table: Table) -> float:
    """Return about how likely the likeliest assignment is, as a logarithm.

    It is the likeliest in which heavier barrels hold more stones, or have a number that is theirs
    alone; any of them may be skipped, at the cost of its being odd.
    """
    ways = [-INFINITE] * (BARRELS + 1)  # the last number given so far
    ways[0] = 0.0
    for line in table:
        if len(line) == 1:
            cost = log(next(iter(line.values()))[1])
            ways = [way + cost for way in ways]
            continue
        skipped = log(min(in_all for _, in_all in line.values()))
        best, longer = -INFINITE, [way + skipped for way in ways]
        for number in NUMBERS:
            best = max(best, ways[number - 1])
            if number in line and best > -INFINITE:
                longer[number] = max(longer[number], best + log(line[number][1]))
        ways = longer
    return max(ways)


def _likeliest(table: Table) -> tuple[int, ...]:
    """Return the likeliest way of all."""
    ways: dict[int, tuple[float, tuple[int, ...]]] = {0: (1.0, ())}
    for line in table:
        longer: dict[int, tuple[float, tuple[int, ...]]] = {}
        for used, (chance, numbers) in ways.items():
            for number, (_, in_all) in line.items():
                after = used | 1 << number
                if after != used and chance * in_all > longer.get(after, (0.0,))[0]:
                    longer[after] = (chance * in_all, (*numbers, number))
        limit = max(chance for chance, _ in longer.values()) * RARE
        ways = {used: way for used, way in longer.items() if way[0] > limit}
    return max(ways.values())[1]


def marginals(table: Table, settings: EnrolmentSettings) -> tuple[list[dict[int, float]], float]:
    """Return the chances of all ways together, and of those that give each row each number."""
    lines = [[(1 << number, in_all) for number, (_, in_all) in line.items()] for line in table]
    levels = [{0: 1.0}]
    for line in lines:
        longer: dict[int, float] = {}
        for used, chance in levels[-1].items():
            for bit, in_all in line:
                if not used & bit:
                    longer[used | bit] = longer.get(used | bit, 0.0) + chance * in_all
        limit = max(longer.values()) * settings.faint
        levels.append({used: chance for used, chance in longer.items() if chance > limit})
    after = dict.fromkeys(levels.pop(), 1.0)
    each: list[dict[int, float]] = []
    for line, level in zip(reversed(lines), reversed(levels), strict=True):
        ways, before = dict.fromkeys([bit for bit, _ in line], 0.0), {}
        for used, chance in level.items():
            rest = 0.0
            for bit, in_all in line:
                if not used & bit and (way := after.get(used | bit, 0.0) * in_all):
                    rest += way
                    ways[bit] += chance * way
            before[used] = rest
        each.append({bit.bit_length() - 1: way for bit, way in ways.items()})
        after = before
    return each[::-1], after[0]
