"""What is kept of the stoppers comes back as it was, or with a reason why not."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing import enrolment
from companion.sensing.calibration import Calibration, StopperCalibration, Zeroed, with_enrolment
from companion.sensing.calibration_json import FORMAT, NAME, Unusable, _check, read, write
from companion.sensing.enrolment import Candidate, Enrolling
from companion.sensing.load_cell_faults import Gain
from companion.sensing.observations import MeasuredTime
from companion.sensing.settings import Settings
from companion.sensing.tampering import WeightWatch
from companion.sensing.weighing import BarrelWeighed, Mass, Scatter

EVENING = "2026-11-21T20:15:00Z"
weights = st.builds(
    Mass, st.floats(-1e6, 1e6), st.floats(0.1, 1e6), st.integers(1, 99), st.floats(0, 1e6)
)
masses = st.none() | weights
gains = st.none() | st.builds(
    Gain, st.floats(0.2, 5), st.floats(0, 1), st.floats(1, 1e6), st.text(max_size=20),
    st.integers(-999, 9999), masses,
)  # fmt: skip
zeros = st.builds(
    Zeroed, st.text(max_size=9), st.integers(-(2**23), 2**23), st.integers(-999, 9999)
)


@st.composite
def calibrations(draw: st.DrawFn) -> Calibration:
    count = draw(st.integers(0, 13))
    numbers = draw(st.permutations(range(1, 14)))
    kept = [
        StopperCalibration(
            stopper,
            f"7cdfa10000{stopper:02x}",
            draw(masses),
            draw(st.none() | st.just(numbers[stopper - 1])),
            draw(st.floats(0, 1)),
            draw(st.booleans()),
            draw(st.none() | st.text(max_size=20)),
            draw(masses),
            tuple(draw(st.lists(zeros, max_size=2))),
            draw(gains),
        )
        for stopper in range(1, count + 1)
    ]
    return Calibration(EVENING, tuple(kept), draw(st.none() | st.floats(0, 1000)))


SOME = Calibration(
    EVENING,
    (
        StopperCalibration(
            1, "7cdfa1000001", Mass(22_013.2, 26.1, 3, 1.7), 7, 0.9998, False, EVENING
        ),
        StopperCalibration(2, "7cdfa1000002", None, 9, 1.0, True, EVENING, Mass(25_000.0, 50.0, 1)),
    ),
    372.1,
)


def changed(**parts: Any) -> str:
    """Return it as if somebody had written other things, and the right sum below them."""
    body = json.loads(write(SOME)) | parts
    del body["check"]
    return json.dumps(body | {"check": _check(body)})


def stoppers(**parts: Any) -> str:
    first, second = json.loads(write(SOME))["stoppers"]
    return changed(stoppers=[first | parts, second])


@settings(max_examples=60, deadline=None)
@given(calibrations())
def test_what_is_written_is_read_again(found: Calibration) -> None:
    assert read(write(found)) == found


@pytest.mark.parametrize("end", range(0, len(write(SOME)) - 3, 37))
def test_a_torn_one_is_known_wherever_it_is_torn(end: int) -> None:
    assert read(write(SOME)[:end]) is Unusable.TORN


def test_a_figure_that_was_changed_on_the_card_is_known() -> None:
    assert read(write(SOME).replace(b"0.9998", b"0.9999")) is Unusable.TORN


def test_what_format_1_kept_is_read_and_believed_little() -> None:
    body = json.loads(write(SOME)) | {NAME: 1}
    del body["check"]
    for one in body["stoppers"]:
        del one["gain"]
        for mass in (one["empty"], one["whole"]):
            if mass:
                del mass["squares"]
    old = read(json.dumps(body | {"check": _check(body)}).encode())
    assert isinstance(old, Calibration)
    assert old.numbers(0.99) == SOME.numbers(0.99)
    first, second = old.stoppers
    assert first.gain is None
    assert first.empty is not None
    assert first.empty.mg == 22_013.2
    assert first.empty.sd_mg > 400
    assert second.whole is not None
    assert second.whole.sd_mg > 400


@pytest.mark.parametrize("text", ["[]", "3", "null", '{"game": 1}', f'{{"{NAME}": "1"}}'])
def test_something_else_is_foreign(text: str) -> None:
    assert read(text.encode()) is Unusable.FOREIGN


def test_a_newer_format_is_named_as_such_whatever_else_it_says() -> None:
    assert read(json.dumps({NAME: FORMAT + 1, "cells": {}}).encode()) is Unusable.NEWER


@pytest.mark.parametrize(
    "text",
    [
        changed(stoppers=None),
        changed(stoppers=[{}]),
        changed(saved=3),
        changed(stone_mg="much"),
        stoppers(barrel=14),
        stoppers(barrel=0),
        stoppers(barrel=9),  # which the other one has
        stoppers(barrel=True),
        stoppers(stopper=2),
        stoppers(node="7cdfa1000002"),
        stoppers(node="7cdf"),
        stoppers(node="no address"),
        stoppers(sure=1.5),
        stoppers(sure=None),
        stoppers(read=1),
        stoppers(empty={"mg": 1e99, "sd_mg": 1, "times": 1}),
        stoppers(empty={"mg": 1, "sd_mg": -1, "times": 1, "squares": 0}),
        stoppers(empty={"mg": 1, "sd_mg": 1, "times": 1, "squares": -1}),
        stoppers(gain={"shows": 1.0}),
        stoppers(gain=3),
        stoppers(empty=[]),
        stoppers(zeros=[{"at": EVENING}]),
    ],
)
def test_what_cannot_be_is_wrong(text: str) -> None:
    assert read(text.encode()) is Unusable.WRONG


@settings(max_examples=200)
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_garbage_is_never_an_exception(text: str) -> None:
    assert isinstance(read(text.encode()), Unusable)


def test_deeply_nested_garbage_is_not_an_exception_either() -> None:
    assert read(200_000 * b"[") is Unusable.TORN


def test_an_enrolment_that_is_done_is_kept_and_watched_over() -> None:
    numbers = {stopper: 14 - stopper for stopper in range(1, 14)}
    kept = tuple(StopperCalibration(stopper, f"7cdfa10000{stopper:02x}") for stopper in numbers)
    before = Calibration("before", kept)
    cell = Candidate(
        empty=Mass(22_000.0, 25.0, 3, 2.0),
        gain=Gain(1.0, 0.003, 33_852.0),
        before=Scatter(40.0, 40),
    )
    state = Enrolling.start(dict.fromkeys(numbers, cell))
    for stopper, number in numbers.items():
        assert with_enrolment(before, state, EVENING) is None
        mg = 22_000.0 + 372.0 * number
        weight = BarrelWeighed(stopper, MeasuredTime(1, 0), 1, mg, 50.0, True, 2100)
        state, _ = enrolment.step(state, weight, Settings())
    after = with_enrolment(before, state, EVENING)
    assert after is not None
    assert {one.stopper: one.barrel for one in after.stoppers} == numbers
    assert all(one.sure > 0.99 and one.enrolled == EVENING for one in after.stoppers)
    assert read(write(after)) == after
    watch = WeightWatch.from_calibration(after, Settings())
    assert watch.should[13].mg == 22_372.0
    assert watch.stone_mg == pytest.approx(372.0, rel=0.01)
    assert WeightWatch.from_calibration(before, Settings()).should == {}


def test_a_stopper_is_known_by_its_radio() -> None:
    kept = SOME.for_node("7cdfa1000002")
    assert kept is not None
    later = SOME.with_stoppers("later", [kept, StopperCalibration(3, "7cdfa1000003")])
    assert [one.stopper for one in later.stoppers] == [1, 2, 3]
    assert later.for_node("7cdfa1000002") == kept
    assert SOME.for_node("000000000000") is None
