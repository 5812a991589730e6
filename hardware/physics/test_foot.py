"""What presses on a load cell at an honest table: the traits FOOT, GAIN, CREEP, RING and LEAVES."""

from math import cos, pi, radians
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import pytest

from companion.simulator.barrel import Barrel
from companion.simulator.chips.load_cell import CellImperfections, Flaws, flaws
from companion.simulator.poses import Pose, Support
from companion.simulator.stopper_kinds import LEAVES, CellKind
from companion.simulator.tabletop import RoomClimate
from companion.simulator.traits import HONEST, KIND, Imperfections, Trait, traits
from companion.simulator.weighing import CRUMB_STAYS, Foot, Ring
from rappelwacht_research.breadboard import BOUGHT, BREADBOARD
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.stepped import SteppedCable

FOOT, RING = traits("foot"), traits("ring")
HOUR_US = 3600_000_000
BOTH = pytest.mark.parametrize("kind", [LEAVES, BOUGHT], ids=["leaves", "bought"])


def beneath(pose: Pose, traits: Imperfections = FOOT) -> tuple[float, Foot]:
    """Return what a barrel weighs that is kept so, and its foot."""
    barrel = Barrel(7, Random(1), pose=pose)
    return barrel.mass_g, Foot(barrel.load_g, lambda at: barrel.acceleration_g(at)[2], "1", traits)


def test_a_standing_barrel_weighs_a_foot_less() -> None:
    mass_g, foot = beneath(Pose())
    assert foot.mass_g == pytest.approx(LEAVES.foot_g, abs=0.5)
    assert foot.force_g(0) == pytest.approx(mass_g - foot.mass_g)


@pytest.mark.parametrize("word", ["foot", "foot,leaves"])
@pytest.mark.parametrize("tilt_deg", [0, 30, 50, 90, 180])
def test_the_foot_of_a_lifted_barrel_hangs_on_the_cell_by_its_tilt(
    tilt_deg: int, word: str
) -> None:
    _, foot = beneath(Pose(tilt_rad=radians(tilt_deg), support=Support.HAND), traits(word))
    assert foot.force_g(100_000) == pytest.approx(-foot.mass_g * cos(radians(tilt_deg)), abs=1e-9)


def test_shaken_upright_the_foot_swings_between_two_readings() -> None:
    foot = Foot(lambda _: 0.0, lambda at: 1.0 + 2.0 * cos(2e-6 * pi * 3 * at), "1", FOOT)
    felt = [foot.force_g(at) / foot.mass_g for at in range(25_000, 1_000_000, 25_000)]
    assert min(felt) < -2.8
    assert max(felt) > 0.8


def test_feet_differ_and_at_a_kind_table_they_weigh_nothing(tmp_path: Path) -> None:
    for had, spread in ((KIND, 0.0), (FOOT, LEAVES.foot_spread_g)):
        with SteppedCable(tmp_path) as cable:
            table = ScriptedTable((), cable, 3, traits=had)
        feet = [board.foot.mass_g for board in table.stoppers.values()]
        assert fmean(feet) == pytest.approx(LEAVES.foot_g if had else 0.0, abs=0.3)
        assert pstdev(feet) == pytest.approx(spread, rel=0.5)


def cells(had: Imperfections, kind: CellKind = LEAVES) -> list[CellImperfections]:
    return [
        CellImperfections(Random(seed), 1.0, 21.0, flaws(seed, had, kind)) for seed in range(300)
    ]


def test_cells_feel_some_percent_more_or_less_before_anybody_calibrated_them() -> None:
    assert pstdev(cell.span for cell in cells(KIND)) == pytest.approx(0.003, rel=0.15)
    gain = traits("gain")
    assert pstdev(one.span for one in cells(gain, BOUGHT)) == pytest.approx(BOUGHT.span, rel=0.15)
    assert pstdev(one.zero_g for one in cells(gain)) == pytest.approx(LEAVES.zero_g, rel=0.15)
    spans = [one.span for one in cells(gain)]
    assert max(abs(span - 1.0) for span in spans) == pytest.approx(LEAVES.span, rel=0.02)
    assert pstdev(spans) == pytest.approx(LEAVES.span / 3**0.5, rel=0.1)


@BOTH
def test_cells_creep_and_lag_each_in_its_own_way(kind: CellKind) -> None:
    found = [flaws(seed, traits("creep"), kind) for seed in range(200)]
    assert all(kind.creep[0] <= one.creep <= kind.creep[1] for one in found)
    assert all(kind.hysteresis_mg[0] <= one.hysteresis_mg <= kind.hysteresis_mg[1] for one in found)
    assert pstdev(one.creep for one in found) > 0.0001
    assert flaws(1, KIND, kind).creep == Flaws().creep


def test_half_a_cells_creep_comes_within_seconds_and_half_within_minutes() -> None:
    cell = CellImperfections(Random(1), 1.0, 21.0, flaws(1, traits("creep")))
    whole_g = cell.flaws.creep * 40.0

    def crept(at_s: float) -> float:
        cell.signal_g(40.0, 21.0, round(1e6 * at_s))
        return sum(cell.creeps_g) / whole_g

    assert crept(0.0) == 0.0
    assert crept(20.0) == pytest.approx(0.5 * (1 - 0.135) + 0.5 * 0.154, abs=0.01)
    assert crept(600.0) == pytest.approx(1.0, abs=0.01)


def test_warmth_moves_each_cells_zero_in_its_own_way() -> None:
    found = [flaws(seed, traits("creep")).zero_mg_per_c for seed in range(300)]
    least, most = LEAVES.zero_mg_per_c
    assert all(least <= abs(one) <= most for one in found)
    assert abs(fmean(found)) < 10  # either way


def test_a_fall_leaves_the_zero_elsewhere(tmp_path: Path) -> None:
    moved = []
    for word in ("gain", "creep"):
        with SteppedCable(tmp_path) as cable:
            table = ScriptedTable(read("4 blue drops 7\n"), cable, 3, traits=traits(word))
            cell = table.stoppers[table.stopper_of(7)].load_chip.cell
            before_g = cell.zero_g
            table.advance(8_000_000)
        moved.append(abs(cell.zero_g - before_g))
    assert moved[0] == 0.0
    assert 0.0 < moved[1] < 5 * LEAVES.fall_mg / 1000


def test_a_room_warms_by_seven_degrees_in_an_evening(tmp_path: Path) -> None:
    rooms = [RoomClimate(str(seed)) for seed in range(40)]
    assert fmean(room.above_usual_c(0) for room in rooms) == pytest.approx(-1, abs=0.3)
    late = [room.above_usual_c(4 * HOUR_US) for room in rooms]
    assert fmean(late) == pytest.approx(6, abs=0.5)
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable((), cable, 3, traits=frozenset({Trait.CREEP}))
    assert len({board.temperature_c() for board in table.stoppers.values()}) == 1
    assert table.stoppers[1].temperature_c() < 21


def test_what_is_set_down_sticks_a_little_either_way_in_a_ring() -> None:
    ring = Ring("1", BOUGHT)
    off: list[float] = []
    for _ in range(300):
        ring.lets_through_g(0.0, 0.0)
        off += [ring.lets_through_g(30.0, 30.0) - 30.0]
    assert 0.1 <= ring.standing_g <= 0.2
    assert max(map(abs, off)) <= ring.standing_g
    assert pstdev(off) == pytest.approx(ring.standing_g / 3**0.5, rel=0.1)


def test_a_foot_has_its_ring_only_with_the_trait() -> None:
    felt = {
        word: Foot(lambda _: 30.0, lambda _: 1.0, "1", traits(word), BOUGHT).force_g(0)
        for word in ("ring", "gain")
    }
    assert felt["gain"] == 30.0
    assert 0.0 < abs(felt["ring"] - 30.0) <= 0.2


def test_some_of_the_load_stays_behind_when_it_is_lifted_until_the_foot_is_moved() -> None:
    rings = [Ring(str(seed), BOUGHT) for seed in range(100)]
    for ring in rings:
        ring.lets_through_g(30.0, 25.0)
    stuck = [ring.lets_through_g(0.0, -5.0) + 5.0 for ring in rings]
    assert min(stuck) >= 0.0
    assert max(stuck) <= 0.5
    assert fmean(stuck) == pytest.approx(0.125, abs=0.04)
    pushed = [ring.lets_through_g(0.0, -8.0) and ring.lets_through_g(0.0, -5.0) for ring in rings]
    assert all(off == pytest.approx(-5.0 - was) for off, was in zip(pushed, stuck, strict=True))


def test_leaves_let_nothing_stick_but_now_and_then_a_crumb_steals_a_part_of_all() -> None:
    ring, shares = Ring("1"), []
    for _ in range(60_000):
        ring.lets_through_g(0.0, -3.0)
        shares.append(1.0 - ring.lets_through_g(40.0, 37.0) / 37.0)
    stolen = [share for share in shares if share > 1e-9]
    assert min(shares) > -1e-9
    assert max(shares) <= 1.3 * 0.20
    usual = 1 / LEAVES.crumb_lifts / (1.0 - CRUMB_STAYS)
    assert len(stolen) / len(shares) == pytest.approx(usual, rel=0.5)


def test_no_barrel_ever_stands_in_the_very_middle() -> None:
    level, sloping = flaws(1, RING), flaws(1, RING, slope_deg=3.0)
    assert level.eccentric == pytest.approx(0.0004)
    assert sloping.eccentric == pytest.approx(0.00094, abs=0.00001)
    assert (flaws(1, KIND, BOUGHT).eccentric, flaws(1, RING, BOUGHT).eccentric) == (0.002, 0.006)


@pytest.mark.parametrize("word", ["kind", "foot"])
def test_a_stopper_begins_with_what_it_learned_when_it_was_built(word: str, tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        board = ScriptedTable((), cable, 3, traits=traits(word)).stoppers[1]
    zero_g, foot_g = (
        int.from_bytes(board.flash[name], "little", signed=True) / LEAVES.counts_per_g
        for name in ("zero", "foot")
    )
    assert zero_g == pytest.approx(board.load_chip.cell.zero_g - board.foot.mass_g, abs=0.1)
    assert foot_g == pytest.approx(board.foot.mass_g, abs=0.4)


def test_a_table_may_have_another_kind_of_stoppers(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable((), cable, 3, traits=HONEST, kind=BREADBOARD)
    feet = [board.foot.mass_g for board in table.stoppers.values()]
    assert fmean(feet) == pytest.approx(BOUGHT.foot_g, abs=0.5)
    empty = [barrel.shell_g for barrel in table.world.barrels.values()]
    assert fmean(empty) == pytest.approx(22.0 + BREADBOARD.mass_g, abs=0.3)
