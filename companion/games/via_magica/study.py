"""Via Magica as it is studied."""

from __future__ import annotations

from typing import Final

from companion.core.game import Event, Seat
from companion.games.via_magica.rules import AnimusCaught, Hue, PortalOpened, RewardClaimed
from companion.present.subject import Deed, Subject, Whose, done_by
from companion.text import Text


def _opened(hue: Hue) -> Whose:
    def whose(event: Event) -> Seat | None:
        return event.seat if isinstance(event, PortalOpened) and event.hue is hue else None

    return whose


SUBJECT: Final = Subject(
    code="rounds",
    unit=Text("rounds"),
    span=AnimusCaught,
    points=Text("points"),
    deeds=(
        Deed("opened", Text("opened portals"), done_by(PortalOpened)),
        Deed("opened_yellow", Text("… yellow ones"), _opened(Hue.YELLOW)),
        Deed("opened_violet", Text("… violet ones"), _opened(Hue.VIOLET)),
        Deed("opened_blue", Text("… blue ones"), _opened(Hue.BLUE)),
        Deed("opened_green", Text("… green ones"), _opened(Hue.GREEN)),
        Deed("rewards", Text("claimed rewards"), done_by(RewardClaimed)),
    ),
)
