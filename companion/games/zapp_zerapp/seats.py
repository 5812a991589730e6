"""What each seat is doing in Zapp Zerapp, in a word or two."""

from typing import Final

from companion.games.zapp_zerapp.rules import CITY, Colour, Phase, View
from companion.present import page, viewer
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
    return page.SeatLine(
        seat.colour,
        _doing(now, view, colour, reader),
        number,
        fails,
        turn=not now.over and _waited_for(view, colour),
        asked=seat.asked,
        home=dict(view.pawns)[colour].count(CITY),
        yours=reader.seat == seat.colour,
    )


def _waited_for(view: View, colour: Colour) -> bool:
    match view.phase:
        case Phase.ROLL:
            return colour == view.roller
        case Phase.SAY:
            return colour in view.placed and colour not in dict(view.numbers)
    return colour in view.turns


def _doing(now: Snapshot, view: View, colour: Colour, reader: viewer.Viewer) -> str:
    if colour == view.winner:
        return reader.say("has won")
    if now.over:
        return ""
    if colour in view.out:
        return reader.say("sits out")
    match view.phase:
        case Phase.ROLL:
            return reader.say("may roll") if colour == view.roller else ""
        case Phase.PLACE:
            return reader.say("has placed") if colour in view.placed else reader.say("shakes")
        case Phase.FLIP:
            return reader.say("flips")
        case Phase.SAY:
            return "" if colour in dict(view.numbers) else reader.say("shows?")
    return _moving(view, colour, reader)


def _moving(view: View, colour: Colour, reader: viewer.Viewer) -> str:
    if colour in view.order:
        return reader.say(MOVES[view.order.index(colour)])
    number = dict(view.numbers).get(colour, 0)
    return reader.say("too much") if number > view.magic else reader.say("has moved")
