"""The bench of sensing counts what it says, with the truth as judge."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.sensing.events import FoulCode, FoulFinding, Placed, SensingEvent, Weight
from companion.sensing.observations import (
    ChoosingBegan,
    ChoosingEnded,
    MeasuredTime,
    Observation,
    PadChanged,
)
from companion.sensing.settings import Settings
from companion.simulator.ground_truth import What
from research.bench import _drawings, _enrolment, _recorded_hands, _sweep, _work, sensing
from research.bench._evenings import Recorded, Session, record
from research.bench._hearing import HubSaid
from research.bench._recorded_hands import UP, feel, levelled
from research.bench._scoring import Score, score

DEMANDED = (
    "enrol_all13_right",
    "enrol_wrong_and_certain",
    "peek_miss_500ms",
    "peek_latency_p99_ms",
    "false_fouls_per_1000",
    "warnings_per_200",
    "seat_right",
)
SETTINGS = Settings()


@pytest.fixture(scope="module")
def peeks() -> Recorded:
    """Provide a round in which twelve labels are looked at."""
    return record(Session("peeks", "fair", 1, 1))


@pytest.fixture(scope="module")
def set_downs() -> Recorded:
    """Provide a round in which four barrels are chosen."""
    return record(Session("set-downs", "fair", 1, 1))


def told_of(recorded: Recorded, number: int, weight: Weight = Weight.FOUL) -> FoulFinding:
    """Return a finding that is right about one of the looks."""
    look = recorded.exposures[number]
    stopper = recorded.stopper_of[look.barrel]
    span = look.from_us, look.to_us
    return FoulFinding(number, FoulCode.PEEK, weight, *span, (stopper,), None, 0.9)


def placed(
    recorded: Recorded, turn: int, stopper: int | None, confidence: float
) -> tuple[int, Placed]:
    """Return what is told of a set-down, a tenth of a second after it."""
    one = [one for one in recorded.happenings if one.what is What.PLACED][turn]
    assert one.other is not None
    seat, at_us = one.other.name.lower(), one.at_us
    who = () if stopper is None else (stopper,)
    return at_us + 100_000, Placed(seat, stopper, MeasuredTime(at_us, 5000), confidence, who)


def stopper_at(recorded: Recorded, turn: int) -> int:
    """Return which stopper was truly set down."""
    one = [one for one in recorded.happenings if one.what is What.PLACED][turn]
    assert one.barrel is not None
    return recorded.stopper_of[one.barrel]


# --- what is recorded -------------------------------------------------------------------------


@pytest.mark.slow
def test_an_evening_holds_what_was_seen_in_order_and_the_clerk_says_when_people_choose(
    set_downs: Recorded,
) -> None:
    times = [at_us for at_us, _ in set_downs.seen]
    assert times == sorted(times)
    kinds = {type(one) for _, one in set_downs.seen}
    assert kinds == {Observation, HubSaid, PadChanged, ChoosingBegan, ChoosingEnded}
    began, ended = set_downs.choosing[0]
    touches = [one.at_us for one in set_downs.happenings if one.what is What.PLACED]
    rolled = next(one for one in set_downs.happenings if one.what is What.ROLLED)
    assert began == rolled.until_us < min(touches)
    assert max(touches) < ended < max(touches) + 200_000


@pytest.mark.slow
def test_labels_are_readable_for_as_long_as_somebody_meant_to_look(peeks: Recorded) -> None:
    meant = sum(one.what is What.PEEKED for one in peeks.happenings)
    assert len(peeks.exposures) == meant == 12
    for look in peeks.exposures:
        assert min(abs(look.span_ms - ms) for ms in (200, 300, 500, 600, 800, 1200)) < 30


@pytest.mark.slow
def test_one_seed_is_one_evening(peeks: Recorded) -> None:
    assert record(peeks.session) == peeks


# --- what is counted --------------------------------------------------------------------------


@pytest.mark.slow
def test_a_finding_about_a_look_is_not_a_false_one_and_its_delay_counts(peeks: Recorded) -> None:
    at_us = peeks.exposures[3].from_us + 550_000
    found = score(peeks, [(at_us, told_of(peeks, 3))], SETTINGS)
    assert [one.cause for one in found.accusations] == ["peek"]
    assert [one.ruled_ms for one in found.looks].count(550.0) == 1
    assert sum(one.ruled_ms is None for one in found.looks) == len(found.looks) - 1


@pytest.mark.slow
@pytest.mark.parametrize("away_us", [-4_000_000, 9_000_000])
def test_a_finding_about_nothing_is_false_even_if_it_is_withdrawn(
    peeks: Recorded, away_us: int
) -> None:
    right = told_of(peeks, 3)
    wrong = replace(right, from_us=right.from_us + away_us, to_us=right.to_us + away_us)
    heard: list[tuple[int, SensingEvent]] = [
        (1, wrong),
        (2, replace(wrong, weight=Weight.WITHDRAWN)),
    ]
    (one,) = score(peeks, heard, SETTINGS).accusations
    assert (one.weight, one.cause, one.stands) == ("foul", "nothing", False)


@pytest.mark.slow
def test_a_finding_about_another_barrel_is_false_and_leaves_the_look_unnoticed(
    peeks: Recorded,
) -> None:
    right = told_of(peeks, 3)
    others = set(range(1, 14)) - {peeks.stopper_of[one.barrel] for one in peeks.exposures}
    wrong = replace(right, stoppers=(min(others),))
    found = score(peeks, [(right.from_us, wrong)], SETTINGS)
    assert found.accusations[0].cause == "nothing"
    assert all(one.warned_ms is None for one in found.looks)


def test_other_fouls_than_peeks_are_false_where_nobody_does_such_a_thing(peeks: Recorded) -> None:
    one = replace(told_of(peeks, 3), foul=FoulCode.EARLY_FLIP)
    assert score(peeks, [(1, one)], SETTINGS).accusations[0].cause == "nothing"


def test_a_look_at_a_barrel_that_is_turned_over_is_told_as_a_flip(peeks: Recorded) -> None:
    right = told_of(peeks, 3)
    over = replace(peeks, exposures=tuple(replace(one, tilt_deg=170.0) for one in peeks.exposures))
    found = score(over, [(right.from_us, replace(right, foul=FoulCode.EARLY_FLIP))], SETTINGS)
    assert found.accusations[0].cause == "peek"
    assert sum(one.ruled_ms is not None for one in found.looks) == 1


@pytest.mark.slow
def test_placings_are_known_asked_wrong_or_silent(set_downs: Recorded) -> None:
    wrong = next(n for n in range(1, 14) if n != stopper_at(set_downs, 1))
    heard = [
        placed(set_downs, 0, stopper_at(set_downs, 0), 0.995),
        placed(set_downs, 1, wrong, 0.995),
        placed(set_downs, 2, wrong, 0.6),
    ]
    found = score(set_downs, heard, SETTINGS)
    assert sorted(one.outcome for one in found.set_downs) == ["asked", "right", "silent", "wrong"]


@pytest.mark.slow
def test_whoever_was_certain_and_wrong_once_stays_wrong(set_downs: Recorded) -> None:
    right = stopper_at(set_downs, 0)
    wrong = next(n for n in range(1, 14) if n != right)
    heard = [placed(set_downs, 0, wrong, 0.995), placed(set_downs, 0, right, 0.999)]
    outcomes = [one.outcome for one in score(set_downs, heard, SETTINGS).set_downs]
    assert outcomes.count("wrong") == 1
    assert "right" not in outcomes


def test_at_a_light_table_a_pad_without_a_name_is_a_question(set_downs: Recorded) -> None:
    heard = [placed(set_downs, 0, None, 0.9995)]
    light = replace(set_downs, session=replace(set_downs.session, kind="light"))
    outcomes = {
        kind: [one.outcome for one in score(one_of, heard, SETTINGS).set_downs]
        for kind, one_of in (("weighing", set_downs), ("light", light))
    }
    assert (outcomes["weighing"].count("wrong"), outcomes["light"].count("wrong")) == (1, 0)
    assert outcomes["light"].count("asked") == 1


# --- recorded hands ---------------------------------------------------------------------------


def test_a_recording_is_felt_from_lifting_to_setting_down() -> None:
    movement = [(0.2, 0.1, 1.0)] * 60
    found = feel([movement, movement])
    names = [one.name for _, one in found.seen if isinstance(one, Observation)]
    assert (names.count("LIFT"), names.count("SET")) == (2, 2)


def test_a_levelled_recording_begins_with_the_force_upwards() -> None:
    x, y, z = levelled([(0.5, 0.3, 0.7)] * 9)[0]
    assert (x, y) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert z == pytest.approx((0.5**2 + 0.3**2 + 0.7**2) ** 0.5)
    assert levelled([UP] * 9) == [UP] * 9


def test_recorded_hands_are_read_in_both_ways(tmp_path: Path) -> None:
    for axis, value in zip("XYZ", ("0.1", "0.0", "1.0"), strict=True):
        (tmp_path / f"{axis}.tsv").write_text(f"1 {' '.join([value] * 40)}\n", encoding="utf-8")
    for way in _recorded_hands.READINGS:
        assert len(_recorded_hands.movements(tmp_path, "lift", way)) == 1
        assert _recorded_hands.movements(tmp_path, "shake", way) == []


# --- what is printed and drawn ----------------------------------------------------------------


@pytest.mark.slow
def test_the_last_line_is_one_json_object_and_the_page_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(_work, "QUICK", {"peeks": (1, 1), "set-downs": (1, 1)})
    monkeypatch.setattr(_work, "QUICK_BROKEN", {"set-downs": (1, 1)})
    monkeypatch.setattr(_work, "CONDITIONS", ("loss_30",))
    monkeypatch.setattr(_enrolment, "KINDS", (_enrolment.USUAL,))
    for amount in ("QUICK", "QUICK_DRAWN"):
        monkeypatch.setattr(_enrolment, amount, 1)
    monkeypatch.setattr(_sweep, "FOUL_MS", (320,))
    page = tmp_path / "made"
    monkeypatch.setattr(sys, "argv", ["sensing", "--json", "--processes", "1", "--page", str(page)])
    sensing.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found.keys() >= {*DEMANDED, "conditions", "seeds", "handlings", "partial"}
    assert found["peek_miss_500ms_of"] + found["peek_ruled_300ms_of"] > 3
    text = (page / "sensing.md").read_text(encoding="utf-8")
    assert f"of {found['peek_miss_500ms_of']}" in text
    drawings = list(page.glob("*.svg"))
    assert len(drawings) >= 6
    for drawing in drawings:
        ElementTree.parse(drawing)
        assert f"({drawing.name})" in text


def test_drawings_of_nothing_are_drawings() -> None:
    empty = Score()
    for svg in (_drawings.noticed(empty.looks), _drawings.seats(empty.set_downs)):
        ElementTree.fromstring(svg)
