"""Measure this table: what is asked stands first, and the table's own page promises nothing."""

import json
from dataclasses import replace
from html import unescape

import pytest

from companion.maintenance.measurement import MeasuredTable, as_json, from_json
from companion.maintenance.view import MaintenanceSnapshot, MeasuringShown
from companion.present.plots import Strip, strips
from companion.present.viewer import Viewer
from companion.referee import maintenance_commands
from companion.web.workshop_text import proposal, shares
from tests.maintenance.examples import ASKED, MEASURED, RESTING
from tests.web.room import FakeRoom, client
from tests.web.test_workshop_page import page, room, wanted

RECORDING = "/workshop/measured.link.gz"


def at(asked: MeasuringShown | None = None, found: MeasuredTable | None = MEASURED) -> FakeRoom:
    return room(measuring=asked, measured=found)


def own_page(at: FakeRoom, language: str = "en") -> str:
    answer = client(at, "table", language).get("/workshop/measured")
    assert answer.status_code == 200
    return unescape(answer.text)


def test_what_is_asked_is_unfolded_with_what_went_wrong_and_a_way_out() -> None:
    html = page(at(ASKED))
    assert 'id="measure" open' in html
    assert "Lift barrel 3, and put it on Red's pad." in html
    assert "Barrel 5 was lifted. Put it back, and lift barrel 3." in html
    assert "Step 41 of 67" in html
    ours = {
        maintenance_commands.StepUnnoticed(),
        maintenance_commands.SkipStep(),
        maintenance_commands.RepeatStep(),
        maintenance_commands.StopMeasuring(),
    }
    assert ours <= {
        one for one in wanted(html) if isinstance(one, maintenance_commands.MaintenanceCommand)
    }


def test_while_all_rests_nothing_can_have_gone_unnoticed() -> None:
    assert maintenance_commands.StepUnnoticed() not in wanted(page(at(RESTING)))
    assert maintenance_commands.RepeatStep() not in wanted(
        page(at(RESTING))
    )  # there is none before


def test_whoever_watches_sees_it_and_can_change_nothing() -> None:
    html = page(at(ASKED), role=None)
    assert "put it on Red's pad" in html
    assert not wanted(html)


def test_it_can_be_begun_and_what_came_of_it_is_linked() -> None:
    assert maintenance_commands.BeginMeasuring() in wanted(page(at(found=None)))
    assert "/workshop/measured" not in page(at(found=None))
    assert 'href="/workshop/measured"' in page(at())


def test_the_own_page_has_every_share_with_how_far_it_may_be_off() -> None:
    html = own_page(at())
    assert "This table is simulated: these figures say nothing about a real one." in html
    assert "0 of 52" in html
    assert "at most 6.9 %" in html
    assert "only prove that at most 1.8 % go wrong" in html
    assert "Only many tables together can show that it is less than one in 1,000" in html
    assert html.count('<svg class="plot strips"') == 3
    german = own_page(at(), "de")
    assert "höchstens 6,9 %" in german
    assert "simuliert" not in own_page(at(found=replace(MEASURED, simulated=False)), "de")


def test_nothing_is_measured_is_not_a_share_and_no_promise() -> None:
    nothing = MeasuredTable("", simulated=True, stoppers=0, seconds=0)
    assert shares(nothing, Viewer()) == ()
    assert "Too little" in proposal(nothing, Viewer())
    assert own_page(at(found=nothing))


def test_a_threshold_is_proposed_from_the_own_curves_and_never_taken() -> None:
    late = replace(MEASURED, foul_ms=1_050)
    said = proposal(late, Viewer())
    assert "Nothing changes by itself" in said
    assert f"peeking.foul_ms={late.proposed_ms}" in said
    missed, false = late.errors_at(late.proposed_ms or 0)
    assert (missed, false) == (1, 0)  # the one that was not seen at all
    assert "No other threshold is proposed" in proposal(MEASURED, Viewer())


def test_while_a_match_is_played_neither_page_nor_recording_can_be_had() -> None:
    closed = FakeRoom("red", "blue")
    closed.workshop = MaintenanceSnapshot(1, (), 13, 12, 44, True, None)
    closed.recorded_bytes = b"weights"
    for path in ("/workshop/measured", RECORDING):
        answer = client(closed, "table", "en").get(path)
        assert answer.status_code == 302
        assert b"weights" not in answer.data


@pytest.mark.parametrize(("role", "status"), [("table", 200), ("red", 200), (None, 302)])
def test_the_recording_is_for_those_who_may_act(role: str | None, status: int) -> None:
    found = at()
    assert client(found, "table", "en").get(RECORDING).status_code == 302  # there is none yet
    found.recorded_bytes = b"packed"
    answer = client(found, role, "en").get(RECORDING)
    assert answer.status_code == status
    if status == 200:
        assert answer.data == b"packed"
        assert "attachment" in answer.headers["Content-Disposition"]


def test_what_came_of_it_is_kept_and_what_another_version_kept_is_left() -> None:
    assert from_json(json.loads(json.dumps(as_json(MEASURED)))) == MEASURED
    assert from_json({**as_json(MEASURED), "more": 1}) is None
    for damaged in ({**as_json(MEASURED), "looks": "many"}, {"at": "x"}):
        with pytest.raises((ValueError, TypeError)):
            from_json(damaged)


def test_every_value_is_a_dot_however_many_there_are() -> None:
    drawn = strips([Strip("a <name>", [0.0] * 60 + [7.5]), Strip("none", [])], "ms", "told")
    assert drawn.count("<circle") == 61
    assert "× 60" in drawn
    assert "a &lt;name&gt;" in drawn
