"""When a label counts as read: by samples, by messages alone, and if some of them are lost."""

import struct
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, exp, pi, sin
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import wire
from companion.sensing import peeking, tilt
from companion.sensing.events import FoulCode, FoulFinding, SampleRequest, Weight
from companion.sensing.evidence import PER_CHUNK, EvidencePoint
from companion.sensing.observations import (
    FOREVER_US,
    ChoosingBegan,
    MeasuredTime,
    Observation,
    Seen,
    StopperMessage,
)
from companion.sensing.quantise import SUREST
from companion.sensing.readability import longest_look
from companion.sensing.rest import SMOOTHED_US
from companion.sensing.settings import PeekSettings, Settings
from companion.simulator.traits import HONEST, RADIO
from tests.sensing.joined import Joined, Refereed, losses, next_look_us, without

RULES = PeekSettings()
STEP_US = 20_000


def held(
    *parts: tuple[float, int], deviation_g: float = 0.04, waver_deg: float = 2.0
) -> list[EvidencePoint]:
    """Return what a stopper keeps of a barrel held at angles, each for so many ms, by a hand.

    It smooths both; a hand wavers.
    """
    found, left = list[EvidencePoint](), exp(-STEP_US / SMOOTHED_US)
    tilt, deviation = parts[0][0], 0.0
    for row, deg in enumerate(deg for deg, ms in parts for _ in range(ms // 20)):
        tilt = left * tilt + (1 - left) * (deg + waver_deg * sin(row * pi / 6))
        deviation = left * deviation + (1 - left) * deviation_g
        found.append(
            EvidencePoint(STEP_US * row, round(100 * tilt), round(1000 * deviation), False)
        )
    return found


def seen_ms(points: Sequence[EvidencePoint]) -> float:
    return longest_look(points, RULES).most_us / 1000


def test_time_counts_while_the_label_is_in_sight() -> None:
    assert seen_ms(held((40, 400), (90, 600), (40, 400))) == pytest.approx(600, abs=30)


def test_at_60_degrees_nothing_is_in_sight() -> None:
    assert seen_ms(held((40, 400), (63, 9000), (40, 400))) == 0


def test_whoever_shakes_does_not_read() -> None:
    assert seen_ms(held((90, 2000), deviation_g=0.26)) < RULES.warn_ms


def test_a_look_begins_when_it_begins_and_not_when_the_shake_before_it_has_faded() -> None:
    shaken = [replace(one, deviation_permille=590) for one in held((75, 400))]
    fades, looks = exp(-STEP_US / SMOOTHED_US), list[EvidencePoint]()
    for row, one in enumerate(held((75, 500)), 1):
        deviation = round(590 * fades**row + 20)
        looks.append(replace(one, at_us=one.at_us + 400_000, deviation_permille=deviation))
    assert looks[10].deviation_permille > 150
    assert seen_ms([*shaken, *looks]) > RULES.foul_ms


def test_a_swing_sideways_seems_to_tilt_it_and_is_not_a_look() -> None:
    pull_g = 0.31  # from 60° to 77°, and |a| becomes 1.047 g: twice as much as a hand that trembles
    swung = held((60, 400), (77, 400), (60, 400), deviation_g=(1 + pull_g**2) ** 0.5 - 1 + 0.04)
    assert 0 < seen_ms(swung) < 400 * 0.9


def test_nobody_reads_in_snatches() -> None:
    swings = held(*[(90, 160), (50, 160)] * 10)
    assert seen_ms(swings) < RULES.warn_ms


def test_a_barrel_that_lies_on_the_table_is_in_nobodys_hand() -> None:
    flat = [replace(point, tilt_cdeg=9000) for point in held((90, 3000))]
    assert seen_ms(flat) < RULES.foul_ms
    assert longest_look(flat, RULES).now_share == 0.0


def test_a_barrel_that_fell_lies_soon_although_what_is_smoothed_takes_long() -> None:
    fallen = held((40, 400), (95, 2000), waver_deg=0.0)
    assert fallen[30].tilt_cdeg < fallen[40].tilt_cdeg - 200
    assert seen_ms(fallen) < RULES.warn_ms
    assert seen_ms(held((40, 400), (95, 2000))) > RULES.foul_ms  # in a hand it wavers
    struck = [replace(one, deviation_permille=3000) for one in held((40, 400), (95, 2000))]
    assert not seen_ms(struck)


def test_whoever_drops_it_may_pick_it_up() -> None:
    flat = [replace(point, tilt_cdeg=9000) for point in held((90, 1000))]
    picked_up = [replace(one, at_us=one.at_us + 1_000_000) for one in held((85, 460), (40, 200))]
    assert seen_ms([*flat, *picked_up]) < RULES.warn_ms
    kept = [replace(one, at_us=one.at_us + 1_000_000) for one in held((85, 1200), (40, 200))]
    assert seen_ms([*flat, *kept]) > RULES.foul_ms


def felt(*parts: tuple[float, float, int], jiggle_deg: float = 0.0) -> list[EvidencePoint]:
    """Return what newer stoppers keep, not smoothed; of each part: degrees, pace, milliseconds."""
    rows = [(deg, pace) for deg, pace, ms in parts for _ in range(ms // 20)]
    return [
        EvidencePoint(
            STEP_US * row,
            round(
                100
                * (180 - abs(180 - deg - jiggle_deg * sin(2 * pi * 8 * row / 50) - 0.5 * sin(row)))
            ),
            190,
            False,
            pace_permille=round(1000 * pace),
        )
        for row, (deg, pace) in enumerate(rows)
    ]


def sure_ms(points: Sequence[EvidencePoint]) -> float:
    return longest_look(points, RULES).sure_us / 1000


def struck(points: list[EvidencePoint], number: int) -> list[EvidencePoint]:
    """Return points with a blow of 1.5 g just before one of them, which fades."""
    left = exp(-STEP_US / SMOOTHED_US)
    return [
        replace(
            one, deviation_permille=one.deviation_permille + round(165 * left ** (row - number))
        )
        if row >= number
        else one
        for row, one in enumerate(points)
    ]


def test_what_came_to_where_barrels_lie_without_a_blow_was_brought_by_a_hand() -> None:
    brought = felt((40, 0, 300), (89, 0, 440))
    assert sure_ms(brought) >= RULES.foul_ms
    for number in (14, 15, 17, 20):  # it fell, or was put down: what comes next must tell
        assert sure_ms(struck(brought, number)) < RULES.warn_ms
        assert seen_ms(struck(brought, number)) > RULES.warn_ms
    assert sure_ms(brought[19:]) < RULES.warn_ms  # how it came there is not known


def shaken_before(points: list[EvidencePoint], until: int) -> list[EvidencePoint]:
    """Return points that were shaken with 1.9 g up to one of them; deviation and pace fade."""
    left, fading = exp(-STEP_US / SMOOTHED_US), list[EvidencePoint]()
    for row, one in enumerate(points):
        force = round(1900 * left ** max(0, row - until))
        pace = force + (one.pace_permille or 0)
        fading.append(replace(one, deviation_permille=force, pace_permille=pace))
    return fading


def test_what_a_shake_left_in_the_sensor_hides_no_look() -> None:
    look = felt((30, 0, 400), (100, 0, 500))
    assert seen_ms(shaken_before(look, 19)) >= RULES.foul_ms
    assert sure_ms(shaken_before(look, 19)) >= RULES.foul_ms
    assert not seen_ms(shaken_before(look, 45))  # shaken all the time
    fast = felt((30, 0, 400), (100, 0.3, 500))
    assert not seen_ms(shaken_before(fast, 15))  # after the shake it goes up or down


def test_a_hand_brings_it_to_where_barrels_lie_straight_from_a_shake() -> None:
    brought = felt((30, 0, 400), (89, 0, 500))
    assert sure_ms(shaken_before(brought, 13)) >= RULES.foul_ms
    for until in (19, 21, 24):  # it was struck, or fell, as it came there
        assert sure_ms(shaken_before(brought, until)) < RULES.warn_ms


def test_a_hand_is_not_told_by_wavering_where_nobody_knows_how_a_barrel_came_there() -> None:
    assert sure_ms(felt((89, 0, 900))) < RULES.warn_ms  # it may roll since before
    assert sure_ms(felt((89, 0, 900), (110, 0, 200))) > RULES.foul_ms  # which it does not
    left, falls = exp(-STEP_US / SMOOTHED_US), felt((40, 0, 300), (89, 0, 700))
    falls = [
        replace(one, deviation_permille=round(min(2040, 4000 * left ** (row - 12))))
        for row, one in enumerate(falls)
    ]
    assert seen_ms(falls) > RULES.foul_ms
    assert sure_ms(falls) < RULES.warn_ms  # no blow stands out while it is shaken like that


def test_nobody_reads_what_is_poured_end_over_end() -> None:
    turns = [(90 - 90 * cos(pi * row / 22), 0, 20) for row in range(23)]  # 0.46 s for half a turn
    poured = felt((0, 0, 200), *turns, (180, 0, 100), *reversed(turns), (0, 0, 200))
    assert seen_ms(poured) < RULES.foul_ms
    looks = felt((0, 0, 200), *turns, (180, 0, 400), *reversed(turns), (0, 0, 200))
    assert sure_ms(looks) >= RULES.foul_ms


def test_whoever_jiggles_it_reads_it_as_long_as_it_goes_slowly() -> None:
    assert seen_ms(felt((40, 0, 200), (82, 0.04, 500), jiggle_deg=17)) > RULES.foul_ms
    assert seen_ms(felt((82, 0.25, 800), jiggle_deg=17)) == 0


def test_of_a_swing_no_more_is_told_while_it_turns_back_than_when_it_is_over() -> None:
    swing = felt((40, 0, 200), (76, 0, 400), (45, 0, 300))
    grows = [seen_ms(swing[:count]) for count in range(len(swing))]
    assert grows == sorted(grows)
    assert RULES.warn_ms < grows[-1] < RULES.foul_ms


def after_a_shake(points: list[EvidencePoint]) -> list[EvidencePoint]:
    """Return points whose first fifth of a second is of a hard shake, which fades."""
    fades = exp(-STEP_US / SMOOTHED_US)
    return [
        replace(one, deviation_permille=round(600 * fades ** max(0, row - 10)))
        for row, one in enumerate(points)
    ]


def test_a_slow_swing_of_a_hard_shake_is_not_a_look_and_a_look_after_one_is() -> None:
    swing = [(35 + 62 * sin(pi * row / 30), 0, 20) for row in range(31)]
    swings = felt((35, 0.5, 200), *swing, (35, 0.5, 200))
    assert seen_ms(swings) > RULES.warn_ms
    assert seen_ms(after_a_shake(swings)) < RULES.warn_ms
    looks = felt((35, 0.5, 200), (85, 0, 600), (35, 0, 200))
    assert seen_ms(after_a_shake(looks)) > RULES.foul_ms


def test_the_last_moment_that_is_known_does_not_stand_for_those_that_are_not() -> None:
    known = felt((40, 0, 200), (76, 0, 240))
    upright = replace(known[-1], at_us=known[-1].at_us + 260_000, fine=False, joined=True)
    assert seen_ms([*known, upright]) < RULES.warn_ms


def test_exactly_upside_down_it_is_in_somebodys_hand() -> None:
    assert seen_ms(felt((40, 0, 200), (180, 0.0, 500))) >= RULES.foul_ms
    assert seen_ms(held((40, 300), (180, 600), (40, 300))) > RULES.foul_ms
    clamped = [replace(one, tilt_cdeg=18_000) for one in felt((180, 0.0, 500))]
    assert seen_ms(clamped) > RULES.foul_ms


def test_the_calmest_hand_wavers_more_than_a_table() -> None:
    wavers = [1, -1, 0, 2, -2, 1, 0, -1, 2, -2]
    calm, lies = (
        [
            EvidencePoint(
                STEP_US * row, 7800 + size * wavers[row % 10], 20, False, pace_permille=10
            )
            for row in range(40)
        ]
        for size in (10, 3)
    )
    assert seen_ms(calm) > RULES.foul_ms
    assert seen_ms(lies) < RULES.warn_ms


def test_a_lapse_ends_no_look_and_does_not_count() -> None:
    whole = seen_ms(felt((85, 0, 700)))
    lapse = felt((85, 0, 300), (85, 0.3, 60), (85, 0, 340))
    assert whole - 100 <= seen_ms(lapse) <= whole - 40
    assert seen_ms(felt((85, 0, 300), (85, 0.3, 120), (85, 0, 280))) < 310


@given(
    st.lists(st.tuples(st.floats(0, 120), st.integers(20, 400)), min_size=1, max_size=8), st.data()
)
def test_a_missing_sample_never_adds(parts: list[tuple[float, int]], data: st.DataObject) -> None:
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


def test_three_looks_without_a_pause_are_one_finding(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    script = "4 green lifts 7\n" + "green peeks 7 to 100° for 0.7\n" * 3
    heard = HONEST - RADIO  # muted in between, it may become two
    told = Refereed(tmp_path_factory.mktemp("again"), script, parts=True, traits=heard).watch()
    assert told.told() == ["foul peek of 7"]
    assert told.finding().to_us - told.finding().from_us > 700_000


def test_only_what_is_due_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    state = peeking.PeekState(0, FOREVER_US)
    fields = {"at_us": 1_000_000, "tilt_cdeg": 8000, "deviation_permille": 20, "held_ms": 100}
    for stopper in range(1, 14):
        at_us = 1_000_000 + 1_000 * stopper
        told = StopperMessage(
            stopper, "TILT", MeasuredTime(at_us, 0), at_us, 1, 0, fields | {"at_us": at_us}
        )
        state, _, _ = peeking.step(state, told, Settings())
    judged_of = list[int]()
    real = peeking._judge

    def judge(state: peeking.PeekState, look: tilt.TiltEpisode, *rest: Any) -> Any:
        judged_of.append(look.window.stopper)
        return real(state, look, *rest)

    monkeypatch.setattr(peeking, "_judge", judge)
    peeking.advance(state, next_look_us(state), Settings())
    assert judged_of == [1]


def says(
    name: str, at_us: int, heard_us: int, held_ms: int = 100, tilt_cdeg: int = 8000
) -> StopperMessage:
    fields = {"at_us": at_us, "tilt_cdeg": tilt_cdeg, "deviation_permille": 20, "held_ms": held_ms}
    return StopperMessage(7, name, MeasuredTime(at_us, 0), heard_us, 1, 0, fields)


def asked(
    state: peeking.PeekState, told: StopperMessage, until_us: int
) -> tuple[peeking.PeekState, list[SampleRequest]]:
    """Return what is asked from something told on, if nothing is answered."""
    state, _, wanted = peeking.step(state, told, Settings())
    found = list(wanted)
    while (now_us := next_look_us(state)) < until_us:
        state, _, wanted = peeking.advance(state, now_us, Settings())
        found += wanted
    return state, found


def test_a_tilt_of_which_only_the_end_was_heard_is_asked_for() -> None:
    _, wanted = asked(peeking.PeekState(0), says("UPRIGHT", 2_000_000, 2_100_000, 900), 5_000_000)
    assert wanted[0].start_us <= 1_100_000
    assert wanted[0].length_ms >= 900
    _, none = asked(peeking.PeekState(0), says("UPRIGHT", 2_000_000, 2_100_000, 150), 5_000_000)
    assert not none


def test_whoever_did_not_answer_for_a_while_is_asked_again_once_heard() -> None:
    state, wanted = asked(peeking.PeekState(0), says("TILT", 1_000_000, 1_110_000), 4_000_000)
    assert len(wanted) == RULES.asked
    _, wanted = asked(state, says("UPRIGHT", 3_900_000, 4_000_000, 2900), 9_000_000)
    assert len(wanted) > RULES.asked // 2  # until the look is forgotten


def test_whoever_is_muted_while_tilted_is_asked_for_two_seconds_as_soon_as_it_could_answer() -> (
    None
):
    """Hands mute a radio for up to 2 s, and whoever looks meanwhile is told when it is through."""
    state, wanted = asked(peeking.PeekState(0), says("TILT", 1_000_000, 1_110_000), 3_110_000)
    assert len(wanted) >= 2_000 // (RULES.answer_ms + 5)
    assert next_look_us(state) <= 3_110_000 + 1000 * RULES.answer_ms


def test_a_tilt_whose_end_was_heard_late_can_still_be_asked_for() -> None:
    late_us = 2_000_000 + 1000 * RULES.kept_ms + 500_000
    state, _ = asked(peeking.PeekState(0), says("TILT", 1_100_000, 1_210_000), late_us)
    state, wanted = asked(state, says("UPRIGHT", 2_000_000, late_us, 900), late_us + 1_000_000)
    assert wanted
    state, _ = asked(state, says("SET", 6_000_000, 6_010_000), 9_000_000)
    assert not state.looks


def numbers(*told: StopperMessage) -> list[tuple[int, FoulCode]]:
    """Return what is told of some events, which all come a hundredth of a second late."""
    state, found = peeking.PeekState(0), list[FoulFinding]()
    for one in told:
        while (now_us := next_look_us(state)) < one.heard_us:
            state, more, _ = peeking.advance(state, now_us, Settings())
            found += more
        state, more, _ = peeking.step(state, one, Settings())
        found += more
    return [(one.number, one.foul) for one in found]


@pytest.mark.parametrize(("past_cdeg", "looks"), [(13_400, 1), (4_900, 2)])
def test_a_barrel_that_is_turned_over_is_one_look(past_cdeg: int, looks: int) -> None:
    state = peeking.PeekState(0)
    for told in (
        says("TILT", 1_000_000, 1_110_000),
        says("UPRIGHT", 1_180_000, 1_190_000, 180, past_cdeg),  # none can read what turns so fast
        says("TILT", 1_340_000, 1_450_000, tilt_cdeg=17_000),
    ):
        state, _, _ = peeking.step(state, told, Settings())
    assert len(state.looks) == looks


def kept(from_us: int, to_us: int, tilt_cdeg: int = 8500) -> list[StopperMessage]:
    """Return what a stopper answers that was tilted for a time, in a hand that wavers."""
    count = (to_us - from_us) // STEP_US
    fields: dict[str, Any] = {"request": from_us, "start_us": from_us, "step_us": STEP_US}
    head = fields | {"samples": count, "grain_permille": 8}
    tilts = [tilt_cdeg + round(200 * sin(row * pi / 6)) for row in range(count)]
    data = [struct.pack(wire.SAMPLE.format, cdeg, 0, 0) for cdeg in tilts]
    found = [StopperMessage(7, "RAW_HEAD", MeasuredTime(to_us, 0), to_us + 20_000, 1, 0, head)]
    for row in range(0, count, PER_CHUNK):
        samples = b"".join(data[row : row + PER_CHUNK])
        raw = {"request": from_us, "chunk": row // PER_CHUNK, "samples": samples}
        found.append(StopperMessage(7, "RAW", MeasuredTime(to_us, 0), to_us + 20_000, 1, 0, raw))
    return found


FIRST = [says("TILT", 1_000_000, 1_110_000), *kept(1_000_000, 1_600_000)]
AGAIN = [says("TILT", 1_900_000, 2_010_000), *kept(1_900_000, 2_300_000)]
OVER = says("UPRIGHT", 2_600_000, 2_620_000, 700)


def looked(*told: StopperMessage) -> peeking.PeekState:
    state = peeking.PeekState(0)
    for one in told:
        state, _, _ = peeking.step(state, one, Settings())
    return state


@pytest.mark.parametrize(
    ("tilt_cdeg", "listening"), [(7500, True), (10_500, True), (12_500, False), (17_000, False)]
)
def test_held_so_far_over_it_may_be_at_an_ear_not_further(tilt_cdeg: int, listening: bool) -> None:
    tilt = says("TILT", 1_000_000, 1_110_000, tilt_cdeg=tilt_cdeg)
    state = looked(tilt, *kept(1_000_000, 2_000_000, tilt_cdeg))
    (finding,) = (look.finding for look in state.looks.values())
    assert finding is not None
    assert (finding.weight, finding.listening) == (Weight.FOUL, listening)


def test_a_look_goes_on_though_its_end_comes_after_the_next_tilt() -> None:
    late = says("UPRIGHT", 1_620_000, 2_110_000, 620)
    told = (*FIRST, AGAIN[0], late, *AGAIN[1:], OVER)
    assert {number for number, _ in numbers(*told)} == {1}
    assert [look.to_us for look in looked(*told[:-1]).looks.values()] == [None]
    assert [look.to_us for look in looked(*told).looks.values()] == [2_600_000]


def test_a_tilt_that_is_told_once_more_does_not_begin_a_look_again_that_is_over() -> None:
    told = (*FIRST, says("UPRIGHT", 1_620_000, 1_640_000, 620), *AGAIN, OVER, AGAIN[0])
    assert [look.to_us for look in looked(*told).looks.values()] == [2_600_000]


def test_a_look_of_which_no_end_came_does_not_go_on_for_ever() -> None:
    again = [says("TILT", 3_000_000, 3_110_000), *kept(3_000_000, 3_500_000)]
    assert {number for number, _ in numbers(*FIRST, *again)} == {1, 3}


def test_a_flip_is_one_foul_whatever_was_tilted_before() -> None:
    told = numbers(
        says("TILT", 1_000_000, 1_110_000),
        says("UPRIGHT", 1_180_000, 1_190_000, 180, 4_900),
        says("TILT", 2_000_000, 2_110_000, tilt_cdeg=17_000),
        says("FLIP", 2_050_000, 2_460_000, tilt_cdeg=17_500),
    )
    assert [number for number, foul in told if foul is FoulCode.EARLY_FLIP] == [3]


@pytest.mark.parametrize(("later_us", "heads"), [(0, 1), (400_000, 0)])
def test_later_samples_are_nothing_to_a_tilt_that_is_over(later_us: int, heads: int) -> None:
    state, _, _ = peeking.step(peeking.PeekState(0), says("TILT", 1_000_000, 1_110_000), Settings())
    state, _, _ = peeking.step(state, says("UPRIGHT", 1_150_000, 1_160_000, 150), Settings())
    begin = {"request": 1, "start_us": 1_150_000 + later_us, "step_us": STEP_US, "samples": 20}
    told = StopperMessage(7, "RAW_HEAD", MeasuredTime(1_700_000, 0), 1_700_000, 1, 0, begin)
    (look,) = peeking.step(state, told, Settings())[0].looks.values()
    assert len(look.window.heads) == heads


def test_nothing_is_told_as_wholly_certain(evening: Refereed) -> None:
    assert all(one.confidence <= SUREST < 1 for _, one in evening.joined.findings)


def judged(
    seen: Sequence[tuple[int, Seen]], begun: peeking.PeekState | None = None
) -> list[FoulFinding]:
    joined = Joined()
    joined.peeking = begun or joined.peeking
    for (at_us, one), (next_us, _) in pairwise([*seen, (seen[-1][0] + 5_000_000, seen[-1][1])]):
        joined.take(one, at_us)
        for now_us in range(at_us, next_us, 100_000):
            joined.pass_to(now_us)
    return [finding for _, finding in joined.findings]


@pytest.mark.parametrize("shown", [False, True])
def test_who_puts_back_what_all_have_seen_is_not_accused(evening: Refereed, *, shown: bool) -> None:
    (stopper,) = next(
        one for _, one in evening.joined.findings if one.foul is FoulCode.PEEK
    ).stoppers
    seen = [(at_us, one) for at_us, one in evening.seen if not rests(one, stopper)]
    found = judged(seen, peeking.PeekState(shown=frozenset({stopper} if shown else ())))
    assert any(one.stoppers == (stopper,) for one in found) is not shown


def rests(seen: Seen, stopper: int) -> bool:
    if not isinstance(seen, Observation):
        return False
    return seen.name in ("SET", "STILL") and seen.node[-1] == stopper


def test_what_is_flipped_after_the_choice_was_seen_by_all_until_it_stood() -> None:
    def says(state: peeking.PeekState, name: str, at_us: int) -> peeking.PeekState:
        fields = {"at_us": at_us, "tilt_cdeg": 9000, "deviation_permille": 9, "held_ms": 400}
        told = StopperMessage(7, name, MeasuredTime(at_us, 0), at_us, 1, 0, fields)
        return peeking.step(state, told, Settings())[0]

    chosen = says(peeking.PeekState(1_000_000, 9_000_000), "FLIP", 9_500_000)
    assert chosen.shown == {7}
    rolled, _, _ = peeking.step(chosen, ChoosingBegan(("red",), 12_000_000), Settings())
    assert not says(rolled, "TILT", 13_000_000).looks
    assert says(says(rolled, "SET", 12_500_000), "TILT", 13_000_000).looks
    early = says(peeking.PeekState(1_000_000), "FLIP", 2_000_000)
    assert not early.shown


def test_a_recording_is_judged_as_the_evening_was(evening: Refereed) -> None:
    last = {one.number: (one.foul, one.weight, one.stoppers) for one in judged(evening.seen)}
    first = {
        number: (one.foul, one.weight, one.stoppers)
        for number, one in evening.joined.last().items()
    }
    assert last == first
    assert evening.told() == ["foul peek of 7"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_lost_nobody_is_surely_accused(evening: Refereed, data: st.DataObject) -> None:
    lost = data.draw(losses(len(evening.seen)))
    peeked = evening.table.stopper_of(7)
    for finding in judged(without(evening.seen, lost)):
        certain = finding.confidence == SUREST and finding.weight is Weight.FOUL
        assert not certain or (finding.foul, finding.stoppers) == (FoulCode.PEEK, (peeked,))


def test_other_settings_find_something_else_in_the_same(evening: Refereed) -> None:
    strict = Settings(peeking=replace(PeekSettings(), foul_ms=5_000, warn_ms=4_000))
    joined = Joined(strict)
    for at_us, one in evening.seen:
        joined.take(one, at_us)
    assert not joined.findings
