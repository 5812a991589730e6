"""What presses on a load cell at an honest table: the traits FOOT, GAIN, CREEP and RING."""

from __future__ import annotations

from math import cos, pi, radians
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import pytest

from companion.simulator.barrel import Barrel
from companion.simulator.cable import Cable
from companion.simulator.chips.load_cell import COUNTS_PER_G, Flaws, flaws
from companion.simulator.chips.nau7802 import Nau7802
from companion.simulator.foot import Foot, Ring
from companion.simulator.handling import Pose, Support
from companion.simulator.room import Room
from companion.simulator.run import SimulatedTable
from companion.simulator.traits import KIND, Trait

FOOT, RING = frozenset({Trait.FOOT}), frozenset({Trait.RING})
HOUR_US = 3600_000_000


def beneath(pose: Pose, traits: frozenset[Trait] = FOOT) -> tuple[float, Foot]:
    """Return what a barrel weighs that is kept so, and its foot."""
    barrel = Barrel(7, Random(1), pose=pose)
    return barrel.mass_g, Foot(barrel.load_g, lambda at: barrel.acceleration_g(at)[2], "1", traits)


def test_a_standing_barrel_weighs_a_foot_less() -> None:
    mass_g, foot = beneath(Pose())
    assert 3.0 < foot.mass_g < 7.0
    assert foot.force_g(0) == pytest.approx(mass_g - foot.mass_g)


@pytest.mark.parametrize("tilt_deg", [0, 30, 50, 90, 180])
def test_the_foot_of_a_lifted_barrel_hangs_on_the_cell_by_its_tilt(tilt_deg: int) -> None:
    _, foot = beneath(Pose(tilt_rad=radians(tilt_deg), support=Support.HAND))
    assert foot.force_g(100_000) == pytest.approx(-foot.mass_g * cos(radians(tilt_deg)), abs=1e-9)


def test_shaken_upright_the_foot_swings_between_two_readings() -> None:
    foot = Foot(lambda _: 0.0, lambda at: 1.0 + 2.0 * cos(2e-6 * pi * 3 * at), "1", FOOT)
    felt = [foot.force_g(at) / foot.mass_g for at in range(25_000, 1_000_000, 25_000)]
    assert min(felt) < -2.8
    assert max(felt) > 0.8


def test_feet_differ_and_at_a_kind_table_they_weigh_nothing(tmp_path: Path) -> None:
    for traits, spread in ((KIND, 0.0), (FOOT, 0.5)):
        with Cable(tmp_path) as cable:
            table = SimulatedTable((), cable, 3, traits=traits)
        feet = [board.foot.mass_g for board in table.stoppers.values()]
        assert fmean(feet) == pytest.approx(5.0 if traits else 0.0, abs=0.5)
        assert pstdev(feet) == pytest.approx(spread, rel=0.5)


def test_cells_feel_some_percent_more_or_less_before_anybody_calibrated_them() -> None:
    def chip(seed: int, traits: frozenset[Trait]) -> Nau7802:
        return Nau7802(lambda _: 0.0, lambda _: 21.0, lambda: 0, seed, traits=traits)

    kind = [chip(seed, KIND).cell for seed in range(300)]
    honest = [chip(seed, frozenset({Trait.GAIN})).cell for seed in range(300)]
    assert pstdev(cell.span for cell in kind) == pytest.approx(0.003, rel=0.15)
    assert pstdev(cell.span for cell in honest) == pytest.approx(0.07, rel=0.15)
    assert pstdev(cell.zero_g for cell in honest) == pytest.approx(2.5, rel=0.15)


def test_cells_creep_and_lag_each_in_its_own_way() -> None:
    found = [flaws(seed, frozenset({Trait.CREEP})) for seed in range(200)]
    assert all(0.0005 <= 0.95 * one.creep <= 0.001 for one in found)
    assert all(30 <= one.hysteresis_mg <= 100 for one in found)
    assert pstdev(one.creep for one in found) > 0.0001
    assert flaws(1, KIND) == Flaws()


def test_a_room_warms_by_seven_degrees_in_an_evening(tmp_path: Path) -> None:
    rooms = [Room(str(seed)) for seed in range(40)]
    assert fmean(room.above_usual_c(0) for room in rooms) == pytest.approx(-1, abs=0.3)
    late = [room.above_usual_c(4 * HOUR_US) for room in rooms]
    assert fmean(late) == pytest.approx(6, abs=0.5)
    with Cable(tmp_path) as cable:
        table = SimulatedTable((), cable, 3, traits=frozenset({Trait.CREEP}))
    assert len({board.temperature_c() for board in table.stoppers.values()}) == 1
    assert table.stoppers[1].temperature_c() < 21


def test_what_is_set_down_sticks_a_little_either_way() -> None:
    ring = Ring("1")
    off: list[float] = []
    for _ in range(300):
        ring.lets_through_g(0.0, 0.0)
        off += [ring.lets_through_g(30.0, 30.0) - 30.0]
    assert 0.1 <= ring.standing_g <= 0.2
    assert max(map(abs, off)) <= ring.standing_g
    assert pstdev(off) == pytest.approx(ring.standing_g / 3**0.5, rel=0.1)


def test_some_of_the_load_stays_behind_when_it_is_lifted_until_the_foot_is_moved() -> None:
    rings = [Ring(str(seed)) for seed in range(100)]
    for ring in rings:
        ring.lets_through_g(30.0, 25.0)
    stuck = [ring.lets_through_g(0.0, -5.0) + 5.0 for ring in rings]
    assert min(stuck) >= 0.0
    assert max(stuck) <= 0.5
    assert fmean(stuck) == pytest.approx(0.125, abs=0.04)
    pushed = [ring.lets_through_g(0.0, -8.0) and ring.lets_through_g(0.0, -5.0) for ring in rings]
    assert all(off == pytest.approx(-5.0 - was) for off, was in zip(pushed, stuck, strict=True))


def test_no_barrel_ever_stands_in_the_very_middle() -> None:
    assert (flaws(1, KIND).eccentric, flaws(1, RING).eccentric) == (0.002, 0.006)


def test_a_stopper_begins_with_what_it_learned_when_it_was_built(tmp_path: Path) -> None:
    for traits in (KIND, FOOT):
        with Cable(tmp_path) as cable:
            board = SimulatedTable((), cable, 3, traits=traits).stoppers[1]
        zero_g, foot_g = (
            int.from_bytes(board.flash[name], "little", signed=True) / COUNTS_PER_G
            for name in ("zero", "foot")
        )
        assert zero_g == pytest.approx(board.load_chip.cell.zero_g - board.foot.mass_g, abs=0.1)
        assert foot_g == pytest.approx(board.foot.mass_g, abs=0.4)
