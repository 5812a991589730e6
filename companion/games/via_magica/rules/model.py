"""What a game of Via Magica consists of: settings, states and actions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple

from companion.core import Action, RulesError, Sealed, SeatName
from companion.core.game import demand_seats
from companion.games.via_magica.rules import buildings, portals
from companion.system.format_names import record


class Phase(Enum):
    """Where in a round, or before the first, the game stands."""

    DEAL = "deal"
    DRAW = "draw"
    TURN = "turn"
    KEEP = "keep"
    UNVEIL = "unveil"
    CATCH = "catch"
    CRYSTALLIZE = "crystallize"
    CALL = "call"
    OPEN = "open"
    POWER = "power"
    TAKE = "take"
    REWARD = "reward"
    OVER = "over"

    __hash__ = object.__hash__  # that of an Enum is far slower


# A member is found faster by its own name than by its class.
DEAL, DRAW, TURN, KEEP, UNVEIL, CATCH, CRYSTALLIZE, CALL, OPEN, POWER, TAKE, REWARD, OVER = Phase


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table agrees on before it plays."""

    seats: tuple[SeatName, ...] = tuple(SeatName)[:4]
    triples: int = 0  # how many rewards for three of a colour one player may have; 0: any (VM-8)
    numbers: int = 1  # how many for a number of portals, each once; 0: any (VM-5)
    reshuffle: bool = True  # what was discarded becomes the stack when that runs out (VM-8)
    chain: bool = True  # a portal that a power fills is opened after it; otherwise at the next call
    interrupts: bool = False  # … even before the rest of that power is used (VM-8)
    hand_over_early: bool = False  # after a joker the new catcher counts as such in step 3 already
    by_hand: bool = False  # real portals and a real bag: people tell what lies open and is drawn

    def __post_init__(self) -> None:
        """Refuse a table that cannot play."""
        demand_seats(self.seats, tuple(SeatName))  # VM-1
        if (least := min(self.triples, self.numbers)) < 0:
            raise RulesError(
                "A player cannot have {count} rewards; write 0 for any number.", count=least
            )

    def clockwise(self, first: SeatName) -> tuple[SeatName, ...]:
        """Return all seats, beginning with this one."""
        begin = self.seats.index(first)
        return self.seats[begin:] + self.seats[:begin]


class Player(NamedTuple):
    """What lies before one player."""

    hand: tuple[int, ...] = ()  # dealt and not kept, face down; ascending
    supply: int = 0  # crystals
    building: tuple[buildings.Building, ...] = ()  # the building zone, in the order of taking
    opened: tuple[int, ...] = ()  # the success zone, in the order of opening
    rewards: tuple[portals.Reward, ...] = ()


class State(NamedTuple):
    """One moment of a game. What changes most often stands last."""

    stack: tuple[int, ...]  # how many of each kind are left; their order does not matter
    discards: tuple[int, ...]  # of each kind, face down
    drawn: tuple[int, ...]  # from the stack, not turned up yet
    display: tuple[int, ...]  # face up on the table
    opening: tuple[int, ...]  # portals opened within one another whose steps are not done
    left: int  # how often the innermost one's power may still be used
    halted: tuple[int, ...]  # … the powers of those around it, once it is done
    took: bool  # whether the display is filled after the step of taking; else after a power
    bag: tuple[int, ...]  # how many of each animus are in it
    catcher: SeatName
    round: int  # 0 during the set-up
    phase: Phase
    animus: portals.Animus | None  # of this round
    queue: tuple[SeatName, ...]  # who has still to choose or place (at once), or to open (in order)
    players: tuple[Player, ...]  # by seat; who does not play has nothing

    def but(self, **changes: Any) -> State:
        """Return the same moment, but for what is named: `_replace`, three times as fast."""
        moment = list(self)
        for name, value in changes.items():
            moment[PLACES[name]] = value
        return new(State, moment)


new = tuple.__new__  # new(State, (...)): as State(...), but faster, for no argument has a name
PLACES: Final = {name: place for place, name in enumerate(State._fields)}


@record("deal")
class Deal(Action):
    """The table deals a portal face down; its owner finds it in the view, not in the log."""

    sealed: ClassVar[Sealed | None] = Sealed(("portal",), opened_by=None)
    player: SeatName
    portal: int | None = None


@record("turn")
class Turn(Action):
    """What was drawn is turned up and lies on the table."""


@record("draw")
class Draw(Action):
    """The uppermost portal of the stack is drawn, face down."""

    sealed: ClassVar[Sealed | None] = Sealed(("portal",), opened_by=Turn)
    portal: int | None = None


@record("unveil")
class Unveil(Action):
    """All turn up at once what they kept."""


@record("keep")
class Keep(Action):
    """A player keeps three of the portals dealt; by hand it names them one after another."""

    sealed: ClassVar[Sealed | None] = Sealed(("portals",), opened_by=Unveil, known_to="seat")
    seat: SeatName
    portals: tuple[int, ...] | None = None


@record("catch")
class Catch(Action):
    """The catcher draws an animus blind."""

    animus: portals.Animus


@record("crystallize")
class Crystallize(Action):
    """A player places a crystal on a field: from its supply, or from another of its fields."""

    seat: SeatName
    on: buildings.Field
    source: buildings.Field | None = None


def crystallize(seat: SeatName, on: buildings.Field, source: buildings.Field | None) -> Crystallize:
    """Return what its class does, but faster: past what keeps it from being changed.

    >>> field = buildings.Field(33, portals.Animus.AIR)
    >>> crystallize(SeatName.RED, field, None) == Crystallize(SeatName.RED, field)
    True
    """
    action = NEW(Crystallize)
    SET_SEAT(action, seat)
    SET_ON(action, on)
    SET_SOURCE(action, source)
    return action


NEW: Final = object.__new__
SET_SEAT, SET_ON, SET_SOURCE = (getattr(Crystallize, n).__set__ for n in ("seat", "on", "source"))


@record("call")
class Call(Action):
    """Several can open a portal: this one called first; nobody named: all at once."""

    first: SeatName | None = None


@record("open")
class Open(Action):
    """A player opens a portal: Incantatum!"""

    seat: SeatName
    portal: int


@record("take")
class Take(Action):
    """A player takes a portal from the table."""

    seat: SeatName
    portal: int


@record("claim")
class Claim(Action):
    """A player claims a reward."""

    seat: SeatName
    reward: portals.Reward


@record("waive")
class Waive(Action):
    """A player does not use what is left of a power, or claims no more rewards."""

    seat: SeatName


ACTIONS: tuple[type[Action], ...] = (
    *(Deal, Draw, Turn, Keep, Unveil, Catch, Crystallize, Call, Open, Take, Claim, Waive),
)
