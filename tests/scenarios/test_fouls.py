"""What the shaking law forbids, done at the simulated table, and what is nearly the same."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.sensing.events import FoulCode, FoulFinding, Weight
from companion.sensing.observations import ChoosingBegan, ChoosingEnded, Settled
from companion.sensing.pipeline import Sensing
from companion.sensing.quantise import SUREST
from companion.simulator.boards import key, node
from companion.simulator.radio import Weather
from companion.simulator.traits import HONEST, Imperfections, Trait
from rappelwacht_research.exposures import exposures
from tests.sensing.joined import Refereed, losses, without


def watched(folder: Path, script: str, **more: Any) -> Refereed:
    return Refereed(folder, script, parts=True, **more).watch()


# --- peek -------------------------------------------------------------------------------------


def test_green_peeks_for_0_6_s_while_blue_compares_two_barrels(tmp_path: Path) -> None:
    evening = watched(
        tmp_path,
        """
        4 blue compares 3 5 for 1.6
        4 green lifts 7
        +1 green peeks 7 for 0.6
        blue puts back 3
        green puts back 7
        """,
    )
    assert evening.told() == ["foul peek of 7"]
    finding = evening.finding()
    (look,) = [
        exposure
        for exposure in exposures(evening.table.world, 0, evening.table.now_us)
        if exposure.seat
    ]
    first_us = min(at for at, one in evening.joined.findings if one.weight is Weight.FOUL)
    assert first_us - look.from_us < 600_000
    assert abs(finding.to_us - look.to_us) < 400_000
    assert finding.seat is None  # which hand holds it, nobody knows
    chart = finding.evidence  # the tilt before, meanwhile and after
    assert len(chart) > 12
    assert max(sample.tilt_deg for sample in chart) > 80
    assert chart[0].tilt_deg < 62
    assert chart[-1].tilt_deg < 62
    assert {sample.stands for sample in chart} <= {True, False}
    assert all(before.at_us < after.at_us for before, after in pairwise(chart))


@pytest.mark.slow(but=3)
@pytest.mark.parametrize(
    "nearly",
    [
        "4 green lifts 7\n+1 green tips 7 to 55° for 1.5\ngreen puts back 7",
        "4 green lifts 7\n+1 green peeks 7 to 61° for 2\ngreen puts back 7",
        "4 green shakes 7 wildly for 2\ngreen puts back 7",
        "4 green shakes 7 gently for 2\ngreen puts back 7",
        "4 green lifts 7\ngreen hands 7 to blue\nblue puts back 7",
        "4 green lifts 7\ngreen carries 7 for 3\ngreen puts back 7",
        "4 green lifts 7\ngreen drops 7 from 30 cm\n+0.9 green lifts 7\ngreen puts back 7",
        "4 kick\n+1 kick\n+1 kick",
        "4 green tips 7 to 50° for 1",
    ],
)
def test_what_is_not_a_peek(nearly: str, tmp_path: Path, full: bool) -> None:
    for seed in (1, 2) if full else (1 + len(nearly) % 2,):
        folder = tmp_path / f"{seed}"
        folder.mkdir()
        assert not Refereed(folder, nearly, seed, parts=True).watch().told()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", range(2))
def test_a_barrel_that_topples_rolls_or_rocks_is_no_foul(tmp_path: Path, seed: int) -> None:
    script = "4 green topples 7\n8 blue topples 5\n12 green pushes 7\n+3 blue rocks 5\n"
    told = Refereed(tmp_path, script + "green trundles 7 for 1\n", seed, parts=True).watch().told()
    assert not [one for one in told if one.startswith("foul")]


def test_without_samples_messages_have_to_do(tmp_path: Path) -> None:
    script = "4 green lifts 7\n+1 green peeks 7 to 80° for 1.2\ngreen puts back 7"
    assert watched(tmp_path, script, asks=False).told() == ["foul peek of 7"]


@pytest.mark.slow
def test_before_the_magic_number_is_known_anybody_may_look(tmp_path: Path) -> None:
    script = "4 green lifts 7\n+1 green peeks 7 for 1\ngreen puts back 7"
    evening = Refereed(tmp_path, script, parts=True)
    evening.say(7.5, ChoosingBegan(("green", "blue"), 7_500_000)).say(2, ChoosingEnded(2_000_000))
    assert not evening.watch().told()


@pytest.mark.slow
def test_in_bad_weather_a_peek_is_seen_or_not_but_nothing_else_is(tmp_path: Path) -> None:
    script = "4 green lifts 7\n+1 green peeks 7 for 1\n4 blue shakes 5\nblue puts back 5"
    evening = watched(tmp_path, script, weather=Weather(loss=0.3))
    assert set(evening.told()) <= {"foul peek of 7", "warning peek of 7"}


# --- early flip -------------------------------------------------------------------------------


@pytest.mark.slow
def test_blue_flips_before_all_have_placed(tmp_path: Path) -> None:
    evening = watched(tmp_path, "4 blue places 3\n+3 blue flips 3")
    assert "foul early-flip of 3" in evening.told()
    assert not any(line.startswith("foul peek") for line in evening.told())


@pytest.mark.slow
def test_after_all_have_placed_flipping_is_the_game(tmp_path: Path) -> None:
    evening = Refereed(tmp_path, "4 blue places 3\n+3 blue flips 3", parts=True)
    assert not evening.say(6.5, ChoosingEnded(6_500_000)).watch().told()


# --- too many in hand, still shaking ----------------------------------------------------------

EIGHT = "\n".join(
    f"4 {seat} compares {one} {one + 1} for 4"
    for seat, one in (("red", 1), ("green", 3), ("blue", 5), ("yellow", 7))
)


@pytest.mark.slow
def test_nine_barrels_are_too_many_for_eight_hands(tmp_path: Path) -> None:
    evening = watched(tmp_path, f"{EIGHT}\n4 red lifts 9\nred carries 9 for 3\nred puts back 9")
    assert evening.told() == ["foul too-many-in-hand of 1 2 3 4 5 6 7 8 9"]
    assert evening.finding().confidence == SUREST


@pytest.mark.slow
def test_eight_barrels_are_what_eight_hands_may_hold(tmp_path: Path) -> None:
    assert not watched(tmp_path, EIGHT).told()


def test_blue_has_placed_and_shakes_on(tmp_path: Path) -> None:
    two = "4 blue places 3\n5 green places 5\n6 red places 1\n+3 yellow compares 7 8 for 4\n"
    evening = watched(tmp_path, f"{two}+0 blue shakes 9 for 3\nblue puts back 9")
    assert evening.told() == ["foul still-shaking of 7 8 9"]


@pytest.mark.slow
def test_the_last_one_may_compare_two(tmp_path: Path) -> None:
    two = "4 blue places 3\n5 green places 5\n6 red places 1\n+3 yellow compares 7 8 for 4\n"
    assert not watched(tmp_path, two).told()


# --- placed back ------------------------------------------------------------------------------


def test_blue_puts_a_placed_barrel_back(tmp_path: Path) -> None:
    evening = watched(tmp_path, "4 blue places 3\n+4 blue puts back 3\n+6 green lifts 5")
    assert evening.told() == ["foul placed-back of 3"]
    assert evening.finding().seat is None  # the others still choose, and may have put it there


@pytest.mark.slow
def test_blue_puts_it_straight(tmp_path: Path) -> None:
    assert not watched(tmp_path, "4 blue places 3\n+4 blue places 3\n+6 green lifts 5").told()


# --- snatched ----------------------------------------------------------------------------


def test_greens_barrel_on_blues_pad_is_seen_and_names_nobody(tmp_path: Path) -> None:
    evening = watched(tmp_path, "4 green places 3\n+4 blue places 3\n+4 green lifts 8")
    assert evening.told() == ["foul snatched of 3"]
    assert evening.finding().seat is None


@pytest.mark.parametrize("traits", [HONEST, HONEST - {Trait.REACH}], ids=["honest", "far-reaching"])
def test_a_second_barrel_beside_the_first_is_seen_where_the_light_reaches_it(
    tmp_path: Path, traits: Imperfections
) -> None:
    script = "4 blue places 3\n+4 green places 5 at blue\n+4 red lifts 7"
    evening = watched(tmp_path, script, traits=traits)
    if Trait.REACH in traits:  # barrels are too thick for two within 13 mm of the middle
        assert evening.told() == []
        return
    assert evening.told() == ["foul second-placed of 3 5"]
    assert evening.finding().seat is None  # green may have taken blue's pad for the own one


def test_people_correct_what_was_placed(tmp_path: Path) -> None:
    evening = Refereed(tmp_path, "4 blue places 3\n+4 green lifts 8", parts=True)
    stopper = Refereed(tmp_path, "").stopper_of_seed(5)
    evening.say(9, Settled("blue", stopper, 9_000_000))
    assert not evening.watch().told()


# --- whatever is lost -------------------------------------------------------------------------

ALLOWED = """
4 red compares 1 2 for 2
4 green compares 3 4 for 2
4 yellow compares 7 8 for 2
4 blue places 5
red places 1
red puts back 2
+0 green places 3
green puts back 4
+1 blue places 5
+0 red lifts 9
+0.5 red puts back 9
"""


SEEDS = [9, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 5))]


@pytest.fixture(scope="module", params=SEEDS)  # in the first green is slow to put one back
def allowed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Refereed:
    folder = tmp_path_factory.mktemp("allowed")
    return watched(folder, ALLOWED, seed=request.param, traits=HONEST)


def found(seen: list[Any]) -> list[FoulFinding]:
    """Return what all of sensing tells of it."""
    sensing = Sensing({node(number): number for number in range(1, 14)})
    sensing.know_keys({node(number): key(number) for number in range(1, 14)})
    news = [told for _, one in seen for told in sensing.handle(one)]
    news += sensing.tick(sensing.now_us + 5_000_000)
    return [one for one in news if isinstance(one, FoulFinding)]


@pytest.mark.slow(but=1)
def test_comparing_two_and_putting_one_straight_is_allowed(allowed: Refereed) -> None:
    assert not found(allowed.seen)


@pytest.mark.slow
def test_what_is_put_straight_is_not_a_foul_when_time_leaps(tmp_path: Path, full: bool) -> None:
    """Whatever was heard last: what comes of it is judged at once, five seconds later.

    Here pads close when the foot is down, or between the two it would stand at no seat.
    """
    seen = watched(tmp_path, ALLOWED, traits=HONEST - {Trait.PADS}).seen
    for end in range(0, len(seen), 3 if full else 41):
        fouls = [one for one in found(seen[:end]) if one.weight is Weight.FOUL]
        assert not any(foul.foul is FoulCode.PLACED_BACK for foul in fouls)


@pytest.mark.slow(but=1)
@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_whatever_is_lost_nobody_who_plays_fair_is_accused_for_certain(
    allowed: Refereed, data: st.DataObject
) -> None:
    for one in found(without(allowed.seen, data.draw(losses(len(allowed.seen))))):
        assert one.weight is not Weight.FOUL or one.confidence < SUREST
