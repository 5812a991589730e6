"""Leaves as springs: what stands on them bounces at their own pitch, and music in it grows."""

from itertools import pairwise
from math import pi, sin
from pathlib import Path
from random import Random

import pytest

from companion.simulator.barrel import Barrel
from companion.simulator.poses import Pose, Support
from companion.simulator.stopper_kinds import LEAVES, LIGHT
from companion.simulator.traits import traits
from companion.simulator.weighing import BodyForces, Foot, Leaves
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.stepped import SteppedCable

STEP_S = 0.0005


def ringing(hz: float, damping: float, shaken_hz: float, seconds: float = 3.0) -> float:
    """Return by how much more leaves swing than what shakes them, once that has settled."""
    leaves, most = Leaves(), 0.0
    for step in range(round(seconds / STEP_S)):
        leaves.follow(sin(2 * pi * shaken_hz * step * STEP_S), STEP_S, hz, damping)
        if step * STEP_S > seconds - 0.5:
            most = max(most, abs(leaves.force))
    return most


def test_what_shakes_at_their_own_pitch_grows_by_the_damping() -> None:
    assert ringing(65.0, 0.05, 65.0) == pytest.approx(1 / (2 * 0.05), rel=0.05)
    assert ringing(65.0, 0.05, 6.5) == pytest.approx(1.0, abs=0.03)
    assert ringing(65.0, 0.05, 200.0) < 0.15


def test_a_load_that_comes_at_once_swings_over_and_settles() -> None:
    leaves = Leaves()
    forces = []
    for _ in range(2000):
        leaves.follow(40.0, STEP_S, 65.0, 0.03)
        forces.append(leaves.force)
    turns = [at for at, (one, two) in enumerate(pairwise(forces)) if (one < 40.0) != (two < 40.0)]
    assert max(forces) == pytest.approx(40.0 * 1.91, rel=0.02)
    assert 2 * STEP_S * (turns[10] - turns[0]) / 10 == pytest.approx(1 / 65.0, rel=0.03)
    assert forces[-1] == pytest.approx(40.0, abs=0.1)


def test_the_mean_of_a_step_is_exact_however_long_it_is() -> None:
    once, often = Leaves(), Leaves()
    whole = once.follow(7.0, 0.025, 65.0, 0.03)
    parts = [often.follow(7.0, 0.001, 65.0, 0.03) for _ in range(25)]
    assert whole == pytest.approx(sum(parts) / 25, rel=1e-9)
    assert once.force == pytest.approx(often.force, rel=1e-9)


@pytest.mark.parametrize(
    ("support", "bounces"), [(Support.FOOT, True), (Support.HEAD, False), (Support.HAND, False)]
)
def test_only_what_stands_on_its_foot_bounces(support: Support, bounces: bool) -> None:
    barrel = Barrel(7, Random(1), pose=Pose(support=support))
    standing = BodyForces(barrel, 65.0, 0.03)
    standing.acceleration_g(0)
    standing._leaves.settle(1.5)  # as if a knock had just been
    z = [standing.acceleration_g(at_us)[2] for at_us in range(2_500, 60_000, 2_500)]
    assert (max(abs(one - 1.0) for one in z) > 0.2) == bounces


def test_a_cell_reads_what_a_knock_leaves_for_a_while() -> None:
    def load_g(at_us: int) -> float:
        return 60.0 if at_us < 1_000_000 else 40.0

    found = {}
    for word in ("kind", "leaves"):
        foot = Foot(load_g, lambda _: 1.0, "1", traits(word))
        reads = {at: foot.force_g(at) for at in range(0, 3_000_000, 25_000)}
        found[word] = [abs(reads[at] - 40.0) for at in (1_050_000, 1_075_000, 2_500_000)]
    assert max(found["kind"]) < 1e-9
    assert max(found["leaves"][:2]) > 0.3
    assert found["leaves"][2] < 0.01


def test_each_stopper_has_its_own_damping_and_a_light_one_no_leaves(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable((), cable, 3, traits=traits("leaves"))
    damped = {board.foot.damping for board in table.stoppers.values()}
    assert len(damped) == 13
    assert all(LEAVES.damping[0] <= one <= LEAVES.damping[1] for one in damped)
    with SteppedCable(tmp_path) as cable:
        light = ScriptedTable((), cable, 3, traits=traits("leaves"), kind=LIGHT)
        light.advance(6_000_000)
    assert all(set(board.i2c.chips) == {0x19} for board in light.stoppers.values())
    assert {board.flash.get("foot") for board in light.stoppers.values()} == {None}


def test_a_kicked_table_rings_longer_under_a_barrel_on_leaves(tmp_path: Path) -> None:
    found = {}
    for word in ("kind", "leaves"):
        with SteppedCable(tmp_path) as cable:
            table = ScriptedTable(read("4 kick\n"), cable, 3, traits=traits(word))
            force = table.stoppers[1].motion_chip.force
            times = range(3_900_000, 5_500_000, 2_500)
            off = {at_us: abs(force(at_us)[2] - 1.0) for at_us in times}
        found[word] = max(off.values())
    assert found["leaves"] > found["kind"]
