"""The trait PEOPLE: looks of all manners, low eyes, shaky hands, wrists and swirls."""

from math import cos, degrees, hypot, pi, radians, sin
from random import Random

import pytest

from companion.simulator.actors import do
from companion.simulator.ground_truth import What
from companion.simulator.hand_params import SHAKY, WRISTS
from companion.simulator.hands import Hand
from companion.simulator.motions import G
from companion.simulator.peeking import PeekPlan, peek
from companion.simulator.people import Manner
from companion.simulator.poses import SLOW_M_S, Motion, Pose, Support
from companion.simulator.script import ScriptAct, Verb
from companion.simulator.shaking import Shaking, swirl
from companion.simulator.traits import KIND, Trait
from companion.simulator.world import World
from companion.system.config import SEATS

LIMIT_DEG = 78.0
HELD = Pose((0.0, 0.0, 0.2), radians(30), 0.0, Support.HAND)
PEOPLE = frozenset({Trait.PEOPLE})


def looked(manner: Manner, seed: int, for_s: float = 0.6) -> Motion:
    hand = Hand(Random(seed), WRISTS)
    return peek(hand, 0, HELD, PeekPlan(for_s, LIMIT_DEG, manner=manner))


def readable_s(motion: Motion) -> float:
    ats = range(0, motion.end_us, 1000)
    return sum(motion.readable(at, LIMIT_DEG) for at in ats) / 1000


@pytest.mark.slow(but=3)
@pytest.mark.parametrize("manner", [one for one in Manner if one is not Manner.LOW])
def test_whoever_looks_in_whatever_manner_sees_the_label(manner: Manner) -> None:
    spans = [readable_s(looked(manner, seed)) for seed in range(20)]
    assert sum(span >= 0.25 for span in spans) >= 16


def test_upside_down_is_so_for_about_half_a_second() -> None:
    for seed in range(20):
        motion = looked(Manner.UPSIDE_DOWN, seed)
        ats = range(0, motion.end_us, 1000)
        beyond_s = sum(degrees(motion.tilt_rad(at)) > 174 for at in ats) / 1000
        assert 0.3 < beyond_s < 1.2


def test_whoever_jiggles_a_barrel_moves_it_by_millimetres_only() -> None:
    for seed in range(20):
        motion = looked(Manner.JIGGLING, seed)
        middle_us = motion.end_us // 2
        ats = range(middle_us - 150_000, middle_us + 150_000, 1000)
        far_g = max(abs(hypot(*motion.force_g(at)) - 1.0) for at in ats)
        assert far_g < 0.9
        assert all(hypot(*motion.place(at)[1]) < 1.5 * SLOW_M_S for at in ats)


def test_a_motion_about_a_wrist_and_round_pushes_as_its_way_bends() -> None:
    hand = Hand(Random(3), WRISTS)
    motion = swirl(hand, 0, HELD, Shaking((), for_s=1.5), 4 * pi)
    step = 1e-4

    def sensor(t: float) -> tuple[float, float, float]:
        tilt = motion.tilt_rad(round(t * 1e6))
        assert motion.sweep is not None
        lean = motion.sweep.push(t)[3]
        lever = 0.02 + motion.pivot_m
        at = motion.place(round(t * 1e6))[0]
        way = (sin(tilt) * cos(lean), sin(tilt) * sin(lean), cos(tilt))
        return at[0] - lever * way[0], at[1] - lever * way[1], at[2] - lever * way[2]

    for t in (0.35, 0.6, 0.75, 1.0):
        low, mid, high = sensor(t - step), sensor(t), sensor(t + step)
        bent = [(a - 2 * b + c) / step**2 / G for a, b, c in zip(low, mid, high, strict=True)]
        size = hypot(bent[0], bent[1], bent[2] + 1.0)
        assert hypot(*motion.force_g(round(t * 1e6))) == pytest.approx(size, abs=0.01)


def test_some_sit_low_some_tremble_and_all_of_it_follows_from_the_table() -> None:
    worlds = [World(Random(seed), traits=PEOPLE) for seed in range(40)]
    low = [deg for world in worlds for deg in world.eyes_deg.values() if deg < 24.0]
    assert 0.15 < len(low) / (40 * len(SEATS)) < 0.5
    hands = [world.hand_of(seat).habits for world in worlds for seat in SEATS]
    assert 0.1 < hands.count(SHAKY) / len(hands) < 0.35
    again = World(Random(5), traits=PEOPLE)
    assert again.eyes_deg == worlds[5].eyes_deg


def test_without_the_trait_hands_are_what_they_were_and_with_it_looks_have_manners() -> None:
    manners = set[str]()
    for traits in (KIND, PEOPLE):
        world = World(Random(2), traits=traits)
        for turn in range(40):
            at_us = world.now_free_us
            barrel = 1 + turn % 13
            seat = world.seats[turn % len(world.seats)]
            for verb in (Verb.PEEK, Verb.PUT_BACK):
                do(world, ScriptAct(verb, seat, (barrel,)), at_us)
        found = {one.manner for one in world.truth.of(What.PEEKED)}
        if traits is KIND:
            assert found == {""}
            assert world.people is None
        manners |= found
    assert {"calm", "jiggled", "upside down", "creeping"} <= manners
