"""How the events of Trap the Wizard look: the die, wizards on their ways, a hat on a hat."""

from typing import Any, Final

from companion.core.game import Event
from companion.games.trap_the_wizard import places, rules
from companion.present import animations, viewer
from companion.system.text import seat_word


def picture(
    event: Event, _before: Any, settings: rules.Settings, _reader: viewer.Viewer
) -> animations.EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case rules.DieCast(_, number):
            return animations.EventPicture(animations.AnimationKind.DICE, number=number)
        case rules.WizardSetOut(seat, end, path):
            return _walk(settings, seat, rules.START, end, path)
        case rules.WizardWalked(seat, start, end, path):
            return _walk(settings, seat, start, end, path)
        case rules.WizardReturned(seat, start, path):
            return _walk(settings, seat, start, rules.START, (*path, rules.START))
        case rules.WizardCaptured(_, victim, field):
            return animations.EventPicture(
                animations.AnimationKind.BANISH, walks=(_under(settings, victim, field),)
            )
        case rules.JokerCaptured(_, field):
            return animations.EventPicture(
                animations.AnimationKind.BANISH, walks=(_under(settings, rules.Robe.JOKER, field),)
            )
        case rules.CaptivesBroughtHome() | rules.TrapShut():
            return animations.EventPicture(animations.AnimationKind.TRICK)
        case rules.TrapWon(seats):
            return animations.EventPicture(
                animations.AnimationKind.WIN, order=tuple(map(seat_word, seats))
            )
    return None


def _walk(
    settings: rules.Settings, seat: rules.Robe, start: int, end: int, path: tuple[int, ...]
) -> animations.EventPicture:
    plan = places.layout(settings.board)
    spots = tuple(plan.spot(seat, place) for place in path)
    walk = animations.PieceMove(seat_word(seat), f"{start}", f"{end}", spots)
    return animations.EventPicture(animations.AnimationKind.MOVE, walks=(walk,))


def _under(settings: rules.Settings, robe: rules.Robe, field: int) -> animations.PieceMove:
    """Return that a hat vanishes under another, where it stands."""
    return animations.PieceMove(
        robe.name.lower(), f"{field}", "", (places.layout(settings.board).fields[field],)
    )


MOMENTS: Final = animations.Animations(picture)
