"""The kinds of stoppers that a simulated table may have: every magnitude, each in one place.

S: a data sheet or a measurement says so; E: estimated, because nobody has built one yet. Two
figures are the ends of what parts are like.

    weighing     one board of its own, a cell of two leaves: the usual one
    light        the same board without a cell
"""

from dataclasses import dataclass
from typing import Final

BARREL_G: Final = 22.0  # without stopper and stones
COUNTS: Final = 2**23 * 0.256  # for each mV/V: the converter's gain of 128, reference is supply (S)

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CellKind:
    """A load cell, what hangs on it, and what gets in its way."""

    mv_per_v_g: float  # what a gram adds…
    stop_g: float  # …up to here: a stop carries the rest
    foot_g: float  # hangs on the cell of a lifted barrel…
    foot_spread_g: float  # …plus or minus, as a deviation
    noise_mg: float  # of half a second of readings, root mean square
    zero_g: float  # a deviation, as built
    zero_mg_per_c: Range
    span: float  # how much more or less of a gram it feels as built, at most or as a deviation…
    even: bool  # …at most: all are equally likely
    span_per_c: float
    creep: Range  # the share of a load that comes late…
    creep_s: tuple[float, ...]  # …half of it by each of these times
    hysteresis_mg: Range
    eccentric_per_mm: float  # how much more or less of a load, for each mm off the middle
    wanders_mm: float  # where the load presses, drawn again at each set-down, as a deviation…
    leans_mm_per_deg: float  # …and by how the table slopes
    rubs_standing_g: Range  # how much sticks to the foot, either way…
    rubs_lifted_g: Range  # …and of the load that was there
    fall_mg: float  # by which a fall shifts the zero, as a deviation
    stands_hz: float | None = None  # a barrel bounces on its leaves…
    hangs_hz: float | None = None  # …and a foot in the air
    damping: Range = (1.0, 1.0)
    crumb: Range | None = None  # the share of a load that a crumb in the gap carries…
    crumb_lifts: int = 0  # …once in this many lifts

    @property
    def counts_per_g(self) -> float:
        """Return how many counts the converter gives for a gram.

        >>> round(LEAVES.counts_per_g)
        15032
        """
        return COUNTS * self.mv_per_v_g


@dataclass(frozen=True, slots=True)
class StopperKind:
    """One kind of stoppers; without a cell it feels only how it is moved."""

    name: str
    mass_g: float
    cell: CellKind | None

    @property
    def empty_g(self) -> float:
        """Return what a barrel weighs with it, and without stones."""
        return BARREL_G + self.mass_g


LEAVES: Final = CellKind(
    mv_per_v_g=0.28 / 40,  # E: beam theory, a full bridge on one of two leaves
    stop_g=250.0,  # E: at 0.36 mm
    foot_g=1.5,  # E: what hangs there of the models, added up
    foot_spread_g=0.1,  # E: print and glue
    noise_mg=3.0,  # E: the converter's noise (S) at 21 µV a gram
    zero_g=2.5,  # E
    zero_mg_per_c=(5.0, 100.0),  # E: 40 as a rule; gauges that are glued by hand
    span=0.20,  # E: where a gauge sits, how thick a leaf is
    even=True,
    span_per_c=0.00025,  # S: steel's modulus
    creep=(0.0010, 0.0020),  # E: 0.15 %, glue and backing
    creep_s=(10.0, 120.0),  # E
    hysteresis_mg=(20.0, 60.0),  # E: 0.1 % of 40 g
    eccentric_per_mm=0.001,  # E
    wanders_mm=0.4,  # E
    leans_mm_per_deg=0.4,  # E: as high as the centre of mass is
    rubs_standing_g=(0.0, 0.0),  # leaves guide it: nothing slides
    rubs_lifted_g=(0.0, 0.0),
    fall_mg=50.0,  # E
    stands_hz=66.0,  # E: 40 g on 6.8 N/mm
    hangs_hz=338.0,  # E: the foot on it
    damping=(0.02, 0.05),  # E
    crumb=(0.01, 0.20),  # E
    crumb_lifts=2000,  # E: one in some ten evenings of thirteen barrels
)

WEIGHING: Final = StopperKind("weighing", 10.4, LEAVES)  # E: models and parts, added up
LIGHT: Final = StopperKind("light", 9.2, None)  # E: likewise
