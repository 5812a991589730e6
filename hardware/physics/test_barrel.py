"""A barrel's physics: what it weighs, what it feels, when it rests."""

import statistics
from itertools import pairwise
from math import hypot, pi
from random import Random

import pytest

from companion.simulator.barrel import AMBIENT_C, Barrel
from companion.simulator.hand_params import ScriptVigour
from companion.simulator.hands import Hand
from companion.simulator.poses import FOREVER, Pose, Support
from companion.simulator.shaking import Shaking, shake
from companion.simulator.stones import Rattle, StoneKnock, Stones
from companion.system.errors import Busy

S = 1_000_000


def shaken(number: int, seed: int, vigour: ScriptVigour = ScriptVigour.AS_USUAL) -> Barrel:
    """Return a barrel that is lifted, shaken and put back, with a second before it."""
    rng = Random(seed)
    barrel, hand = Barrel(number, rng), Hand(rng)
    barrel.add(hand.lift(S, barrel.pose))
    how = Shaking(barrel.stones_g, barrel.shell_g, vigour)
    barrel.add(shake(hand, barrel.free_us, barrel.pose, how))
    barrel.add(hand.put_down(barrel.free_us, barrel.pose, (0.0, 0.0, 0.0)))
    return barrel


def length(vector: tuple[float, float, float]) -> float:
    return hypot(*vector)


@pytest.mark.parametrize("tilt", [0.0, 0.3, pi / 2, 2.5, pi])
@pytest.mark.parametrize("lean", [-2.0, 0.0, 1.0])
def test_at_rest_it_feels_one_g_in_any_pose(tilt: float, lean: float) -> None:
    barrel = Barrel(3, Random(1), pose=Pose(tilt_rad=tilt, lean_rad=lean, support=Support.SIDE))
    assert length(barrel.acceleration_g(5 * S)) == pytest.approx(1.0)
    assert barrel.motion(0).end_us == FOREVER
    assert barrel.tilt_deg(0) == pytest.approx(tilt * 180 / pi)


def test_its_weight_is_on_the_foot_only_while_it_stands() -> None:
    barrel = shaken(7, 1)
    assert barrel.load_g(0) == barrel.mass_g
    assert barrel.load_g(2 * S) == 0.0
    assert barrel.load_g(barrel.free_us) == barrel.mass_g
    flipped = Barrel(7, Random(1), pose=Pose(tilt_rad=pi, support=Support.HEAD))
    assert flipped.load_g(0) == 0.0
    assert flipped.weight_g(0) == flipped.mass_g
    assert flipped.acceleration_g(0) == pytest.approx((0.0, 0.0, -1.0))


@pytest.mark.parametrize("seed", range(10))
def test_the_load_is_bounded_and_settles(seed: int) -> None:
    barrel = shaken(13, seed)
    loads = [barrel.load_g(at) for at in range(0, barrel.free_us, 5_000)]
    assert min(loads) >= 0.0
    assert max(loads) < 8 * barrel.mass_g + 100
    assert loads[-1] == pytest.approx(barrel.mass_g, rel=0.02)


def test_it_rests_until_something_is_done_to_it() -> None:
    barrel = shaken(7, 1)
    assert barrel.motion(0).end_us == S
    assert not barrel.motion(S + 1).resting
    assert barrel.motion(barrel.free_us).end_us == FOREVER
    assert barrel.acceleration_g(barrel.free_us) == (0.0, 0.0, 1.0)


def test_the_force_is_continuous_from_motion_to_motion() -> None:
    barrel = shaken(2, 3, ScriptVigour.WILDLY)
    forces = [barrel.acceleration_g(at) for at in range(0, barrel.free_us + S, 250)]
    jumps = [max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairwise(forces)]
    assert max(jumps) < 0.5


def test_one_thing_at_a_time() -> None:
    barrel = shaken(7, 1)
    with pytest.raises(Busy, match="barrel 7 is busy until"):
        barrel.add(Hand(Random(1)).lift(S, Pose()))


def test_the_same_seed_is_the_same_barrel() -> None:
    one, other = shaken(9, 5), shaken(9, 5)
    times = [Random(1).randrange(0, one.free_us) for _ in range(50)]
    assert [one.acceleration_g(at) for at in times] == [other.acceleration_g(at) for at in times]
    assert one.mass_g == other.mass_g != shaken(9, 6).mass_g


def test_the_order_of_questions_does_not_matter() -> None:
    barrel = shaken(9, 5)
    times = list(range(0, barrel.free_us, 37_000))
    forward = [barrel.acceleration_g(at) for at in times]
    backward = [barrel.acceleration_g(at) for at in reversed(times)]
    assert forward == backward[::-1]


@pytest.mark.parametrize(
    ("kind", "mass"),
    [
        (Stones.BALLS_3_MM, 0.110),
        (Stones.BALLS_4_MM, 0.261),
        (Stones.BALLS_4_5_MM, 0.372),
        (Stones.BALLS_5_MM, 0.511),
        (Stones.STAMPED_3_MM, 0.110),
        (Stones.STAMPED_4_5_MM, 0.372),
    ],
)
def test_stones_weigh_what_they_should(kind: Stones, mass: float) -> None:
    masses = kind.draw(4000, Random(1))
    assert statistics.fmean(masses) == pytest.approx(mass, rel=0.01)
    spread = 0.08 if kind.name.startswith("STAMPED") else 0.02
    assert statistics.stdev(masses) / mass == pytest.approx(spread, rel=0.1)


def test_shells_weigh_22_g_and_what_their_stoppers_do() -> None:
    shells = [Barrel(1, Random(seed)).shell_g for seed in range(2000)]
    assert statistics.fmean(shells) == pytest.approx(22.0 + 10.4, abs=0.03)
    assert statistics.stdev(shells) == pytest.approx(0.3, rel=0.1)


def test_hands_warm_it_slowly() -> None:
    barrel = Barrel(7, Random(3))
    barrel.add(Hand(Random(1)).lift(0, barrel.pose))
    warm = barrel.temperature_c(3600 * S) - AMBIENT_C
    after_tau = barrel.temperature_c(600 * S) - AMBIENT_C
    assert barrel.temperature_c(0) == AMBIENT_C
    assert 0.3 < abs(warm) < 16
    assert after_tau / warm == pytest.approx(1 - 1 / 2.718, abs=0.01)


def test_stones_rattle_while_it_is_shaken_and_harder_the_harder() -> None:
    quiet, loud = shaken(5, 2, ScriptVigour.GENTLY), shaken(5, 2, ScriptVigour.WILDLY)
    assert not loud.rattle(0, S)
    assert sum(knock.strength_g for knock in loud.rattle(0, 9 * S)) > sum(
        knock.strength_g for knock in quiet.rattle(0, 9 * S)
    )
    assert {knock.stone for knock in loud.rattle(0, 9 * S)} - {None} == {0, 1, 2, 3, 4}


def test_a_knock_leaves_no_speed_behind() -> None:
    rattle = Rattle([StoneKnock(1000, (1.0, -2.0, 0.5)), StoneKnock(4000, (0.5, 0.5, 0.5))])
    total = [sum(axis) for axis in zip(*map(rattle.jolt_g, range(0, 20_000, 10)), strict=True)]
    assert total == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
    assert max(rattle.jolt_g(at)[0] for at in range(0, 20_000, 10)) > 0.9


def test_what_is_over_can_be_forgotten() -> None:
    barrel = shaken(7, 1)
    later = [barrel.acceleration_g(at) for at in range(3 * S, 4 * S, 10_000)]
    barrel.forget(2 * S)
    assert [barrel.acceleration_g(at) for at in range(3 * S, 4 * S, 10_000)] == later
    assert barrel.load_g(barrel.free_us) == barrel.mass_g
