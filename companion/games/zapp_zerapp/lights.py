"""What the lights show of Zapp Zerapp: the magic number, who placed, where the pawns stand.

It must not know devices, clocks or what is hidden.

    steady        who placed, the magic number; dim: where the pawns stand
    slow pulse    whose turn it is, where a pawn may end; all at once: flip now
    fast blink    at a start with its seat: whose number is to be read?
    comet         calm, dim: shake and choose
"""

from __future__ import annotations

from typing import Final

from companion.games.zapp_zerapp.rules import FIELDS, Colour, Phase, View
from companion.present.lights import choices
from companion.present.lights.patterns import pulse, swirl
from companion.present.lights.picture import COLOURS, VIOLET, WHITE, Picture, light_of
from companion.present.lights.recent import warns
from companion.present.lights.seats import DIM, ask, breathe, hold
from companion.referee.snapshot import Snapshot

SHARED_US: Final = 1_000_000  # each colour on a field that several share
OTHERS, CALM = 0.45, 0.5  # how bright to the eye


def draw(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """Draw a moment of the game."""
    match view.phase:
        case Phase.ROLL:
            record(picture, now, view, at_us)
            breathe(picture, [view.roller], at_us)
        case Phase.PLACE:
            _shaking(picture, now, view, at_us)
        case Phase.FLIP:
            _number(picture, view.magic, pulse(at_us))
            breathe(picture, view.placed, at_us)
        case Phase.SAY:
            _reading(picture, view, at_us)
        case Phase.MOVE:
            record(picture, now, view, at_us)
            breathe(picture, view.turns, at_us)
            choices.draw_ends(picture, now, OTHERS, at_us)


def record(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """Show where the pawns stand, dimly, so that a wrong position is seen."""
    standing: dict[int, list[Colour]] = {}
    for colour, camp in view.pawns:
        for step in {*camp}:
            light = light_of(now.settings, colour, step)
            if light is not None:
                standing.setdefault(light, []).append(colour)
    for light, colours in standing.items():
        shown = colours[at_us // SHARED_US % len(colours)]
        picture.draw(light, COLOURS[shown], DIM)


def _number(picture: Picture, number: int, brightness: float) -> None:
    picture.fill(range(min(number, FIELDS)), WHITE, brightness)


def _shaking(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """The magic number stays visible while the rest of the ring swirls calmly, or warns."""
    rest = range(view.magic, FIELDS)
    if not warns(now, at_us):
        for place, light in enumerate(rest):
            picture.draw(light, VIOLET, CALM * swirl(place, len(rest), at_us))
    _number(picture, view.magic, 1.0)
    hold(picture, view.placed)
    for turn in view.turns:
        picture.seat(Colour(turn), OTHERS * pulse(at_us))


def _reading(picture: Picture, view: View, at_us: int) -> None:
    """After the flip: whose number is still to be read."""
    _number(picture, view.magic, OTHERS)
    read = {seat for seat, _ in view.numbers}
    hold(picture, read & {*view.placed})
    ask(picture, {*view.placed} - read, at_us)
