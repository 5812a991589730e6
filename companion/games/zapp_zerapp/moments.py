"""How the events of Zapp Zerapp look, one after another: dice, barrels, pawns on their ways."""

from typing import Final

from companion.core.game import Event
from companion.games.zapp_zerapp.places import Ring, field_spot, spot
from companion.games.zapp_zerapp.rules import (
    CITY,
    START,
    Banished,
    Colour,
    MagicNumber,
    Moved,
    Settings,
    Shown,
    TakenAlong,
    View,
    Won,
)
from companion.games.zapp_zerapp.rules.model import Order
from companion.present.animations import (
    AnimationKind,
    Animations,
    EventPicture,
    PieceMove,
)
from companion.present.viewer import Viewer
from companion.system.text import seat_word

ORDER_MS: Final = 2000  # in which people find their place in it


def picture(
    event: Event, before: View | None, settings: Settings, _reader: Viewer
) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    ring = settings.board
    match event:
        case MagicNumber():
            return EventPicture(AnimationKind.DICE, number=event.magic, dice=2)
        case Shown(_, number):
            return EventPicture(
                AnimationKind.REVEAL,
                number=number,
                limit=before.magic if before is not None else None,
            )
        case Order(seats):
            return EventPicture(least_ms=ORDER_MS, order=tuple(map(seat_word, seats)))
        case Moved():
            return EventPicture(AnimationKind.MOVE, walks=(_walk(ring, event),))
        case Banished(_, pawn):
            back = PieceMove(
                *(seat_word(pawn.colour), f"{pawn.step}", f"{START}"),
                (spot(ring, pawn.colour, START),),
            )
            return EventPicture(AnimationKind.BANISH, walks=(back,))
        case TakenAlong(_, pawn, _, end):
            along = PieceMove(
                *(seat_word(pawn.colour), f"{pawn.step}", f"{end}"), (spot(ring, pawn.colour, end),)
            )
            return EventPicture(AnimationKind.MOVE, walks=(along,))
        case Won(seat):
            return EventPicture(AnimationKind.WIN, order=(seat_word(seat),))
    return None


def _walk(ring: Ring, moved: Moved) -> PieceMove:
    """Return the way of a pawn, field by field, and into its city."""
    spots = [*map(field_spot, moved.path)]
    if moved.end == CITY:
        spots.append(spot(ring, Colour(moved.seat), CITY))
    return PieceMove(seat_word(moved.seat), f"{moved.start}", f"{moved.end}", tuple(spots))


MOMENTS: Final = Animations(picture)
