"""The leaves between foot and body as a spring: what stands on them bounces, what hangs rings.

A barrel of 40 g on its leaves follows its table at 66 Hz, hardly damped once no finger is on it; a
foot of 1.5 g in the air rings at 338 Hz.
"""

from __future__ import annotations

from math import cos, exp, pi, sin, sqrt
from typing import Final

from companion.simulator.barrel import Barrel
from companion.simulator.motions import Vector

FINGERS: Final = 0.3  # damping while a hand still has it: skin is soft (an estimate)
LONG_S: Final = 2.0  # by then nothing rings any more


class Leaves:
    """A mass on a damped spring, and the force in it; exact for a force that comes in steps.

    >>> leaves = Leaves()
    >>> [leaves.follow(1.0, 0.0077, 65.0, 0.02) > 0, round(leaves.force, 1)]
    [True, 1.9]
    """

    def __init__(self) -> None:
        self.force = 0.0  # in the spring
        self._rate = 0.0  # at which it changes, a second

    def settle(self, force: float) -> None:
        """Have it rest under a force."""
        self.force, self._rate = force, 0.0

    def follow(self, force: float, span_s: float, hz: float, damping: float) -> float:
        """Let a force act for a time; return the average force in the spring meanwhile."""
        if span_s <= 0.0 or span_s > LONG_S:
            self.settle(force)
            return force
        omega = 2.0 * pi * hz
        swing, fades = omega * sqrt(1.0 - damping * damping), damping * omega
        off, rate = self.force - force, self._rate
        c, s, left = cos(swing * span_s), sin(swing * span_s), exp(-fades * span_s)
        now = left * (off * c + (rate + fades * off) / swing * s)
        self._rate = left * (rate * c - (omega * omega * off + fades * rate) / swing * s)
        self.force = force + now
        change = self._rate - rate
        return (
            force
            - change / (omega * omega * span_s)
            - 2.0 * damping * (now - off) / (omega * span_s)
        )

    def push(self, hz: float, damping: float) -> float:
        """Return what spring and damper together push with: what the mass on them feels."""
        return self.force + 2.0 * damping * self._rate / (2.0 * pi * hz)


class Standing:
    """What a stopper's body feels: what its barrel does and, upwards, what leaves let through."""

    def __init__(self, barrel: Barrel, hz: float, damping: float) -> None:
        self._barrel, self._hz, self._damping = barrel, hz, damping
        self._leaves, self._last_us = Leaves(), 0

    def acceleration_g(self, at_us: int) -> Vector:
        """Return the specific force in the stopper's axes; times never go back."""
        barrel = self._barrel
        x, y, z = barrel.acceleration_g(at_us)
        passed_s, self._last_us = (at_us - self._last_us) * 1e-6, at_us
        if not barrel.stands(at_us):
            self._leaves.settle(z)
            return x, y, z
        damping = FINGERS if barrel.in_hand(at_us) else self._damping
        self._leaves.follow(z, passed_s, self._hz, damping)
        return x, y, self._leaves.push(self._hz, damping)
