"""A load cell: from the grams that press on it, and how warm it is, to the grams it feels.

Magnitudes stand in `stopper_kinds`; each part draws its own.
"""

from dataclasses import dataclass, field
from math import exp, hypot
from random import Random
from typing import Final

from companion.simulator.chips.board_bus import normal
from companion.simulator.hand_params import between
from companion.simulator.stopper_kinds import LEAVES, CellKind
from companion.simulator.traits import Imperfections, Trait

KNOWN_SPAN: Final = 0.003  # a deviation, once calibrated with a known mass
HYSTERESIS_G: Final = 2.0  # the change of load over which it shows
TOUCHES_G: Final = 1.0
MIDDLE_MM: Final = 1.0  # at a kind table, all press this near to it or nearer


@dataclass(frozen=True, slots=True)
class Flaws:
    """How far one cell is off; the figures here hold once it is calibrated, and at a kind table."""

    kind: CellKind = LEAVES
    span: float = KNOWN_SPAN  # a deviation…
    even: bool = False  # …or the most
    zero_g: float = 1.0
    zero_mg_per_c: float = 20.0
    span_per_c: float = 0.0001
    creep: float = 0.0005
    creep_s: tuple[float, ...] = (60.0,)
    hysteresis_mg: float = 30.0
    eccentric: float = 0.0004  # for each set-down


def flaws(
    seed: int | str, traits: Imperfections, kind: CellKind = LEAVES, slope_deg: float = 0.0
) -> Flaws:
    """Return how far one cell is off on a table that slopes.

    >>> flaws(1, frozenset()) == Flaws(), flaws(1, frozenset({Trait.GAIN})).span
    (True, 0.2)
    """
    near_mm = min(kind.wanders_mm, MIDDLE_MM)
    usual = Flaws(kind, eccentric=kind.eccentric_per_mm * near_mm)
    rng = Random(f"creep {seed}")  # noqa: S311 - chance in a game, no secret
    gain, creeps = Trait.GAIN in traits, Trait.CREEP in traits
    off_mm = hypot(kind.wanders_mm, kind.leans_mm_per_deg * slope_deg / 2**0.5)  # any way round
    way = 1.0 if rng.random() < 0.5 else -1.0
    return Flaws(
        kind,
        span=kind.span if gain else usual.span,
        even=kind.even if gain else usual.even,
        zero_g=kind.zero_g if gain else usual.zero_g,
        zero_mg_per_c=way * between(rng, *kind.zero_mg_per_c) if creeps else usual.zero_mg_per_c,
        span_per_c=kind.span_per_c if creeps else usual.span_per_c,
        creep=between(rng, *kind.creep) if creeps else usual.creep,
        creep_s=kind.creep_s if creeps else usual.creep_s,
        hysteresis_mg=between(rng, *kind.hysteresis_mg) if creeps else usual.hysteresis_mg,
        eccentric=kind.eccentric_per_mm * off_mm if Trait.RING in traits else usual.eccentric,
    )


@dataclass(slots=True)
class CellImperfections:
    rng: Random
    own: float  # 1, or 0 for an ideal cell
    reference_c: float
    flaws: Flaws = Flaws()
    span: float = 1.0
    zero_g: float = 0.0
    creeps_g: list[float] = field(default_factory=list)
    followed_g: float = 0.0
    eccentric: float = 1.0
    last_us: int = 0
    last_g: float = 0.0

    def __post_init__(self) -> None:
        flaws = self.flaws
        drawn = 2.0 * self.rng.random() - 1.0 if flaws.even else normal(self.rng)
        self.span = 1 + self.own * flaws.span * drawn
        self.zero_g = self.own * flaws.zero_g * normal(self.rng)
        self.creeps_g = [0.0] * len(flaws.creep_s)

    def fall(self) -> None:
        """Take a fall, which leaves the zero elsewhere."""
        self.zero_g += self.own * self.flaws.kind.fall_mg / 1000 * normal(self.rng)

    def signal_g(self, load_g: float, temperature_c: float, at_us: int) -> float:
        """Return the grams that the cell feels, in its own opinion."""
        flaws, warmer = self.flaws, temperature_c - self.reference_c
        if self.last_g < TOUCHES_G <= load_g:  # set down again, and never exactly in the middle
            self.eccentric = 1 + self.own * flaws.eccentric * normal(self.rng)
        self.followed_g = min(max(self.followed_g, load_g - HYSTERESIS_G), load_g + HYSTERESIS_G)
        lag = (self.followed_g - load_g) / HYSTERESIS_G  # -1: it came from below
        crept_g = self._creep(load_g, (at_us - self.last_us) / 1e6)
        self.last_us, self.last_g = at_us, load_g
        felt_g = load_g * self.span * self.eccentric * (1 + self.own * flaws.span_per_c * warmer)
        wrong_mg = flaws.zero_mg_per_c * warmer + flaws.hysteresis_mg / 2 * lag
        felt_g = min(felt_g, flaws.kind.stop_g)
        return felt_g + self.zero_g + self.own * (crept_g + wrong_mg / 1000)

    def _creep(self, load_g: float, passed_s: float) -> float:
        """Let the cell follow what presses on it; return by how much it has."""
        creeps_g, times = self.creeps_g, self.flaws.creep_s
        for at, follows_s in enumerate(times):
            aim_g = self.flaws.creep * load_g / len(times)
            creeps_g[at] += (aim_g - creeps_g[at]) * (1 - exp(-passed_s / follows_s))
        return sum(creeps_g)
