"""The command `lights`: every scene in the terminal, moving in place."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final

from companion.present.lights import canvas, patterns
from companion.present.lights.example import Example, examples
from companion.present.terminal import BOLD, FAINT, INK, TerminalScreen, rim
from companion.system import errors, signals
from companion.system.text import SeatName, Text, seat_word

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


def ink(light: canvas.Rgb) -> str:
    """Return the colour of a light at its brightest, as nearly every terminal knows it."""
    most = max(light)
    if not most:
        return ""
    red, green, blue = (round(5 * (part / most) ** (1 / canvas.GAMMA)) for part in light)
    return f"\x1b[38;5;{16 + 36 * red + 6 * green + blue}m"


def picture(screen: TerminalScreen, scene: canvas.LightScene) -> list[str]:
    rows: list[dict[int, str]] = [{} for _ in range(DOWN * (SIDE - 1) + 1)]
    for index in range(canvas.FIELDS):
        row, column = rim(index, SIDE)
        rows[row * DOWN][column * ACROSS] = _lamp(screen, scene.lights[index])
    words = (screen.say(Text("start")), screen.say(Text("city")), screen.say(Text("seat")))
    for column, word in zip(COLUMNS, words, strict=True):
        rows[FIRST_ROW - 1][INSIDE + column] = word
    for row, seat in enumerate(canvas.COLOURS, FIRST_ROW):
        rows[row][INSIDE] = screen.paint(screen.name(SeatName(seat)), INK[seat])
        lamps = (scene.lights[canvas.STARTS + seat], scene.lights[canvas.CITIES + seat])
        for column, light in zip(COLUMNS, lamps, strict=False):
            rows[row][INSIDE + column] = _lamp(screen, light)
        level = scene.seats.get(seat_word(seat), 0.0) ** (1 / canvas.GAMMA)
        rows[row][INSIDE + COLUMNS[-1]] = screen.paint(shade(level), INK[seat] if level else "")
    return [_line(row) for row in rows]


def _lamp(screen: TerminalScreen, light: canvas.Rgb) -> str:
    return screen.paint(shade((max(light) / 255) ** (1 / canvas.GAMMA)), ink(light))


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


FRAMES: Final = 120  # of 50 ms: how long each scene is shown, when all are
STEP_S: Final = patterns.STEP_US / 1_000_000
HIDE, SHOW, CLEAR_LINE = "\x1b[?25l", "\x1b[?25h", "\x1b[K"


def show_lights(
    options: Namespace, screen: TerminalScreen, pause: Callable[[float], None] = signals.sleep
) -> int:
    if options.list:
        for example in examples():
            screen.line(f"{example.name:<11} {screen.say(example.meaning.title)}")
        return 0
    chosen = _chosen(options.scene)
    if options.still or not _moves(screen):
        for example in chosen:
            _still(screen, example)
        return 0
    with _cursor_hidden(screen):
        for example in chosen:
            _play(screen, example, FRAMES if len(chosen) > 1 else None, pause)
    return 0


def _chosen(name: str | None) -> tuple[Example, ...]:
    chosen = tuple(example for example in examples() if name in {None, example.name})
    if not chosen:
        raise errors.CompanionError(
            "There is no scene '{name}'; there are {names}.",
            name=name,
            names=tuple(example.name for example in examples()),
        )
    return chosen


def _moves(screen: TerminalScreen) -> bool:
    return screen.out.isatty() and os.environ.get("TERM") != "dumb"


def _head(screen: TerminalScreen, example: Example) -> None:
    screen.line(f"{screen.say(example.meaning.title)}  ({example.name})", BOLD)
    screen.lines(screen.say(example.about))
    screen.lines(screen.say(example.meaning.look), style=FAINT)
    screen.line()


def _still(screen: TerminalScreen, example: Example) -> None:
    _head(screen, example)
    for line in picture(screen, next(example.scenes())):
        screen.line(line)
    screen.line()


def _play(
    screen: TerminalScreen, example: Example, frames: int | None, pause: Callable[[float], None]
) -> None:
    """Show a scene where it stands until its time is over; without one, until somebody ends it."""
    _head(screen, example)
    height = 0
    for scene in islice(example.scenes(), frames):
        lines = picture(screen, scene)
        back = f"\x1b[{height}A" if height else ""
        screen.put(back + "".join(f"{line}{CLEAR_LINE}\n" for line in lines))
        height = len(lines)
        pause(STEP_S)
    screen.line()


@contextmanager
def _cursor_hidden(screen: TerminalScreen) -> Iterator[None]:
    screen.put(HIDE)
    try:
        yield
    finally:
        screen.put(SHOW)
