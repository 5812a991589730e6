"""What the lights show of choices: where pawns may end, what a button brought up, what was done.

It must not know which button was pressed how; a snapshot says what is lit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.core.game import SEATS, Event, Seat
from companion.games.trap_the_wizard.rules import View as TrapTheWizard
from companion.games.zapp_zerapp.rules import FIELDS, Banished, Colour, Moved, TakenAlong, WentBack
from companion.present.lights.patterns import blink, comet, double, pulse, sparkle
from companion.present.lights.picture import AMBER, COLOURS, STARTS, WHITE, Picture, light_of
from companion.present.lights.recent import recent
from companion.present.lights.seats import QUARTER, colour_of, lamps, way
from companion.referee.commands import Act, ChooseAnew, RollForUs, Rule, TakeBack, Wish
from companion.referee.snapshot import Option, SeatShown, Snapshot

WAITS_US: Final = 300_000  # a comet of two lights runs slowly, or nobody sees where to
DIM: Final = 0.45
OPEN: Final = 3  # a dismissed foul: every third field, a ring that is not closed


def draw_ends(picture: Picture, now: Snapshot, brightness: float, at_us: int) -> None:
    """Show where pawns may end, and who can be taken along by the pawn that is chosen, if any."""
    for seat in now.seats:
        walks = [found for offer in seat.offers if (found := _walk(offer.preview))]
        chosen = None if seat.lit is None else _walk(seat.offers[seat.lit].preview)
        for moved, events in walks:
            _light_end(picture, now, moved.seat, moved.end, brightness * pulse(at_us))
            if chosen and chosen[0].start == moved.start:
                for event in events:
                    if isinstance(event, TakenAlong):
                        colour = COLOURS[event.pawn.colour]
                        picture.draw(event.field, colour, brightness * double(at_us))


def draw(picture: Picture, now: Snapshot, at_us: int) -> None:
    """Show what buttons have brought up until it is confirmed; else what was done just now."""
    for seat in now.seats:
        if seat.lit is not None:
            _offer(picture, now, seat, seat.offers[seat.lit], at_us)
    _done(picture, now, at_us)


def _offer(picture: Picture, now: Snapshot, seat: SeatShown, offer: Option, at_us: int) -> None:
    for colour in lamps([SEATS.index(seat.colour)]):
        picture.seat(colour, 1.0)
    match offer.wish:
        case TakeBack():
            for place in range(FIELDS):
                picture.draw(FIELDS - 1 - place, WHITE, comet(place, FIELDS, at_us))
        case Rule(upheld=upheld):
            _waiting_ring(picture, range(0, FIELDS, 1 if upheld else OPEN), at_us)
        case RollForUs():
            picture.clear(range(FIELDS))
            for place in range(FIELDS):
                picture.draw(place, WHITE, sparkle(place, at_us))
        case _ if found := _walk(offer.preview):
            _move(picture, now, *found, at_us)
        case Act(text) if text.startswith(("roll", "say")):
            first = QUARTER * now.view.player if isinstance(now.view, TrapTheWizard) else 0
            _number(picture, first, int(text.split()[-1]), at_us)
        case wish:
            backwards = any(isinstance(event, WentBack) for event in offer.preview)
            backwards = backwards or isinstance(wish, ChooseAnew)
            _wait(picture, _named(wish, seat), at_us, backwards=backwards)


def _walk(events: tuple[Event, ...]) -> tuple[Moved, tuple[Event, ...]] | None:
    """Return the move among the events that something would bring about, and all of them."""
    return next(((event, events) for event in events if isinstance(event, Moved)), None)


def _move(
    picture: Picture, now: Snapshot, moved: Moved, events: Iterable[Event], at_us: int
) -> None:
    """Draw what a move would bring about: from where, which way, to where, and who else."""
    colour = COLOURS[moved.seat]
    _light_end(picture, now, moved.seat, moved.start, 1.0)
    for place, light in enumerate(moved.path):
        picture.draw(light, colour, comet(place, len(moved.path), at_us))
    _light_end(picture, now, moved.seat, moved.end, pulse(at_us))
    overlooks = getattr(now.settings, "overlook", False)  # ZZ-20: then nobody is pointed at
    for event in events:
        if not (overlooks and isinstance(event, Banished)):
            _bystander(picture, now, event, at_us)


def _done(picture: Picture, now: Snapshot, at_us: int) -> None:
    """Draw what was confirmed, so that people move the pawns that are to be moved."""
    for event in recent(now, at_us):
        if isinstance(event, Moved):
            _light_end(picture, now, event.seat, event.end, 1.0)
        _bystander(picture, now, event, at_us)


def _bystander(picture: Picture, now: Snapshot, event: Event, at_us: int) -> None:
    """Draw a pawn that somebody else's move banishes or takes along."""
    match event:
        case Banished(pawn=pawn, field=field):
            for light in (field, STARTS + pawn.colour):
                picture.draw(light, COLOURS[pawn.colour], blink(at_us))
        case TakenAlong(pawn=pawn, field=field, end=end):
            picture.draw(field, COLOURS[pawn.colour], double(at_us))
            _light_end(picture, now, pawn.colour, end, double(at_us))


def _light_end(
    picture: Picture, now: Snapshot, colour: Colour, step: int, brightness: float
) -> None:
    light = light_of(now.settings, colour, step)
    if light is not None:
        picture.draw(light, COLOURS[colour], brightness)


def _number(picture: Picture, first: int, number: int, at_us: int) -> None:
    """That many fields, alone, with a comet along them: it is not confirmed yet."""
    picture.clear(range(FIELDS))
    for place in range(min(number, FIELDS)):
        picture.draw(first + place, WHITE, max(DIM, comet(place, number, at_us)))


def _waiting_ring(picture: Picture, lights: range, at_us: int) -> None:
    """A closed ring upholds, an open one dismisses; the comet says that it is not confirmed."""
    picture.clear(range(FIELDS))
    for place, light in enumerate(lights):
        picture.draw(light, AMBER, max(DIM, comet(place, len(lights), at_us)))


def _named(wish: Wish, seat: SeatShown) -> Seat:
    """Return the seat that a wish is about: whom it names, or else whose button it is."""
    words = wish.text.split() if isinstance(wish, Act) else []
    return SEATS.index(next((word for word in words if word in SEATS), seat.colour))


def _wait(picture: Picture, seat: Seat, at_us: int, *, backwards: bool) -> None:
    """Whatever else waits: from the seat's start to its city, or backwards."""
    lights = way(seat)
    picture.clear(lights)
    for place, light in enumerate(reversed(lights) if backwards else lights):
        picture.draw(light, colour_of(seat), comet(place, len(lights), at_us, WAITS_US))
