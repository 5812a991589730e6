"""How the events of Via Magica look: what is caught, crystals on their fields, opened portals."""

from typing import Any, Final

from markupsafe import Markup

from companion.core.game import Event
from companion.games.via_magica import cards, rules
from companion.present.animations import AnimationKind, Animations, EventPicture
from companion.present.viewer import Viewer
from companion.system.text import seat_word


def picture(event: Event, _before: Any, _settings: Any, reader: Viewer) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case rules.AnimusCaught(_, animus):
            return EventPicture(AnimationKind.CARD, drawings=(cards.animus_svg(animus, reader),))
        case rules.CrystalPlaced(seat, _, animus) | rules.CrystalShifted(seat, _, _, animus):
            token = cards.animus_svg(animus, reader, covered=True)
            return EventPicture(
                AnimationKind.MOVE, drawings=(token,), goes_to=f"zone-{seat_word(seat)}"
            )
        case rules.PortalOpened(seat, portal):
            return EventPicture(
                AnimationKind.TRICK,
                drawings=(_portal(portal, reader),),
                goes_to=f"zone-{seat_word(seat)}",
            )
        case rules.PortalTaken(seat, portal):
            return EventPicture(
                AnimationKind.CARD,
                drawings=(_portal(portal, reader),),
                goes_to=f"zone-{seat_word(seat)}",
            )
        case rules.RewardClaimed():
            return EventPicture(AnimationKind.TRICK)
        case rules.PortalsWon(seats):
            return EventPicture(AnimationKind.WIN, order=tuple(map(seat_word, seats)))
    return None


def _portal(number: int, reader: Viewer) -> Markup:
    return cards.portal(rules.Building(number), reader)


MOMENTS: Final = Animations(picture)
