"""Every action and every throw that there can be, made once: whole games are played faster so."""

from __future__ import annotations

from typing import Final

from companion.games.blackmore.rules.cards import DECK, Card
from companion.games.blackmore.rules.state import Chair, Change, Deal, Keep, Play, Throw, Turn

# Of each chair, in the order of the deck.
DEALS: Final = tuple(tuple(Deal(chair, card) for card in DECK) for chair in Chair)
BLIND_DEALS: Final = tuple((Deal(chair),) for chair in Chair)
TURNS: Final = tuple(Turn(card) for card in DECK)
PLAYS: Final = tuple({card: Play(chair, card) for card in DECK} for chair in Chair)
THROWS: Final = tuple({card: Throw(chair, card) for card in DECK} for chair in Chair)
CHANGES: Final = tuple({card: Change(chair, card) for card in DECK} for chair in Chair)
PLACES: Final[dict[Card | None, int]] = {card: place for place, card in enumerate(DECK)}
ALIKE: Final = tuple((1,) * count for count in range(len(DECK) + 1))  # odds of this many cards
ALL: Final = (True,) * len(DECK)
KEEPS: Final = tuple(Keep(chair) for chair in Chair)
