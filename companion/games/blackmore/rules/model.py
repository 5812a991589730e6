"""What a game of Blackmore consists of: cards and how they rank, settings, states and actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from companion.core import Action, RulesError, Sealed, SeatName
from companion.core.game import demand_seats
from companion.system.format_names import format_name, record

SUIT_SIZE: Final = 9  # WB-1: each suit has the values 1 to 9


@format_name("Suit")
class Suit(IntEnum):
    """The six colours of witches, each named by what it shows; the rulebook names four of them."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3
    VIOLET = 4
    WHITE = 5

    __hash__ = int.__hash__  # that of an Enum is far slower, and cards are looked up all the time

    @property
    def said(self) -> str:
        """Return what its cards show, in English, as people are told it."""
        return _SHOWN[self]


_SHOWN: Final = {
    Suit.RED: "cauldrons",
    Suit.YELLOW: "moons",
    Suit.GREEN: "toads",
    Suit.BLUE: "bats",
    Suit.VIOLET: "cats",
    Suit.WHITE: "brooms",
}


class Side(Enum):
    """Which side of the witch wheel lies up."""

    DESCENDING = "descending"
    ASCENDING = "ascending"


class Card(NamedTuple):
    suit: Suit
    value: int

    def __str__(self) -> str:
        """Return the card as the notation names it.

        >>> str(Card(Suit.BLUE, 7))
        'blue:7'
        """
        return f"{Suit(self.suit).name.lower()}:{self.value}"


DECK: Final = tuple(Card(suit, value) for suit in Suit for value in range(1, SUIT_SIZE + 1))


def ranking(side: Side, wheel: int) -> tuple[int, ...]:
    """Return the values from the highest rank to the lowest (WB-4).

    >>> ranking(Side.DESCENDING, 7), ranking(Side.ASCENDING, 7)
    ((7, 6, 5, 4, 3, 2, 1, 9, 8), (7, 8, 9, 1, 2, 3, 4, 5, 6))
    """
    way = -1 if side is Side.DESCENDING else 1
    return tuple((wheel - 1 + way * step) % SUIT_SIZE + 1 for step in range(SUIT_SIZE))


def winning(trick: Sequence[Card], trump: Suit | None, ranks: tuple[int, ...]) -> int:
    """Return where in a trick its highest trump lies, or else the highest of the led suit (WB-3).

    >>> ranks = ranking(Side.DESCENDING, 7)
    >>> winning([Card(Suit.RED, 8), Card(Suit.BLUE, 7), Card(Suit.RED, 9)], Suit.GREEN, ranks)
    2
    """
    order = strengths(trick[0].suit, trump, ranks)
    strong = [order[card] for card in trick]
    return strong.index(max(strong))


@lru_cache(maxsize=1024)  # there are fewer: for what is led, what is trump and how the wheel ranks
def strengths(led: Suit, trump: Suit | None, ranks: tuple[int, ...]) -> dict[Card, int]:
    """Return how strong each card is in a trick: above all trump, then the led suit (WB-3)."""
    order: dict[Card, int] = {}
    for card in DECK:
        kind = 2 if card.suit == trump else int(card.suit == led)
        order[card] = SUIT_SIZE * kind - ranks.index(card.value)
    return order


def points(cards: Sequence[Card]) -> int:
    """Return what captured cards are worth (WB-8)."""
    return sum(card.value for card in cards)


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
        demand_seats(self.seats, tuple(SeatName))  # WB-1
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
