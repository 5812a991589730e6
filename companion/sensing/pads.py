"""How a pad's edge and a barrel's foot differ in time, and which kind of pad that speaks for.

It must not know seats, stoppers or what is told.

A switch under the coaster moves with the foot. A reflex sensor sees a barrel, or a hand, before it
stands, and still sees it when it was lifted; for how long hangs on its trimmer and on the hand.
Nobody says which kind a seat has: it begins as any of them, or as the others turned out to be, and
each placing that is certain tells more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erf, exp, pi, sqrt
from typing import Final

LEAST_US: Final = 1_000  # no time is known better
LEAST_CHANCE: Final = 0.003  # of any kind, whatever was seen: somebody may turn a trimmer
ALIKE: Final = 0.9  # how sure it is that all pads of a table are of one kind
FAR: Final = 6.0  # deviations: nothing is left of a bell
REMEMBERED: Final = 4096  # fits: the same are asked for with every message until all is clear


@dataclass(frozen=True, slots=True)
class Pad:
    """One kind; the times come from the simulated table (`tests/sensing/seat_times.py`)."""

    usual: float  # how likely it is before anything was seen
    ahead_ms: float  # the edge comes up to so long before SET and after LIFT, evenly; 0: a switch
    hand: float  # how likely a hand closes it, beside a barrel in hand…
    early_ms: float = 7.0  # but every edge is late by this: between simulated and exact ones
    core_ms: float = 13.0  # deviation of that, of nearly all
    tail_ms: float = 80.0  # … of the others: soft touches, and pads that bounce
    tail_share: float = 0.2

    @lru_cache(REMEMBERED)  # noqa: B019 - there are as few pads as there are kinds
    def fit(self, from_us: int, to_us: int, edge_us: int, *, opens: bool = False) -> float:
        """Return how likely per ms the foot touches in a time, if it is what moved the pad then.

        >>> switch, reflex = PADS[0], PADS[1]
        >>> round(switch.fit(-8_000, -6_000, 0), 3), round(switch.fit(92_000, 94_000, 0), 4)
        (0.026, 0.0005)
        >>> [round(reflex.fit(92_000, 94_000, 0, opens=opens), 4) for opens in (False, True)]
        [0.0062, 0.0001]
        """
        to_us = max(to_us, from_us + LEAST_US)
        first = (from_us - edge_us) / 1000 + self.early_ms
        last = (to_us - edge_us) / 1000 + self.early_ms
        low, high = (-self.ahead_ms, 0.0) if opens else (0.0, self.ahead_ms)
        reach = FAR * self.tail_ms
        if last < low - reach or first > high + reach:
            return 0.0
        share = self._until(last, low, high) - self._until(first, low, high)
        return max(share, 0.0) / (last - first)

    def _until(self, at_ms: float, low: float, high: float) -> float:
        """Return the chance of a difference up to this, or a constant more."""
        tail = self.tail_share
        core = _smoothed(at_ms, low, high, self.core_ms)
        return (1 - tail) * core + tail * _smoothed(at_ms, low, high, self.tail_ms)


def _smoothed(at: float, low: float, high: float, deviation: float) -> float:
    """Return the chance of no more than this, of a bell around anywhere between two ends."""
    if high - low < deviation / FAR:
        return 0.5 * erf((at - low) / deviation / sqrt(2))
    ends = _ramp((at - low) / deviation) - _ramp((at - high) / deviation)
    return ends * deviation / (high - low)


def _ramp(at: float) -> float:
    """Return the sum of a bell's sum."""
    return at * (0.5 + 0.5 * erf(at / sqrt(2))) + exp(-at * at / 2) / sqrt(2 * pi)


# Trimmed to 3 mm, the edge comes 36 to 144 ms before SET; to 10 mm, or with fingers below, up to
# 230 ms; and some let a barrel hover before they let it stand.
PADS: Final = (
    Pad(0.5, 0.0, 0.0),
    Pad(0.2, 150.0, 1.0),
    Pad(0.15, 300.0, 1.0),
    Pad(0.15, 1000.0, 1.0),
)
Kinds = tuple[float, ...]  # the chance of each


def usual(pads: Sequence[Pad]) -> Kinds:
    """Return what is believed before anything was seen."""
    return tuple(pad.usual for pad in pads)


def expected(others: Sequence[Kinds], pads: Sequence[Pad]) -> Kinds:
    """Return what is believed of a pad before its first placing: mostly it is as the others are.

    >>> expected([(1.0, 0.0, 0.0, 0.0)], PADS)[0], expected([], PADS) == usual(PADS)
    (0.95, True)
    """
    if not others:
        return usual(pads)
    means = [sum(column) / len(others) for column in zip(*others, strict=True)]
    return tuple(ALIKE * m + (1 - ALIKE) * pad.usual for m, pad in zip(means, pads, strict=True))


def learned(kinds: Kinds, fits: Sequence[float]) -> Kinds:
    """Return what is believed after a placing that fits each kind so well.

    >>> [round(chance, 2) for chance in learned((0.5, 0.5), (0.026, 0.002))]
    [0.93, 0.07]
    """
    weights = [chance * fit for chance, fit in zip(kinds, fits, strict=True)]
    total = sum(weights)
    if not total:
        return kinds
    bounded = [max(weight / total, LEAST_CHANCE) for weight in weights]
    return tuple(weight / sum(bounded) for weight in bounded)
