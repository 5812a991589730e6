"""How the events of Zapp Zerapp look, one after another: dice, barrels, pawns on their ways."""

from typing import Final

from companion.core.game import Event
from companion.games.zapp_zerapp import places, rules
from companion.present.animations import AnimationKind, Animations, EventPicture, PieceMove
from companion.present.viewer import Viewer
from companion.system.text import seat_word

ORDER_MS: Final = 2000  # in which people find their place in it


def picture(
    event: Event, before: rules.View | None, settings: rules.Settings, _reader: Viewer
) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    ring = settings.board
    match event:
        case rules.MagicNumber():
            return EventPicture(AnimationKind.DICE, number=event.magic, dice=2)
        case rules.Shown(_, number):
            return EventPicture(
                AnimationKind.REVEAL,
                number=number,
                limit=before.magic if before is not None else None,
            )
        case rules.Order(seats):
            return EventPicture(least_ms=ORDER_MS, order=tuple(map(seat_word, seats)))
        case rules.Moved():
            return EventPicture(AnimationKind.MOVE, walks=(_walk(ring, event),))
        case rules.Banished(_, pawn):
            back = PieceMove(
                *(seat_word(pawn.colour), f"{pawn.step}", f"{rules.START}"),
                (places.spot(ring, pawn.colour, rules.START),),
            )
            return EventPicture(AnimationKind.BANISH, walks=(back,))
        case rules.TakenAlong(_, pawn, _, end):
            along = PieceMove(
                *(seat_word(pawn.colour), f"{pawn.step}", f"{end}"),
                (places.spot(ring, pawn.colour, end),),
            )
            return EventPicture(AnimationKind.MOVE, walks=(along,))
        case rules.Won(seat):
            return EventPicture(AnimationKind.WIN, order=(seat_word(seat),))
    return None


def _walk(ring: places.Ring, moved: rules.Moved) -> PieceMove:
    """Return the way of a pawn, field by field, and into its city."""
    spots = [*map(places.field_spot, moved.path)]
    if moved.end == rules.CITY:
        spots.append(places.spot(ring, rules.Colour(moved.seat), rules.CITY))
    return PieceMove(seat_word(moved.seat), f"{moved.start}", f"{moved.end}", tuple(spots))


MOMENTS: Final = Animations(picture)
