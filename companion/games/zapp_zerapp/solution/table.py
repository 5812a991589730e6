"""The file of a solved pairing: how probably the first wins, by both camps, a byte for each.

The file is a line of JSON, filled up with spaces, and then the figures: 0 is lost, 255 is won.
Where both could change seats it holds only those camps of the second that have lower numbers than
the first's. It is read where it lies, row by row, so that it costs hardly any memory.
"""

import json
import logging
import lzma
import mmap
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from pathlib import Path
from threading import get_native_id
from typing import Any, Final, NamedTuple, Self

from companion.games.zapp_zerapp.rules.board import CITY, FIELDS, Board, Colour
from companion.games.zapp_zerapp.rules.model import Camp
from companion.system import errors, paths
from companion.system.errors import CompanionError

CAMPS: Final[tuple[Camp, ...]] = tuple(combinations_with_replacement(range(CITY + 1), 3))
NUMBER: Final = {camp: number for number, camp in enumerate(CAMPS)}
COUNT: Final = len(CAMPS)
HOME: Final = COUNT - 1  # all three in the city


class Pairing(NamedTuple):
    """Where the second enters, as the first counts, and on which own steps each is protected.

    >>> from companion.games.zapp_zerapp.rules.board import PRESETS
    >>> board = PRESETS["two-before-city"]
    >>> alike = Pairing.for_colours(board, Colour.BLUE, Colour.YELLOW)
    >>> Pairing.for_colours(board, Colour.RED, Colour.GREEN) == alike
    True
    >>> Pairing.for_colours(board, Colour.RED, Colour.BLUE)
    Pairing(offset=12, first=(11, 12, 13, 14, 15), second=(11, 12, 13, 14, 15))
    """

    offset: int
    first: tuple[int, ...]
    second: tuple[int, ...]

    @classmethod
    def for_colours(cls, board: Board, first: Colour, second: Colour) -> Self:
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


MIDDLE: Final = b"\x80"  # for a camp against the same one, where both could change seats
LOW: Final = int.from_bytes(b"\x7f" * COUNT, "little")
HIGH: Final = int.from_bytes(b"\x80" * COUNT, "little")


def head_of(shipped: bytes) -> bytes:
    """Return what stands before the figures, without the figures; raise ValueError for none."""
    try:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(shipped, HEAD)
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(str(error)) from None


def unpacked(shipped: bytes, *, symmetric: bool) -> bytes:
    """Return a whole table as it is read; raise ValueError for what is none."""
    try:
        stream = lzma.decompress(shipped, lzma.FORMAT_XZ)
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(str(error)) from None
    blocks, before = [stream[:HEAD]], b"" if symmetric else bytes(COUNT)
    for _, row in rows_of(stream[HEAD:], symmetric=symmetric):
        blocks.append(plus(row, before))
        before = blocks[-1] + MIDDLE * symmetric
    return b"".join(blocks)


def rows_of(figures: bytes, *, symmetric: bool) -> Iterator[tuple[bytes, bytes]]:
    """Yield each row and the one before it."""
    before, begin = b"" if symmetric else bytes(COUNT), 0
    for number in range(COUNT):
        end = begin + (number if symmetric else COUNT)
        row = figures[begin:end]
        yield before[: len(row)], row
        before, begin = row + MIDDLE * symmetric, end


def plus(first: bytes, second: bytes) -> bytes:
    """Return the sums of bytes, each modulo 256.

    >>> [*plus(bytes((1, 200, 255)), bytes((2, 100, 1)))]
    [3, 44, 0]
    """
    a, b = int.from_bytes(first, "little"), int.from_bytes(second, "little")
    return (((a & LOW) + (b & LOW)) ^ ((a ^ b) & HIGH)).to_bytes(len(first), "little")


SHIPPED: Final = Path(__file__).parent
PACKED: Final = ".solved.xz"
UNPACKED: Final = ".shipped"
SOLVED: Final = ".solved"
LOG: Final = logging.getLogger(__name__)


def folder() -> Path:
    """Return where tables of one's own rings are put, and looked for."""
    return paths.kept_in(None, "solved")


def find_table(pairing: Pairing) -> Table | None:
    """Return the table of a pairing; None: there is none; or refuse one that is unsound."""
    shipped = SHIPPED / (pairing.name + PACKED)
    if shipped.exists():
        return _unpacked(shipped, pairing)
    own = _at_home(pairing.name + SOLVED)
    return read_table(own, pairing) if own and paths.is_there(own) else None


def _at_home(name: str) -> Path | None:
    """Return where a file would lie; None: this computer has no home."""
    try:
        return folder() / name
    except errors.CompanionError:
        return None


def _unpacked(shipped: Path, pairing: Pairing) -> Table:
    """Return a shipped table: unpacked once and kept, where that can be, else in memory."""
    kept = _at_home(pairing.name + UNPACKED)
    try:
        stream = shipped.read_bytes()
        if kept:
            with suppress(errors.CompanionError):  # it is not there yet, or damaged
                table = read_table(kept, pairing)
                if table.figures[:HEAD] == head_of(stream):  # else it is of another release
                    return table
        held = unpacked(stream, symmetric=pairing.symmetric)
    except (OSError, ValueError) as error:
        raise unreadable(shipped, error) from None
    table = checked(shipped, held, pairing)
    if kept is None:
        return table
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        new = kept.with_suffix(f".{os.getpid()}-{get_native_id()}")  # nobody else writes in it
        new.write_bytes(held)
        new.replace(kept)
        return read_table(kept, pairing)
    except OSError as error:
        LOG.debug("%s cannot be kept: %s", kept, error)
        return table
