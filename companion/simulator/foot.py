"""What presses on a stopper's load cell: the barrel's load, the foot that hangs there, its gap.

Between the table and the cell is the foot with its label and the cell's free end. The cell pushes
it along with the barrel, so it feels the table's push less the foot's mass times the force along
the barrel's axis: standing the load less a foot, upright in a hand minus a foot, on its side
nothing, upside down a foot.

A bought cell's foot slides in a ring, where it rubs: what rubs takes part of any change, up to a
limit. Leaves guide their foot and nothing slides, but they ring; and a crumb in the gap between
foot and body carries a part of the load past the cell, until it falls out.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from companion.chance import wobble
from companion.simulator.habits import between
from companion.simulator.leaves import FINGERS, Leaves
from companion.simulator.stopper_kinds import LEAVES, CellKind
from companion.simulator.traits import Trait, Traits

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
        traits: Traits,
        kind: CellKind = LEAVES,
        held: Callable[[int], bool] = lambda _: False,
    ) -> None:
        self._load_g, self._push_g, self._held, self._kind = load_g, push_g, held, kind
        rng = Random(f"foot {seed}")  # noqa: S311 - chance in a game, no secret
        self.mass_g = 0.0
        if Trait.FOOT in traits:
            self.mass_g = kind.foot_g + kind.foot_spread_g * wobble(rng)
        self.damping = between(rng, *kind.damping)
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
        self.standing_g = between(rng, *kind.rubs_standing_g)
        self.lifted_g = between(rng, *kind.rubs_lifted_g)
        self._stands = False
        self._passed_g = self._sticks_g = 0.0
        self.crumb = self._steals = 0.0  # the share of a load that it carries, as a rule and now

    def lets_through_g(self, load_g: float, force_g: float) -> float:
        """Return how much of a force reaches the cell."""
        stands = load_g > TOUCHES_G
        if stands != self._stands:
            self._stands = stands
            limit_g = self.standing_g if stands else self.lifted_g
            self._sticks_g = between(self._rng, -limit_g if stands else 0.0, limit_g)
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
            self.crumb = between(rng, *kind.crumb)
        self._steals = self.crumb * (1.0 + between(rng, -CRUMB_UNEVEN, CRUMB_UNEVEN))
