"""What one stopper weighs with: foot, leaves, cell and converter, and what a hand once taught it.

A stopper without a cell has none of that on its bus.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from random import Random

from companion.chance import wobble
from companion.simulator.barrel import Barrel
from companion.simulator.chips.board_bus import Clock
from companion.simulator.chips.load_cell import flaws
from companion.simulator.chips.nau7802 import Nau7802
from companion.simulator.foot import Foot
from companion.simulator.leaves import Standing
from companion.simulator.mounting import Force, askew_rad, mounted
from companion.simulator.stopper_kinds import BOUGHT, CellKind
from companion.simulator.traits import Trait, Traits


class Weighing:
    """All of that, below one barrel."""

    def __init__(  # noqa: PLR0913, PLR0917 - what it is connected with, and how it is
        self,
        barrel: Barrel,
        celsius: Callable[[int], float],
        clock_us: Clock,
        seed: str,
        traits: Traits,
        kind: CellKind | None,
    ) -> None:
        self._cell, kind = kind, kind or BOUGHT  # without one nothing rings, and nobody reads it
        self._barrel, self._seed, self._fell = barrel, seed, False
        self._falls = Trait.CREEP in traits
        self.foot = Foot(barrel.load_g, self._push_g, seed, traits, kind, barrel.in_hand)
        off = flaws(seed, traits, kind, barrel.slope_deg)
        self.chip = Nau7802(self._force_g, celsius, clock_us, seed, flaws=off)
        self.felt = self._felt(traits, kind)

    def turned_over_once(self) -> dict[str, bytes]:
        """Return what its firmware keeps of the day it was built, when a hand turned it over."""
        if self._cell is None:
            return {}
        cell, foot_g = self.chip.cell, self.foot.mass_g * self.chip.cell.span
        about_g = foot_g * (1 + 0.02 * wobble(Random(f"built {self._seed}")))  # noqa: S311 - a game
        kept_g = {"zero": cell.zero_g - foot_g, "foot": about_g}
        counts = cell.flaws.kind.counts_per_g
        return {name: struct.pack("<i", round(g * counts)) for name, g in kept_g.items()}

    def _felt(self, traits: Traits, kind: CellKind) -> Force:
        """Return what an accelerometer above the cell feels: not quite straight, and on leaves."""
        force: Force = self._barrel.acceleration_g
        if Trait.LEAVES in traits and kind.stands_hz is not None:
            force = Standing(self._barrel, kind.stands_hz, self.foot.damping).acceleration_g
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
