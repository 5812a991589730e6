"""What a game of Blackmore consists of: settings, states and actions."""

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Final, NamedTuple

from companion.core import Action, RulesError, Sealed, SeatName
from companion.games.blackmore.rules.cards import DECK, Card, Side, Suit
from companion.system.format_names import record

__all__ = ["HAND", "Change", "Deal", "Keep", "Phase", "Play", "Settings", "State", "Throw", "Turn"]

Cards = tuple[Card, ...]
HAND: Final = 6  # WB-1


class Phase(Enum):
    """What is to be done next."""

    DEAL = "deal"
    TURN = "turn"
    PLAY = "play"
    CHANGE = "change"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table agrees on before it plays."""

    seats: tuple[SeatName, ...] = tuple(SeatName)[:4]
    starter: SeatName | None = None  # None: the first of the seats
    side: Side = Side.DESCENDING
    by_hand: bool = False  # people deal: nobody tells the companion what they hold
    trump_fades: bool = True  # WB-7: no card on the trump pile, no trump; else the last one stays
    short_sit_last: bool = True  # WB-7: who got no card sits out the last trick; else the next one
    late_change: bool = True  # WB-7: trump may be changed in the end phase too
    last_change: bool = False  # WB-5: … and after the very last trick
    shared_win: bool = True  # WB-8: on a tie; else the one of them with the most cards wins

    def __post_init__(self) -> None:
        """Refuse a table that cannot play."""
        if not 2 <= len(self.seats) <= len(SeatName):  # WB-1
            raise RulesError("A game takes 2 to 6 players, not {count}.", count=len(self.seats))
        clockwise = tuple(sorted(set(self.seats))) == self.seats
        if not clockwise or not all(isinstance(seat, SeatName) for seat in self.seats):
            raise RulesError(
                "Name each seat once, in clockwise order; write {right} instead of {seats}.",
                seats=self.seats,
                right=tuple(sorted(set(self.seats))),
            )
        if self.starter is not None and self.starter not in self.seats:
            raise RulesError(
                "{seat} does not play; {seats} do.", seat=self.starter, seats=self.seats
            )


class Throw(NamedTuple):
    seat: SeatName
    card: Card

    def __str__(self) -> str:
        """Return the throw as lists name it.

        >>> str(Throw(SeatName.RED, Card(Suit.BLUE, 7)))
        'red:blue:7'
        """
        return f"{self.seat.name.lower()}:{self.card}"


class State(NamedTuple):
    """One moment of a game. What belongs to chairs stands in their order, up to the last in use."""

    phase: Phase
    queue: tuple[SeatName, ...]  # who is still to get a card, to play one, or to change the trump
    leader: SeatName  # who starts this trick, or has won it
    pile: int
    unseen: tuple[bool, ...]  # for each card of the deck: it is in the pile, or dealt by hand
    hands: tuple[Cards, ...]  # ascending
    blind: tuple[int, ...]  # how many cards a seat holds that were dealt by hand
    trick: tuple[Throw, ...]
    won: tuple[Cards, ...]
    trumps: Cards  # the trump pile; the last one lies on top
    trump: Suit | None
    wheel: int  # 0 until the first card is turned up


new = tuple.__new__  # new(State, (...)): as State(...), but faster, for no argument has a name


def held_by(state: State) -> tuple[int, ...]:
    """Return how many cards each seat holds."""
    return tuple(map(int.__add__, map(len, state.hands), state.blind))


@record("deal")
class Deal(Action):
    """A player gets the top card of the pile; None: dealt by hand, so only the player knows it."""

    sealed: ClassVar[Sealed | None] = Sealed(("card",), opened_by=None, known_to="player")
    player: SeatName
    card: Card | None = None


@record("turn")
class Turn(Action):
    """The first card of the trump pile is turned up."""

    card: Card


@record("play")
class Play(Action):
    """A player lays a card into the trick."""

    seat: SeatName
    card: Card


@record("change")
class Change(Action):
    """The winner lays a card of the trick on the trump pile."""

    seat: SeatName
    card: Card


@record("keep")
class Keep(Action):
    """The winner leaves the trump as it is."""

    seat: SeatName


ACTIONS: Final[tuple[type[Action], ...]] = (Deal, Turn, Play, Change, Keep)


# Of each chair, in the order of the deck.
DEALS: Final = tuple(tuple(Deal(chair, card) for card in DECK) for chair in SeatName)
BLIND_DEALS: Final = tuple((Deal(chair),) for chair in SeatName)
TURNS: Final = tuple(Turn(card) for card in DECK)
PLAYS: Final = tuple({card: Play(chair, card) for card in DECK} for chair in SeatName)
THROWS: Final = tuple({card: Throw(chair, card) for card in DECK} for chair in SeatName)
CHANGES: Final = tuple({card: Change(chair, card) for card in DECK} for chair in SeatName)
PLACES: Final[dict[Card | None, int]] = {card: place for place, card in enumerate(DECK)}
ALIKE: Final = tuple((1,) * count for count in range(len(DECK) + 1))  # odds of this many cards
ALL: Final = (True,) * len(DECK)
KEEPS: Final = tuple(Keep(chair) for chair in SeatName)
