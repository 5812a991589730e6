"""Two colours on a ring, as far as the base game between them depends on it."""

from __future__ import annotations

from typing import NamedTuple, Self

from companion.games.zapp_zerapp.rules.board import FIELDS, Board, Colour


class Pairing(NamedTuple):
    """Where the second enters, as the first counts, and on which own steps each is protected.

    >>> from companion.games.zapp_zerapp.rules.board import PRESETS
    >>> board = PRESETS["two-before-city"]
    >>> Pairing.of(board, Colour.RED, Colour.GREEN) == Pairing.of(board, Colour.BLUE, Colour.YELLOW)
    True
    >>> Pairing.of(board, Colour.RED, Colour.BLUE)
    Pairing(offset=12, first=(11, 12, 13, 14, 15), second=(11, 12, 13, 14, 15))
    """

    offset: int
    first: tuple[int, ...]
    second: tuple[int, ...]

    @classmethod
    def of(cls, board: Board, first: Colour, second: Colour) -> Self:
        """Return how two colours stand to each other."""
        return cls(
            (board.entries[second] - board.entries[first]) % FIELDS,
            *(
                tuple(sorted(board.step(one, index) for index in board.protected(one)))
                for one in (first, second)
            ),
        )

    @property
    def symmetric(self) -> bool:
        """Whether both would play the same game if they changed seats."""
        return 2 * self.offset == FIELDS and self.first == self.second

    @property
    def name(self) -> str:
        """Return a word for it in the name of a file.

        >>> Pairing(6, (10, 11), (10, 11, 23)).name
        '06-000c00-800c00'
        """
        masks = (sum(1 << step for step in steps) for steps in (self.first, self.second))
        return "-".join((f"{self.offset:02}", *(f"{mask:06x}" for mask in masks)))
