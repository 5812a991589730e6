"""How many barrels were in the air and at seats, over time: the evidence for what hands do."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from companion.sensing.findings import Count, Finding

KEPT_US: Final = 20_000_000
BEFORE_US: Final = 5_000_000  # this long before a foul began, to show how it came about

Counts = tuple[Count, ...]


def noted(counts: Counts, now: Count) -> Counts:
    """Return the counts with the present ones, if those are new; what is too old is forgotten.

    >>> noted((Count(1, 2, 0),), Count(5, 2, 0))
    (Count(at_us=1, in_air=2, at_seats=0),)
    >>> noted((Count(1, 2, 0),), Count(5, 3, 0))
    (Count(at_us=1, in_air=2, at_seats=0), Count(at_us=5, in_air=3, at_seats=0))
    """
    if counts and replace(counts[-1], at_us=now.at_us) == now:
        return counts
    return (*since(counts, now.at_us - KEPT_US), now)


def since(counts: Counts, at_us: int) -> Counts:
    """Return the counts from a time on, beginning with those that held then.

    >>> since((Count(1, 0, 0), Count(4, 1, 0), Count(9, 2, 0)), 5)
    (Count(at_us=4, in_air=1, at_seats=0), Count(at_us=9, in_air=2, at_seats=0))
    """
    before = [place for place, count in enumerate(counts) if count.at_us <= at_us]
    return counts[before[-1] if before else 0 :]


def shown(finding: Finding, counts: Counts) -> Finding:
    """Return a finding with what led to it."""
    return replace(finding, counts=since(counts, finding.from_us - BEFORE_US))
