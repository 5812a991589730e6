"""What a match of Zapp Zerapp came to: counted from its record, after all that was put right.

It counts only what has been flipped, so it may be shown at any moment.

The *best shaker* heard best. A spell that works loses what its barrel lacked to the magic number;
one that fails loses the whole magic number, as it moves nobody. Whoever lost least per spell,
shook best: few failures and close calls both count, and keeping small barrels does not help. Where
two lost the same, the one with the smaller share of failures is better, then the one with more
spells; where that is the same too, both are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from companion.core.game import Event
from companion.games.zapp_zerapp.rules import (
    CITY,
    Banished,
    Colour,
    MagicNumber,
    Moved,
    Shown,
    State,
    TakenAlong,
    Won,
)
from companion.referee.match import Match
from companion.referee.replay import FoulCount, Summing, foul_counts
from companion.system.format_names import format_name


@format_name("Player")
@dataclass(frozen=True, slots=True)
class Player:
    """What one seat did."""

    seat: Colour
    worked: int = 0  # spells: numbers up to the magic number
    failed: int = 0  # numbers above it
    short: int = 0  # what the barrels that worked lacked to the magic number, all together
    lost: int = 0  # the same, and the whole magic number for each that failed
    banished: int = 0  # pawns of others that it sent back
    sent_back: int = 0  # its own pawns that others sent back
    took: int = 0  # pawns that it took along, its own too
    was_taken: int = 0  # its pawns that others took along
    home: int = 0  # pawns in the city

    @property
    def spells(self) -> int:
        """Return how many numbers it has shown."""
        return self.worked + self.failed

    @property
    def short_by(self) -> Fraction | None:
        """Return what a barrel that worked lacked on average; None: none did."""
        return Fraction(self.short, self.worked) if self.worked else None

    @property
    def lost_by(self) -> Fraction | None:
        """Return what a spell lost on average; None: it cast none."""
        return Fraction(self.lost, self.spells) if self.spells else None


@format_name("Summary")
@dataclass(frozen=True, slots=True)
class Summary:
    """What a match came to; `players` and `best` are clockwise."""

    rounds: int  # that were rolled
    moves: int
    actions: int  # of all that stands in the record
    winner: Colour | None
    players: tuple[Player, ...]
    best: tuple[Colour, ...]
    fouls: tuple[FoulCount, ...]

    def of(self, seat: Colour) -> Player:
        """Return what one seat did."""
        return next(player for player in self.players if player.seat == seat)


def summary(match: Match) -> Summary:
    """Return what a match came to so far."""
    state: State = match.state
    log = match.log
    happened = [
        event
        for before, action, then in log.steps()
        for event in match.game.explain(before, action, then)
    ]
    camps = [(seat, state.pawns[seat]) for seat in map(Colour, match.game.seats)]
    players = players_of(happened, camps)
    return Summary(
        rounds=rounds_of(happened),
        moves=sum(isinstance(event, Moved) for event in happened),
        actions=len(log.actions),
        winner=next((event.seat for event in happened if isinstance(event, Won)), None),
        players=players,
        best=best(players),
        fouls=foul_counts(match.fouls),
    )


def rounds_of(happened: Iterable[Event]) -> int:
    """Return how many rounds were rolled."""
    return max((event.round for event in happened if isinstance(event, MagicNumber)), default=0)


def players_of(
    happened: Iterable[Event], camps: Iterable[tuple[Colour, Sequence[int]]]
) -> tuple[Player, ...]:
    """Return what each seat did, by what happened and where its pawns stand."""
    counts = _counted(happened)
    return tuple(Player(seat, home=camp.count(CITY), **counts[seat]) for seat, camp in camps)


def best(players: Iterable[Player]) -> tuple[Colour, ...]:
    """Return who shook best; nobody, if no spell was cast.

    >>> close = Player(Colour.RED, worked=3, failed=1, short=3, lost=9)  # loses 2.25 each time
    >>> timid = Player(Colour.BLUE, worked=4, failed=0, short=10, lost=10)  # 2.5
    >>> best([close, timid])
    (<Colour.RED: 0>,)
    """
    ranked = {
        player.seat: (player.lost_by, Fraction(player.failed, player.spells), -player.spells)
        for player in players
        if player.lost_by is not None
    }
    least = min(ranked.values(), default=None)
    return tuple(seat for seat, rank in ranked.items() if rank == least)


def _counted(happened: Iterable[Event]) -> dict[Colour, Counter[str]]:
    """Return for each colour how often what happened, by the name of a player's part."""
    magic = 0
    counts = {colour: Counter[str]() for colour in Colour}
    for event in happened:
        match event:
            case MagicNumber():
                magic = event.magic
            case Shown(seat, number, works):
                counts[seat]["worked" if works else "failed"] += 1
                counts[seat]["short"] += magic - number if works else 0
                counts[seat]["lost"] += magic - number if works else magic
            case Banished(seat, pawn):
                counts[seat]["banished"] += 1
                counts[pawn.colour]["sent_back"] += 1
            case TakenAlong(seat, pawn):
                counts[seat]["took"] += 1
                counts[pawn.colour]["was_taken"] += pawn.colour != seat
            case _:
                pass
    return counts


SUMMING: Final = Summing(summary)
