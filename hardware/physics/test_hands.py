"""What people do at the simulated table, and the truth about it."""

import statistics
from itertools import pairwise
from math import atan2, degrees, hypot, pi, remainder
from random import Random

import pytest

from companion.simulator.barrel import Barrel
from companion.simulator.ground_truth import What
from companion.simulator.hand_params import HABITS, ScriptVigour
from companion.simulator.hands import Hand
from companion.simulator.poses import Pose
from companion.simulator.shaking import Shaking, shake
from companion.simulator.stones import Stones
from companion.simulator.world import World
from companion.system.errors import OutOfReach
from companion.system.text import SeatName
from rappelwacht_research.exposures import exposures
from rappelwacht_research.scene import arrange
from rappelwacht_research.script_reader import read

S = 1_000_000
EVENING = """
1 blue lifts 7
+0.2 red compares 3 5
+0 blue shakes 7 wildly for 1
blue hands 7 to green
green places 7
red places 3
red puts back 5
kick
all flip
green carries 7 for 1
yellow drops 11
yellow puts back 11
"""


def world(script: str, seed: int = 1, **more: object) -> World:
    table = World(Random(seed), **more)  # type: ignore[arg-type]
    arrange(table, read(script))
    return table


def test_an_evening_goes_as_it_is_written() -> None:
    table = world(EVENING)
    story = [
        (one.what, one.barrel, one.seat)
        for one in table.truth.of(What.LIFTED, What.HANDED_OVER, What.PLACED, What.FLIPPED)
    ]
    red, green, blue, yellow = SeatName.RED, SeatName.GREEN, SeatName.BLUE, SeatName.YELLOW
    assert story[0] == (What.LIFTED, 7, blue)
    assert set(story[1:3]) == {(What.LIFTED, 3, red), (What.LIFTED, 5, red)}
    assert story[3:6] == [
        (What.HANDED_OVER, 7, blue),
        (What.PLACED, 7, green),
        (What.PLACED, 3, red),
    ]
    assert {one[1:] for one in story if one[0] is What.FLIPPED} == {(7, green), (3, red)}
    assert (What.LIFTED, 11, yellow) in story


def test_the_load_tells_lifts_and_touches_to_the_moment() -> None:
    table = world("1 blue lifts 7\nblue shakes 7\nblue puts back 7")
    barrel = table.barrels[7]
    (lift,) = table.truth.of(What.LIFTED)
    (back,) = table.truth.of(What.PUT_BACK)
    assert barrel.load_g(lift.at_us + 60_000) == 0.0 < barrel.load_g(lift.at_us - 1)
    assert barrel.load_g(back.at_us - 40_000) == 0.0
    assert barrel.load_g(back.at_us + 60_000) > barrel.mass_g / 2
    assert table.truth.holder(7, back.at_us - 1) is SeatName.BLUE
    assert table.truth.holder(7, back.at_us) is None


def test_a_pad_is_closed_by_what_stands_on_it() -> None:
    table = world("1 blue places 7\nblue flips 7\nblue puts back 7")
    placed, flipped = table.truth.of(What.PLACED, What.FLIPPED)
    back = table.truth.of(What.PUT_BACK)[0]
    assert not table.pad_closed(SeatName.BLUE, placed.at_us - 50_000)
    assert table.pad_closed(SeatName.BLUE, placed.at_us + 100_000)
    assert not table.pad_closed(SeatName.RED, placed.at_us + 100_000)
    assert table.pad_closed(SeatName.BLUE, flipped.at_us + 100_000)
    assert table.barrels[7].load_g(flipped.at_us + 100_000) == 0.0
    assert not table.pad_closed(SeatName.BLUE, back.at_us)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("more", ["", "blue lifts 7\n", "red hands 7 to blue\n"])
def test_a_flipped_barrel_is_turned_over_when_it_goes_back(seed: int, more: str) -> None:
    table = world(f"1 blue places 7\nblue flips 7\n{more}blue puts back 7", seed)
    barrel = table.barrels[7]
    (flipped,) = table.truth.of(What.FLIPPED)
    (back,) = table.truth.of(What.PUT_BACK)
    lifted = table.truth.of(What.LIFTED)[-1]
    assert flipped.until_us <= lifted.at_us < back.at_us
    assert barrel.tilt_deg(flipped.until_us) == pytest.approx(180)
    assert barrel.load_g(back.at_us - 60_000) == 0.0
    assert barrel.tilt_deg(back.at_us - 60_000) < 5
    assert barrel.rattle(lifted.at_us, back.at_us)  # its stones roll back to the foot
    assert barrel.load_g(back.until_us) == barrel.mass_g
    assert barrel.tilt_deg(back.until_us) == pytest.approx(0.0, abs=1e-6)
    assert barrel.pose.at_m == table.places[7]
    assert table.truth.holder(7, back.at_us) is None


def test_rounds_can_follow_each_other() -> None:
    one_round = "blue places 7\nall flip\nblue puts back 7\n"
    table = world("1 red rolls 9\n" + 3 * one_round)
    barrel = table.barrels[7]
    assert len(table.truth.of(What.FLIPPED)) == 3
    for flipped in table.truth.of(What.FLIPPED):
        assert barrel.tilt_deg(flipped.until_us) == pytest.approx(180)
    for back in table.truth.of(What.PUT_BACK, What.PLACED):
        assert barrel.load_g(back.until_us) == pytest.approx(barrel.mass_g)
    assert table.truth.of(What.ROLLED)[0].magic == 9


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("span", [0.3, 0.5, 0.6, 1.0])
def test_a_peek_lasts_as_long_as_asked(seed: int, span: float) -> None:
    table = world(f"1 blue lifts 7\nblue peeks 7 for {span}", seed)
    (exposure,) = exposures(table, 0, table.now_free_us)
    assert exposure.seat is SeatName.BLUE
    assert exposure.span_ms == pytest.approx(span * 1000, abs=40)
    middle = (exposure.from_us + exposure.to_us) // 2
    assert table.barrels[7].tilt_deg(middle) >= table.limit_deg(SeatName.BLUE)


def test_shaking_wildly_exposes_nothing_for_long() -> None:
    longest = 0.0
    for seed in range(20):
        table = world("1 blue shakes 7 wildly for 3", seed)
        spans = [one.span_ms for one in exposures(table, 0, table.now_free_us)]
        longest = max(longest, *spans, 0.0)
    assert longest < 60


def test_tipping_leaves_part_of_the_weight_and_all_of_the_barrel() -> None:
    table = world("1 blue tips 7 to 40 for 1")
    barrel = table.barrels[7]
    load = barrel.load_g(2_000_000)
    assert 0.1 * barrel.mass_g < load < 0.75 * barrel.mass_g
    assert barrel.tilt_deg(2_000_000) == pytest.approx(40, abs=1)


def test_a_kick_jolts_all_that_stand_and_lifts_none() -> None:
    table = world("1 blue lifts 7\n5 kick")
    during = range(5 * S, table.now_free_us, 2_000)
    for number, barrel in table.barrels.items():
        swing = max(abs(barrel.acceleration_g(at)[2] - 1) for at in during)
        assert (swing > 0.02) if number != 7 else (barrel.load_g(5 * S) == 0.0)
    assert len(table.truth.of(What.LIFTED)) == 1


def test_what_falls_on_its_side_rolls_rocks_and_lies_in_the_end() -> None:
    rolled = list[float]()
    for height in range(20, 60, 5):
        table = world(f"1 blue drops 7 from {height} cm\n9 blue puts back 7")
        (drop,) = table.truth.of(What.DROPPED)
        barrel, at = table.barrels[7], range(drop.until_us, drop.until_us + 4_000_000, 10_000)
        felt = [barrel.acceleration_g(at_us) for at_us in at]
        assert all(abs((x * x + y * y + z * z) ** 0.5 - 1.0) < 0.5 for x, y, z in felt)
        assert all(abs(barrel.tilt_deg(at_us) - 90) <= 2.1 for at_us in at)
        assert felt[-1] == felt[-40]
        rolled.append(max(abs(x - felt[-1][0]) + abs(y - felt[-1][1]) for x, y, _ in felt))
    assert min(rolled) < 1.0 < max(rolled)  # some stop soon, some go round and round


def test_a_dropped_barrel_lies_on_its_side_until_somebody_takes_it() -> None:
    table = world("1 blue drops 7\nblue puts back 7")
    (drop,) = table.truth.of(What.DROPPED)
    barrel = table.barrels[7]
    assert barrel.tilt_deg(drop.until_us) == pytest.approx(90)
    assert barrel.load_g(drop.until_us) == 0.0
    assert barrel.load_g(barrel.free_us) == barrel.mass_g


def turned_deg(barrel: Barrel, from_us: int, to_us: int) -> float:
    """Return how far what it feels goes round across its axis."""
    ways = [atan2(*barrel.acceleration_g(at_us)[:2]) for at_us in range(from_us, to_us, 5_000)]
    return degrees(sum(abs(remainder(b - a, 2 * pi)) for a, b in pairwise(ways)))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_knocked_over_falls_without_a_hand_is_struck_and_lies(seed: int) -> None:
    table = world("2 red topples 7\n9 red puts back 7", seed)
    (fall,), barrel = table.truth.of(What.TOPPLED), table.barrels[7]
    felt = [barrel.acceleration_g(at_us) for at_us in range(fall.at_us, fall.until_us, 500)]
    assert max(hypot(*force) for force in felt) > 1.5
    assert table.truth.holder(7, fall.until_us) is None
    assert barrel.load_g(fall.at_us + 300_000) < 1.0
    lies_us = fall.until_us + 3_500_000
    assert barrel.tilt_deg(lies_us) == pytest.approx(90)
    assert hypot(*barrel.acceleration_g(lies_us)) == pytest.approx(1.0, abs=0.01)
    assert barrel.load_g(table.now_free_us) == barrel.mass_g


def test_a_barrel_that_is_pushed_rolls_and_one_under_a_palm_goes_to_and_fro() -> None:
    table = world("2 red lays 7\n4 red pushes 7\n9 red trundles 7 for 2\n12 red rocks 7")
    (lay,), (push, trundle, rock) = table.truth.of(What.LAID), table.truth.of(What.TRUNDLED)
    barrel = table.barrels[7]
    assert turned_deg(barrel, lay.until_us, push.at_us) < 1.0
    assert turned_deg(barrel, push.at_us, push.until_us) > 100.0
    assert turned_deg(barrel, trundle.at_us, trundle.until_us) > 200.0
    tilts = [barrel.tilt_deg(at_us) for at_us in range(rock.at_us, rock.until_us, 5_000)]
    assert 0.05 < max(tilts) - 90 < 2.1
    assert all(barrel.tilt_deg(one.until_us) == pytest.approx(90) for one in (push, trundle, rock))
    assert table.truth.holder(7, trundle.at_us) is None


def test_nobody_takes_what_another_holds() -> None:
    with pytest.raises(OutOfReach, match=r"red cannot reach barrel 7 at .* blue holds it"):
        world("1 blue lifts 7\nred shakes 7")


def test_one_seed_is_one_evening() -> None:
    one, other, third = world(EVENING, 4), world(EVENING, 4), world(EVENING, 5)
    times = range(0, one.now_free_us, 11_117)
    for number in one.barrels:
        a, b = one.barrels[number], other.barrels[number]
        assert [a.acceleration_g(at) for at in times] == [b.acceleration_g(at) for at in times]
        assert [a.load_g(at) for at in times] == [b.load_g(at) for at in times]
    assert one.truth.happenings == other.truth.happenings != third.truth.happenings


def test_forgetting_keeps_the_present() -> None:
    table = world(EVENING)
    end = table.now_free_us
    loads = [barrel.load_g(end) for barrel in table.barrels.values()]
    table.forget(end)
    assert [barrel.load_g(end) for barrel in table.barrels.values()] == loads
    assert sum(len(barrel.motions) for barrel in table.barrels.values()) == len(table.barrels)


def test_whoever_holds_a_barrel_is_not_forgotten() -> None:
    table = world("1 blue lifts 7\nred lifts 3\nred puts back 3\n60 kick")
    table.forget(table.now_free_us)
    assert table.truth.holder(7, table.now_free_us) is SeatName.BLUE
    assert table.truth.holder(3, table.now_free_us) is None
    with pytest.raises(OutOfReach):
        arrange(table, read("red lifts 7"))


def test_gentle_is_softer_than_wild() -> None:
    rng = Random(3)
    hard = {v: [HABITS.shaking(v, rng)[0] for _ in range(300)] for v in ScriptVigour}
    order = [ScriptVigour.GENTLY, ScriptVigour.AS_USUAL, ScriptVigour.FIRMLY, ScriptVigour.WILDLY]
    middles = [statistics.median(hard[vigour]) for vigour in order]
    assert middles == sorted(middles)
    assert max(hard[ScriptVigour.GENTLY]) < min(hard[ScriptVigour.WILDLY])


def rattled(count: int, rng: Random) -> float:
    """Return how much a shaken barrel rattles for how hard it is shaken."""
    barrel, hand = Barrel(count, rng, stones=Stones.BALLS_4_5_MM), Hand(rng)
    barrel.add(hand.lift(0, Pose()))
    motion = shake(hand, barrel.free_us, barrel.pose, Shaking(barrel.stones_g))
    moved = [
        sum(v * v for v in motion.force_g(at))
        for at in range(motion.start_us, motion.end_us, 9_000)
    ]
    return sum(k.strength_g**2 for k in motion.rattle.knocks) / statistics.fmean(moved)


@pytest.mark.slow
def test_counting_stones_by_the_rattle_is_a_weak_hint() -> None:
    rng = Random(7)
    known = {n: sorted(rattled(n, rng) for _ in range(15)) for n in range(1, 14)}
    middles = {n: values[7] for n, values in known.items()}
    right = 0
    for number in range(1, 14):
        for _ in range(20):
            heard = rattled(number, rng)
            right += min(middles, key=lambda n: abs(middles[n] - heard)) == number
    assert 0.12 < right / 260 < 0.45
