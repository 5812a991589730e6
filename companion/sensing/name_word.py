"""Decodes the infrared word by which a stopper says its name to the pad that it stands on.

A word is 26 bursts of 38 kHz, and what it says lies in the distances from burst to burst: of the
edges only one kind counts, so that no burst's length matters, and a level that is read late does
no harm.

    start | name 12 | stands 1 | weighs 1 | touch 2 | CRC-8

`touch` are the last bits of the number of the SET by which it came to stand there, so a word and
that event can be told to belong together. The firmware's side is `firmware/stopper/name_light.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

START_US: Final = 1263  # from burst to burst: 48, 24 and 36 cycles of 38 kHz
ZERO_US: Final = 632
ONE_US: Final = 947
OFF_US: Final = 158  # a distance may err by this much; more is another one, or none
STRAY_US: Final = ZERO_US - OFF_US  # an edge that follows sooner is no burst
NAME_BITS, TOUCH_BITS, CRC_BITS, WORD_BITS = 12, 2, 8, 24
NAMES: Final = 1 << NAME_BITS
TOUCHES: Final = 1 << TOUCH_BITS
EDGES: Final = WORD_BITS + 2  # of a whole word
WORD_US: Final = START_US + WORD_BITS * ONE_US  # no word lasts longer, from the first to the last


@dataclass(frozen=True, slots=True)
class NameWord:
    """What a stopper says to its pad."""

    name: int
    stands: bool  # as its load cell says, or, without one, as it is upright and calm
    weighs: bool  # it has a load cell
    touch: int

    @property
    def bits(self) -> int:
        """Return it as it is sent, with its check.

        >>> f"{NameWord(0xABC, True, True, 2).bits:06x}"
        'abce3c'
        """
        flags = self.stands << 3 | self.weighs << 2 | self.touch
        content = self.name << 4 | flags
        return content << CRC_BITS | crc8(content)


def name_of(key: bytes) -> int:
    """Return the name of the stopper with this key: it has nothing to do with any number.

    >>> name_of(bytes(16))
    117
    """
    return int.from_bytes(sha256(key + b"seat").digest()[:2], "big") >> 4


def crc8(content: int) -> int:
    """Return the check of the two bytes of a word: polynomial 0x07, which begins with 0xFF."""
    crc = 0xFF
    for byte in (content >> 8, content & 0xFF):
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (0x107 if crc & 0x80 else 0)) & 0xFF
    return crc


def word_of(bits: int) -> NameWord | None:
    """Return what 24 bits say; None: they are damaged.

    >>> word_of(NameWord(0xABC, True, False, 2).bits)
    NameWord(name=2748, stands=True, weighs=False, touch=2)
    >>> word_of(NameWord(0xABC, True, False, 2).bits ^ 0x10) is None
    True
    """
    content, crc = bits >> CRC_BITS, bits & 0xFF
    if crc8(content) != crc:
        return None
    return NameWord(content >> 4, bool(content & 8), bool(content & 4), content & (TOUCHES - 1))


def distances_us(word: NameWord) -> Sequence[int]:
    """Return how far each burst of a word is from the one before."""
    bits = word.bits
    places = range(WORD_BITS - 1, -1, -1)
    return (START_US, *(ONE_US if bits >> place & 1 else ZERO_US for place in places))


class WordDecoder:
    """Takes the edges of one line, one after the other, and finds the words in them.

    >>> decoder, at_us, words = WordDecoder(), 5_000, []
    >>> for far_us in (9_000, *distances_us(NameWord(0xABC, True, True, 1))):
    ...     at_us += far_us
    ...     words.append(decoder.take(at_us))
    >>> words[-1], words.count(None)
    (NameWord(name=2748, stands=True, weighs=True, touch=1), 25)
    """

    __slots__ = ("_bits", "_count", "_last_us", "damaged")

    def __init__(self) -> None:
        self._last_us = -(1 << 62)
        self._bits, self._count = 0, -1  # -1: no start was seen
        self.damaged = 0  # words that began and were nothing in the end

    def take(self, at_us: int) -> NameWord | None:
        """Handle an edge; return the word that it ends, if it does."""
        far_us = at_us - self._last_us
        if 0 <= far_us < STRAY_US:
            return None
        self._last_us = at_us
        if 0 <= far_us < (ZERO_US + ONE_US + 1) // 2:
            bit = 0
        elif 0 <= far_us <= ONE_US + OFF_US:
            bit = 1
        else:
            self.damaged += self._count > 0
            is_start = 0 <= far_us <= START_US + OFF_US
            self._bits, self._count = 0, 0 if is_start else -1
            return None
        if self._count < 0:
            return None
        self._bits, self._count = self._bits << 1 | bit, self._count + 1
        if self._count < WORD_BITS:
            return None
        word, self._count = word_of(self._bits), -1
        self.damaged += word is None
        return word
