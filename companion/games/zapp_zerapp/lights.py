"""What the lights show of Zapp Zerapp: the magic number, who placed, where the pawns stand."""

from __future__ import annotations

from typing import Final

from companion.games.zapp_zerapp import light_meanings as meanings
from companion.games.zapp_zerapp.light_pawns import (
    draw_ends,
    draw_move,
    draw_moved,
    draw_pawns,
    move_of,
)
from companion.games.zapp_zerapp.rules import Phase, Placed, View
from companion.present.lights.contract import Lights
from companion.present.lights.offers import draw_number, draw_wait, named
from companion.present.lights.patterns import pulse, swirl
from companion.present.lights.picture import FIELDS, VIOLET, WHITE, Picture
from companion.present.lights.recent import warns
from companion.present.lights.seats import ask, breathe, hold
from companion.present.lights.tones import SILENT, Melody
from companion.referee.commands import Act
from companion.referee.snapshot import Option, SeatShown, Snapshot

OTHERS, CALM = 0.45, 0.5  # how bright to the eye
ALL_PLACED: Final[Melody] = ((880, 120_000),)  # short: flip now


def draw(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """Draw a moment of the game."""
    match view.phase:
        case Phase.ROLL:
            draw_pawns(picture, now, view, at_us)
            breathe(picture, [view.roller], at_us)
        case Phase.PLACE:
            _shaking(picture, now, view, at_us)
        case Phase.FLIP:
            _magic(picture, view.magic, pulse(at_us))
            breathe(picture, view.placed, at_us)
        case Phase.SAY:
            _reading(picture, view, at_us)
        case Phase.MOVE:
            draw_pawns(picture, now, view, at_us)
            breathe(picture, view.turns, at_us)
            draw_ends(picture, now, OTHERS, at_us)
    draw_moved(picture, now, at_us)


def _magic(picture: Picture, number: int, brightness: float) -> None:
    picture.fill(range(min(number, FIELDS)), WHITE, brightness)


def _shaking(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """The magic number stays visible while the rest of the ring swirls calmly, or warns."""
    rest = range(view.magic, FIELDS)
    if not warns(now, at_us):
        for place, light in enumerate(rest):
            picture.draw(light, VIOLET, CALM * swirl(place, len(rest), at_us))
    _magic(picture, view.magic, 1.0)
    hold(picture, view.placed)
    for turn in view.turns:
        picture.seat(turn, OTHERS * pulse(at_us))


def _reading(picture: Picture, view: View, at_us: int) -> None:
    """After the flip: whose number is still to be read."""
    _magic(picture, view.magic, OTHERS)
    read = {seat for seat, _ in view.numbers}
    hold(picture, read & {*view.placed})
    ask(picture, {*view.placed} - read, at_us)


def draw_offer(picture: Picture, now: Snapshot, seat: SeatShown, offer: Option, at_us: int) -> bool:
    """Draw an action that a button has brought up."""
    if move := move_of(offer.preview):
        draw_move(picture, now, move, offer.preview, at_us)
        return True
    match offer.wish:
        case Act(text) if text.startswith(("roll", "say")):
            draw_number(picture, 0, int(text.split()[-1]), at_us)
            return True
        case Act(text) as wish if text.startswith("putback"):
            draw_wait(picture, named(wish, seat), at_us, backwards=True)
            return True
    return False


def melody(now: Snapshot) -> Melody:
    """Return what sounds when all have placed a barrel."""
    flip = any(isinstance(event, Placed) and not event.waiting for event in now.happened)
    return ALL_PLACED if flip else SILENT


LIGHTS: Final = Lights(
    draw,
    meanings.tell,
    draw_offer,
    meanings.tell_offer,
    draw_left=draw_pawns,
    tell_left=meanings.tell_pawns,
    melody=melody,
)
