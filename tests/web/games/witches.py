"""Tables of Blackmore for phones to look at, with cards in an order that a test wants.

It must not hold tests.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.games.blackmore.rules import DECK, HAND, Card, Deal, Phase, Turn
from companion.referee.commands import DoAction, NewMatch
from companion.referee.events import HouseRules
from companion.system.text import seat_word
from tests.games.blackmore.tables import cards
from tests.web.room import FakeRoom

THREE = ("red", "green", "blue")


class Stacked(Random):
    """Chance at a table where the cards have been put in order."""

    def __init__(self, deck: Sequence[Card]) -> None:
        super().__init__(1)
        self.deck = deck

    def choices(  # type: ignore[override]
        self, population: Sequence[Deal | Turn], *_: object
    ) -> list[Deal | Turn]:
        """Return the first card of all that are left."""
        left = {one.card: one for one in population}
        return [next(left[card] for card in (*self.deck, None) if card in left)]


def witches(
    *hands: str,
    turned: str = "blue:7",
    seats: Sequence[str] = THREE,
    house: HouseRules | None = None,
    **settings: Any,
) -> FakeRoom:
    """Return a table where these hands are dealt, and this card is turned up.

    Hands are filled up with the lowest cards that nobody is named for.
    """
    named = {*cards(" ".join(hands)), *cards(turned)}
    spare = [one for one in DECK if one not in named]
    filled = [[*cards(hand)] for hand in (*hands, *("" for _ in seats))][: len(seats)]
    for hand in filled:
        hand += [spare.pop(0) for _ in range(HAND - len(hand))]
    dealt = [hand[place] for place in range(HAND) for hand in filled]
    room = FakeRoom()
    room.referee.chance = Stacked([*dealt, *cards(turned), *spare])
    wanted = NewMatch("blackmore", {"seats": [*seats], **settings}, house or HouseRules())
    assert room.wish(wanted).refused is None
    return room


def play(room: FakeRoom, *lines: str) -> None:
    """Have everybody do what the lines say, each on the own phone."""
    for line in lines:
        verb, seat, *card = line.split()
        answer = room.wish(DoAction(" ".join((verb, seat, *card))), by=seat)
        assert answer.refused is None, answer.refused


def tricks(room: FakeRoom, count: int) -> None:
    """Play tricks, everybody the first card of the hand; whoever wins keeps the trump."""
    while count and not room.now.over:
        view = room.now.view
        seat = seat_word(view.queue[0])
        if view.phase is Phase.CHANGE:
            play(room, f"keep {seat}")
            count -= 1
        else:
            play(room, f"play {seat} {room.now.seen_by(seat).hand[0]}")
