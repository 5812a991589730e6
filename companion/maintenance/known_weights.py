"""Calibrates load cells: weighs empty barrels, and then a known mass in them, several times each.

Whoever weighs well is ready soon; whose set-downs lie far apart is lifted again and again, until
their mean is worth something.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from companion.maintenance.view import Taring
from companion.sensing import load_cell_faults, weighing
from companion.sensing.calibration import StopperCalibration
from companion.sensing.settings import WeighingSettings
from companion.system.errors import CompanionError

LEAST_TIMES, MOST_TIMES = 3, 12  # set-downs of a barrel: it is done once, and counts for years
APART, LONGEST_TIMES = 3.0, 40  # errors so much wider than usual: a crumb, until it falls out
GOOD_MG: Final = 50.0  # of its mean
GOOD_GAIN: Final = 0.006
LIGHTEST_MG, HEAVIEST_MG = 10_000, 60_000  # known masses that a cell can tell, and carry
SHOWN: Final = (0.6, 1.5)  # of a known mass: else it is not in the barrel, or more than that


class KnownWeights:
    """What some barrels weigh, as far as they were set down since this began."""

    def __init__(
        self,
        kept: Iterable[StopperCalibration],
        weighed: Callable[[int], weighing.BarrelWeighed | None],
        settings: WeighingSettings,
        known_mg: int | None = None,
    ) -> None:
        self._kept = {stopper.stopper: stopper for stopper in kept}
        self._weighed, self._settings, self._known_mg = weighed, settings, known_mg
        self._weights: dict[int, tuple[weighing.BarrelWeighed, ...]] = dict.fromkeys(self._kept, ())
        self._before = {stopper: weighed(stopper) for stopper in self._kept}
        if known_mg is None:
            return
        if not LIGHTEST_MG <= known_mg <= HEAVIEST_MG:
            raise CompanionError(
                "A known mass of {grams} g is no use; use one from {least} to {most} g.",
                grams=known_mg / 1000,
                least=LIGHTEST_MG // 1000,
                most=HEAVIEST_MG // 1000,
            )
        if never := [stopper.stopper for stopper in self._kept.values() if stopper.empty is None]:
            raise CompanionError(
                "First weigh the barrel with stopper {stopper} empty.", stopper=never[0]
            )

    def tick(self) -> None:
        """Note what barrels weigh; this is called often. What stood already is lifted first."""
        for stopper, weights in self._weights.items():
            weight = self._weighed(stopper)
            if weight is None or weight == self._before[stopper]:
                continue
            if weight.sound and self._plausible(stopper, weight):
                others = tuple(mass for mass in weights if mass.set_down != weight.set_down)
                self._weights[stopper] = (*others, weight)

    def _plausible(self, stopper: int, weighed: weighing.BarrelWeighed) -> bool:
        empty, known_mg = self._kept[stopper].empty, self._known_mg
        if known_mg is None or empty is None:
            return True
        return SHOWN[0] < (weighed.load_mg - empty.mg) / known_mg < SHOWN[1]

    @property
    def stoppers(self) -> int:
        """Return how many take part."""
        return len(self._kept)

    @property
    def left(self) -> tuple[int, ...]:
        """Return whom to lift again."""
        return tuple(stopper for stopper in self._kept if not self._ready(stopper))

    def _mass(self, stopper: int) -> weighing.Mass | None:
        return weighing.combined(weighing.without_outliers(self._weights[stopper]))

    def _ready(self, stopper: int) -> bool:
        mass = self._mass(stopper)
        if mass is None or mass.times < LEAST_TIMES:
            return False
        if mass.times >= (LONGEST_TIMES if self._is_apart(mass) else MOST_TIMES):
            return True
        if self._known_mg is not None:
            return self._gain(stopper, mass, "").doubt <= GOOD_GAIN
        return mass.sd_mg * mass.scatter.error_factor(1.0, self._settings.believed) <= GOOD_MG

    def _is_apart(self, mass: weighing.Mass) -> bool:
        return mass.scatter.error_factor(1.0, self._settings.believed) > APART

    @property
    def apart(self) -> tuple[int, ...]:
        """Return whose set-downs lie so far apart that something must be in their gap."""
        masses = {
            stopper: mass for stopper in self.left if (mass := self._mass(stopper)) is not None
        }
        return tuple(stopper for stopper, mass in masses.items() if self._is_apart(mass))

    @property
    def next(self) -> Taring:
        if self.apart:
            return Taring.CRUMB
        if self._known_mg is None:
            return Taring.LIFT if self.left else Taring.DONE
        return Taring.LOAD if self.left else Taring.LOADED

    def results(self, at: str) -> tuple[StopperCalibration, ...] | None:
        """Return what is known of the stoppers now; None as long as some are to be lifted."""
        return None if self.left else tuple(self._result(kept, at) for kept in self._kept.values())

    def _result(self, kept: StopperCalibration, at: str) -> StopperCalibration:
        mass = self._mass(kept.stopper)
        assert mass
        if self._known_mg is None:
            return replace(kept, empty=mass)
        return replace(kept, gain=self._gain(kept.stopper, mass, at))

    def _gain(self, stopper: int, loaded: weighing.Mass, at: str) -> load_cell_faults.Gain:
        empty, known_mg = self._kept[stopper].empty, self._known_mg
        assert empty
        assert known_mg
        gain = load_cell_faults.gain_of(empty, loaded, known_mg, self._settings)
        celsius_cc = self._weights[stopper][-1].temperature_cc
        return replace(gain, at=at, temperature_cc=celsius_cc)
