"""The page of Zapp Zerapp: what it says and shows of a moment."""

from collections.abc import Iterable
from typing import Any, Final

from companion.core import Event, SeatName, Text
from companion.games.zapp_zerapp import corrections_page, form, study, tally
from companion.games.zapp_zerapp.moves import Way, choosable, marks, mover, ways
from companion.games.zapp_zerapp.picture import Drawn, board_svg
from companion.games.zapp_zerapp.rules import BARRELS, START, Colour, Settings, View, place
from companion.games.zapp_zerapp.seats import seats
from companion.games.zapp_zerapp.words import act, headline
from companion.present import page, viewer
from companion.present.fouls import cards
from companion.referee.handlers import CALLED
from companion.referee.snapshot import SeatView, Snapshot

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
    story=page.Story(
        study.began, study.amended, study.progress, Text("Which stopper stood where is left out.")
    ),
)
