"""Characters on a grid, with styles and lines that join: pictures in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.present.screen import RESET

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
