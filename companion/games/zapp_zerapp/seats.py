"""What each seat is doing in Zapp Zerapp, in a word or two."""

from typing import Final

from companion.games.zapp_zerapp.rules import CITY, START, Colour, Phase, View
from companion.present import icons, page, viewer
from companion.referee.snapshot import SeatView, Snapshot
from companion.system.text import Text

MOVES: Final = (Text("now"), Text("2nd"), Text("3rd"), Text("4th"))  # to move, beside a number


def seats(now: Snapshot, reader: viewer.Viewer) -> list[page.SeatLine]:
    """Return the seats, clockwise."""
    return [_line(now, seat, reader) for seat in now.seats]


def _line(now: Snapshot, seat: SeatView, reader: viewer.Viewer) -> page.SeatLine:
    view: View = now.view
    colour = Colour[seat.colour.upper()]
    number = None if now.over else dict(view.numbers).get(colour)  # then it would pass for points
    fails = number is not None and number > view.magic
    state, doing = _doing(now, view, colour, reader)
    return page.SeatLine(
        seat.colour,
        doing,
        number,
        fails,
        turn=not now.over and _waited_for(view, colour),
        asked=seat.asked,
        yours=reader.seat == seat.colour,
        pawns=tuple(map(_place, dict(view.pawns)[colour])),
        state=state,
    )


def _place(step: int) -> icons.PawnPlace:
    return "start" if step == START else "home" if step == CITY else "road"


def _waited_for(view: View, colour: Colour) -> bool:
    match view.phase:
        case Phase.ROLL:
            return colour == view.roller
        case Phase.SAY:
            return colour in view.placed and colour not in dict(view.numbers)
    return colour in view.turns


def _doing(
    now: Snapshot, view: View, colour: Colour, reader: viewer.Viewer
) -> tuple[icons.State | None, str]:
    if colour == view.winner:
        return None, reader.say("has won")
    if now.over:
        return None, ""
    if colour in view.out:
        return "rests", reader.say("sits out")
    match view.phase:
        case Phase.ROLL:
            return ("rolls", reader.say("may roll")) if colour == view.roller else (None, "")
        case Phase.PLACE if colour in view.placed:
            return "done", reader.say("has placed")
        case Phase.PLACE:
            return "shakes", reader.say("shakes")
        case Phase.FLIP:
            return "flips", reader.say("flips")
        case Phase.SAY:
            known = colour in dict(view.numbers)
            return (None, "") if known else ("asked", reader.say("shows?"))
    return _moving(view, colour, reader)


def _moving(view: View, colour: Colour, reader: viewer.Viewer) -> tuple[icons.State | None, str]:
    if colour in view.order:
        at = view.order.index(colour)
        return None if at else "turn", reader.say(MOVES[at])
    if dict(view.numbers).get(colour, 0) > view.magic:
        return "fails", reader.say("too much")
    return "done", reader.say("has moved")
