"""What many matches tell: how long they are, whether the seats are fair, how points spread.

A win that several share counts for each by its part.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from math import fsum, isqrt
from statistics import fmean
from typing import Any, Final

from companion.core.game import Outcome, Seat
from companion.present.subject import Subject
from companion.study_command.figures import (
    SURE,
    VERY_SURE,
    Bins,
    Mean,
    Share,
    bins,
    mean,
    share,
    spread,
    width_for,
)
from companion.study_command.match import Played
from companion.text import seat_word

MOST_BINS: Final = 16


@dataclass(frozen=True)
class Findings:
    """All that is told of the matches that were played; at least one of them has come to an end."""

    game: str
    subject: Subject
    seats: tuple[Seat, ...]
    played: tuple[Played, ...]
    seed: int
    lockstep: bool = False  # whether they were played at once; their seed has other matches then

    @cached_property
    def over(self) -> tuple[tuple[Played, Outcome], ...]:
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

    def wins(self, seat: Seat, sure: float = SURE) -> Share:
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

    def wins_of(self, player: str) -> Share:
        """Return how often a player won, for each seat that it had."""
        won, sat = 0.0, 0
        for one, end in self.over:
            had = [seat for seat, who in zip(self.seats, one.players, strict=True) if who == player]
            won += sum(seat in end.winners for seat in had) / len(end.winners)
            sat += len(had)
        return share(won, sat)

    def deed(self, number: int) -> tuple[float, float]:
        """Return how often each of the winners did something in a match, and each of the others."""
        winners: list[int] = []
        others: list[int] = []
        for one, end in self.over:
            for seat, count in zip(self.seats, one.deeds[number], strict=True):
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
        deeds = {}
        for number, deed in enumerate(self.subject.deeds):
            winners, others = self.deed(number)
            deeds[deed.code] = {"winners": winners, "others": others}
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
            "deeds": deeds,
        }


def _points(found: Mean) -> dict[str, float | None]:
    return {"points": found.mean, "points_reach": found.reach}
