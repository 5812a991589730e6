"""A stopper's simulated scale: foot, leaf springs, load cell, converter, and its calibration.

A stopper without a cell has none of that on its bus.
"""

import struct
from collections.abc import Callable
from math import cos, exp, hypot, pi, radians, sin, sqrt
from random import Random
from typing import Final

from companion.simulator import hand_params, motions
from companion.simulator.barrel import Barrel
from companion.simulator.chips import board_bus, load_cell, nau7802
from companion.simulator.hand_params import between
from companion.simulator.motions import Vector
from companion.simulator.stopper_kinds import LEAVES, CellKind
from companion.simulator.traits import Imperfections, Trait
from companion.system.chance import wobble

ASKEW_DEG: Final = 3.0  # a standard deviation, each way; of sensor and stopper together
AT_MOST_DEG: Final = 8.0
CARELESS: Final = 0.01  # this many parts…
CARELESS_DEG: Final = (12.0, 16.0)  # …are far more askew

Force = Callable[[int], Vector]


def askew_rad(rng: Random) -> tuple[float, float]:
    """Return how far one sensor leans over, along x and y.

    >>> 0.0 < hypot(*askew_rad(Random(1))) <= radians(16)
    True
    """
    x, y = ASKEW_DEG * wobble(rng), ASKEW_DEG * wobble(rng)
    far = hypot(x, y) or 1.0
    most = between(rng, *CARELESS_DEG) if rng.random() < CARELESS else min(far, AT_MOST_DEG)
    return radians(x * most / far), radians(y * most / far)


def mounted(force: Force, askew: tuple[float, float]) -> Force:
    """Return the force felt by a sensor that leans over this far.

    >>> [round(part, 3) for part in mounted(lambda at_us: (0.0, 0.0, 1.0), (radians(30), 0.0))(0)]
    [-0.5, 0.0, 0.866]
    """
    angle = hypot(*askew)
    if not angle:
        return force
    ax, ay = -askew[1] / angle, askew[0] / angle  # turning about this axis makes it lean like that
    c, s = cos(angle), sin(angle)

    def felt(at_us: int) -> Vector:
        x, y, z = force(at_us)
        along = (ax * x + ay * y) * (1.0 - c)
        return (
            x * c - ay * z * s + ax * along,
            y * c + ax * z * s + ay * along,
            z * c - (ax * y - ay * x) * s,
        )

    return felt


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


class BodyForces:
    """What a stopper's body feels: what its barrel does and, upwards, what leaves let through."""

    def __init__(self, barrel: Barrel, hz: float, damping: float) -> None:
        self._barrel, self._hz, self._damping = barrel, hz, damping
        self._leaves, self._last_us = Leaves(), 0

    def acceleration_g(self, at_us: int) -> motions.Vector:
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


TOUCHES_G: Final = 1.0  # more than friction
READING_US: Final = 25_000  # a converter's reading is the mean of what it felt since the last
PARTS: Final = 4
CRUMB_STAYS: Final = 0.8  # how likely one is still there after the next lift
CRUMB_UNEVEN: Final = 0.3  # by how much it carries more or less then

Grams = Callable[[int], float]


class Foot:
    """One stopper's foot. `push_g` is the specific force along the barrel's axis, up: 1 upright.

    >>> heavy = Foot(lambda at_us: 0.0, lambda at_us: -1.0, "1", frozenset({Trait.FOOT}))
    >>> heavy.force_g(0) == heavy.mass_g
    True
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it feels, and how it is
        self,
        load_g: Grams,
        push_g: Grams,
        seed: str,
        traits: Imperfections,
        kind: CellKind = LEAVES,
        held: Callable[[int], bool] = lambda _: False,
    ) -> None:
        self._load_g, self._push_g, self._held, self._kind = load_g, push_g, held, kind
        rng = Random(f"foot {seed}")  # noqa: S311 - chance in a game, no secret
        self.mass_g = 0.0
        if Trait.FOOT in traits:
            self.mass_g = kind.foot_g + kind.foot_spread_g * wobble(rng)
        self.damping = hand_params.between(rng, *kind.damping)
        self._ring = Ring(seed, kind) if Trait.RING in traits else None
        rings = Trait.LEAVES in traits and kind.stands_hz is not None
        self._leaves, self._felt_us = Leaves() if rings else None, -READING_US

    def force_g(self, at_us: int) -> float:
        """Return what presses on the cell; negative: what pulls at it."""
        load_g = self._load_g(at_us)
        force_g = load_g if self._leaves is None else self._ringing_g(self._leaves, at_us)
        if self.mass_g and self._leaves is None:
            times = range(at_us, at_us - READING_US, -READING_US // PARTS)
            force_g -= self.mass_g * sum(self._push_g(max(0, time)) for time in times) / PARTS
        return self._ring.lets_through_g(load_g, force_g) if self._ring else force_g

    def _ringing_g(self, leaves: Leaves, at_us: int) -> float:
        """Return the same as ringing leaves pass it on, averaged over a reading."""
        long_us, self._felt_us = at_us - self._felt_us, at_us
        span_us, total_g = READING_US // PARTS, 0.0
        for part in range(PARTS):
            time = max(0, at_us - (PARTS - 1 - part) * span_us)
            load_g = self._load_g(time)
            force_g = load_g - (self.mass_g * self._push_g(time) if self.mass_g else 0.0)
            if part == 0 and long_us > 2 * READING_US:
                leaves.settle(force_g)  # nobody read it for a while
            stands = load_g > TOUCHES_G
            hz = self._kind.stands_hz if stands else self._kind.hangs_hz
            assert hz is not None
            damping = FINGERS if stands and self._held(time) else self.damping
            total_g += leaves.follow(force_g, span_us * 1e-6, hz, damping)
        return total_g / PARTS


class Ring:
    """The gap around one foot: what sticks or is stuck there, new at each lift and set-down."""

    def __init__(self, seed: str, kind: CellKind = LEAVES) -> None:
        self._rng = rng = Random(f"ring {seed}")  # noqa: S311 - chance in a game, no secret
        self._kind = kind
        self.standing_g = hand_params.between(rng, *kind.rubs_standing_g)
        self.lifted_g = hand_params.between(rng, *kind.rubs_lifted_g)
        self._stands = False
        self._passed_g = self._sticks_g = 0.0
        self.crumb = self._steals = 0.0  # the share of a load that it carries, as a rule and now

    def lets_through_g(self, load_g: float, force_g: float) -> float:
        """Return how much of a force reaches the cell."""
        stands = load_g > TOUCHES_G
        if stands != self._stands:
            self._stands = stands
            limit_g = self.standing_g if stands else self.lifted_g
            self._sticks_g = hand_params.between(self._rng, -limit_g if stands else 0.0, limit_g)
            if not stands:
                self._stir()
        force_g *= 1.0 - self._steals
        if stands:
            self._passed_g = force_g + self._sticks_g
        else:  # it follows only as far as it must
            least_g, most_g = force_g - self._sticks_g, force_g + self._sticks_g
            self._passed_g = min(max(self._passed_g, least_g), most_g)
        return self._passed_g

    def _stir(self) -> None:
        """Let a crumb fall in or out, or change its position, as the barrel is lifted."""
        rng, kind = self._rng, self._kind
        if kind.crumb is None:
            return
        if self.crumb and rng.random() > CRUMB_STAYS:
            self.crumb = 0.0
        elif not self.crumb and rng.random() * kind.crumb_lifts < 1.0:
            self.crumb = hand_params.between(rng, *kind.crumb)
        self._steals = self.crumb * (1.0 + hand_params.between(rng, -CRUMB_UNEVEN, CRUMB_UNEVEN))


class WeighingParts:
    """Foot, leaves, cell and converter below one barrel."""

    def __init__(  # noqa: PLR0913, PLR0917 - what it is connected with, and how it is
        self,
        barrel: Barrel,
        celsius: Callable[[int], float],
        clock_us: board_bus.Clock,
        seed: str,
        traits: Imperfections,
        kind: CellKind | None,
    ) -> None:
        self._cell, kind = kind, kind or LEAVES  # without one nobody reads what it would feel
        self._barrel, self._seed, self._fell = barrel, seed, False
        self._falls = Trait.CREEP in traits
        self.foot = Foot(barrel.load_g, self._push_g, seed, traits, kind, barrel.in_hand)
        off = load_cell.flaws(seed, traits, kind, barrel.slope_deg)
        self.chip = nau7802.Nau7802(self._force_g, celsius, clock_us, seed, flaws=off)
        self.felt = self._felt(traits)

    def turned_over_once(self) -> dict[str, bytes]:
        """Return what its firmware keeps of the day it was built, when a hand turned it over."""
        if self._cell is None:
            return {}
        cell, foot_g = self.chip.cell, self.foot.mass_g * self.chip.cell.span
        about_g = foot_g * (1 + 0.02 * wobble(Random(f"built {self._seed}")))  # noqa: S311 - a game
        kept_g = {"zero": cell.zero_g - foot_g, "foot": about_g}
        counts = cell.flaws.kind.counts_per_g
        return {name: struct.pack("<i", round(g * counts)) for name, g in kept_g.items()}

    def _felt(self, traits: Imperfections) -> Force:
        """Return what an accelerometer above the cell feels: not quite straight, and on leaves."""
        force: Force = self._barrel.acceleration_g
        stands_hz = self._cell.stands_hz if self._cell else None
        if Trait.LEAVES in traits and stands_hz is not None:
            force = BodyForces(self._barrel, stands_hz, self.foot.damping).acceleration_g
        if Trait.MOUNTING in traits:
            rng = Random(f"mounting {self._seed}")  # noqa: S311 - a game and no secret
            force = mounted(force, askew_rad(rng))
        return force

    def _push_g(self, at_us: int) -> float:
        return self._barrel.acceleration_g(at_us)[2]

    def _force_g(self, at_us: int) -> float:
        falls = self._falls and self._barrel.falls(at_us)
        if falls and not self._fell:
            self.chip.cell.fall()
        self._fell = falls
        return self.foot.force_g(at_us)
