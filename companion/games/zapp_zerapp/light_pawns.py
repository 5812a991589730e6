"""Draws pawns on the lights: where they stand, where they may end, what a move brings about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.core.game import Event
from companion.games.zapp_zerapp.rules import (
    CITY,
    START,
    Banished,
    Colour,
    Moved,
    Settings,
    TakenAlong,
    View,
)
from companion.present.lights.patterns import blink, comet, double, pulse
from companion.present.lights.picture import CITIES, COLOURS, STARTS, Picture
from companion.present.lights.recent import recent
from companion.present.lights.seats import DIM
from companion.referee.snapshot import Snapshot

SHARED_US: Final = 1_000_000  # each colour on a field that several share


def light_of(settings: Settings, colour: Colour, step: int) -> int:
    """Return the light at a step of a colour's way.

    >>> [light_of(Settings(), Colour.BLUE, step) for step in (START, 1, 24, CITY)]
    [26, 12, 11, 30]
    """
    if step == START:
        return STARTS + colour
    return CITIES + colour if step == CITY else settings.board.field(colour, step)


def draw_pawns(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """Show where the pawns stand, dimly, so that a wrong position is seen."""
    standing: dict[int, list[Colour]] = {}
    for colour, camp in view.pawns:
        for step in {*camp}:
            standing.setdefault(light_of(now.settings, colour, step), []).append(colour)
    for light, colours in standing.items():
        shown = colours[at_us // SHARED_US % len(colours)]
        picture.draw(light, COLOURS[shown], DIM)


def draw_ends(picture: Picture, now: Snapshot, brightness: float, at_us: int) -> None:
    """Show where pawns may end, and who can be taken along by the pawn that is chosen, if any."""
    for seat in now.seats:
        moves = [(move, offer) for offer in seat.offers if (move := move_of(offer.preview))]
        chosen = None if seat.lit is None else move_of(seat.offers[seat.lit].preview)
        for move, offer in moves:
            _draw_pawn(picture, now, move.seat, move.end, brightness * pulse(at_us))
            if chosen and chosen.start == move.start:
                for event in offer.preview:
                    if isinstance(event, TakenAlong):
                        colour = COLOURS[event.pawn.colour]
                        picture.draw(event.field, colour, brightness * double(at_us))


def move_of(events: Iterable[Event]) -> Moved | None:
    """Return the move among the events that something would bring about."""
    return next((event for event in events if isinstance(event, Moved)), None)


def draw_move(
    picture: Picture, now: Snapshot, moved: Moved, events: Iterable[Event], at_us: int
) -> None:
    """Draw what a move would bring about: from where, which way, to where, and who else."""
    colour = COLOURS[moved.seat]
    _draw_pawn(picture, now, moved.seat, moved.start, 1.0)
    for place, light in enumerate(moved.path):
        picture.draw(light, colour, comet(place, len(moved.path), at_us))
    _draw_pawn(picture, now, moved.seat, moved.end, pulse(at_us))
    for event in events:
        if not (now.settings.overlook and isinstance(event, Banished)):  # ZZ-20: nobody is shown
            _draw_other(picture, now, event, at_us)


def draw_moved(picture: Picture, now: Snapshot, at_us: int) -> None:
    """Draw what was confirmed, so that people move the pawns that are to be moved."""
    for event in recent(now, at_us):
        if isinstance(event, Moved):
            _draw_pawn(picture, now, event.seat, event.end, 1.0)
        _draw_other(picture, now, event, at_us)


def _draw_other(picture: Picture, now: Snapshot, event: Event, at_us: int) -> None:
    """Draw a pawn that somebody else's move banishes or takes along."""
    match event:
        case Banished(pawn=pawn, field=field):
            for light in (field, STARTS + pawn.colour):
                picture.draw(light, COLOURS[pawn.colour], blink(at_us))
        case TakenAlong(pawn=pawn, field=field, end=end):
            picture.draw(field, COLOURS[pawn.colour], double(at_us))
            _draw_pawn(picture, now, pawn.colour, end, double(at_us))


def _draw_pawn(
    picture: Picture, now: Snapshot, colour: Colour, step: int, brightness: float
) -> None:
    picture.draw(light_of(now.settings, colour, step), COLOURS[colour], brightness)
