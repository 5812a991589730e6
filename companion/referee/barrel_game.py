"""The contract of a game with barrels: what their motions mean in a match of it.

Whoever keeps it asks for a barrel's number only once all are flipped. A game that leaves it out is
played without barrels.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, Final

from companion.core.game import Action
from companion.core.plugin import PLUGINS
from companion.referee import events, replay, snapshot
from companion.referee.claims import Objection, Senses
from companion.referee.match import Foul, Match
from companion.sensing.events import Placed, Taken
from companion.sensing.observations import Seen
from companion.system import format_names, text

SENSORS: Final = "sensors"  # by whom it was entered

MatchEvents = Sequence[events.MatchEvent]
Costs = tuple[tuple[str, Action], ...]  # for each seat that it may be
Stoppers = AbstractSet[int]
NumberOf = Callable[[int], int | None]  # of a stopper, if it is certain


@dataclass(frozen=True, slots=True)
class RefereePorts:
    """What the referee may ask about barrels, and whom it tells which phase it is."""

    number_of: NumberOf = lambda _: None
    sense: Callable[[Seen], None] = lambda _: None
    certain: float = 0.99
    stoppers: Stoppers = frozenset()  # all of this table
    hands_of: Callable[[str], str] = str  # who shakes and places for a seat


class RoundPhase(Enum):
    ROLL = "roll"
    PLACE = "place"
    FLIP = "flip"
    SAY = "say"
    MOVE = "move"
    OVER = "over"


@format_names.record("PawnAt")
class PawnAt:
    """Where a pawn stands, as its colour counts; `field` counts round the ring, for all alike."""

    colour: text.SeatName
    step: int
    field: int | None


@format_names.record("NumberOf")
class ShownNumber:
    """The number that a seat's barrel has shown."""

    seat: text.SeatName
    number: int


@dataclass(frozen=True, slots=True)
class BarrelRound:
    """What lies open of a round, as the API tells it; of a game without barrels, nothing does."""

    phase: RoundPhase | None = None
    round: int = 0
    magic: int = 0
    roller: text.SeatName | None = None
    placed: tuple[text.SeatName, ...] = ()
    out: tuple[text.SeatName, ...] = ()
    numbers: tuple[ShownNumber, ...] = ()
    order: tuple[text.SeatName, ...] = ()
    pawns: tuple[PawnAt, ...] = ()
    winner: text.SeatName | None = None


@format_names.record("Player")
class PlayerSummary:
    """What one seat did."""

    seat: text.SeatName
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


@format_names.record("Summary")
class MatchSummary:
    """What a match came to; `players` and `best` are clockwise."""

    rounds: int  # that were rolled
    moves: int
    actions: int  # of all that stands in the record
    winner: text.SeatName | None
    players: tuple[PlayerSummary, ...]
    best: tuple[text.SeatName, ...]
    fouls: tuple[replay.FoulCount, ...]

    def of(self, seat: int) -> PlayerSummary:
        return next(player for player in self.players if player.seat == seat)


@dataclass(frozen=True, slots=True)
class BarrelGame:
    """What a game makes of barrels."""

    part: ClassVar[str] = "barrels"

    choosing: Callable[[Match], tuple[str, ...]]  # the seats, while barrels are shaken and placed
    # which stopper stands at which seat, till then
    standing: Callable[[Match], tuple[tuple[str, int], ...]]
    placed: Callable[[Match, Placed, float], MatchEvents]  # a stopper counts from this certainty on
    taken: Callable[[Match, Taken], MatchEvents]  # a barrel has left its pad
    flipped: Callable[[Match, Stoppers], MatchEvents]  # these barrels stand on their heads
    unflipped: Callable[[Match, Stoppers], tuple[str, ...]]  # seats among these that still have to
    # from an event: numbers read, a foul's cost
    follows: Callable[[Match, events.MatchEvent, NumberOf], MatchEvents]
    at: Callable[[Any, Any], BarrelRound]  # what lies open, by view and settings
    summary: Callable[[Match], MatchSummary]  # what a match came to so far
    costs: Callable[[Match, Foul], Costs] = lambda *_: ()  # what upholding it now may cost
    # to a claim
    objection: Callable[[Match, Action, Senses, NumberOf], Objection | None] = lambda *_: None
    waits: tuple[type[Action], ...] = ()  # what has to wait while that is open
    # what a seat's button offers; None: all that is allowed
    offers: Callable[[Match, str], Sequence[snapshot.ButtonOption] | None] = lambda *_: None
    boards: Mapping[str, Any] = field(default_factory=dict)  # that come with the game, by name
    read_board: Callable[[Any], Any] | None = None  # one that somebody has painted


def barrels_of(game: str | None) -> BarrelGame | None:
    """Return what a game makes of barrels; None: it is played without."""
    return PLUGINS[game].part(BarrelGame) if game is not None and game in PLUGINS else None


def barrel_game(match: Match) -> BarrelGame | None:
    """Return what a match is played with; None: no barrels."""
    return barrels_of(match.game.name)


def summary(match: Match) -> MatchSummary | None:
    """Return what a match came to so far; None: its game does not say."""
    played_with = barrel_game(match)
    return None if played_with is None else played_with.summary(match)
