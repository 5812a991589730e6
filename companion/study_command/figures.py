"""Small statistics: how values spread, how surely a share is known, and bins to draw them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import fmean, stdev
from typing import Final

SURE: Final = 1.96  # standard deviations that hold 95 % of what chance does
VERY_SURE: Final = 2.576  # 99 %
WIDTHS: Final = tuple(one * ten for ten in (1, 10, 100, 1000, 10_000, 100_000) for one in (1, 2, 5))


@dataclass(frozen=True, slots=True)
class Spread:
    """How values lie."""

    least: int
    quarter: int  # one in four is at most this
    median: int
    three_quarters: int
    most: int
    mean: float


@dataclass(frozen=True, slots=True)
class Share:
    """How often something happened, and between which shares it may truly lie."""

    share: float
    low: float
    high: float

    def holds(self, share: float) -> bool:
        """Tell whether it may truly be this one."""
        return self.low <= share <= self.high


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, and by how much it may truly be more or less."""

    mean: float
    reach: float | None  # None: a single value tells nothing of it


@dataclass(frozen=True, slots=True)
class Bins:
    """Values side by side: how many lie in each of several spans, all equally wide."""

    start: int
    width: int
    counts: tuple[int, ...]

    def named(self, place: int) -> str:
        """Return from which value to which one bin goes.

        >>> Bins(10, 5, (3, 4)).named(1), Bins(2, 1, (7,)).named(0)
        ('15–19', '2')
        """
        least = self.start + place * self.width
        return str(least) if self.width == 1 else f"{least}–{least + self.width - 1}"


def spread(values: Sequence[int]) -> Spread:
    """Return how values lie.

    >>> spread([4, 1, 2, 3])
    Spread(least=1, quarter=1, median=2, three_quarters=3, most=4, mean=2.5)
    """
    inside = sorted(values)
    one, two, three = (inside[ceil(len(inside) * part / 4) - 1] for part in (1, 2, 3))
    return Spread(inside[0], one, two, three, inside[-1], fmean(inside))


def share(times: float, of: int, sure: float = SURE) -> Share:
    """Return a share and its interval (Wilson's, which holds for rare things and few trials, too).

    >>> found = share(5, 10)
    >>> found.share, round(found.low, 4), round(found.high, 4)
    (0.5, 0.2366, 0.7634)
    """
    found, extra = times / of, sure * sure / of
    middle = (found + extra / 2) / (1 + extra)
    reach = sure * sqrt(found * (1 - found) / of + extra / (4 * of)) / (1 + extra)
    return Share(found, max(0.0, middle - reach), min(1.0, middle + reach))


def mean(values: Sequence[int]) -> Mean:
    """Return a mean with its reach.

    >>> mean([3, 5, 4]), mean([3])
    (Mean(mean=4.0, reach=1.1316065276116665), Mean(mean=3.0, reach=None))
    """
    reach = SURE * stdev(values) / sqrt(len(values)) if len(values) > 1 else None
    return Mean(fmean(values), reach)


def width_for(values: Sequence[int], most: int) -> int:
    """Return the smallest of the usual widths that needs at most so many bins.

    >>> width_for([3, 24], 16), width_for([0, 3], 16)
    (2, 1)
    """
    low, high = min(values), max(values)
    return next(width for width in WIDTHS if high // width - low // width < most)


def bins(values: Sequence[int], start: int, end: int, width: int) -> Bins:
    """Return how many values lie in each bin from that of `start` to that of `end`.

    >>> bins([3, 4, 9], 3, 11, 5)
    Bins(start=0, width=5, counts=(2, 1, 0))
    """
    first = start // width
    counts = [0] * (end // width - first + 1)
    for value in values:
        counts[value // width - first] += 1
    return Bins(first * width, width, tuple(counts))
