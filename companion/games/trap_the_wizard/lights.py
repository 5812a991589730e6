"""What the lights show of Trap the Wizard: whose quarter has how many points, and who is trapped.

The board of this game has no lights; but a die has six sides, and a quarter of the ring has six
fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.core.game import Event, Seat
from companion.games.trap_the_wizard import light_meanings as meanings
from companion.games.trap_the_wizard.rules import (
    CaptivesBroughtHome,
    CaptivesReleased,
    CatchCounted,
    NoWay,
    Phase,
    Robe,
    View,
    WizardCaptured,
    WizardReturned,
)
from companion.present.lights.contract import Lights
from companion.present.lights.offers import draw_number
from companion.present.lights.patterns import blink, comet, double, pulse, steady
from companion.present.lights.picture import COLOURS, FIELDS, STARTS, Picture
from companion.present.lights.recent import offered, recent
from companion.present.lights.seats import DIM, QUARTER, breathe, count, lamps
from companion.referee.commands import Act
from companion.referee.snapshot import Option, SeatShown, Snapshot

POINTS: Final = {Phase.MOVE: steady, Phase.REST: pulse}


def draw(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """Draw a moment of the game."""
    if view.phase in POINTS:
        count(picture, view.player, view.points, POINTS[view.phase](at_us))
    else:
        for seat, number in caught(view):
            count(picture, seat, number, DIM)
    breathe(picture, [view.player], at_us)
    previews = (event for option in offered(now) for event in option.preview)
    for event in (*recent(now, at_us), *previews):
        _tell(picture, event, at_us)


def caught(view: View) -> tuple[tuple[Robe, int], ...]:
    """Return how many wizards of others each player holds or has brought home in this round."""
    taken = dict(view.taken)
    return tuple(
        (seat, sum(one not in {seat, Robe.JOKER} for load in (*held, taken[seat]) for one in load))
        for seat, camp in view.wizards
        for held in [[wizard.load for wizard in camp]]
    )


def _tell(picture: Picture, event: Event, at_us: int) -> None:
    """Draw what happens to wizards, so that people put them where they belong."""
    match event:
        case WizardCaptured(victim=victim):
            _starts(picture, [victim], blink(at_us))
        case CaptivesReleased(captives=freed):
            _starts(picture, freed, steady(at_us))
        case WizardReturned(seat=seat):
            _home(picture, seat, at_us)
        case CaptivesBroughtHome(captives=out):
            _starts(picture, out, double(at_us))
        case NoWay(seat=seat, points=points):
            count(picture, seat, points, blink(at_us))
        case CatchCounted(seat=seat, points=points):
            count(picture, seat, points, double(at_us))


def _starts(picture: Picture, seats: Iterable[Seat], brightness: float) -> None:
    for seat in lamps(seats):
        picture.clear([STARTS + seat])
        picture.draw(STARTS + seat, COLOURS[seat], brightness)


def _home(picture: Picture, seat: Robe, at_us: int) -> None:
    """Let a comet run clockwise to the start, over the quarter before it."""
    for colour in lamps([seat]):
        first = QUARTER * (colour - 1)
        way = (*((first + step) % FIELDS for step in range(QUARTER)), STARTS + colour)
        picture.clear(way)
        for place, light in enumerate(way):
            picture.draw(light, COLOURS[colour], comet(place, len(way), at_us))


def draw_offer(picture: Picture, now: Snapshot, _: SeatShown, offer: Option, at_us: int) -> bool:
    """Draw what the die may show, in the quarter of whoever rolls."""
    match offer.wish:
        case Act(text) if text.startswith("roll"):
            draw_number(picture, QUARTER * now.view.player, int(text.split()[-1]), at_us)
            return True
    return False


LIGHTS: Final = Lights(draw, meanings.tell, draw_offer, meanings.tell_offer)
