"""Where the lights of a seat are: its button, its start, its city, its quarter of the ring.

Four seats have lights. For violet and white, who have none, a light goes round the cities,
clockwise for violet and the other way for white; what else would be drawn there is left out.
"""

from collections.abc import Collection, Iterable
from typing import Final

from companion.core.game import Seat
from companion.present.lights import canvas, patterns

QUARTER: Final = canvas.FIELDS // canvas.LAMPS  # fields clockwise from a start
DIM: Final = 0.4  # what is only noted, so that a slip is seen
ROUND_US, ASKED_US = 450_000, 200_000  # from one city to the next
ROUND: Final = (  # of violet and of white: never at the same city
    (canvas.CITIES, canvas.CITIES + 1, canvas.CITIES + 2, canvas.CITIES + 3),
    (canvas.CITIES + 1, canvas.CITIES, canvas.CITIES + 3, canvas.CITIES + 2),
)
ORIGINS: Final = (0, 6, 12, 18, 20, 22)  # the field of each seat; two sit between yellow and red


def lamps(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return those of the seats that have lights.

    >>> lamps((-1, 2, 4, 5))
    (2,)
    """
    return tuple(seat for seat in seats if seat in range(canvas.LAMPS))


def colour_of(seat: Seat) -> canvas.Rgb:
    """Return the colour of a seat, also of one that has no lights."""
    return (*canvas.COLOURS.values(), canvas.VIOLET, canvas.WHITE)[seat]


def way(seat: Seat) -> tuple[int, ...]:
    """Return along what a light runs for a seat: from its start to its city, or round the cities.

    >>> way(1), way(4), way(5)
    ((25, 29), (28, 29, 30, 31), (29, 28, 31, 30))
    """
    if seat < canvas.LAMPS:
        return canvas.STARTS + seat, canvas.CITIES + seat
    return ROUND[seat - canvas.LAMPS]


def go_round(
    picture: canvas.LightCanvas,
    seats: Iterable[Seat],
    step_us: int,
    at_us: int,
    brightness: float = 1.0,
) -> None:
    """Let a light go round the cities for those of the seats that have no lights."""
    for seat in seats:
        if seat >= canvas.LAMPS:
            lights = way(seat)
            light = lights[at_us // step_us % len(lights)]
            picture.draw(light, colour_of(seat), brightness)


def hold(picture: canvas.LightCanvas, seats: Iterable[Seat], brightness: float = 1.0) -> None:
    for seat in lamps(seats):
        picture.draw(canvas.STARTS + seat, canvas.COLOURS[seat], brightness)
        picture.seat(seat, brightness)


def breathe(picture: canvas.LightCanvas, seats: Collection[Seat], at_us: int) -> None:
    hold(picture, seats, patterns.pulse(at_us))
    go_round(picture, seats, ROUND_US, at_us)


def ask(picture: canvas.LightCanvas, seats: Collection[Seat], at_us: int) -> None:
    """Show about whom something has to be said."""
    lit = lamps(seats)
    picture.clear(canvas.STARTS + seat for seat in lit)
    hold(picture, lit, patterns.blink(at_us))
    go_round(picture, seats, ASKED_US, at_us)


def quarter(seat: Seat) -> tuple[int, ...]:
    """Return the fields of a seat's quarter, and its city, which is the seventh.

    >>> quarter(1)
    (6, 7, 8, 9, 10, 11, 29)
    """
    return (*range(QUARTER * seat, QUARTER * (seat + 1)), canvas.CITIES + seat)


def count(picture: canvas.LightCanvas, seat: Seat, number: int, brightness: float) -> None:
    """Show a number in a seat's quarter; seven stands for more."""
    for colour in lamps([seat]):
        picture.clear(quarter(colour))
        picture.fill(quarter(colour)[:number], canvas.COLOURS[colour], brightness)
