"""What closes the pads of a simulated table: weight on a switch, nearness over a reflex sensor."""

from itertools import pairwise
from random import Random
from statistics import mean, pstdev

import pytest

from companion.simulator.actors import do
from companion.simulator.ground_truth import What
from companion.simulator.pads import LATE_S, Spring
from companion.simulator.script import ScriptAct, Verb
from companion.simulator.traits import KIND, Imperfections, Trait
from companion.simulator.world import World
from companion.system.text import SeatName
from rappelwacht_research.reflex_pads import (
    HOVER_S,
    HOVERS_S,
    TRIM_M,
    PadKind,
    ReflexSensor,
    fit,
)

STEP_US = 2_000
BLUE = SeatName.BLUE
PADS: Imperfections = frozenset({Trait.PADS})


def edges_ms(pads: PadKind, seed: int, traits: Imperfections = KIND) -> tuple[float, float]:
    """Return how long before a foot touches its pad closes, and after its lift opens."""
    world = World(Random(seed), traits=traits)
    fit(world, pads)
    stands_us = do(world, ScriptAct(Verb.PLACE, BLUE, (7,)), 1_000_000)
    do(world, ScriptAct(Verb.PUT_BACK, BLUE, (7,)), stands_us + 1_000_000)
    (placed,) = world.truth.of(What.PLACED)
    lifted = world.truth.of(What.LIFTED)[-1]
    begin_us, end_us = placed.at_us - 600_000, lifted.at_us + 600_000
    closed = [at for at in range(begin_us, end_us, STEP_US) if world.pad_closed(BLUE, at)]
    return (placed.at_us - closed[0]) / 1000, (closed[-1] - lifted.at_us) / 1000


@pytest.mark.parametrize("seed", range(6))
def test_a_reflex_sensor_sees_a_barrel_before_it_stands_and_after_it_was_lifted(seed: int) -> None:
    ahead_ms, behind_ms = edges_ms(PadKind.REFLEX, seed)
    assert 20 < ahead_ms < 300
    assert 20 < behind_ms < 300
    ahead_ms, behind_ms = edges_ms(PadKind.SWITCH, seed)
    assert abs(ahead_ms) < 40
    assert abs(behind_ms) < 40


def test_the_kind_of_pad_changes_nothing_that_people_do() -> None:
    worlds = [World(Random(3)) for _ in PadKind]
    for world, pads in zip(worlds, PadKind, strict=True):
        fit(world, pads)
        do(world, ScriptAct(Verb.PLACE, BLUE, (7,)), 1_000_000)
        for at_us in range(0, 60_000_000, 20_000):
            world.pad_closed(SeatName.RED, at_us)
        do(world, ScriptAct(Verb.PLACE, SeatName.RED, (4,)), 60_000_000)
    assert worlds[0].truth.happenings == worlds[1].truth.happenings


def test_a_hand_closes_a_reflex_sensor_now_and_then_and_not_for_long() -> None:
    world = World(Random(1))
    fit(world, PadKind.REFLEX)
    seen = [world.pad_closed(BLUE, at_us) for at_us in range(0, 600_000_000, 10_000)]
    begins = sum(now and not before for before, now in pairwise(seen))
    assert 600 / (HOVERS_S[1] + HOVER_S[1]) <= begins <= 600 / HOVERS_S[0]
    assert 0 < sum(seen) / 100 < begins * HOVER_S[1]


def test_no_two_sensors_are_trimmed_alike() -> None:
    trims = [ReflexSensor(Random(seed)).trim_m for seed in range(50)]
    assert all(TRIM_M.least <= trim <= TRIM_M.most for trim in trims)
    assert max(trims) > 2 * min(trims)


def test_shells_can_weigh_what_is_asked_for() -> None:
    shells = [one.shell_g for one in World(Random(1), shell_g=36.0).barrels.values()]
    assert all(35.0 < shell < 37.0 for shell in shells)


# --- pads as they are ---------------------------------------------------------------------------


def test_springs_close_late_each_in_its_own_way_and_open_late_too() -> None:
    kind = [edges_ms(PadKind.SWITCH, seed) for seed in range(20)]
    found = [edges_ms(PadKind.SWITCH, seed, PADS) for seed in range(20)]
    late = [before[0] - after[0] for before, after in zip(kind, found, strict=True)]
    opens = [after[1] - before[1] for before, after in zip(kind, found, strict=True)]
    assert min(late) > -STEP_US / 1000
    assert max(late) < 180 + 2 * STEP_US / 1000  # a foot may rock, and presses it anew
    assert min(late) < 25
    assert max(late) > 90
    assert min(opens) < 20 < max(opens) < 130


def closings_ms(spring: Spring, count: int) -> list[float]:
    """Return how late it closes, time after time; it rests long in between."""
    found = []
    for turn in range(count):
        begin_us = 2_000_000 * turn
        times = range(begin_us, begin_us + 1_000_000, STEP_US)
        closed = [at_us for at_us in times if spring.follow(True, at_us)]
        found.append((closed[0] - begin_us) / 1000)
        spring.follow(False, begin_us + 1_000_000)
        assert not spring.follow(False, begin_us + 1_900_000)
    return found


def test_a_pad_is_more_like_itself_than_like_another() -> None:
    springs = [Spring(Random(seed), LATE_S) for seed in range(12)]
    late = [closings_ms(spring, 30) for spring in springs]
    assert pstdev(mean(each) for each in late) > 1.5 * mean(pstdev(each) for each in late)
    assert 0 <= min(map(min, late)) < max(map(max, late)) <= 182


def test_now_and_then_a_foot_settles_twice_for_longer_than_contacts_bounce() -> None:
    spring, rocked = Spring(Random(5), 0.12), 0
    for turn in range(100):
        begin_us = 2_000_000 * turn
        times = range(begin_us, begin_us + 1_000_000, STEP_US)
        seen = [spring.follow(True, at_us) for at_us in times]
        rocked += any(before and not after for before, after in pairwise(seen))
        assert seen[-1]
        spring.follow(False, begin_us + 1_000_000)
        spring.follow(False, begin_us + 1_900_000)
    assert 2 < rocked < 25


def test_how_late_a_pad_is_does_not_tell_what_a_barrel_weighs() -> None:
    found = []
    for shell_g in (22.0, 40.0):
        world = World(Random(4), shell_g=shell_g, traits=PADS)
        stands_us = do(world, ScriptAct(Verb.PLACE, BLUE, (7,)), 1_000_000)
        times = range(0, stands_us + 500_000, 20_000)
        found.append([world.pad_closed(BLUE, at_us) for at_us in times])
    assert found[0] == found[1]
    assert any(found[0])
