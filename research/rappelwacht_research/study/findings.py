"""What many matches tell: how long they are, whether the seats are fair, how points spread.

A win that several share counts for each by its part.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import ceil, fsum, isqrt, sqrt
from statistics import fmean, stdev
from typing import Any, Final

from companion.core.game import Outcome, Seat
from companion.present.study_game import StudyGame
from companion.system.text import seat_word
from rappelwacht_research.study.match import PlayedMatch

SURE: Final = 1.96  # standard deviations that hold 95 % of what chance does
VERY_SURE: Final = 2.576  # 99 %
WIDTHS: Final = tuple(one * ten for ten in (1, 10, 100, 1000, 10_000, 100_000) for one in (1, 2, 5))


@dataclass(frozen=True, slots=True)
class ValueSpread:
    """How values lie."""

    least: int
    quarter: int  # one in four is at most this
    median: int
    three_quarters: int
    most: int
    mean: float


@dataclass(frozen=True, slots=True)
class ShareInterval:
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


def spread(values: Sequence[int]) -> ValueSpread:
    """Return how values lie.

    >>> spread([4, 1, 2, 3])
    ValueSpread(least=1, quarter=1, median=2, three_quarters=3, most=4, mean=2.5)
    """
    inside = sorted(values)
    one, two, three = (inside[ceil(len(inside) * part / 4) - 1] for part in (1, 2, 3))
    return ValueSpread(inside[0], one, two, three, inside[-1], fmean(inside))


def share(times: float, of: int, sure: float = SURE) -> ShareInterval:
    """Return a share and its interval (Wilson's, which holds for rare things and few trials, too).

    >>> found = share(5, 10)
    >>> found.share, round(found.low, 4), round(found.high, 4)
    (0.5, 0.2366, 0.7634)
    """
    found, extra = times / of, sure * sure / of
    middle = (found + extra / 2) / (1 + extra)
    reach = sure * sqrt(found * (1 - found) / of + extra / (4 * of)) / (1 + extra)
    return ShareInterval(found, max(0.0, middle - reach), min(1.0, middle + reach))


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


MOST_BINS: Final = 16


@dataclass(frozen=True)
class StudyFindings:
    """All that is told of the matches that were played; at least one of them has come to an end."""

    game: str
    subject: StudyGame
    seats: tuple[Seat, ...]
    played: tuple[PlayedMatch, ...]
    seed: int
    lockstep: bool = False  # whether they were played at once; their seed has other matches then

    @cached_property
    def over(self) -> tuple[tuple[PlayedMatch, Outcome], ...]:
        """Return the matches that came to an end; the others are told of no further."""
        return tuple((one, one.outcome) for one in self.played if one.outcome is not None)

    @property
    def broken_off(self) -> int:
        """Return how many matches did not come to an end."""
        return len(self.played) - len(self.over)

    @property
    def fair(self) -> float:
        """Return the share of all wins that a seat has if all are equally good."""
        return 1 / len(self.seats)

    @cached_property
    def lengths(self) -> list[int]:
        """Return how long each match was, in the unit of its game."""
        return [one.span for one, _ in self.over]

    @cached_property
    def actions(self) -> list[int]:
        """Return how many actions each match had; those of the table count too."""
        return [one.actions for one, _ in self.over]

    @cached_property
    def winners_points(self) -> list[int]:
        """Return the points that each match was won with."""
        return [max(points for _, points in end.scores) for _, end in self.over]

    @cached_property
    def others_points(self) -> list[int]:
        """Return the points of all who did not win."""
        ends = [end for _, end in self.over]
        return [points for end in ends for seat, points in end.scores if seat not in end.winners]

    @cached_property
    def leads(self) -> list[int]:
        """Return by how many points each match was won: 0, where several share the win."""
        best = (sorted(points for _, points in end.scores)[-2:] for _, end in self.over)
        return [first - second for second, first in best]

    @property
    def shared(self) -> int:
        """Return how many wins were shared."""
        return sum(len(end.winners) > 1 for _, end in self.over)

    def wins(self, seat: Seat, sure: float = SURE) -> ShareInterval:
        """Return how often a seat won."""
        parts = (1 / len(end.winners) for _, end in self.over if seat in end.winners)
        return share(fsum(parts), len(self.over), sure)

    def points(self, seat: Seat) -> Mean:
        """Return how many points a seat had."""
        return mean([dict(end.scores)[seat] for _, end in self.over])

    def stands_out(self) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """Return the seats that win more, and less, than chance explains in 99 of 100 cases."""
        wins = {seat: self.wins(seat, VERY_SURE) for seat in self.seats}
        more = tuple(seat for seat, found in wins.items() if found.low > self.fair)
        less = tuple(seat for seat, found in wins.items() if found.high < self.fair)
        return more, less

    @property
    def players(self) -> tuple[str, ...]:
        """Return who played, each once."""
        return tuple(dict.fromkeys(self.played[0].players))

    def wins_of(self, player: str) -> ShareInterval:
        """Return how often a player won, for each seat that it had."""
        won, sat = 0.0, 0
        for one, end in self.over:
            had = [seat for seat, who in zip(self.seats, one.players, strict=True) if who == player]
            won += sum(seat in end.winners for seat in had) / len(end.winners)
            sat += len(had)
        return share(won, sat)

    def counted(self, number: int) -> tuple[float, float]:
        """Return how often each of the winners did something in a match, and each of the others."""
        winners: list[int] = []
        others: list[int] = []
        for one, end in self.over:
            for seat, count in zip(self.seats, one.counted[number], strict=True):
                (winners if seat in end.winners else others).append(count)
        return fmean(winners), fmean(others) if others else 0.0

    @property
    def _most_bins(self) -> int:
        """Return how many bins so many matches can fill."""
        return min(MOST_BINS, 4 + isqrt(len(self.over)))

    def length_bins(self) -> Bins:
        """Return the lengths in bins."""
        low, high = min(self.lengths), max(self.lengths)
        return bins(self.lengths, low, high, width_for([low, high], self._most_bins))

    def points_bins(self) -> tuple[Bins, Bins]:
        """Return the points of winners and of others, in the same bins."""
        every = self.winners_points + self.others_points
        low, high = min(every), max(every)
        width = width_for([low, high], self._most_bins)
        return bins(self.winners_points, low, high, width), bins(
            self.others_points, low, high, width
        )

    def figures(self) -> dict[str, Any]:
        """Return all of it, to be written as JSON."""
        events = {}
        for number, event in enumerate(self.subject.counted):
            winners, others = self.counted(number)
            events[event.code] = {"winners": winners, "others": others}
        return {
            "game": self.game,
            "seed": self.seed,
            "lockstep": self.lockstep,
            "matches": len(self.played),
            "broken_off": self.broken_off,
            "players": {player: asdict(self.wins_of(player)) for player in self.players},
            self.subject.code: asdict(spread(self.lengths)),
            "actions": asdict(spread(self.actions)),
            "seats": {
                seat_word(seat): {"wins": asdict(self.wins(seat)), **_points(self.points(seat))}
                for seat in self.seats
            },
            "shared_wins": self.shared,
            "points_winners": asdict(spread(self.winners_points)),
            "lead": asdict(spread(self.leads)),
            "deeds": events,
        }


def _points(found: Mean) -> dict[str, float | None]:
    return {"points": found.mean, "points_reach": found.reach}
