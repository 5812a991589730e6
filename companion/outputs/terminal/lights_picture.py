"""The lights as characters: the ring as the rim of a square, starts, cities and seats inside it.

A sign says how bright a light is, a colour which colour it has; so nothing is lost where there are
no colours.
"""

from __future__ import annotations

from typing import Final

from companion.present.canvas import rim
from companion.present.lights.picture import CITIES, COLOURS, FIELDS, GAMMA, STARTS, Rgb, Scene
from companion.present.screen import INK, Screen
from companion.text import SeatName, Text, seat_word

SHADES: Final = ("··", "░░", "▒▒", "▓▓", "██")  # from dark to bright
ACROSS: Final = 6  # columns from one field to the next
DOWN: Final = 2
SIDE: Final = 7  # fields along one side of the square
WIDTH: Final = ACROSS * (SIDE - 1) + 2
INSIDE: Final = 6  # where the table inside the ring begins
FIRST_ROW: Final = 4
COLUMNS: Final = (9, 16, 22)  # of starts, cities and seats, within that table


def shade(brightness: float) -> str:
    """Return the sign for how bright a light is to the eye, from 0 to 1.

    >>> [shade(level) for level in (0.0, 0.1, 0.4, 0.7, 1.0)]
    ['··', '░░', '▒▒', '▓▓', '██']
    """
    if brightness <= 0.0:
        return SHADES[0]
    return SHADES[1 + min(3, int(4 * brightness))]


def ink(light: Rgb) -> str:
    """Return the colour of a light at its brightest, as nearly every terminal knows it."""
    most = max(light)
    if not most:
        return ""
    red, green, blue = (round(5 * (part / most) ** (1 / GAMMA)) for part in light)
    return f"\x1b[38;5;{16 + 36 * red + 6 * green + blue}m"


def picture(screen: Screen, scene: Scene) -> list[str]:
    """Return the lines of the picture."""
    rows: list[dict[int, str]] = [{} for _ in range(DOWN * (SIDE - 1) + 1)]
    for index in range(FIELDS):
        row, column = rim(index, SIDE)
        rows[row * DOWN][column * ACROSS] = _lamp(screen, scene.lights[index])
    words = (screen.say(Text("start")), screen.say(Text("city")), screen.say(Text("seat")))
    for column, word in zip(COLUMNS, words, strict=True):
        rows[FIRST_ROW - 1][INSIDE + column] = word
    for row, seat in enumerate(COLOURS, FIRST_ROW):
        rows[row][INSIDE] = screen.paint(screen.name(SeatName(seat)), INK[seat])
        lamps = (scene.lights[STARTS + seat], scene.lights[CITIES + seat])
        for column, light in zip(COLUMNS, lamps, strict=False):
            rows[row][INSIDE + column] = _lamp(screen, light)
        level = scene.seats.get(seat_word(seat), 0.0) ** (1 / GAMMA)
        rows[row][INSIDE + COLUMNS[-1]] = screen.paint(shade(level), INK[seat] if level else "")
    return [_line(row) for row in rows]


def _lamp(screen: Screen, light: Rgb) -> str:
    return screen.paint(shade((max(light) / 255) ** (1 / GAMMA)), ink(light))


def _line(signs: dict[int, str]) -> str:
    """Return signs at their columns; what paints them takes no room."""
    line, column = "", 0
    for at, sign in sorted(signs.items()):
        line += " " * (at - column) + sign
        column = at + _width(sign)
    return line


def _width(sign: str) -> int:
    plain = sign
    while "\x1b" in plain:
        before, _, after = plain.partition("\x1b")
        plain = before + after.partition("m")[2]
    return len(plain)
