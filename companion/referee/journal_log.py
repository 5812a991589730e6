"""The log beside a journal's file (SQLite's WAL), read past what is damaged in it.

SQLite reads a log up to the first frame that is not whole and drops all that follows, without a
word: so it leaves out the torn end that a power cut made. A frame that went bad later looks the
same to it. But here they can be told apart:

- Each frame's checksum begins with that of the frame before, so frames behind a bad one show that
  they are of this log. A transaction is begun only when the one before is on the disk: if another
  one follows, then what is bad before it was once whole.
- The checksum is a sum, so it tells which bits may have turned over, if it was only one. Hardly any
  torn end looks like that and is complete; so not even the last transaction is lost to one bit.

    header  8 words: magic, version, page size, checkpoints, salts (2), checksum (2)
    frame   6 words: page, size of the file in pages where a transaction ends (else 0),
            salts (2), checksum (2); then the page
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Final

MAGIC: Final = 0x377F0682  # the lowest bit tells the order in which bytes are summed up
HEADER, FRAME, PAIR, TOLD = Struct(">8I"), Struct(">6I"), Struct(">2I"), 8
PAGE_BYTES: Final = 4096  # of a journal, where the header does not tell
MASK: Final = 0xFFFFFFFF

Sum = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Frame:
    """A page that was written into the log, with its number and the size of the file ahead."""

    ways: tuple[bytes, ...]  # as it is there, then as it may have been
    whole: bool = False  # it is as it was written
    turned: bool = False  # it was whole until a bit turned over

    @property
    def ends(self) -> bool:
        """Whether a transaction ends with it, as far as it can be believed."""
        return (self.whole or self.turned) and any(PAIR.unpack_from(way)[1] for way in self.ways)


@dataclass(frozen=True, slots=True)
class Log:
    """What a log holds, up to the end of the last transaction, and whether it was damaged."""

    frames: tuple[Frame, ...] = ()
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class _Head:
    order: str
    page_bytes: int
    salts: int
    sums: tuple[Sum, ...]  # which may be its checksum; none: the header is lost
    turned: bool


def read(data: bytes) -> Log:
    """Return what a log holds, with what it may have held where that is not whole."""
    if len(data) < HEADER.size + FRAME.size:
        return Log()
    head = _head(data)
    frames, foreign = _frames(data, head)
    end = max((at for at, frame in enumerate(frames, 1) if frame.ends), default=0)
    turned = head.turned or foreign or any(frame.turned for frame in frames[:end])
    return Log(tuple(frames[:end]), turned or _goes_on_behind_a_bad_one(frames))


def images(file: bytes, log: Log) -> Iterator[bytes]:
    """Yield the file with its log worked in, in every way in which that may be right."""
    as_they_are = [frame.ways[0] for frame in log.frames]
    yield _image(file, [frame.ways[0] for frame in log.frames if frame.whole])
    yield _image(file, as_they_are)
    for at, frame in enumerate(log.frames):
        before = _image(file, as_they_are[:at]) if len(frame.ways) > 1 else b""
        later = {other.ways[0][:4] for other in log.frames[at + 1 :] if other.whole}
        for way in frame.ways[1:]:
            if way[:4] not in later and _is_likely(frame.ways[0], way, before):
                yield _image(file, [*as_they_are[:at], way, *as_they_are[at + 1 :]])


def _is_likely(now: bytes, way: bytes, before: bytes) -> bool:
    """Tell whether the bit that turned is one that was written: most of a page stays as it was."""
    page, _ = PAIR.unpack_from(way)
    start = (page - 1) * (len(way) - TOLD) - TOLD
    place = next(at for at, (one, other) in enumerate(zip(now, way, strict=True)) if one != other)
    return place < TOLD or now[place] != next(iter(before[start + place : start + place + 1]), None)


def _image(file: bytes, frames: Sequence[bytes]) -> bytes:
    image = bytearray(file)
    for frame in frames:
        size, page = len(frame) - TOLD, PAIR.unpack_from(frame)[0]
        start = (page - 1) * size
        if 0 <= start <= len(file) + len(frames) * size:  # otherwise it is not the number of a page
            image.extend(bytes(max(0, start - len(image))))
            image[start : start + size] = frame[TOLD:]
    return bytes(image)


def summed(data: bytes, order: str, start: Sum) -> Sum:
    """Return SQLite's checksum of some pairs of words.

    >>> summed(bytes(range(8)), "big", (0, 0))
    (66051, 67504138)
    """
    first, second = start
    words = iter(_words(data, order))
    for one, other in zip(words, words, strict=True):
        first = (first + one + second) & MASK
        second = (second + other + first) & MASK
    return first, second


def turned(data: bytes, order: str, found: Sum, wanted: Sum) -> Iterator[bytes]:
    """Yield the data as they would have the wanted sum, with one bit turned back.

    >>> spoiled = bytes([*range(7), 7 ^ 16])
    >>> found = summed(spoiled, "big", (0, 0))
    >>> [list(way) for way in turned(spoiled, "big", found, (66051, 67504138))]
    [[0, 1, 2, 3, 4, 5, 6, 7]]
    """
    words = _words(data, order)
    lacks = (wanted[0] - found[0]) & MASK, (wanted[1] - found[1]) & MASK
    either = lacks[0] | lacks[1]
    bit = either & -either  # no word has an even effect on both sums, so it is this one
    effect = {0: (1, 1), 1: (0, 1)}  # of the first and of the second word of the last pair
    for place in reversed(range(len(words))):
        first, second = effect[place % 2]
        more = -bit if words[place] & bit else bit
        if bit and ((more * first) & MASK, (more * second) & MASK) == lacks:
            way = array("I", words)
            way[place] ^= bit
            yield _bytes(way, order)
        effect[place % 2] = (first + second) & MASK, (first + 2 * second) & MASK


def _head(data: bytes) -> _Head:
    """Return what the header says, even if a bit of it has turned over."""
    wanted: Sum = PAIR.unpack_from(data, 24)
    salts = data[HEADER.size + 8 : HEADER.size + 16]  # of the first frame
    for order in ("little", "big"):
        found = summed(data[:24], order, (0, 0))
        ways = [data[:24]]
        if found != wanted:
            ways = [data[:24]] if _one_bit(found, wanted) else []
            ways += turned(data[:24], order, found, wanted)
        for way in ways:
            if way[:4] == (MAGIC + (order == "big")).to_bytes(4, "big"):
                size = int.from_bytes(way[8:12], "big")
                if size == PAGE_BYTES and (way[16:24] == salts or len(ways) == 1):
                    told = int.from_bytes(way[16:24], "big")
                    return _Head(order, size, told, (wanted, found), found != wanted)
    return _Head(sys.byteorder, PAGE_BYTES, _salts_of_a_pair(data), (), turned=False)


def _salts_of_a_pair(data: bytes) -> int:
    """Return the salts of the first frame that follows the one before it, as their sums say."""
    size = FRAME.size + PAGE_BYTES
    for at in range(HEADER.size + size, len(data) - size + 1, size):
        told = data[at : at + TOLD] + data[at + FRAME.size : at + size]
        start: Sum = PAIR.unpack_from(data, at - size + 16)
        salts = int.from_bytes(data[at + 8 : at + 16], "big")
        if salts and summed(told, sys.byteorder, start) == PAIR.unpack_from(data, at + 16):
            return salts
    return 0


def _frames(data: bytes, head: _Head) -> tuple[list[Frame], bool]:
    """Return the frames, and whether one is of this log though its salts say otherwise."""
    frames: list[Frame] = []
    foreign, sums = False, head.sums
    size = FRAME.size + head.page_bytes
    for at in range(HEADER.size, len(data) - size + 1, size):
        salts = int.from_bytes(data[at + 8 : at + 16], "big")
        stored: Sum = PAIR.unpack_from(data, at + 16)
        if salts and (salts ^ head.salts).bit_count() <= 1:
            told = data[at : at + TOLD] + data[at + FRAME.size : at + size]
            frame, sums = _frame(told, head.order, sums, stored)
            foreign |= frame.whole and salts != head.salts
        else:  # of an older log, most likely
            frame, sums = Frame((bytes(TOLD),)), (stored,)
        frames.append(frame)
    return frames, foreign


def _frame(
    told: bytes, order: str, starts: Sequence[Sum], stored: Sum
) -> tuple[Frame, tuple[Sum, ...]]:
    """Return a frame, and which sums the next one may begin with."""
    founds = [summed(told, order, start) for start in dict.fromkeys(starts)]
    if stored in founds:
        return Frame((told,), whole=PAIR.unpack_from(told)[0] > 0), (stored,)
    for found in founds:
        in_sum = _one_bit(found, stored)
        if (ways := tuple(turned(told, order, found, stored))) or in_sum:
            return Frame((told, *ways), turned=True), (stored, found)
    return Frame((told,)), (stored,)


def _goes_on_behind_a_bad_one(frames: Sequence[Frame]) -> bool:
    """Tell whether a transaction that was begun later is there, so that the bad one was on it."""
    bad = ended = False
    for frame in frames:
        if bad and ended and frame.whole:
            return True
        bad = bad or not frame.whole
        ended = bad and (ended or PAIR.unpack_from(frame.ways[0])[1] > 0)
    return False


def _one_bit(found: Sum, wanted: Sum) -> bool:
    return sum((one ^ other).bit_count() for one, other in zip(found, wanted, strict=True)) == 1


def _words(data: bytes, order: str) -> array[int]:
    words = array("I", data)
    if order != sys.byteorder:
        words.byteswap()
    return words


def _bytes(words: array[int], order: str) -> bytes:
    if order != sys.byteorder:
        words.byteswap()
    return words.tobytes()
