"""The trait MOUNTING: no sensor sits quite straight in its barrel."""

from math import acos, degrees, hypot
from pathlib import Path
from random import Random

import pytest

from companion.simulator.traits import KIND, Trait
from companion.simulator.weighing import AT_MOST_DEG, askew_rad, mounted
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.stepped import SteppedCable


def test_sensors_are_some_degrees_askew_and_rarely_far_more() -> None:
    rng = Random(7)
    found = sorted(degrees(hypot(*askew_rad(rng))) for _ in range(4000))
    assert 3.0 < found[2000] < 4.2
    assert found[3900] <= AT_MOST_DEG + 1e-9
    assert 0.004 < sum(deg > AT_MOST_DEG + 1e-9 for deg in found) / 4000 < 0.02
    assert found[-1] < 17


def test_what_is_askew_feels_the_same_force_from_elsewhere() -> None:
    askew = askew_rad(Random(1))
    felt = mounted(lambda _at_us: (0.3, -0.4, 0.8), askew)(0)
    assert hypot(*felt) == pytest.approx(hypot(0.3, -0.4, 0.8))
    up = mounted(lambda _at_us: (0.0, 0.0, 1.0), askew)(0)
    assert acos(up[2]) == pytest.approx(hypot(*askew))


@pytest.mark.parametrize("traits", [KIND, frozenset({Trait.MOUNTING})])
def test_standing_barrels_feel_upright_only_at_a_kind_table(
    traits: frozenset[Trait], tmp_path: Path
) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable((), cable, 4, traits=traits)
    felt = [board.motion_chip.force(0) for board in table.stoppers.values()]
    tilts = [degrees(acos(min(1.0, force[2]))) for force in felt]
    assert (max(tilts) > 3.0) == bool(traits)
