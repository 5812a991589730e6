"""How far a counted share or rate may be off: intervals of 95 %, from counts alone."""

from collections.abc import Callable
from math import exp, fsum, log, sqrt

Z = 1.959964  # of a bell curve, 95 % lie within this many deviations
TAIL = 0.025
Interval = tuple[float, float]


def wilson(hits: int, of: int) -> Interval:
    """Return between what a share lies of which so many of so many were counted.

    >>> wilson(0, 100), wilson(100, 100)
    ((0.0, 0.03699), (0.963, 1.0))
    """
    if not of:
        return 0.0, 1.0
    share, z2 = hits / of, Z * Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    reach = Z / (1 + z2 / of) * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    low = 0.0 if not hits else max(0.0, middle - reach)
    high = 1.0 if hits == of else min(1.0, middle + reach)
    return _short(low), _short(high)


def poisson(events: int, exposure: float) -> Interval:
    """Return between what a rate lies, exactly: so many events in so much.

    >>> poisson(0, 1.0), poisson(3, 1.0)
    ((0.0, 3.689), (0.6187, 8.767))
    """
    if not exposure:
        return 0.0, float("inf")
    low = 0.0 if not events else _root(lambda mean: 1 - _up_to(events - 1, mean), TAIL, rises=True)
    high = _root(lambda mean: _up_to(events, mean), TAIL, rises=False)
    return _short(low / exposure), _short(high / exposure)


def _up_to(events: int, mean: float) -> float:
    """Return how probable so many or fewer are."""
    if mean <= 0.0:
        return 1.0
    terms, term = [], -mean
    for count in range(events + 1):
        term += log(mean / count) if count else 0.0
        terms.append(exp(term))
    return fsum(terms)


def _root(curve: Callable[[float], float], level: float, *, rises: bool) -> float:
    low, high = 0.0, 1.0
    while (curve(high) < level) if rises else (curve(high) > level):
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        if (curve(middle) < level) == rises:
            low = middle
        else:
            high = middle
    return high


def _short(value: float) -> float:
    return float(f"{value:.4g}")
