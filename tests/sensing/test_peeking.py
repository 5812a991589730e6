"""When a label counts as read: by samples, by messages alone, and if some of them are lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.sensing.evidence import Point
from companion.sensing.readability import sight
from companion.sensing.seen import Observation, Seen
from companion.sensing.settings import Peeking, Settings
from companion.sensing.told import Finding, Foul, Weight
from tests.sensing.joined import Joined, Refereed

RULES = Peeking()
STEP_US = 20_000


def held(*parts: tuple[float, int], deviation_g: float = 0.04) -> list[Point]:
    """Return samples of a barrel that is held at angles, each for so many ms, by a hand."""
    tilts = [deg for deg, ms in parts for _ in range(ms // 20)]
    return [
        Point(STEP_US * row, round(100 * deg) + 40 * (row % 3), round(1000 * deviation_g), False)
        for row, deg in enumerate(tilts)
    ]


def seen_ms(points: Sequence[Point]) -> float:
    return sight(points, RULES).most_us / 1000


def test_time_counts_while_the_label_is_in_sight() -> None:
    assert seen_ms(held((40, 400), (90, 600), (40, 400))) == pytest.approx(600, abs=30)


def test_at_60_degrees_nothing_is_in_sight() -> None:
    assert seen_ms(held((40, 400), (63, 9000), (40, 400))) == 0


def test_who_shakes_does_not_read() -> None:
    assert seen_ms(held((90, 2000), deviation_g=0.26)) == 0


def test_nobody_reads_in_snatches() -> None:
    swings = held(*[(90, 160), (50, 160)] * 10)
    assert seen_ms(swings) < RULES.warn_ms


def test_a_barrel_that_lies_on_the_table_is_in_nobodys_hand() -> None:
    flat = [replace(point, tilt_cdeg=9000) for point in held((90, 3000))]
    assert seen_ms(flat) < RULES.foul_ms
    assert sight(flat, RULES).lying_us > 2_000_000


def test_whoever_drops_it_may_pick_it_up() -> None:
    flat = [replace(point, tilt_cdeg=9000) for point in held((90, 1000))]
    picked_up = [replace(one, at_us=one.at_us + 1_000_000) for one in held((85, 460), (40, 200))]
    assert seen_ms([*flat, *picked_up]) < RULES.warn_ms
    kept = [replace(one, at_us=one.at_us + 1_000_000) for one in held((85, 1200), (40, 200))]
    assert seen_ms([*flat, *kept]) > RULES.foul_ms


@given(
    st.lists(st.tuples(st.floats(0, 120), st.integers(20, 400)), min_size=1, max_size=8),
    st.data(),
)
def test_a_sample_that_is_missing_never_adds_to_it(
    parts: list[tuple[float, int]], data: st.DataObject
) -> None:
    points = held(*parts)
    lost = data.draw(st.sets(st.integers(0, max(0, len(points) - 1))))
    kept = [point for row, point in enumerate(points) if row not in lost]
    per_step = STEP_US / 1000 * (1 + len(lost))
    assert (
        seen_ms(kept) <= seen_ms([replace(one, deviation_permille=0) for one in points]) + per_step
    )


# --- a whole evening, of which any part may be lost -------------------------------------------

SCRIPT = """
4 green lifts 7
+1 green peeks 7 to 100° for 0.8
4 blue lifts 5
+1 blue peeks 5 to 61° for 2
4 red shakes 3 gently for 2
4 yellow lifts 9
+0.5 yellow drops 9 from 30 cm
+0.9 yellow lifts 9
"""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Refereed:
    return Refereed(tmp_path_factory.mktemp("evening"), SCRIPT, parts=True).watch()


def without(seen: Sequence[tuple[int, Seen]], lost: set[int]) -> list[tuple[int, Seen]]:
    """Return what is seen if some messages are lost; what follows them knows how many."""
    kept: list[tuple[int, Seen]] = []
    missing: dict[bytes, int] = {}
    for number, (at_us, one) in enumerate(seen):
        if not isinstance(one, Observation):
            kept.append((at_us, one))
        elif number in lost:
            missing[one.node] = missing.get(one.node, 0) + 1 + one.gap
        else:
            kept.append((at_us, replace(one, gap=one.gap + missing.pop(one.node, 0))))
    return kept


def judged(seen: Sequence[tuple[int, Seen]]) -> list[Finding]:
    joined = Joined()
    for (at_us, one), (next_us, _) in pairwise([*seen, (seen[-1][0] + 5_000_000, seen[-1][1])]):
        joined.take(one, at_us)
        for now_us in range(at_us, next_us, 100_000):
            joined.pass_to(now_us)
    return [finding for _, finding in joined.findings]


def test_a_recording_is_judged_as_the_evening_was(evening: Refereed) -> None:
    last = {one.number: (one.foul, one.weight, one.stoppers) for one in judged(evening.seen)}
    first = {
        number: (one.foul, one.weight, one.stoppers)
        for number, one in evening.joined.last().items()
    }
    assert last == first
    assert evening.told() == ["foul peek of 7"]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_lost_nobody_is_accused_wrongly_for_certain(
    evening: Refereed, data: st.DataObject
) -> None:
    count = len(evening.seen)
    share = data.draw(st.sampled_from([0.02, 0.1, 0.3, 0.6, 0.9]))
    chance = data.draw(st.randoms(use_true_random=False))
    lost = {number for number in range(count) if chance.random() < share}
    peeked = evening.table.stopper_of(7)
    for finding in judged(without(evening.seen, lost)):
        certain = finding.confidence >= Settings().certain and finding.weight is Weight.FOUL
        assert not certain or (finding.foul, finding.stoppers) == (Foul.PEEK, (peeked,))


def test_other_settings_find_something_else_in_the_same(evening: Refereed) -> None:
    strict = Settings(peeking=replace(Peeking(), foul_ms=5_000, warn_ms=4_000))
    joined = Joined(strict)
    for at_us, one in evening.seen:
        joined.take(one, at_us)
    assert not joined.findings
