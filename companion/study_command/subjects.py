"""What is told of each game: what its length is counted in, and what players do in it.

It must not know how anything is counted or shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from companion.core.game import Event, Seat
from companion.games.blackmore.rules import Blackmore, TrickWon, TrumpLaid
from companion.games.trap_the_wizard.rules import (
    CaptivesBroughtHome,
    DieCast,
    JokerCaptured,
    TrapTheWizard,
    WizardCaptured,
)
from companion.games.via_magica.rules import (
    AnimusCaught,
    Hue,
    PortalOpened,
    RewardClaimed,
    ViaMagica,
)
from companion.games.zapp_zerapp.rules import Banished, MagicNumber, Moved, ZappZerapp
from companion.say import Text

Whose = Callable[[Event], Seat | None]


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that players do, and by whom an event says it was done; None: it says nothing."""

    code: str
    said: Text
    whose: Whose


@dataclass(frozen=True, slots=True)
class Subject:
    """A game as it is studied."""

    kind: type[Any]
    title: Text
    code: str  # of the unit
    unit: Text  # in which a match is so long …
    span: type[Event]  # … as there are events of this kind
    points: Text  # what its scores count
    deeds: tuple[Deed, ...]


def _by(kind: type[Event], whose: str = "seat") -> Whose:
    seat: Callable[[Event], Seat] = attrgetter(whose)
    return lambda event: seat(event) if isinstance(event, kind) else None


def _opened(hue: Hue) -> Whose:
    def whose(event: Event) -> Seat | None:
        return event.seat if isinstance(event, PortalOpened) and event.hue is hue else None

    return whose


ZAPP_ZERAPP: Final = Subject(
    kind=ZappZerapp,
    title=Text("Zapp Zerapp"),
    code="rounds",
    unit=Text("rounds"),
    span=MagicNumber,
    points=Text("apprentices in the city"),
    deeds=(
        Deed("moves", Text("moves"), _by(Moved)),
        Deed("banished", Text("banished others"), _by(Banished)),
        Deed("sent_back", Text("was banished"), _by(Banished, "pawn.colour")),
    ),
)
TRAP_THE_WIZARD: Final = Subject(
    kind=TrapTheWizard,
    title=Text("Trap the Wizard"),
    code="rolls",
    unit=Text("rolls of the die"),
    span=DieCast,
    points=Text("points"),
    deeds=(
        Deed("captured", Text("captured wizards"), _by(WizardCaptured)),
        Deed("lost", Text("lost wizards"), _by(WizardCaptured, "victim")),
        Deed("came_home", Text("came home with captives"), _by(CaptivesBroughtHome)),
        Deed("jokers", Text("took the joker"), _by(JokerCaptured)),
    ),
)
VIA_MAGICA: Final = Subject(
    kind=ViaMagica,
    title=Text("Via Magica"),
    code="rounds",
    unit=Text("rounds"),
    span=AnimusCaught,
    points=Text("points"),
    deeds=(
        Deed("opened", Text("opened portals"), _by(PortalOpened)),
        Deed("opened_yellow", Text("… yellow ones"), _opened(Hue.YELLOW)),
        Deed("opened_violet", Text("… violet ones"), _opened(Hue.VIOLET)),
        Deed("opened_blue", Text("… blue ones"), _opened(Hue.BLUE)),
        Deed("opened_green", Text("… green ones"), _opened(Hue.GREEN)),
        Deed("rewards", Text("claimed rewards"), _by(RewardClaimed)),
    ),
)
BLACKMORE: Final = Subject(
    kind=Blackmore,
    title=Text("The Witches of Blackmore"),
    code="tricks",
    unit=Text("tricks"),
    span=TrickWon,
    points=Text("points"),
    deeds=(
        Deed("tricks", Text("won tricks"), _by(TrickWon)),
        Deed("trumps", Text("changed the trump"), _by(TrumpLaid)),
    ),
)
SUBJECTS: Final[dict[str, Subject]] = {
    subject.kind.name: subject for subject in (ZAPP_ZERAPP, TRAP_THE_WIZARD, VIA_MAGICA, BLACKMORE)
}
