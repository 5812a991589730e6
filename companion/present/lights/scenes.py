"""What the lights show: a scene is a pure function of a snapshot and the time.

It must not know devices, clocks or what is hidden; of a snapshot it takes what everybody may know.
What a game shows is in `companion.outputs.lights.games`; here is what all games share.

    steady        what is so: who has joined, who has won
    slow pulse    what may be done: whose turn it is
    fast blink    at a start with its seat: something has to be told
    double blink  at the cities: a part of the table is out of order
    comet         what waits to be confirmed; two that chase each other: victory
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.core.game import SEATS, Seat
from companion.games.blackmore import lights as blackmore
from companion.games.blackmore.rules import View as Blackmore
from companion.games.trap_the_wizard import lights as trap_the_wizard
from companion.games.trap_the_wizard.rules import View as TrapTheWizard
from companion.games.via_magica import lights as via_magica
from companion.games.via_magica.rules import View as ViaMagica
from companion.games.zapp_zerapp import lights as zapp_zerapp
from companion.games.zapp_zerapp.rules import FIELDS, Colour
from companion.games.zapp_zerapp.rules import View as ZappZerapp
from companion.present.lights import choices
from companion.present.lights.patterns import DOUBLE_US, double, pulse, steady, swell, swirl
from companion.present.lights.picture import AMBER, CITIES, COLOURS, COUNT, WHITE, Picture, Scene
from companion.present.lights.recent import WARNED_US, warns
from companion.present.lights.seats import ask, breathe, colour_of, hold, lamps
from companion.present.lights.tones import tone
from companion.referee.snapshot import Snapshot

__all__ = ["FAULT_US", "WARNED_US", "scene"]

GAMES: Final[dict[type[Any], Callable[[Picture, Snapshot, Any, int], None]]] = {
    ZappZerapp: zapp_zerapp.draw,
    TrapTheWizard: trap_the_wizard.draw,
    ViaMagica: via_magica.draw,
    Blackmore: blackmore.draw,
}
FAULT_US: Final = 7 * DOUBLE_US  # so often a fault is hinted at, while play goes on
OTHERS, CALM = 0.45, 0.5  # how bright to the eye


def scene(now: Snapshot, at_us: int) -> Scene:
    """Return what is to be seen and heard at a time."""
    playing = [SEATS.index(seat.colour) for seat in now.seats]
    picture = Picture(seats={seat.name.lower(): 0.0 for seat in lamps(playing)})
    if warns(now, at_us):  # below all else, so that it hides nothing
        brightness = CALM * swell(at_us - (now.warned_us or 0), WARNED_US)
        picture.fill(range(FIELDS), AMBER, brightness)
    if now.match is None:
        _set_up(picture, now, at_us)
    elif now.outcome is not None:
        _victory(picture, now.outcome.winners, at_us)
    elif now.over:
        _given_up(picture, now, playing, at_us)
    else:
        GAMES.get(type(now.view), _turns)(picture, now, now.view, at_us)
    choices.draw(picture, now, at_us)
    ask(picture, [SEATS.index(seat.colour) for seat in now.seats if seat.asked], at_us)
    if now.troubles and at_us % FAULT_US < DOUBLE_US:
        picture.clear(range(CITIES, COUNT))
        picture.fill(range(CITIES, COUNT), WHITE, double(at_us))
    return picture.scene(tone(now, at_us))


def _set_up(picture: Picture, now: Snapshot, at_us: int) -> None:
    """Before a match: who has joined is lit, the others breathe; enough may begin."""
    enough = len(now.joining) > 1
    for seat in Colour:
        joined = seat.name.lower() in now.joining
        hold(picture, [seat], steady(at_us) if joined else OTHERS * pulse(at_us))
        if joined and enough:
            picture.draw(CITIES + seat, COLOURS[seat], pulse(at_us))


def _turns(picture: Picture, _now: Snapshot, view: Any, at_us: int) -> None:
    """Show of a game without lights of its own whose turn it is."""
    breathe(picture, getattr(view, "turns", ()), at_us)


def _given_up(picture: Picture, now: Snapshot, playing: list[Seat], at_us: int) -> None:
    """The pawns keep standing where they stand, and the seats may begin another match."""
    if isinstance(now.view, ZappZerapp):
        zapp_zerapp.record(picture, now, now.view, at_us)
    for seat in lamps(playing):
        picture.seat(seat, pulse(at_us))


def _victory(picture: Picture, winners: tuple[Seat, ...], at_us: int) -> None:
    """Comets chase each other round the ring, in the winners' colours."""
    comets = max(2, len(winners))
    for comet in range(comets):
        colour = colour_of(winners[comet % len(winners)])
        for field in range(FIELDS):
            light = (field + FIELDS * comet // comets) % FIELDS
            picture.draw(light, colour, swirl(field, FIELDS, at_us))
    breathe(picture, winners, at_us)
    for seat in lamps(winners):
        picture.draw(CITIES + seat, COLOURS[seat], 1.0)
        picture.seat(seat, 1.0)
