"""Where the lights of a seat are: its button, its start, its city, its quarter of the ring.

It must not know games. Four seats have lights; whoever sits at violet or white has none, and what
would be drawn there is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.lights.patterns import blink, pulse
from companion.lights.picture import CITIES, COLOURS, STARTS, VIOLET, WHITE, Picture, Rgb
from companion.rules.game import Seat
from companion.rules.zapp_zerapp import FIELDS, Colour

QUARTER: Final = FIELDS // len(Colour)  # fields clockwise from a start
DIM: Final = 0.4  # what is only noted, so that a slip is seen


def lamps(seats: Iterable[Seat]) -> tuple[Colour, ...]:
    """Return those of the seats that have lights.

    >>> lamps((-1, 2, 4, 5))
    (<Colour.BLUE: 2>,)
    """
    return tuple(Colour(seat) for seat in seats if seat in range(len(Colour)))


def colour_of(seat: Seat) -> Rgb:
    """Return the colour of a seat, also of one that has no lights."""
    return (*(COLOURS[colour] for colour in Colour), VIOLET, WHITE)[seat]


def hold(picture: Picture, seats: Iterable[Seat], brightness: float = 1.0) -> None:
    """Light the starts and buttons of seats."""
    for seat in lamps(seats):
        picture.draw(STARTS + seat, COLOURS[seat], brightness)
        picture.seat(seat, brightness)


def breathe(picture: Picture, seats: Iterable[Seat], at_us: int) -> None:
    """Show whose turn it is."""
    hold(picture, seats, pulse(at_us))


def ask(picture: Picture, seats: Iterable[Seat], at_us: int) -> None:
    """Show of whom something has to be told."""
    found = lamps(seats)
    picture.clear(STARTS + seat for seat in found)
    hold(picture, found, blink(at_us))


def quarter(seat: Colour) -> tuple[int, ...]:
    """Return the fields of a seat's quarter, and its city, which is the seventh.

    >>> quarter(Colour.GREEN)
    (6, 7, 8, 9, 10, 11, 29)
    """
    return (*range(QUARTER * seat, QUARTER * (seat + 1)), CITIES + seat)


def count(picture: Picture, seat: Seat, number: int, brightness: float) -> None:
    """Show a number in a seat's quarter; seven stands for more."""
    for colour in lamps([seat]):
        picture.clear(quarter(colour))
        picture.fill(quarter(colour)[:number], COLOURS[colour], brightness)
