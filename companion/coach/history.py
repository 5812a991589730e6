"""The history of somebody's decisions and ears over several matches, with its uncertainty.

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
    """Sums of values, for their mean and its 95 % confidence interval.

    >>> found = Sums.from_values([1.0, 2.0, 3.0])
    >>> found.mean, round(found.reach, 3)
    (2.0, 1.132)
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def from_values(cls, values: Iterable[float]) -> Self:
        numbers = [*values]
        return cls(len(numbers), sum(numbers), sum(number * number for number in numbers))

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.count + other.count, self.total + other.total, self.squares + other.squares
        )

    @property
    def mean(self) -> float | None:
        """Return the mean; None: there is no value."""
        return self.total / self.count if self.count else None

    @property
    def reach(self) -> float | None:
        """Return half of the confidence interval of the mean; None: there are too few values."""
        if self.count < 2:
            return None
        spread = max(0.0, self.squares - self.total * self.total / self.count) / (self.count - 1)
        return SURE * sqrt(spread / self.count)


NOTHING: Final = Sums()


@dataclass(frozen=True, slots=True)
class EarSums:
    """What was lost by ear, set against what is lost blindly: a lost position has little at stake.

    >>> found = EarSums.from_pairs([(1.0, 2.0), (0.0, 1.0), (2.0, 3.0)])
    >>> found.lost.mean, found.share, round(found.reach, 3)
    (1.0, 0.5, 0.283)
    """

    lost: Sums = NOTHING
    blindly: Sums = NOTHING
    products: float = 0.0

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[float, float]]) -> Self:
        losses = [*pairs]
        return cls(
            Sums.from_values(lost for lost, _ in losses),
            Sums.from_values(blindly for _, blindly in losses),
            sum(lost * blindly for lost, blindly in losses),
        )

    def __add__(self, other: EarSums) -> EarSums:
        return EarSums(
            self.lost + other.lost, self.blindly + other.blindly, self.products + other.products
        )

    @property
    def share(self) -> float | None:
        """Return what share was lost of what is lost blindly; None: nothing was at stake."""
        return self.lost.total / self.blindly.total if self.blindly.total > 0 else None

    @property
    def reach(self) -> float | None:
        """Return by how much the true share may be more or less; None: nobody can tell."""
        count, share = self.lost.count, self.share
        if count < 2 or share is None:
            return None
        left = self.lost.squares - 2 * share * self.products + share * share * self.blindly.squares
        spread = max(0.0, left) * count / (count - 1)
        return SURE * sqrt(spread) / self.blindly.total


@dataclass(frozen=True, slots=True)
class Growth:
    """What shares were lost by ear in the earlier and in the later half, and how surely."""

    earlier: float
    later: float
    reach: float

    @property
    def gain(self) -> float:
        return self.earlier - self.later

    @property
    def is_sure(self) -> bool:
        """Whether that is more than chance does."""
        return abs(self.gain) > self.reach


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    exact: bool
    errors: Sums  # of its decisions that were not forced
    ears: EarSums


@dataclass(frozen=True, slots=True)
class SeatHistory:
    """What somebody's matches came to, added up if they were judged alike."""

    exact: bool
    matches: int
    errors: Sums
    ears: EarSums
    growth: Growth | None  # of the ear; None: it is too little to tell


def played(report: Report) -> dict[Seat, PlayedSeat]:
    return {
        seat: PlayedSeat(
            report.exact,
            Sums.from_values(decision.error for decision in report.decided_by(seat)),
            EarSums.from_pairs(
                (choice.lost, choice.lost_blindly) for choice in report.heard_by(seat)
            ),
        )
        for seat in report.seats
    }


def standing(matches: Sequence[PlayedSeat]) -> SeatHistory | None:
    """Return what matches came to, the oldest first; where some are exact, only those count."""
    exact = any(match.exact for match in matches)
    alike = [match for match in matches if match.exact == exact]
    if not alike:
        return None
    return SeatHistory(
        exact,
        len(alike),
        sum((match.errors for match in alike), NOTHING),
        sum((match.ears for match in alike), EarSums()),
        growth([match.ears for match in alike]),
    )


def growth(parts: Sequence[EarSums]) -> Growth | None:
    """Return whether the later half of what was heard is better; None: it is too little to tell."""
    middle = len(parts) // 2
    earlier, later = sum(parts[:middle], EarSums()), sum(parts[len(parts) - middle :], EarSums())
    shares, reaches = (earlier.share, later.share), (earlier.reach, later.reach)
    if min(earlier.lost.count, later.lost.count) < ENOUGH or None in {*shares, *reaches}:
        return None
    first, second = (share or 0.0 for share in shares)
    before, after = (reach or 0.0 for reach in reaches)
    return Growth(first, second, sqrt(before * before + after * after))
