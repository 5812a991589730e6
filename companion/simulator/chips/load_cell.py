"""A cheap load cell: from the grams that press on it, and how warm it is, to the grams it feels.

It must not know who reads it, nor what presses. Magnitudes are of bending beams for 100 g at a few
euros, as their makers state them: rated output 1.0 ± 0.15 mV/V (or 0.5 ± 0.1), zero balance ± 5 %,
creep 0.05 to 0.1 % in three minutes, hysteresis 0.03 to 0.1 %, of their full scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from companion.simulator.chips.board_bus import normal
from companion.simulator.habits import between
from companion.simulator.traits import Trait, Traits

FULL_SCALE_G: Final = 100.0
COUNTS_PER_G: Final = 2**23 * 0.256 / FULL_SCALE_G  # 1 mV/V at gain 128, reference = supply
STOP_G: Final = 1.5 * FULL_SCALE_G  # what carries the rest
ZERO_MG_PER_C, SPAN_PER_C = 20.0, 0.0001
CREEP_S: Final = 60.0  # 95 % of it in three minutes
HYSTERESIS_G: Final = 2.0  # over which change of load it shows


@dataclass(frozen=True, slots=True)
class Flaws:
    """How far cells are off, as σ where each has its own; here: once calibrated, in the middle."""

    span: float = 0.003
    zero_g: float = 1.0
    creep: float = 0.0005
    hysteresis_mg: float = 0.0003 * FULL_SCALE_G * 1000
    eccentric: float = 0.002  # of each setting down


def flaws(seed: int | str, traits: Traits) -> Flaws:
    """Return how far one cell is off.

    >>> flaws(1, frozenset()) == Flaws(), flaws(1, frozenset({Trait.GAIN})).span
    (True, 0.07)
    """
    usual, rng = Flaws(), Random(f"creep {seed}")  # noqa: S311 - chance in a game, no secret
    gain, creeps = Trait.GAIN in traits, Trait.CREEP in traits
    return Flaws(
        span=0.07 if gain else usual.span,
        zero_g=2.5 if gain else usual.zero_g,
        creep=between(rng, 0.0005, 0.001) / 0.95 if creeps else usual.creep,
        hysteresis_mg=1000 * FULL_SCALE_G * between(rng, 0.0003, 0.001)
        if creeps
        else usual.hysteresis_mg,
        eccentric=0.006 if Trait.RING in traits else usual.eccentric,
    )


@dataclass(slots=True)
class Cell:
    """What is wrong with one cell, and what it remembers."""

    rng: Random
    own: float  # 1, or 0 for an ideal cell
    reference_c: float
    flaws: Flaws = Flaws()
    span: float = 1.0
    zero_g: float = 0.0
    creep_g: float = 0.0
    followed_g: float = 0.0
    eccentric: float = 1.0
    last_us: int = 0
    last_g: float = 0.0

    def __post_init__(self) -> None:
        self.span = 1 + self.own * self.flaws.span * normal(self.rng)
        self.zero_g = self.own * self.flaws.zero_g * normal(self.rng)

    def signal_g(self, load_g: float, temperature_c: float, at_us: int) -> float:
        """Return the grams that the cell feels, in its own opinion."""
        warmer = temperature_c - self.reference_c
        if self.last_g < 1.0 <= load_g:  # set down anew, and never in the very middle
            self.eccentric = 1 + self.own * self.flaws.eccentric * normal(self.rng)
        self.followed_g = min(max(self.followed_g, load_g - HYSTERESIS_G), load_g + HYSTERESIS_G)
        lag = (self.followed_g - load_g) / HYSTERESIS_G  # -1: it came from below
        passed_s = (at_us - self.last_us) / 1e6
        self.creep_g += (self.flaws.creep * load_g - self.creep_g) * (1 - exp(-passed_s / CREEP_S))
        self.last_us, self.last_g = at_us, load_g
        felt_g = load_g * self.span * self.eccentric * (1 + self.own * SPAN_PER_C * warmer)
        wrong_mg = ZERO_MG_PER_C * warmer + self.flaws.hysteresis_mg / 2 * lag
        return min(felt_g, STOP_G) + self.zero_g + self.own * (self.creep_g + wrong_mg / 1000)
