"""Pads with a reflex sensor instead of a switch: it sees what is near, also a hand.

    world = World(Random(1))
    fit(world, PadKind.REFLEX)

It has its own source of chance: no barrel moves differently because of it.
"""

from enum import Enum
from math import hypot
from random import Random
from typing import Final

from companion.simulator import motions, poses
from companion.simulator.hand_params import HandSpread, between
from companion.simulator.world import World
from companion.system.chance import wobble

REFLEX_LATE_S: Final = 0.03  # at most, for a sensor's mean
EYE_M: Final = 0.02  # a foot is 54 mm wide, and the eye looks up at its middle
TRIM_M: Final = HandSpread(0.005, 0.002, 0.002, 0.012)  # how high a foot is seen, as trimmed
FINGERS_M: Final = HandSpread(0.0, 0.007, 0.0, 0.02)  # how much sooner it is seen, below a foot
HOVERS_S: Final = (4.0, 40.0)  # this long after a hand was over a pad, another one is…
HOVER_S: Final = (0.05, 0.8)  # …for this long


class PadKind(Enum):
    SWITCH = "a switch under the coaster"
    REFLEX = "a reflex sensor that looks up through a window"


class ReflexSensor:
    """One reflex sensor: how it is trimmed, and the hands that pass over it.

    >>> eye = ReflexSensor(Random(1))
    >>> closed = [eye.sees_hand(at_us) for at_us in range(0, 60_000_000, 20_000)]
    >>> 0 < sum(closed) < 500
    True
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.trim_m = TRIM_M.draw(rng)
        self._motion: poses.Motion | None = None  # the newest that it looked at…
        self._fingers_m = 0.0  # …and how far its hand reaches below
        self._hand_us = self._next_hand(0)

    def sees_hand(self, at_us: int) -> bool:
        """Return whether a hand without a barrel is over it; times never go back."""
        while at_us >= self._hand_us[1]:
            self._hand_us = self._next_hand(self._hand_us[1])
        return at_us >= self._hand_us[0]

    def sees(self, motion: poses.Motion, at_us: int, pad: motions.Vector) -> bool:
        """Return whether a barrel that is moved is near enough, or the fingers that hold it."""
        if motion is not self._motion:
            self._motion, self._fingers_m = motion, FINGERS_M.at(wobble(self._rng))
        (x, y, z), _ = motion.place(at_us)
        beside = hypot(x - pad[0], y - pad[1])
        return beside < EYE_M and z - pad[2] < self.trim_m + self._fingers_m

    def _next_hand(self, after_us: int) -> tuple[int, int]:
        from_us = after_us + round(1e6 * between(self._rng, *HOVERS_S))
        return from_us, from_us + round(1e6 * between(self._rng, *HOVER_S))


def fit(world: World, kind: PadKind) -> None:
    """Let a world have such pads, before anything is done in it."""
    if kind is PadKind.REFLEX:
        world.eyes = {seat: ReflexSensor(world.own_chance(f"eye {seat}")) for seat in world.seats}
        world.fit_springs(REFLEX_LATE_S)
