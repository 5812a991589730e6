"""Where fields, starts, cities and pawns lie on the picture of a board. It must not draw them."""

from dataclasses import dataclass
from math import cos, hypot, radians, sin
from typing import Final

from companion.games.zapp_zerapp.rules import CITY, FIELDS, START, Board, Colour

Spot = tuple[float, float]

SIZE: Final = 400
MIDDLE: Final = SIZE / 2
RING: Final = 160  # from the middle to the middle of a field
START_AT, CITY_AT = 223, 100  # from the middle, towards a corner
CROWD: Final = 4  # this many on one field are drawn smaller


@dataclass(frozen=True, slots=True)
class Painted:
    """A ring as it is painted, whether one can play on it or not; its gates follow its entries."""

    ring: tuple[str, ...]
    entries: tuple[int, int, int, int]

    @property
    def gates(self) -> tuple[int, int, int, int]:
        """Return the field before each entry: the way round has 24 fields."""
        red, green, blue, yellow = ((entry - 1) % FIELDS for entry in self.entries)
        return red, green, blue, yellow


Ring = Board | Painted


def _at(angle_deg: float, distance: float) -> Spot:
    turned = radians(angle_deg)
    return MIDDLE + distance * cos(turned), MIDDLE + distance * sin(turned)


def field_spot(index: int) -> Spot:
    """Return the middle of a field; the first one is just past the upper left corner.

    >>> [tuple(map(round, field_spot(index))) for index in (0, 12)]
    [(103, 73), (297, 327)]
    """
    return _at(-135 + 360 / FIELDS * (index + 0.5), RING)


def inwards(where: Spot, by: float) -> Spot:
    """Return what lies so much nearer to the middle.

    >>> inwards((200.0, 40.0), 28)
    (200.0, 68.0)
    """
    x, y = where[0] - MIDDLE, where[1] - MIDDLE
    left = 1 - by / hypot(x, y)
    return MIDDLE + x * left, MIDDLE + y * left


def _corner(ring: Ring, colour: Colour) -> float:
    """Return towards which corner a colour lives: clockwise, in the order of their entries."""
    order = sorted(Colour, key=lambda other: (ring.entries[other], other))
    return -135.0 + 90.0 * order.index(colour)


def spot(ring: Ring, colour: Colour, step: int) -> Spot:
    """Return where a colour's pawn stands after so many of its own steps."""
    if step == START:
        return _at(_corner(ring, colour), START_AT)
    if step == CITY:
        return _at(_corner(ring, colour), CITY_AT)
    return field_spot((ring.entries[colour] + step - 1) % FIELDS)


def fan(count: int) -> list[Spot]:
    """Return by how much each of several pawns stands beside the middle of their field."""
    if count == 1:
        return [(0.0, 0.0)]
    wide = 11.0 if count < CROWD else 15.0
    turns = [radians(-90 + 360 * place / count) for place in range(count)]
    return [(wide * cos(turn), wide * sin(turn)) for turn in turns]
