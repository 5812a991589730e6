"""How far a counted share may be off, from counts alone."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, fsum
from typing import Final

TAIL: Final = 0.025  # on each side: an interval of 95 %
HALVINGS: Final = 40
Interval = tuple[float, float]


def exact(hits: int, of: int) -> Interval:
    """Return between what a share lies, exactly (Clopper and Pearson): it never promises too much.

    >>> exact(0, 200), exact(13, 13)
    ((0.0, 0.0183), (0.7529, 1.0))
    """
    if not of:
        return 0.0, 1.0
    low = 0.0 if not hits else _root(lambda share: 1.0 - _up_to(hits - 1, of, share), rises=True)
    high = 1.0 if hits == of else _root(lambda share: _up_to(hits, of, share), rises=False)
    return round(low, 4), round(high, 4)


def _up_to(hits: int, of: int, share: float) -> float:
    """Return how probable so many or fewer are."""
    each = (comb(of, one) * share**one * (1.0 - share) ** (of - one) for one in range(hits + 1))
    return fsum(each)


def _root(curve: Callable[[float], float], *, rises: bool) -> float:
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if (curve(middle) < TAIL) == rises:
            low = middle
        else:
            high = middle
    return (low + high) / 2
