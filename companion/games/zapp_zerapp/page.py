"""The page of Zapp Zerapp: what it says and shows of a moment."""

from collections.abc import Iterable
from typing import Any, Final

from companion.core import Event, SeatName
from companion.games.zapp_zerapp import corrections_page, form, tally
from companion.games.zapp_zerapp.moves import Way, choosable, marks, mover, ways
from companion.games.zapp_zerapp.picture import Drawn, board_svg
from companion.games.zapp_zerapp.rules import (
    BARRELS,
    CITY,
    START,
    Colour,
    Phase,
    Settings,
    View,
    place,
)
from companion.games.zapp_zerapp.words import act, amended, began, headline, progress
from companion.present import icons, page, viewer
from companion.present.fouls import cards
from companion.referee.handlers import CALLED
from companion.referee.snapshot import SeatView, Snapshot
from companion.system.text import Text

MOVES: Final = (Text("now"), Text("2nd"), Text("3rd"), Text("4th"))  # to move, beside a number


def seats(now: Snapshot, reader: viewer.Viewer) -> list[page.SeatLine]:
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


ROLLS: Final = range(2, 13)
NUMBERS: Final = range(1, BARRELS + 1)


def parts(now: Snapshot, reader: viewer.Viewer) -> dict[str, Any]:
    view: View = now.view
    offered, seat = ways(now, reader), mover(now)
    may_move = seat is not None and reader.may_act_for(seat.colour) and not now.held
    fouls = cards(now, view.round, reader)
    headline = (
        {} if seat is None or not may_move else {"headline": _how(now, seat, offered, reader)}
    )
    return {
        **headline,
        "view": view,
        "phase": "over" if now.over else view.phase.value,
        "mover": seat,
        "ways": offered,
        "may_move": may_move,
        "overlooks": now.settings.overlook,
        "board": _board(now, offered, reader, may_move=may_move),
        "fouls": [foul for foul in reversed(fouls) if foul.open],  # the newest is not to be missed
        "reminders": [foul for foul in fouls if foul.reminds],
        "noted": [foul for foul in fouls if not foul.open and not foul.reminds],
        "unflipped": tuple(SeatName[colour.upper()] for colour in now.unflipped),
        "called": CALLED,
        "rolls": ROLLS,
        "numbers": NUMBERS,
        "taken": {number for _, number in view.numbers},
        "Colour": Colour,
        "place": lambda step: reader.say(place(step)),
    }


def _how(now: Snapshot, seat: SeatView, ways: tuple[Way, ...], reader: viewer.Viewer) -> str:
    view: View = now.view
    whose = {
        "seat": Colour[seat.colour.upper()],
        "steps": dict(view.numbers)[Colour(view.turns[0])],
    }
    if len(ways) == 1:
        return reader.say(
            "{seat:@{seat} moves|You move} by {steps} {steps:#field|fields}: confirm the move.",
            **whose,
        )
    return reader.say(
        "{seat:@{seat} moves|You move} by {steps} {steps:#field|fields}: tap a pawn.", **whose
    )


def _board(now: Snapshot, ways: tuple[Way, ...], reader: viewer.Viewer, *, may_move: bool) -> str:
    seat = mover(now)
    drawn = Drawn(
        camps=now.view.pawns,
        counts=None if seat is None else Colour[seat.colour.upper()],
        choosable=choosable(ways) if may_move else {},
        marks=[mark for mark in marks(ways) if may_move or mark.shown],
        happened=now.happened,
        magic=now.view.magic,
    )
    return board_svg(now.settings.board, drawn, reader)


def picture(view: View, settings: Any, happened: Iterable[Event], reader: viewer.Viewer) -> str:
    """Return the board as it stood once."""
    drawn = Drawn(camps=view.pawns, happened=tuple(happened), magic=view.magic)
    return board_svg(settings.board, drawn, reader)


def _at_start(reader: viewer.Viewer) -> dict[str, Any]:
    """Return the ring on which people play unless they want another, with all pawns at home."""
    camps = tuple((colour, (START, START, START)) for colour in Colour)
    return {"board": board_svg(Settings().board, Drawn(camps=camps), reader)}


PAGE: Final = page.Page(
    title=Text("Zapp Zerapp"),
    box=page.Box(age=7, minutes=30),
    headline=headline,
    act=act,
    seats=seats,
    picture=picture,
    progress=progress,
    parts=parts,
    template="zapp-zerapp/table.html",
    styles="page.css",
    chapter=page.Chapter(
        "zapp-zerapp/manual.html",
        (("rules", Text("How to play")), ("variants", Text("Other ways to play"))),
        _at_start,
        "zapp-zerapp/rules.html",
    ),
    form=page.Form("zapp-zerapp/form.html", form.parts, form.checked),
    right=page.CorrectionsPage("zapp-zerapp/right.html", corrections_page.parts),
    statistics=page.Statistics(tally.tally, "zapp-zerapp/statistics.html", tally.parts),
    story=page.Story(began, amended, Text("Which stopper stood where is left out.")),
)
