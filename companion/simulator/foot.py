"""What presses on a stopper's load cell: the barrel's load, the foot that hangs there, its ring.

It must not know the cell, nor what is made of it. Between the table and the cell is the foot: with
its screws, the label and the cell's free end some 5 g. The cell pushes it along with the barrel, so
it feels the table's push less the foot's mass times the force along the barrel's axis: standing the
load less a foot, upright in a hand minus a foot, on its side nothing, upside down a foot.

The foot slides in a ring, where it rubs. What rubs takes part of any change, up to a limit: set
down, some tenths of a gram stick either way; lifted, up to half a gram of the load stays behind.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from companion.chance import wobble
from companion.simulator.habits import between
from companion.simulator.traits import Trait, Traits

FOOT_G: Final = 5.0
FOOT_SPREAD_G: Final = 0.5  # as parts, solder and screws differ
STUCK_STANDING_G: Final = (0.1, 0.2)  # each stopper's own limit; either way
STUCK_LIFTED_G: Final = (0.0, 0.5)  # likewise; always of the load that was there
TOUCHES_G: Final = 1.0  # more than what rubs
READING_US: Final = 25_000  # a converter's reading is the mean of what it felt since the last
PARTS: Final = 4

Grams = Callable[[int], float]


class Foot:
    """One stopper's foot. `push_g` is the specific force along the barrel's axis, up: 1 upright.

    >>> heavy = Foot(lambda at_us: 0.0, lambda at_us: -1.0, "1", frozenset({Trait.FOOT}))
    >>> heavy.force_g(0) == heavy.mass_g
    True
    """

    def __init__(self, load_g: Grams, push_g: Grams, seed: str, traits: Traits) -> None:
        self._load_g, self._push_g = load_g, push_g
        rng = Random(f"foot {seed}")  # noqa: S311 - chance in a game, no secret
        self.mass_g = FOOT_G + FOOT_SPREAD_G * wobble(rng) if Trait.FOOT in traits else 0.0
        self._ring = Ring(seed) if Trait.RING in traits else None

    def force_g(self, at_us: int) -> float:
        """Return what presses on the cell; negative: what pulls at it."""
        load_g = force_g = self._load_g(at_us)
        if self.mass_g:
            times = range(at_us, at_us - READING_US, -READING_US // PARTS)
            force_g -= self.mass_g * sum(self._push_g(max(0, time)) for time in times) / PARTS
        return self._ring.lets_through_g(load_g, force_g) if self._ring else force_g


class Ring:
    """Where one foot slides: what sticks there, drawn anew whenever it is lifted or set down."""

    def __init__(self, seed: str) -> None:
        self._rng = rng = Random(f"ring {seed}")  # noqa: S311 - chance in a game, no secret
        self.standing_g = between(rng, *STUCK_STANDING_G)
        self.lifted_g = between(rng, *STUCK_LIFTED_G)
        self._stands = False
        self._passed_g = self._sticks_g = 0.0

    def lets_through_g(self, load_g: float, force_g: float) -> float:
        """Return what of a force reaches the cell."""
        stands = load_g > TOUCHES_G
        if stands != self._stands:
            self._stands = stands
            limit_g = self.standing_g if stands else self.lifted_g
            self._sticks_g = between(self._rng, -limit_g if stands else 0.0, limit_g)
        if stands:
            self._passed_g = force_g + self._sticks_g
        else:  # it follows only as far as it must
            least_g, most_g = force_g - self._sticks_g, force_g + self._sticks_g
            self._passed_g = min(max(self._passed_g, least_g), most_g)
        return self._passed_g
