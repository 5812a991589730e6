"""How the events of Via Magica look: what is caught, crystals on their fields, opened portals."""

from typing import Any, Final

from markupsafe import Markup

from companion.core.game import Event
from companion.games.via_magica import cards
from companion.games.via_magica.rules import Building, PortalTaken
from companion.games.via_magica.rules.events import (
    AnimusCaught,
    CrystalPlaced,
    CrystalShifted,
    PortalOpened,
    PortalsWon,
    RewardClaimed,
)
from companion.present.animations import AnimationKind, Animations, EventPicture
from companion.present.viewer import Viewer
from companion.system.text import seat_word


def picture(event: Event, _before: Any, _settings: Any, reader: Viewer) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case AnimusCaught(_, animus):
            return EventPicture(AnimationKind.CARD, drawings=(cards.animus_svg(animus, reader),))
        case CrystalPlaced(seat, _, animus) | CrystalShifted(seat, _, _, animus):
            token = cards.animus_svg(animus, reader, covered=True)
            return EventPicture(
                AnimationKind.MOVE, drawings=(token,), goes_to=f"zone-{seat_word(seat)}"
            )
        case PortalOpened(seat, portal):
            return EventPicture(
                AnimationKind.TRICK,
                drawings=(_portal(portal, reader),),
                goes_to=f"zone-{seat_word(seat)}",
            )
        case PortalTaken(seat, portal):
            return EventPicture(
                AnimationKind.CARD,
                drawings=(_portal(portal, reader),),
                goes_to=f"zone-{seat_word(seat)}",
            )
        case RewardClaimed():
            return EventPicture(AnimationKind.TRICK)
        case PortalsWon(seats):
            return EventPicture(AnimationKind.WIN, order=tuple(map(seat_word, seats)))
    return None


def _portal(number: int, reader: Viewer) -> Markup:
    return cards.portal(Building(number), reader)


MOMENTS: Final = Animations(picture)
