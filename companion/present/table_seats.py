"""What each seat is doing, in a word or two. It must not know who reads, beyond the language."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game import seat_word
from companion.games.zapp_zerapp.rules import CITY, Colour, Phase, View
from companion.present.reader import Reader
from companion.referee.snapshot import SeatShown, Snapshot


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat in the row of all."""

    colour: str
    doing: str
    number: int | None = None  # what its barrel has shown
    fails: bool = False
    turn: bool = False  # everybody waits for it
    asked: bool = False
    home: int = 0
    yours: bool = False


def may_have_go_on(now: Snapshot, seat: str, reader: Reader) -> bool:
    """Tell whether a phone may roll or draw for a seat: a bot that waits, anybody has go on."""
    bots = now.house.bots if now.house else ()
    plays_itself = seat in [seat_word(bot.seat) for bot in bots]
    return reader.may_act_for(seat) or (reader.acts and plays_itself)


def seat_lines(now: Snapshot, reader: Reader) -> list[SeatLine]:
    """Return the seats, clockwise."""
    return [_line(now, seat, reader) for seat in now.seats]


def _line(now: Snapshot, seat: SeatShown, reader: Reader) -> SeatLine:
    view = now.view
    yours = reader.seat == seat.colour
    if not isinstance(view, View):
        doing = reader.say("plays too") if now.match is None else ""
        return SeatLine(seat.colour, doing, yours=yours)
    colour = Colour[seat.colour.upper()]
    number = dict(view.numbers).get(colour)
    fails = number is not None and number > view.magic
    return SeatLine(
        seat.colour,
        _doing(now, view, colour, reader),
        number,
        fails,
        turn=not now.over and _waited_for(view, colour),
        asked=seat.asked,
        home=dict(view.pawns)[colour].count(CITY),
        yours=yours,
    )


def _waited_for(view: View, colour: Colour) -> bool:
    match view.phase:
        case Phase.ROLL:
            return colour == view.roller
        case Phase.SAY:
            return colour in view.placed and colour not in dict(view.numbers)
    return colour in view.turns


def _doing(now: Snapshot, view: View, colour: Colour, reader: Reader) -> str:
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


def _moving(view: View, colour: Colour, reader: Reader) -> str:
    if colour in view.order:
        place = view.order.index(colour) + 1
        if place == 1:
            return reader.say("moves now")
        return reader.say("is number {place}", place=place)
    number = dict(view.numbers).get(colour, 0)
    return reader.say("too much") if number > view.magic else reader.say("has moved")
