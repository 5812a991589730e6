"""What closes the pads: a switch feels weight, a reflex sensor sees what is near, also a hand.

It must not know seats, sensing or rules. A reflex sensor's chance is its own: no barrel moves
otherwise because of it.
"""

from __future__ import annotations

from enum import Enum
from math import hypot
from random import Random
from typing import Final

from companion.chance import wobble
from companion.simulator.barrel import Barrel
from companion.simulator.habits import Spread, between
from companion.simulator.handling import Motion
from companion.simulator.motions import Vector

PAD_CLOSES_G: Final = 8.0
SWITCH_M: Final = 0.04  # a barrel stands on the coaster, if it is no farther from its middle
EYE_M: Final = 0.02  # a foot is 54 mm wide, and the eye looks up at its middle
TRIM_M: Final = Spread(0.005, 0.002, 0.002, 0.012)  # so high a foot is seen, as somebody trimmed it
FINGERS_M: Final = Spread(0.0, 0.007, 0.0, 0.02)  # by which it is seen sooner, below a foot
HOVERS_S: Final = (4.0, 40.0)  # so long after a hand was over a pad, another one is…
HOVER_S: Final = (0.05, 0.8)  # …for so long


class PadKind(Enum):
    """What a pad is made of."""

    SWITCH = "a switch under the coaster"
    REFLEX = "a reflex sensor that looks up through a window"


class Eye:
    """One reflex sensor: how it is trimmed, and the hands that pass over it.

    >>> eye = Eye(Random(1))
    >>> closed = [eye.sees_hand(at_us) for at_us in range(0, 60_000_000, 20_000)]
    >>> 0 < sum(closed) < 500
    True
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.trim_m = TRIM_M.draw(rng)
        self._motion: Motion | None = None  # the newest that it looked at…
        self._fingers_m = 0.0  # …and how far its hand reaches below
        self._hand_us = self._next_hand(0)

    def sees_hand(self, at_us: int) -> bool:
        """Return whether a hand without a barrel is over it; times only go on."""
        while at_us >= self._hand_us[1]:
            self._hand_us = self._next_hand(self._hand_us[1])
        return at_us >= self._hand_us[0]

    def sees(self, motion: Motion, at_us: int, pad: Vector) -> bool:
        """Return whether a barrel that is moved is near enough, or the fingers that hold it."""
        if motion is not self._motion:
            self._motion, self._fingers_m = motion, FINGERS_M.at(wobble(self._rng))
        (x, y, z), _ = motion.place(at_us)
        beside = hypot(x - pad[0], y - pad[1])
        return beside < EYE_M and z - pad[2] < self.trim_m + self._fingers_m

    def _next_hand(self, after_us: int) -> tuple[int, int]:
        from_us = after_us + round(1e6 * between(self._rng, *HOVERS_S))
        return from_us, from_us + round(1e6 * between(self._rng, *HOVER_S))


def presses(barrel: Barrel, motion: Motion, at_us: int, pad: Vector) -> bool:
    """Return whether a barrel that is moved weighs enough on a switch just now."""
    near = all(abs(a - b) < SWITCH_M for a, b in zip(motion.place(at_us)[0], pad, strict=True))
    return near and barrel.weight_g(at_us) > PAD_CLOSES_G
