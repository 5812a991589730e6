"""A table that slopes, has a cloth on it, is knocked at, and on which music plays."""

from itertools import pairwise
from math import asin, degrees, hypot
from pathlib import Path
from random import Random
from statistics import pstdev

import pytest

from companion.simulator.actors import do
from companion.simulator.ground_truth import What
from companion.simulator.script import ScriptAct, Verb
from companion.simulator.tabletop import KNOCKS_S, SLOPE_DEG, Tabletop
from companion.simulator.traits import KIND, Imperfections, Trait
from companion.simulator.world import World
from companion.system.text import SeatName
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.sim_driver import SimulationDriver
from rappelwacht_research.stepped import SteppedCable

TABLE: Imperfections = frozenset({Trait.TABLE})
BLUE = SeatName.BLUE


def quiet_us(table: Tabletop) -> int:
    """Return when it is knocked at first; until then there is only music."""
    return table.still_until_us(0)


@pytest.mark.slow
def test_tables_slope_up_to_three_degrees_and_what_is_held_up_does_not_feel_it() -> None:
    slopes = [degrees(asin(hypot(*Tabletop(Random(seed)).slope_g))) for seed in range(40)]
    assert 0.0 <= min(slopes) < 1.0
    assert 2.0 < max(slopes) <= SLOPE_DEG
    sloping, level = (World(Random(1), traits=traits) for traits in (TABLE, KIND))
    for world in (sloping, level):
        do(world, ScriptAct(Verb.LIFT, BLUE, (7,)), 1_000_000)
    one, other = sloping.barrels[7], level.barrels[7]
    assert one.acceleration_g(500_000) != other.acceleration_g(500_000) == (0.0, 0.0, 1.0)
    assert one.acceleration_g(one.free_us) == other.acceleration_g(other.free_us)
    assert abs(one.load_g(500_000) / other.load_g(500_000) - 1) < 0.02


@pytest.mark.slow
def test_music_is_some_thousandths_of_g_and_some_tables_have_none() -> None:
    loud = []
    for seed in range(30):
        table = Tabletop(Random(seed))
        ups = [table.push_g(at_us)[2] for at_us in range(0, quiet_us(table), 1_000)]
        loud.append(1000 * pstdev(ups))
    assert min(loud) == 0.0
    assert 2.0 < max(loud) < 6.0


def test_a_load_cell_hears_less_of_the_music_than_an_accelerometer() -> None:
    table = Tabletop(Random(2))
    times = range(0, quiet_us(table), 1_000)
    heave = pstdev(table.weighs(at_us) for at_us in times)
    assert 0.0 < heave < 0.8 * pstdev(table.push_g(at_us)[2] for at_us in times)


def test_knocks_come_now_and_then_and_are_the_same_whoever_asks_first() -> None:
    table, again = Tabletop(Random(3)), Tabletop(Random(3))
    starts = [at_us := quiet_us(table)]
    while len(starts) < 40:
        at_us += 300_000  # it has faded
        starts.append(at_us := table.still_until_us(at_us))
    gaps = [(after - before) / 1e6 for before, after in pairwise(starts)]
    assert all(KNOCKS_S[0] <= gap <= KNOCKS_S[1] for gap in gaps)
    assert again.push_g(starts[-1] + 20_000) == table.push_g(starts[-1] + 20_000)
    rings = [abs(table.push_g(at_us + 10_000)[2]) for at_us in starts]
    assert max(rings) > 0.05
    assert table.still_until_us(starts[5] + 1_000) == starts[5] + 1_000


@pytest.mark.slow
def test_on_a_cloth_a_touch_rings_less() -> None:
    cloths = [World(Random(seed), traits=TABLE).hand.cloth for seed in range(30)]
    assert max(cloths) == 1.0
    assert min(cloths) < 0.3
    assert World(Random(1)).hand.cloth == 1.0


def test_people_do_the_same_at_any_table() -> None:
    worlds = [World(Random(3), traits=traits) for traits in (TABLE, KIND)]
    for world in worlds:
        do(world, ScriptAct(Verb.PLACE, BLUE, (7,)), 1_000_000)
    one, other = (world.truth.of(What.PLACED) for world in worlds)
    assert one == other


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_stopper_that_dozes_still_feels_each_knock(tmp_path: Path, seed: int) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable(read("30 blue lifts 7\n"), cable, seed, traits=TABLE)
        told = SimulationDriver(table, tmp_path, lambda *_: None)
        steps: list[int] = []
        board = table.stoppers[3]
        plain = board.step

        def step() -> int:
            steps.append(table.now_us)
            return plain()

        board.step = step  # type: ignore[method-assign]
        told.play()
        told.close()
    world, at_us = table.world, 4_000_000
    while (at_us := world.still_until_us(at_us)) < steps[-1]:
        near = [step for step in steps if at_us <= step < at_us + 80_000]  # its FIFO holds so much
        assert near, f"knocked at {at_us}"
        at_us += 300_000
