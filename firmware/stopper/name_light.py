"""Says the stopper's name by infrared light to the pad that it stands on; it must not know chips.

A word is 26 bursts of 38 kHz; the distance from one to the next says a bit. It is said often when
the barrel has just come to stand or to rest, then more and more seldom, and never while it is
shaken or tilted: what stands on a pad does neither.
"""

import hashlib

from stopper.motion import ONE_G
from stopper.scale import FLOATS

BURST_US, START_US, ZERO_US, ONE_US = 263, 1263, 632, 947  # 10, 48, 24 and 36 cycles of 38 kHz
OFTEN_MS, SOON_MS, SELDOM_MS = 50, 250, 1000  # from word to word…
LEAST_MS = 30  # the longest takes 24
FRESH_MS, RECENT_MS = 400, 3400  # …for so long after it came to stand or to rest, and after that
WOBBLE = 9  # ms from 4 less to 4 more: two barrels on one pad do not drown each other each time
UPRIGHT_CDEG, EVEN, CALM_MS = 2500, 51, 60  # so, |a| within 0.1 g of 1 g, and for so long
SHAKEN = 128  # agitation of 0.25 g: what the foot feels then may be its own swing


def name_of(key):
    """Return the name: 12 bits that have nothing to do with any number."""
    digest = hashlib.sha256(key + b"seat").digest()
    return digest[0] << 4 | digest[1] >> 4


def crc8(content):
    """Return the check of two bytes: polynomial 0x07, which begins with 0xFF.

    >>> crc8(0xABCE)
    60
    """
    crc = 0xFF
    for byte in (content >> 8, content & 0xFF):
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (0x107 if crc & 0x80 else 0)) & 0xFF
    return crc


def pulses(name, stands, weighs, touch):
    """Return a word as RMT takes it: how long there is light, then darkness, and so on.

    >>> word = pulses(0xABC, True, True, 2)
    >>> len(word), word[:4]
    (51, (263, 1000, 263, 684))
    """
    content = name << 4 | stands << 3 | weighs << 2 | touch
    bits = content << 8 | crc8(content)
    word = [BURST_US, START_US - BURST_US]
    for place in range(23, -1, -1):
        word += [BURST_US, (ONE_US if bits >> place & 1 else ZERO_US) - BURST_US]
    word.append(BURST_US)
    return tuple(word)


class NameLight:
    """When to say what; `shine` sends it and does not wait."""

    def __init__(self, shine, key, node):
        self._shine, self._name = shine, name_of(key)
        self._chance = node[-1]  # of the wobble
        self._since_ms = self._even_ms = -1  # since when it rests, and is even; -1: it does not
        self._due_ms = 0
        self._touch = 0

    def set_down(self, event):
        """Note the number of the event that says that it was set down."""
        self._touch = event & 3

    def pause_ms(self, now_ms, step_ms):
        """Return how long a step may take so that the next word comes on time."""
        left_ms = self._due_ms - now_ms
        soon = self._since_ms >= 0 and 0 < left_ms < step_ms + (step_ms >> 1)
        return left_ms if soon else step_ms

    def look(self, now_ms, motion, scale, weighs):
        """Say it if it is time: while its foot carries it, or, without a cell, while it is calm."""
        if not self._rests(now_ms, motion, scale, weighs):
            self._since_ms = -1
            return
        if self._since_ms < 0:
            self._since_ms = self._due_ms = now_ms
        if now_ms < self._due_ms:
            return
        stands = scale.standing.on if weighs else True
        self._shine(pulses(self._name, stands, weighs, self._touch))
        age_ms = now_ms - self._since_ms
        every_ms = OFTEN_MS if age_ms < FRESH_MS else SOON_MS if age_ms < RECENT_MS else SELDOM_MS
        self._chance = self._chance * 77 + 1 & 0xFF
        self._due_ms = max(self._due_ms + every_ms, now_ms + LEAST_MS)
        self._due_ms += (self._chance >> 3) % WOBBLE - WOBBLE // 2

    def _rests(self, now_ms, motion, scale, weighs):
        upright = motion.tilt_cdeg < UPRIGHT_CDEG
        even = upright and -EVEN < motion.length - ONE_G < EVEN and motion.deviation >> 8 < EVEN
        if not even:
            self._even_ms = -1
        elif self._even_ms < 0:
            self._even_ms = now_ms
        if weighs:
            stands = scale.standing.on or motion.agitation >> 8 < SHAKEN
            return stands and upright and scale.load > FLOATS
        return even and now_ms - self._even_ms >= CALM_MS
