"""How the events of Via Magica look: what is caught, crystals on their fields, opened portals."""

from __future__ import annotations

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
from companion.present.animations import Kind, Moments, Picture
from companion.present.viewer import Reader
from companion.system.text import seat_word


def picture(event: Event, _before: Any, _settings: Any, reader: Reader) -> Picture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case AnimusCaught(_, animus):
            return Picture(Kind.CARD, drawings=(cards.animus_svg(animus, reader),))
        case CrystalPlaced(seat, _, animus) | CrystalShifted(seat, _, _, animus):
            token = cards.animus_svg(animus, reader, covered=True)
            return Picture(Kind.MOVE, drawings=(token,), goes_to=f"zone-{seat_word(seat)}")
        case PortalOpened(seat, portal):
            return Picture(
                Kind.TRICK,
                drawings=(_portal(portal, reader),),
                goes_to=f"zone-{seat_word(seat)}",
            )
        case PortalTaken(seat, portal):
            return Picture(
                Kind.CARD,
                drawings=(_portal(portal, reader),),
                goes_to=f"zone-{seat_word(seat)}",
            )
        case RewardClaimed():
            return Picture(Kind.TRICK)
        case PortalsWon(seats):
            return Picture(Kind.WIN, order=tuple(map(seat_word, seats)))
    return None


def _portal(number: int, reader: Reader) -> Markup:
    return cards.portal(Building(number), reader)


MOMENTS: Final = Moments(picture)
