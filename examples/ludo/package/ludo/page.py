"""Ludo on phones: whose turn it is, the ring as a picture, and the pawns that can go."""

from collections.abc import Iterable
from math import cos, pi, sin
from typing import Any, Final

from markupsafe import Markup

from companion.core import Action, Event, Text, seat_word, write
from companion.present.page import Page, RuleOption, SeatLine, may_have_go_on
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from ludo.rules import FIELDS, HOME, SIX, START, Move, Roll, Settings, Thrown, View, field

INKS: Final = ("#c62828", "#2e7d32", "#1565c0", "#f9a825")
RING: Final = Markup('<svg viewBox="-100 -100 200 200" role="img" aria-label="{}">{}</svg>')
SPOT: Final = Markup('<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="{}" stroke="#888"/>')


def headline(now: Snapshot, reader: Viewer) -> str:
    """Return what is to be done now."""
    view: View = now.view
    if view.pips:
        return reader.say("{seat} moves a pawn by {pips}.", seat=view.seat, pips=view.pips)
    return reader.say("{seat}: throw the die.", seat=view.seat)


def act(
    kind: type[Action], given: dict[str, Any], reader: Viewer, _preview: Iterable[Event] = ()
) -> str:
    """Return what an action is, to be written on a button."""
    if kind is Roll:
        return reader.say("The die shows {pips}", pips=given.get("pips"))
    if given.get("step") == START:
        return reader.say("Set out")
    return reader.say("Move the pawn on field {step}", step=given.get("step"))


def seats(now: Snapshot, reader: Viewer) -> list[SeatLine]:
    """Return the seats, clockwise, each with its pawns at home."""
    home = {seat_word(seat): sum(s >= HOME for s in camp) for seat, camp in now.view.camps}
    turn = None if now.over else seat_word(now.view.seat)
    return [
        SeatLine(one, "", home[one], turn=one == turn, yours=reader.seat == one) for one in home
    ]


def picture(view: View, _settings: Settings, _happened: Iterable[Event], reader: Viewer) -> str:
    """Return the ring from above, each pawn on its field, at its start or at home."""
    spots = [_spot(number, 84, 6, "none") for number in range(FIELDS)]
    for seat, camp in view.camps:
        for number, step in enumerate(camp):
            place, inside = field(seat, step), 30 if step >= HOME else 58
            at = (10 * seat + 2 * number, inside) if place is None else (place, 84)
            spots.append(_spot(*at, 4, INKS[seat]))
    return RING.format(reader.say("The board with all pawns"), Markup().join(spots))


def _spot(number: int, far: int, radius: int, ink: str) -> Markup:
    turn = 2 * pi * number / FIELDS
    return SPOT.format(far * sin(turn), -far * cos(turn), radius, ink)


def parts(now: Snapshot, reader: Viewer) -> dict[str, Any]:
    """Return what the template shows."""
    view: View = now.view
    seat = seat_word(view.seat)
    may = not now.over and reader.may_act_for(seat)
    moves = [one for one in now.seen_by(seat).choices if isinstance(one, Move)] if may else []
    return {
        "board": picture(view, now.settings, (), reader),
        "rolls": not now.over and not view.pips and may_have_go_on(now, seat, reader),
        "faces": range(1, SIX + 1),
        "moves": [(write(one), act(Move, {"step": one.step}, reader)) for one in moves],
    }


PAGE: Final = Page(
    title=Text("Ludo"),
    about=Text("Four pawns race round the ring; who is met has to start again."),
    options=(
        RuleOption("pawns", Text("How many pawns has each?"), ((1, Text("1")), (4, Text("4")))),
    ),
    dice=Text("Who throws the die?"),
    quiet=(Thrown,),
    headline=headline,
    act=act,
    seats=seats,
    picture=picture,
    parts=parts,
    template="ludo/table.html",
)
