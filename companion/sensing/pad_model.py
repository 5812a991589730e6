"""Models a pad: how its edge and a barrel's foot differ in time, and which kind of pad it is.

A switch under the coaster moves with the foot, but late: springs give way, a foot settles. How
late and how unevenly differs from pad to pad. A reflex sensor sees a barrel or a hand before it
stands, and still sees it when it has been lifted; for how long depends on its trimmer and the hand.
Nobody says which kind a seat has, nor how late it is: it begins as any kind, or as one of the same
family as the others, and each placing tells more, as far as it is sure which barrel it was.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erf, exp, pi, sqrt
from typing import Final

LEAST_US: Final = 1_000  # no time is known more exactly
FORGOTTEN: Final = 0.01  # of everything learned, each time: somebody may turn a trimmer…
OVERNIGHT: Final = 0.3  # …or have rebuilt a table
ALIKE: Final = (
    0.97  # how sure it is that all pads of a table are of one kind: they were built together
)
LEAST_LATE_MS, MOST_LATE_MS, MOST_OPENS_MS = 5.0, 144, 100.0  # of switches
FOREVER_MS: Final = 1e6
OPENS_TAIL, OPENS_TAIL_MS = 0.5, 150.0  # a slow lift is felt late, so that it settles little
FAR: Final = 6.0  # deviations: nothing is left of a bell
REMEMBERED: Final = 4096  # fits: the same are asked for with every message until all is clear


@dataclass(frozen=True, slots=True, eq=False)  # each is one of a few, and often looked up
class Pad:
    """One kind: how a foot's time, as its stopper dates it, and the pad's edge differ."""

    usual: float  # how likely it is before anything was seen
    ahead_ms: float  # the edge comes up to this long before SET and after LIFT, evenly; 0: a switch
    hand: float  # how likely a hand closes it, beside a barrel in hand…
    late_ms: float = 7.0  # but the edge is late by this, as contacts settle and pins are read…
    opens_ms: float = 0.0  # …and when it opens, by anything up to this much more
    core_ms: float = 13.0  # its deviation, for nearly all
    tail_ms: float = 45.0  # … and for the others: a blow on the way that is taken for the touch
    tail_share: float = 0.06

    @lru_cache(REMEMBERED)  # noqa: B019 - keeps alive only one Pad for each kind
    def fit(self, from_us: int, to_us: int, edge_us: int, *, opens: bool = False) -> float:
        """Return how likely per ms the foot touches in a time, if it is what moved the pad then.

        >>> switch, reflex = Pad(0.5, 0.0, 0.0), Pad(0.2, 150.0, 1.0)
        >>> round(switch.fit(-8_000, -6_000, 0), 3), round(switch.fit(92_000, 94_000, 0), 4)
        (0.029, 0.0)
        >>> [round(reflex.fit(92_000, 94_000, 0, opens=opens), 4) for opens in (False, True)]
        [0.0066, 0.0007]
        """
        to_us = max(to_us, from_us + LEAST_US)
        late_ms = LEAST_LATE_MS if opens and self.opens_ms else self.late_ms
        first = (from_us - edge_us) / 1000 + late_ms
        last = (to_us - edge_us) / 1000 + late_ms
        low, high = (-max(self.ahead_ms, self.opens_ms), 0.0) if opens else (0.0, self.ahead_ms)
        tail, tail_ms = (OPENS_TAIL, OPENS_TAIL_MS) if opens else (self.tail_share, self.tail_ms)
        reach = FAR * tail_ms
        if last < low - reach or first > high + reach:
            return 0.0
        core = _between(first, last, low, high, self.core_ms)
        far = _between(first, last, low, high, tail_ms)
        return max((1 - tail) * core + tail * far, 0.0) / (last - first)

    @lru_cache(REMEMBERED)  # noqa: B019 - likewise
    def later(self, than_us: int, edge_us: int) -> float:
        """Return how likely a foot that closed it then touches only after a time.

        >>> switch = Pad(0.5, 0.0, 0.0, late_ms=60.0)
        >>> [round(switch.later(at_us, 0), 3) for at_us in (-150_000, -60_000, 30_000)]
        [0.999, 0.5, 0.001]
        """
        at_ms = (than_us - edge_us) / 1000 + self.late_ms
        never, ever = (self._until(sign * FOREVER_MS, 0.0, self.ahead_ms) for sign in (-1, 1))
        share = (ever - self._until(at_ms, 0.0, self.ahead_ms)) / (ever - never)
        return min(max(share, 0.0), 1.0)

    def _until(self, at_ms: float, low: float, high: float) -> float:
        """Return the chance of a difference up to this, or a constant more."""
        tail = self.tail_share
        core = _smoothed(at_ms, low, high, self.core_ms)
        return (1 - tail) * core + tail * _smoothed(at_ms, low, high, self.tail_ms)


def _between(first: float, last: float, low: float, high: float, deviation: float) -> float:
    return _smoothed(last, low, high, deviation) - _smoothed(first, low, high, deviation)


def _smoothed(at: float, low: float, high: float, deviation: float) -> float:
    """Return the chance of no more than this, for a bell curve around anywhere between two ends."""
    if high - low < deviation / FAR:
        return 0.5 * erf((at - low) / deviation / sqrt(2))
    ends = _ramp((at - low) / deviation) - _ramp((at - high) / deviation)
    return ends * deviation / (high - low)


def _ramp(at: float) -> float:
    """Return the sum of a bell's sum."""
    return at * (0.5 + 0.5 * erf(at / sqrt(2))) + exp(-at * at / 2) / sqrt(2 * pi)


def _switches() -> Iterator[Pad]:
    """Yield switches from exact to very late ones, from even to uneven ones."""
    for core_ms, step_ms, part in ((8.0, 12, 0.25), (16.0, 24, 0.45), (30.0, 36, 0.3)):
        late = range(0, MOST_LATE_MS + 1, step_ms)
        for late_ms in late:
            usual = 0.5 * part / len(late)
            yield Pad(usual, 0.0, 0.0, late_ms + LEAST_LATE_MS, MOST_OPENS_MS, core_ms)


# Trimmed to 3 mm, a reflex sensor's edge comes 36 to 144 ms before SET; to 10 mm, or with fingers
# below, up to 230 ms; and some let a barrel hover before they let it stand.
PADS: Final = (
    *_switches(),
    Pad(0.2, 150.0, 1.0, opens_ms=150.0),
    Pad(0.15, 300.0, 1.0, opens_ms=300.0),
    Pad(0.15, 1000.0, 1.0, opens_ms=1000.0),
)
Kinds = tuple[float, ...]  # the chance of each


def usual(pads: Sequence[Pad]) -> Kinds:
    """Return what is believed before anything was seen."""
    return tuple(pad.usual for pad in pads)


def expected(others: Sequence[Kinds], pads: Sequence[Pad]) -> Kinds:
    """Return what is believed of a pad before its first placing: mostly one like the others.

    How late they are says nothing of it.

    >>> even = [1 / len(PADS)] * len(PADS)
    >>> round(sum(expected([even], PADS)[:-3]), 2), expected([], PADS) == usual(PADS)
    (0.88, True)
    """
    if not others:
        return usual(pads)
    switches = [not pad.ahead_ms for pad in pads]
    own = sum(pad.usual for pad, switch in zip(pads, switches, strict=True) if switch)
    theirs = sum(
        chance for kinds in others for chance, switch in zip(kinds, switches, strict=True) if switch
    ) / len(others)
    share = ALIKE * theirs + (1 - ALIKE) * own
    return tuple(
        pad.usual * (share / own if switch else (1 - share) / (1 - own))
        for pad, switch in zip(pads, switches, strict=True)
    )


def remembered(kinds: Kinds, pads: Sequence[Pad]) -> Kinds:
    """Return what is believed of a pad at its next placing, of what was learned up to the last.

    A switch does not become a reflex sensor: only how late it is may have changed.

    >>> switch = (1.0, *[0.0] * (len(PADS) - 1))
    >>> 0 < sum(remembered(switch, PADS)[-3:]) < 0.0002
    True
    """
    return _less_sure(kinds, pads, FORGOTTEN)


def overnight(kinds: Kinds, pads: Sequence[Pad]) -> Kinds:
    """Return what is believed on the next evening: one placing that agrees has to confirm it.

    How late a pad is may have changed. That somebody put in another kind is as rare as that pads
    of one table differ.

    >>> reflex = tuple(float(pad.ahead_ms == 150.0) for pad in PADS)
    >>> sum(overnight(reflex, PADS)[-3:]) > 0.99, round(overnight(reflex, PADS)[-3], 2)
    (True, 0.82)
    """
    return _less_sure(kinds, pads, OVERNIGHT)


def _less_sure(kinds: Kinds, pads: Sequence[Pad], share: float) -> Kinds:
    both = zip(kinds, expected([kinds], pads), strict=True)
    return tuple((1 - share) * chance + share * usual for chance, usual in both)


def learned(kinds: Kinds, fits: Sequence[float]) -> Kinds:
    """Return what is believed after a placing that fits each kind so well.

    >>> [round(chance, 2) for chance in learned((0.5, 0.5), (0.026, 0.002))]
    [0.93, 0.07]
    """
    weights = [chance * fit for chance, fit in zip(kinds, fits, strict=True)]
    total = sum(weights)
    return tuple(weight / total for weight in weights) if total else kinds
