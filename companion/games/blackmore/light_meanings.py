"""What the lights mean in the Witches of Blackmore, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core.notation import parse
from companion.games.blackmore.rules import Blackmore, Card, Change, Phase, View
from companion.present.lights.contract import elsewhere
from companion.present.lights.meaning import TURN, WAITS, Meaning
from companion.referee.commands import Act
from companion.referee.snapshot import Option, Snapshot
from companion.text import Text

WHEEL: Final = Meaning(
    Text("The witch wheel"),
    Text(
        "Nine fields from the arrow are the values 1 to 9. The brightest is the highest, and a "
        "calm light runs down the ranks. Opposite, 1 to 6 lit fields mean that trump is red, "
        "yellow, green, blue, violet or white. The city of whoever is winning so far is dim."
    ),
)
TRICK: Final = Meaning(
    Text("The trick is won"),
    Text("The winner's city flashes twice; the whole wheel breathes, with a start and a seat."),
)
TURN_WHEEL: Final = Meaning(
    Text("Shall the wheel turn?"),
    Text("The wheel as it would be, with a quick comet; a light runs from start to city."),
)


def tell(_: Snapshot, view: View) -> Iterator[Meaning]:
    """Tell what is shown of a match."""
    yield TRICK if view.phase is Phase.CHANGE else TURN
    yield from elsewhere(view.queue[:1])
    if view.ranking:
        yield WHEEL


def tell_offer(_: Snapshot, offer: Option) -> Iterator[Meaning]:
    """Tell what a button has brought up."""
    yield TURN_WHEEL if turns(offer) else WAITS


def turns(offer: Option) -> Card | None:
    """Return the card with which a button offers to turn the wheel."""
    if not isinstance(offer.wish, Act):
        return None
    kind, given = parse(Blackmore(), offer.wish.text)
    return given["card"] if kind is Change else None
