"""Scores as figures with their intervals, ready for JSON and for a page.

Shares bear intervals of 95 % (Wilson), rates exact ones (Poisson); a figure of nothing is None.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from research.bench._odds import poisson, wilson
from research.bench._scoring import Accusation, Look, Score, SetDown

LONG_MS, SHORT_MS = 500.0, (250.0, 400.0)
CLEAR_DEG = 70.0  # what lies below is published by tilt
TILTS_DEG = (60, 65, 70, 75, 80, 90, 120)
APART_MS = 150.0
GAPS_MS = (0, 25, 50, 100, 150, 300, 600, 1 << 30)
SPANS_MS = (150, 250, 350, 450, 550, 700, 1000, 1 << 30)
Figures = dict[str, Any]


def share(name: str, hits: int, of: int) -> Figures:
    """Return a share with its interval and what it is of.

    >>> share("right", 1, 2)
    {'right': 0.5, 'right_ci95': (0.09453, 0.9055), 'right_of': 2}
    """
    value = round(hits / of, 5) if of else None
    return {name: value, f"{name}_ci95": wilson(hits, of), f"{name}_of": of}


def rate(name: str, events: int, handlings: int, per: int) -> Figures:
    """Return how often something happens in so many handlings.

    >>> rate("false", 0, 1000, 1000)
    {'false': 0.0, 'false_ci95': (0.0, 3.689), 'false_count': 0}
    """
    found = round(per * events / handlings, 3) if handlings else None
    interval = poisson(events, handlings / per) if handlings else None
    return {name: found, f"{name}_ci95": interval, f"{name}_count": events}


def of_handling(score: Score) -> Figures:
    """Return how often people were accused, or lights warned, for nothing."""
    told = score.accusations
    fouls, warnings = blameless(told, "foul"), blameless(told, "warning")
    return {
        "handlings": score.handlings,
        "acts": dict(sorted(score.acts.items())),
        **rate("false_fouls_per_1000", len(fouls), score.handlings, 1000),
        **rate("warnings_per_200", len(warnings), score.handlings, 200),
        "false_fouls_by_code": dict(Counter(one.code for one in fouls)),
        "warnings_by_code": dict(Counter(one.code for one in warnings)),
        "false_fouls_withdrawn": sum(not one.stands for one in fouls),
        "fouls_over_lying": sum(_is(one, "foul", "lying") for one in told),
        "warnings_over_lying": sum(_is(one, "warning", "lying") for one in told),
        "fouls_below_300ms": sum(_is(one, "foul", "peek") and one.seen_ms < 300 for one in told),
    }


def blameless(told: Iterable[Accusation], weight: str) -> list[Accusation]:
    """Return what was told about nothing: no label was in sight, nothing else was wrong."""
    return [one for one in told if _is(one, weight, "nothing")]


def _is(one: Accusation, weight: str, cause: str) -> bool:
    return one.weight == weight and one.cause == cause


def of_looks(looks: Sequence[Look]) -> Figures:
    """Return how many peeks were missed, and how soon the others were told."""
    lasting = [one for one in looks if one.span_ms >= LONG_MS and not one.blind]
    long = [one for one in lasting if one.tilt_deg >= CLEAR_DEG]
    short = [one for one in looks if SHORT_MS[0] <= one.span_ms < SHORT_MS[1] and not one.blind]
    ruled = sorted(one.ruled_ms for one in long if one.ruled_ms is not None)
    warned = sorted(one.warned_ms for one in long if one.warned_ms is not None)
    return {
        **share("peek_miss_500ms", sum(one.ruled_ms is None for one in long), len(long)),
        **share("peek_unnoticed_500ms", sum(one.warned_ms is None for one in long), len(long)),
        **share("peek_ruled_300ms", sum(one.ruled_ms is not None for one in short), len(short)),
        **share("peek_warned_300ms", sum(one.warned_ms is not None for one in short), len(short)),
        "peek_latency_p50_ms": quantile(ruled, 0.5),
        "peek_latency_p99_ms": quantile(ruled, 0.99),
        "peek_warning_p50_ms": quantile(warned, 0.5),
        "peek_warning_p99_ms": quantile(warned, 0.99),
        "peeks_at_blind_stoppers": sum(one.blind for one in looks),
        "peek_miss_by_manner": missed(long, lambda one: one.manner),
        "peek_miss_by_tilt": missed(lasting, _tilts),
    }


def missed(looks: Sequence[Look], called: Callable[[Look], str]) -> Figures:
    """Return the share of looks that were not ruled a foul, for each that is called the same."""
    found: Figures = {}
    for name in sorted({called(one) for one in looks}):
        part = [one for one in looks if called(one) == name]
        found |= share(name, sum(one.ruled_ms is None for one in part), len(part))
    return found


def _tilts(look: Look) -> str:
    """Return in which range of tilts a label was.

    >>> _tilts(Look(600.0, None, None, blind=False, tilt_deg=66.5))
    '65 to 70'
    """
    low = max((edge for edge in TILTS_DEG if edge <= look.tilt_deg), default=0)
    high = next((edge for edge in TILTS_DEG if edge > low), 180)
    return f"{low} to {high}"


def quantile(ordered: Sequence[float], part: float) -> float | None:
    """Return a quantile: the least value that so many do not exceed.

    >>> quantile([1.0, 2.0, 3.0], 0.5), quantile([], 0.5)
    (2.0, None)
    """
    return round(ordered[int(part * (len(ordered) - 1) + 0.5)], 1) if ordered else None


def of_set_downs(set_downs: Sequence[SetDown]) -> Figures:
    """Return who was known to have placed what, by how close set-downs were."""
    apart = [one for one in set_downs if one.gap_ms >= APART_MS]
    close = [one for one in set_downs if one.gap_ms < APART_MS]
    return {
        **share("seat_right", _count(apart, "right"), len(apart)),
        **share("seat_asked", _count(apart, "asked", "silent"), len(apart)),
        **share("seat_wrong_and_certain", _count(apart, "wrong"), len(apart)),
        **share("seat_close_right", _count(close, "right"), len(close)),
        **share("seat_close_asked", _count(close, "asked", "silent"), len(close)),
        **share("seat_close_wrong_and_certain", _count(close, "wrong"), len(close)),
    }


def _count(set_downs: Iterable[SetDown], *outcomes: str) -> int:
    return sum(one.outcome in outcomes for one in set_downs)


def by_gap(set_downs: Sequence[SetDown]) -> list[tuple[int, Counter[str]]]:
    """Return the outcomes for each range of gaps, by where the range begins."""
    return [
        (low, Counter(one.outcome for one in set_downs if low <= one.gap_ms < high))
        for low, high in pairwise(GAPS_MS)
    ]


def by_span(looks: Sequence[Look]) -> list[tuple[float, int, int, int]]:
    """Return for each range of spans its mean (ms), how many looks, how many warned and ruled."""
    found = []
    for low, high in pairwise(SPANS_MS):
        part = [one for one in looks if low <= one.span_ms < high and not one.blind]
        if part:
            mean = sum(one.span_ms for one in part) / len(part)
            warned = sum(one.warned_ms is not None for one in part)
            found.append((mean, len(part), warned, sum(one.ruled_ms is not None for one in part)))
    return found
