"""A table as it is shipped: each row as its difference to the one before, and then compressed.

Rows are added as whole numbers, whose digits are their bytes: a loop over bytes would take a minute
on a small computer.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from typing import Final

from companion.games.zapp_zerapp.solved.camps import COUNT
from companion.games.zapp_zerapp.solved.table import HEAD

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
    found, before = [stream[:HEAD]], b"" if symmetric else bytes(COUNT)
    for _, row in _rows(stream[HEAD:], symmetric=symmetric):
        found.append(_plus(row, before))
        before = found[-1] + MIDDLE * symmetric
    return b"".join(found)


def _rows(figures: bytes, *, symmetric: bool) -> Iterator[tuple[bytes, bytes]]:
    """Yield each row and the one before it."""
    before, begin = b"" if symmetric else bytes(COUNT), 0
    for number in range(COUNT):
        end = begin + (number if symmetric else COUNT)
        row = figures[begin:end]
        yield before[: len(row)], row
        before, begin = row + MIDDLE * symmetric, end


def _plus(one: bytes, other: bytes) -> bytes:
    """Return the sums of bytes, each modulo 256.

    >>> [*_plus(bytes((1, 200, 255)), bytes((2, 100, 1)))]
    [3, 44, 0]
    """
    a, b = int.from_bytes(one, "little"), int.from_bytes(other, "little")
    return (((a & LOW) + (b & LOW)) ^ ((a ^ b) & HIGH)).to_bytes(len(one), "little")


def _minus(row: bytes) -> bytes:
    return row.translate(NEGATED)
