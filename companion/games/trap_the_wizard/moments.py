"""How the events of Trap the Wizard look: the die, wizards on their ways, a hat on a hat."""

from typing import Any, Final

from companion.core.game import Event
from companion.games.trap_the_wizard.places import layout
from companion.games.trap_the_wizard.rules import (
    START,
    Robe,
    Settings,
    WizardReturned,
    WizardSetOut,
)
from companion.games.trap_the_wizard.rules.events import (
    CaptivesBroughtHome,
    DieCast,
    JokerCaptured,
    TrapShut,
    TrapWon,
    WizardCaptured,
    WizardWalked,
)
from companion.present.animations import (
    AnimationKind,
    Animations,
    EventPicture,
    PieceMove,
)
from companion.present.viewer import Viewer
from companion.system.text import seat_word


def picture(event: Event, _before: Any, settings: Settings, _reader: Viewer) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case DieCast(_, number):
            return EventPicture(AnimationKind.DICE, number=number)
        case WizardSetOut(seat, end, path):
            return _walk(settings, seat, START, end, path)
        case WizardWalked(seat, start, end, path):
            return _walk(settings, seat, start, end, path)
        case WizardReturned(seat, start, path):
            return _walk(settings, seat, start, START, (*path, START))
        case WizardCaptured(_, victim, field):
            return EventPicture(AnimationKind.BANISH, walks=(_under(settings, victim, field),))
        case JokerCaptured(_, field):
            return EventPicture(AnimationKind.BANISH, walks=(_under(settings, Robe.JOKER, field),))
        case CaptivesBroughtHome() | TrapShut():
            return EventPicture(AnimationKind.TRICK)
        case TrapWon(seats):
            return EventPicture(AnimationKind.WIN, order=tuple(map(seat_word, seats)))
    return None


def _walk(
    settings: Settings, seat: Robe, start: int, end: int, path: tuple[int, ...]
) -> EventPicture:
    plan = layout(settings.board)
    spots = tuple(plan.spot(seat, place) for place in path)
    walk = PieceMove(seat_word(seat), f"{start}", f"{end}", spots)
    return EventPicture(AnimationKind.MOVE, walks=(walk,))


def _under(settings: Settings, robe: Robe, field: int) -> PieceMove:
    """Return that a hat vanishes under another, where it stands."""
    return PieceMove(robe.name.lower(), f"{field}", "", (layout(settings.board).fields[field],))


MOMENTS: Final = Animations(picture)
