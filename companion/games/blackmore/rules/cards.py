"""The witches' cards, and how the wheel ranks their values."""

from collections.abc import Sequence
from enum import Enum, IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from companion.system.format_names import format_name

__all__ = ["DECK", "SUIT_SIZE", "Card", "Side", "Suit", "points", "ranking", "winning"]

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
