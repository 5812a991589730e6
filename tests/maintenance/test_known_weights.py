"""Weighing what is known: who is ready, and a crumb in the gap between foot and stopper."""

from collections.abc import Sequence

import pytest

from companion.maintenance.known_weights import KnownWeights
from companion.maintenance.view import Taring
from companion.sensing.calibration import StopperCalibration
from companion.sensing.observations import MeasuredTime
from companion.sensing.settings import WeighingSettings
from companion.sensing.weighing import BarrelWeighed

CLEAN = (36_210, 36_270, 36_205, 36_250)
CRUMBED = (33_220, 31_450, 32_600, 30_900, 33_900, 31_100)  # it lies otherwise after each lift


def weighing(loads_mg: Sequence[int]) -> KnownWeights:
    """Return what follows from a barrel's set-downs, one after the other, while it is not ready."""
    last: list[BarrelWeighed] = []
    known = KnownWeights(
        [StopperCalibration(3, "")], lambda _: last[-1] if last else None, WeighingSettings()
    )
    for at, load_mg in enumerate(loads_mg):
        last.append(BarrelWeighed(3, MeasuredTime(at, 0), at, load_mg, 90.0, True, 2100))
        known.tick()
    return known


@pytest.mark.parametrize("at", range(4))
def test_one_set_down_on_a_crumb_counts_for_nothing(at: int) -> None:
    found = weighing([*CLEAN[:at], CRUMBED[0], *CLEAN[at:]]).results("")
    assert found
    mass = found[0].empty
    assert mass
    assert (mass.times, round(mass.mg)) == (4, round(sum(CLEAN) / 4))


def test_a_crumb_that_stays_is_told_of_until_most_set_downs_are_without_it() -> None:
    for loads in (CLEAN[:2] + CRUMBED, CRUMBED[:2] + CLEAN[:1], CRUMBED * 6):
        known = weighing(loads)
        assert (known.left, known.apart, known.next) == ((3,), (3,), Taring.CRUMB)
    known = weighing(CRUMBED + CLEAN * 2)
    assert (known.left, known.apart, known.next) == ((), (), Taring.DONE)
    found = known.results("")
    assert found
    assert found[0].empty
    assert found[0].empty.mg == pytest.approx(sum(CLEAN) / 4)


def test_a_cell_that_is_never_alike_comes_to_an_end_and_is_doubted() -> None:
    found = weighing(CRUMBED * 7).results("")
    assert found
    mass = found[0].empty
    assert mass
    assert mass.scatter.error_factor(1.0, 6.0) > 3.0
