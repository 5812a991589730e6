"""What the lights show: a scene is a pure function of a snapshot and the time.

It must not know devices, clocks or what is hidden; a snapshot knows nothing hidden either.

    steady        what is so: who placed, the magic number; dim: where the pawns stand
    slow pulse    what may be done: whose turn it is, where a pawn may end; all at once: flip now
    fast blink    who is banished; at a start with its seat: which barrel stands there?
    double blink  who is taken along; at the cities: a part of the table is out of order
    comet         what waits to be confirmed; backwards: what is taken back
"""

from __future__ import annotations

from typing import Final

from companion.lights import choices
from companion.lights.patterns import DOUBLE_US, blink, double, pulse, steady, swell, swirl
from companion.lights.picture import (
    AMBER,
    CITIES,
    COLOURS,
    COUNT,
    STARTS,
    VIOLET,
    WHITE,
    Picture,
    Scene,
    light_of,
)
from companion.lights.tones import tone
from companion.referee.snapshot import Snapshot
from companion.rules.zapp_zerapp import FIELDS, Colour, Phase, View

WARNED_US: Final = 2_000_000  # one breath
FAULT_US: Final = 7 * DOUBLE_US  # so often a fault is hinted at, while play goes on
SHARED_US: Final = 1_000_000  # each colour on a field that several share
RECORD, OTHERS, CALM = 0.4, 0.45, 0.5  # how bright to the eye


def scene(now: Snapshot, at_us: int) -> Scene:
    """Return what is to be seen and heard at a time."""
    picture = Picture(seats={seat.colour: 0.0 for seat in now.seats})
    if now.warned_us is not None:  # below all else, so that it hides nothing
        picture.fill(range(FIELDS), AMBER, CALM * swell(at_us - now.warned_us, WARNED_US))
    if isinstance(now.view, View):
        _match(picture, now, now.view, at_us)
    elif now.match is None:
        _set_up(picture, now, at_us)
    else:
        _turns(picture, now, at_us)
    choices.draw(picture, now, at_us)
    for seat in now.seats:
        if seat.asked:
            _ask(picture, Colour[seat.colour.upper()], at_us)
    if now.troubles and at_us % FAULT_US < DOUBLE_US:
        picture.clear(range(CITIES, COUNT))
        picture.fill(range(CITIES, COUNT), WHITE, double(at_us))
    return picture.scene(tone(now, at_us))


def _set_up(picture: Picture, now: Snapshot, at_us: int) -> None:
    """Before a match: who has joined is lit, the others breathe; enough may begin."""
    enough = len(now.joining) > 1
    for seat in Colour:
        joined = seat.name.lower() in now.joining
        brightness = steady(at_us) if joined else OTHERS * pulse(at_us)
        picture.draw(STARTS + seat, COLOURS[seat], brightness)
        picture.seat(seat, brightness)
        if joined and enough:
            picture.draw(CITIES + seat, COLOURS[seat], pulse(at_us))


def _turns(picture: Picture, now: Snapshot, at_us: int) -> None:
    """Another game: whose turn it is."""
    for seat in getattr(now.view, "turns", ()):
        if seat in tuple(Colour):
            _breathe(picture, Colour(seat), at_us)


def _match(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    if view.winner is not None:
        _victory(picture, view.winner, at_us)
        return
    if now.over:  # given up: the seats may begin another one
        _record(picture, now, view, at_us)
        for colour, _ in view.pawns:
            picture.seat(colour, pulse(at_us))
        return
    match view.phase:
        case Phase.ROLL:
            _record(picture, now, view, at_us)
            _breathe(picture, view.roller, at_us)
        case Phase.PLACE:
            _shaking(picture, now, view, at_us)
        case Phase.FLIP:
            _number(picture, view.magic, pulse(at_us))
            for seat in view.placed:
                _breathe(picture, seat, at_us)
        case Phase.SAY:
            _reading(picture, view, at_us)
        case Phase.MOVE:
            _record(picture, now, view, at_us)
            _breathe(picture, Colour(view.turns[0]), at_us)
            choices.draw_ends(picture, now, OTHERS, at_us)


def _record(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """Show where the pawns stand, dimly, so that a wrong position is seen."""
    standing: dict[int, list[Colour]] = {}
    for colour, camp in view.pawns:
        for step in {*camp}:
            light = light_of(now.settings, colour, step)
            if light is not None:
                standing.setdefault(light, []).append(colour)
    for light, colours in standing.items():
        shown = colours[at_us // SHARED_US % len(colours)]
        picture.draw(light, COLOURS[shown], RECORD)


def _breathe(picture: Picture, seat: Colour, at_us: int) -> None:
    picture.seat(seat, pulse(at_us))
    picture.draw(STARTS + seat, COLOURS[seat], pulse(at_us))


def _ask(picture: Picture, seat: Colour, at_us: int) -> None:
    picture.seat(seat, blink(at_us))
    picture.clear([STARTS + seat])
    picture.draw(STARTS + seat, COLOURS[seat], blink(at_us))


def _number(picture: Picture, number: int, brightness: float) -> None:
    picture.fill(range(min(number, FIELDS)), WHITE, brightness)


def _shaking(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """The magic number stays visible while the rest of the ring swirls calmly, or warns."""
    rest = range(view.magic, FIELDS)
    if now.warned_us is None or not 0 <= at_us - now.warned_us < WARNED_US:
        for place, light in enumerate(rest):
            picture.draw(light, VIOLET, CALM * swirl(place, len(rest), at_us))
    _number(picture, view.magic, 1.0)
    for seat in view.placed:
        picture.draw(STARTS + seat, COLOURS[seat], 1.0)
        picture.seat(seat, 1.0)
    for turn in view.turns:
        picture.seat(Colour(turn), OTHERS * pulse(at_us))


def _reading(picture: Picture, view: View, at_us: int) -> None:
    """After the flip: whose number is still to be read."""
    _number(picture, view.magic, OTHERS)
    read = dict(view.numbers)
    for seat in view.placed:
        if seat in read:
            picture.draw(STARTS + seat, COLOURS[seat], 1.0)
            picture.seat(seat, 1.0)
        else:
            _ask(picture, seat, at_us)


def _victory(picture: Picture, winner: Colour, at_us: int) -> None:
    """Two comets chase each other round the ring, in the winner's colour."""
    for light in range(FIELDS):
        opposite = (light + FIELDS // 2) % FIELDS
        both = max(swirl(light, FIELDS, at_us), swirl(opposite, FIELDS, at_us))
        picture.draw(light, COLOURS[winner], both)
    picture.draw(STARTS + winner, COLOURS[winner], pulse(at_us))
    picture.draw(CITIES + winner, COLOURS[winner], 1.0)
    picture.seat(winner, 1.0)
