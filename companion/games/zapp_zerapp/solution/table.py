"""A solved pairing in a file: how probably the first wins, by both camps, eight bits for each.

The file is a line of JSON, filled up with spaces, and then the figures: 0 is lost, 255 is won.
Where both could change seats it holds only those camps of the second that have lower numbers than
the first's. It is read where it lies, row by row, so that it costs hardly any memory.
"""

import json
import mmap
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from companion.games.zapp_zerapp.rules.board import CITY, FIELDS, Board, Colour
from companion.games.zapp_zerapp.rules.model import Camp
from companion.system.errors import CompanionError

CAMPS: Final[tuple[Camp, ...]] = tuple(combinations_with_replacement(range(CITY + 1), 3))
NUMBER: Final = {camp: number for number, camp in enumerate(CAMPS)}
COUNT: Final = len(CAMPS)
HOME: Final = COUNT - 1  # all three in the city


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
                tuple(sorted(board.step(side, index) for index in board.protected(side)))
                for side in (first, second)
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


FORMAT: Final = "zapp-zerapp, solved"
VERSION: Final = 1  # of this format and of the rules that were solved
HEAD: Final = 1024
WON: Final = 255
ROWS: Final = 512  # that are remembered: a megabyte
Figures = bytes | memoryview | mmap.mmap


@dataclass(frozen=True, slots=True)
class Table:
    """What a sound file holds."""

    symmetric: bool
    residual: float  # how much a round's start differs at most from what follows from the next
    figures: Figures

    def value(self) -> Callable[[int, int], float]:
        """Return the function that tells what two camps are worth for the first, 0 to 255."""
        row = lru_cache(ROWS)(self._row)

        def whole(first: int, second: int) -> float:
            return row(first)[second]

        def half(first: int, second: int) -> float:
            if first > second:
                return row(first)[second]
            if first < second:
                return WON - row(second)[first]
            return WON / 2

        return half if self.symmetric else whole

    def _row(self, camp: int) -> bytes:
        begin = HEAD + (camp * (camp - 1) // 2 if self.symmetric else camp * COUNT)
        row = bytes(self.figures[begin : begin + (camp if self.symmetric else COUNT)])
        _let_go(self.figures)
        return row


def _let_go(figures: Figures) -> None:
    """Have the kernel keep no part of a file in memory for us only because we have read it."""
    if isinstance(figures, mmap.mmap):
        figures.madvise(mmap.MADV_DONTNEED)


def size(*, symmetric: bool) -> int:
    """Return how many figures a file holds."""
    return COUNT * (COUNT - 1) // 2 if symmetric else COUNT * COUNT


def head(pairing: Pairing, residual: float, figures: bytes) -> bytes:
    """Return what stands before the figures."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "pairing": pairing,
        "residual": residual,
        "crc32": zlib.crc32(figures),
    }
    return json.dumps(head).encode().ljust(HEAD - 1) + b"\n"


def read_table(path: Path, pairing: Pairing) -> Table:
    """Return what a file holds for a pairing, or refuse it."""
    try:
        with path.open("rb") as file:
            held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        raise unreadable(path, error) from None
    return checked(path, held, pairing)


def checked(path: Path, held: Any, pairing: Pairing) -> Table:
    """Return what the bytes of a file hold for a pairing, or refuse it."""
    try:
        head = json.loads(held[:HEAD])
        fits = head["format"] == FORMAT
        version, written = head["version"], head["pairing"]
        residual, check = float(head["residual"]), head["crc32"]
    except (ValueError, KeyError, TypeError, RecursionError):
        fits = False
    if not fits:
        raise CompanionError("{file} is not a table of a solved game.", file=path)
    if version != VERSION:
        raise CompanionError(
            "{file} was solved for version {version} of the rules, not for {ours}; solve it again.",
            file=path,
            version=str(version)[:20],
            ours=VERSION,
        )
    if written != json.loads(json.dumps(pairing)):
        raise CompanionError("{file} was solved for another ring or other seats.", file=path)
    if len(held) != HEAD + size(symmetric=pairing.symmetric):
        raise CompanionError("{file} is incomplete; fetch or solve it again.", file=path)
    sound = zlib.crc32(memoryview(held)[HEAD:]) == check
    _let_go(held)
    if not sound:
        raise CompanionError("{file} is damaged; fetch or solve it again.", file=path)
    return Table(pairing.symmetric, residual, held)


def unreadable(path: Path, error: Exception) -> CompanionError:
    """Return why a file cannot be used."""
    reason = str(getattr(error, "strerror", None) or error)
    return CompanionError("{file} cannot be read ({reason}).", file=path, reason=reason)
