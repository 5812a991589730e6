"""Lines on a terminal: language, colours, width and pace."""

import errno
import os
import sys
import termios
import textwrap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TextIO

from companion.i18n.translate import Audience, Keyword, Translatable, name, say
from companion.referee.people.person import NOBODY, Seating
from companion.system import signals
from companion.system.text import SeatName, Text

WIDTH: Final = 78
AT_ONCE: Final = 1_000  # letters: as many as a pipe takes without waiting, whatever they are
RESET: Final = "\x1b[0m"
BOLD: Final = "\x1b[1m"
FAINT: Final = "\x1b[2m"
HELP, UNDO, QUIT = Keyword("?|help"), Keyword("undo"), Keyword("quit|exit")
ERASE: Final = "\r\x1b[K"  # the line in which something stands
CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"  # also what has been scrolled away
INK: Final[dict[int, str]] = {
    SeatName.RED: "\x1b[1;91m",
    SeatName.GREEN: "\x1b[1;92m",
    SeatName.BLUE: "\x1b[1;94m",
    SeatName.YELLOW: "\x1b[1;93m",
    SeatName.VIOLET: "\x1b[1;95m",
    SeatName.WHITE: BOLD,  # white itself could not be read on white
}
GROUND: Final[dict[int, str]] = {
    SeatName.RED: "\x1b[41;97m",
    SeatName.GREEN: "\x1b[42;30m",
    SeatName.BLUE: "\x1b[44;97m",
    SeatName.YELLOW: "\x1b[43;30m",
}


class Unwritten(OSError):
    """What is shown cannot be written: a full disk behind it, or whoever read it has enough."""


@dataclass
class TerminalScreen:
    out: TextIO
    language: str = "en"
    colour: bool = False
    pace_s: float = 0.0  # the pause after a line
    muted: bool = False
    seating: Seating = NOBODY  # who sits where, so that each is called by name
    footer: str = ""  # what stands below all lines, where lines can be erased
    _unread: bytes = field(default=b"", repr=False)  # what was typed after a line

    def say(self, thing: Translatable) -> str:
        return say(thing, self.language, Audience(self.seating.names(self.language)))

    def name(self, value: object) -> str:
        return name(value, self.language, Audience(self.seating.names(self.language)))

    def typed(self, meant: Keyword) -> frozenset[str]:
        """Return what may be typed for something."""
        return meant.words(self.language)

    def paint(self, text: str, style: str) -> str:
        """Return a text in a colour, where there are colours."""
        return f"{style}{text}{RESET}" if self.colour and style and text else text

    def put(self, text: str = "") -> None:
        """Show a text just as it is, and all that still waits to be shown."""
        try:
            for begin in range(0, len(text) or 1, AT_ONCE):
                self._wait()
                self.out.write(text[begin : begin + AT_ONCE])
                self.out.flush()
        except OSError as error:
            raise Unwritten(error.errno, error.strerror) from None

    def _wait(self) -> None:
        """Wait until whoever reads this goes on: a write that waits could not be stopped."""
        try:
            file = self.out.fileno()
        except OSError:  # no file is behind it
            return
        if not signals.writable(file):
            raise Unwritten(errno.EAGAIN, os.strerror(errno.EAGAIN))

    def end(self, text: str) -> None:
        """Show a last line instead of what stands below all lines, though somebody has stopped."""
        above, self.footer = ERASE if self.footer else "\n", ""
        with suppress(OSError, KeyboardInterrupt):
            self.put(f"{above}{text}\n")

    def line(self, text: str = "", style: str = "", *, pause: float = 1) -> None:
        signals.check()
        if not self.muted:
            above = ERASE if self.footer else ""
            self.put(f"{above}{self.paint(text, style)}\n{self.footer}")
            if self.pace_s:
                signals.sleep(self.pace_s * pause)

    def lines(
        self, text: str, *, indent: str = "", hang: str = "", style: str = "", pause: float = 1
    ) -> None:
        """Show a text, wrapped to the width."""
        inside = textwrap.wrap(
            text,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent + hang,
            break_on_hyphens=False,
        )
        for line in inside:
            self.line(line, style, pause=pause)

    def tell(self, template: str, **values: object) -> None:
        """Show a text of ours, wrapped."""
        self.lines(self.say(Text(template, **values)))

    def clear(self) -> None:
        """Let nobody read what has been shown, wherever it is shown."""
        self.put(CLEAR)

    def complain(self, code: int, *faults: Translatable) -> int:
        """Say what is wrong, where errors are read, if anywhere; return the exit code."""
        for fault in faults:
            with suppress(OSError):  # nobody could be told
                if sys.stderr is not None:  # as after `2>&-`
                    sys.stderr.write(self.say(fault) + "\n")
        return code

    def ask(self, question: str, *, anew: bool = False) -> str:
        """Return the line that somebody types; raise EOFError where there is no more.

        `anew`: what was typed before the question does not count, if it comes from a terminal.
        """
        if anew and sys.stdin is not None and sys.stdin.isatty():
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
            self._unread = b""
        self.put(question)
        if sys.stdin is None:  # as after `<&-`
            raise EOFError
        line = self._typed()
        if not (line and sys.stdin.isatty()):  # where nobody has seen an Enter key
            self.put(line.rstrip("\n") + "\n")
        if not line:
            raise EOFError
        return line.strip()

    def _typed(self) -> str:
        """Return the next line of the input; empty: there is no more."""
        try:
            file = sys.stdin.fileno()
        except OSError:  # no file is behind it
            return sys.stdin.readline()
        while b"\n" not in self._unread:
            signals.readable(file)  # a read that waits could not be stopped
            if not (data := _read(file)):
                break
            self._unread += data
        line, end, self._unread = self._unread.partition(b"\n")
        return (line + end).decode(sys.stdin.encoding, "replace")


def _read(file: int) -> bytes:
    """Return what can be read; nothing: there is no more, or the terminal is gone."""
    try:
        return os.read(file, 4096)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        return b""


def wants_colour(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Tell whether to paint: on a terminal that can, unless somebody said NO_COLOR."""
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return out.isatty() and not plain


UP, LOW, LEFT, RIGHT = 1, 2, 4, 8
JOINTS: Final = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"


def rim(index: int, side: int) -> tuple[int, int]:
    """Return row and column of a place on a square's rim; clockwise from the upper left.

    >>> [rim(index, 7) for index in (0, 6, 12, 18, 23)]
    [(0, 0), (0, 6), (6, 6), (6, 0), (1, 0)]
    """
    last = side - 1
    edge, along = divmod(index, last)
    return ((0, along), (along, last), (last, last - along), (last - along, 0))[edge]


class Canvas:
    """Characters with styles, and lines that join where they meet."""

    def __init__(self, height: int, width: int) -> None:
        self.strokes = [[0] * width for _ in range(height)]
        self.signs = [[("", "")] * width for _ in range(height)]

    def put(
        self, row: int, column: int, text: str, style: str = "", room: int | None = None
    ) -> None:
        """Write a text; cut it if there is no room for so many characters, or the row ends."""
        left = len(self.signs[row]) - column
        room = left if room is None else min(room, left)
        text = text if len(text) <= room else f"{text[: room - 1]}…"
        for offset, sign in enumerate(text):
            self.signs[row][column + offset] = sign, style

    def box(self, top: int, left: int, height: int, width: int) -> None:
        """Draw the outline of a field."""
        for row in (top, top + height):
            for column in range(left, left + width):
                self.strokes[row][column] |= RIGHT
                self.strokes[row][column + 1] |= LEFT
        for column in (left, left + width):
            for row in range(top, top + height):
                self.strokes[row][column] |= LOW
                self.strokes[row + 1][column] |= UP

    def lines(self, *, colour: bool) -> Iterable[str]:
        """Return the rows as text, with colours or without."""
        for signs, strokes in zip(self.signs, self.strokes, strict=True):
            line, now = "", ""
            pairs = list(zip(signs, strokes, strict=True))
            while pairs and not (pairs[-1][0][0].strip() or pairs[-1][1] or pairs[-1][0][1]):
                pairs.pop()
            for (sign, style), stroke in pairs:
                if colour and style != now:
                    line += (RESET if now else "") + style
                    now = style
                line += sign or JOINTS[stroke]
            yield line + (RESET if now else "")


BAR_WIDTH: Final = 24


def show_progress(text: str) -> None:
    """Show how far something is, where somebody watches; what follows takes its place."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"{ERASE}{text}")
        sys.stderr.flush()


def bar(percent: int, width: int = BAR_WIDTH) -> str:
    """Return it, with its number.

    >>> bar(40, 10)
    '████░░░░░░  40 %'
    """
    full = width * percent // 100
    return "█" * full + "░" * (width - full) + f" {percent:>3} %"
