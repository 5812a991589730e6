"""Where solved tables lie: those that are shipped, and those that were solved here."""

import logging
import lzma
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import get_native_id
from typing import Final

from companion.games.zapp_zerapp.solution.table import (
    COUNT,
    HEAD,
    Pairing,
    Table,
    checked,
    read_table,
    unreadable,
)
from companion.system import errors, paths

MIDDLE: Final = b"\x80"  # for a camp against the same one, where both could change seats
FILTERS: Final = (
    {"id": lzma.FILTER_DELTA, "dist": 1},
    {"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 0, "lp": 0, "pb": 0},
)
LOW: Final = int.from_bytes(b"\x7f" * COUNT, "little")
NEGATED: Final = bytes(-byte & 255 for byte in range(256))
HIGH: Final = int.from_bytes(b"\x80" * COUNT, "little")


def packed(table: bytes, *, symmetric: bool) -> bytes:
    """Return a whole table as it is shipped."""
    rows = (_plus(row, _minus(before)) for before, row in _rows(table[HEAD:], symmetric=symmetric))
    return lzma.compress(table[:HEAD] + b"".join(rows), lzma.FORMAT_XZ, filters=FILTERS)


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
    for _, row in _rows(stream[HEAD:], symmetric=symmetric):
        blocks.append(_plus(row, before))
        before = blocks[-1] + MIDDLE * symmetric
    return b"".join(blocks)


def _rows(figures: bytes, *, symmetric: bool) -> Iterator[tuple[bytes, bytes]]:
    """Yield each row and the one before it."""
    before, begin = b"" if symmetric else bytes(COUNT), 0
    for number in range(COUNT):
        end = begin + (number if symmetric else COUNT)
        row = figures[begin:end]
        yield before[: len(row)], row
        before, begin = row + MIDDLE * symmetric, end


def _plus(first: bytes, second: bytes) -> bytes:
    """Return the sums of bytes, each modulo 256.

    >>> [*_plus(bytes((1, 200, 255)), bytes((2, 100, 1)))]
    [3, 44, 0]
    """
    a, b = int.from_bytes(first, "little"), int.from_bytes(second, "little")
    return (((a & LOW) + (b & LOW)) ^ ((a ^ b) & HIGH)).to_bytes(len(first), "little")


def _minus(row: bytes) -> bytes:
    return row.translate(NEGATED)


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
