"""What decisions and ears came to over several matches, with how surely that is known.

It must not know people: whoever asks says which seats of which matches were somebody's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Self

from companion.coach.report import Report
from companion.core.game import Seat

SURE: Final = 1.96  # standard deviations that hold 95 % of what chance does
ENOUGH: Final = 8  # values of which halves are compared


@dataclass(frozen=True, slots=True)
class Sums:
    """Values, as far as their mean and its reach need them.

    >>> found = Sums.of([1.0, 2.0, 3.0])
    >>> found.mean, round(found.reach, 3)
    (2.0, 1.132)
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """Return what values come to."""
        found = [*values]
        return cls(len(found), sum(found), sum(one * one for one in found))

    def __add__(self, other: Sums) -> Sums:
        """Return both together."""
        return Sums(
            self.count + other.count, self.total + other.total, self.squares + other.squares
        )

    @property
    def mean(self) -> float | None:
        """Return the mean; None: there is no value."""
        return self.total / self.count if self.count else None

    @property
    def reach(self) -> float | None:
        """Return by how much the mean may truly be more or less; None: nobody can tell."""
        if self.count < 2:
            return None
        spread = max(0.0, self.squares - self.total * self.total / self.count) / (self.count - 1)
        return SURE * sqrt(spread / self.count)


NOTHING: Final = Sums()


@dataclass(frozen=True, slots=True)
class Growth:
    """How much less was lost in the later half than in the earlier one, and how surely."""

    earlier: float
    later: float
    reach: float

    @property
    def gain(self) -> float:
        """Return by how much it has become better."""
        return self.earlier - self.later

    @property
    def is_sure(self) -> bool:
        """Whether that is more than chance does."""
        return abs(self.gain) > self.reach


@dataclass(frozen=True, slots=True)
class Played:
    """What one seat did in one match."""

    exact: bool
    errors: Sums  # of its decisions that were not forced
    lost: Sums  # by what it chose by ear…
    blindly: Sums  # … and what somebody would have lost who does not listen


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody's matches came to, the judged alike together."""

    exact: bool
    matches: int
    errors: Sums
    lost: Sums
    blindly: Sums
    growth: Growth | None  # of the ear; None: there are too few matches


def played(report: Report) -> dict[Seat, Played]:
    """Return what each seat did in a match."""
    return {
        seat: Played(
            report.exact,
            Sums.of(one.error for one in report.decided_by(seat)),
            Sums.of(one.lost for one in report.heard_by(seat)),
            Sums.of(one.lost_blindly for one in report.heard_by(seat)),
        )
        for seat in report.seats
    }


def standing(matches: Sequence[Played]) -> Standing | None:
    """Return what matches came to, the oldest first; where some are exact, only those count."""
    exact = any(one.exact for one in matches)
    alike = [one for one in matches if one.exact == exact]
    if not alike:
        return None
    return Standing(
        exact,
        len(alike),
        sum((one.errors for one in alike), NOTHING),
        sum((one.lost for one in alike), NOTHING),
        sum((one.blindly for one in alike), NOTHING),
        growth([one.lost for one in alike]),
    )


def growth(parts: Sequence[Sums]) -> Growth | None:
    """Return whether the later half of something is better; None: it is too little to tell."""
    middle = len(parts) // 2
    earlier, later = sum(parts[:middle], NOTHING), sum(parts[len(parts) - middle :], NOTHING)
    if min(earlier.count, later.count) < ENOUGH:
        return None
    first, second = earlier.mean, later.mean
    before, after = earlier.reach, later.reach
    assert first is not None
    assert second is not None
    assert before is not None
    assert after is not None
    return Growth(first, second, sqrt(before * before + after * after))
