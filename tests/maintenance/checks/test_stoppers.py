"""Who is heard, whose battery lasts, who runs what: said of made-up stoppers."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.i18n.translate import say
from companion.maintenance import stopper_status
from companion.maintenance.checks import computer, stoppers
from companion.maintenance.checks.computer import FirmwareCheck
from companion.maintenance.checks.result import translated
from companion.maintenance.checks.stoppers import Battery, HeardCheck, ReachCheck
from companion.maintenance.stopper_status import ChargeStage, StopperStatus, updated_status
from companion.maintenance.view import StopperShown
from companion.referee.faults import STOPPER_FAULT
from companion.sensing.observations import Observation
from companion.sensing.stopper_faults import StopperFault
from companion.system.status import Condition, Status

WELL = StopperShown(1, 0, 90, -55, stopper_status.shipped_version("stopper"))
ALL = tuple(replace(WELL, number=number) for number in range(1, 14))


def states(*them: StopperShown, hub: str | None = None) -> dict[str, Status]:
    return {result.check: result.condition.state for result in stoppers.judge_stoppers(them, hub)}


def test_nothing_is_wrong_with_good_stoppers() -> None:
    assert list(states(*ALL).values()) == [
        *(HeardCheck.ALL, ReachCheck.GOOD, Battery.ENOUGH, FirmwareCheck.NEWEST)
    ]


def test_where_the_hub_hears_badly_it_is_to_be_moved() -> None:
    weak = (replace(WELL, number=4, rssi_dbm=-71), replace(WELL, number=9, rssi_dbm=-66))
    them, losses = (*ALL[:3], *weak, ALL[4]), {5: 12, 1: 9}
    said = [translated(one, say).told for one in stoppers.judge_stoppers(them, None, losses)]
    told = [one for one in said if "move the hub" in one]
    assert [one.split(";")[0] for one in told] == [
        "Stoppers 4 and 9 reach the hub with only -71 dBm, and a hand takes 15 dB of that",
        "12 % of what stopper 5 says is lost",
    ]
    assert not any("hears every stopper well" in one for one in said)
    assert "radio" not in states(StopperShown(1))


def test_what_is_lost_is_counted_of_late_and_not_over_a_new_boot() -> None:
    def heard(gaps: Sequence[int], before: StopperStatus | None = None) -> StopperStatus:
        for gap in gaps:
            seen = Observation(1, b"", "FEATURES", 1, 1, 1, 1, -50, {}, gap)
            before = updated_status(before, seen, open_=False)
        assert before is not None
        return before

    assert heard([900]).lost_percent is None  # all of its boot, before this program began
    assert heard([900, *[0, 1] * 7]).lost_percent == 32
    assert heard([0, 0, 500, *[0] * 18]).lost_percent is None
    assert heard([0, 0, 500, *[0] * 19]).lost_percent == 0
    bad = heard([1] * 300)
    assert bad.lost_percent == 50
    assert heard([0] * 2000, bad).lost_percent == 0


def test_the_firmware_that_came_with_this_program_has_a_version() -> None:
    assert (
        stopper_status.shipped_version("stopper")
        == stopper_status.shipped_version("hub")
        == "0.2.0"
    )


def test_a_stopper_that_was_not_heard_has_to_be_lifted() -> None:
    silent = replace(ALL[3], heard_ago_s=None)
    (one, *_) = stoppers.judge_stoppers((*ALL[:3], silent))
    assert one.condition.state is HeardCheck.SILENT
    assert one.condition.values == {"stoppers": (4,)}


def test_a_table_without_stoppers_is_told_how_to_get_some() -> None:
    assert states()["stoppers"] is HeardCheck.NONE


def test_a_low_battery_has_to_be_charged() -> None:
    assert states(replace(WELL, battery_percent=29))["batteries"] is Battery.LOW
    assert states(replace(WELL, battery_percent=30))["batteries"] is Battery.ENOUGH
    assert states(replace(WELL, battery_percent=None))["batteries"] is Battery.UNKNOWN


def test_what_lies_in_the_box_is_told_and_what_charges_is_not_to_be_charged() -> None:
    charging = replace(WELL, battery_percent=5, charge=ChargeStage.CHARGING)
    full = replace(WELL, number=2, battery_percent=100, charge=ChargeStage.FULL)
    idle = replace(WELL, number=3, charge=ChargeStage.NONE)
    said = [translated(one, say) for one in stoppers.judge_stoppers((charging, full, idle))]
    assert [(one.state, one.mark) for one in said if one.check == "box"] == [
        ("CHARGING", "fine"),
        ("FULL", "fine"),
        ("NOT_CHARGING", "see-to"),
    ]
    assert states(charging)["batteries"] is Battery.UNKNOWN


def test_another_firmware_has_to_be_flashed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert states(replace(WELL, firmware="0.0.9"))["firmware"] is FirmwareCheck.STOPPERS_OLD
    assert states(WELL, hub="0.0.9")["firmware"] is FirmwareCheck.HUB_OLD
    assert states(WELL, hub="0.2.0")["firmware"] is FirmwareCheck.NEWEST
    assert states(replace(WELL, firmware=None))["firmware"] is FirmwareCheck.UNKNOWN
    monkeypatch.setattr(
        computer, "shipped_version", lambda _: None
    )  # as where no firmware came along
    (unknown,) = computer.judge_firmware({1: "0.0.9"})
    assert unknown.condition.state is FirmwareCheck.UNKNOWN


def test_what_ails_a_stopper_is_said_too() -> None:
    ill = Condition(STOPPER_FAULT(StopperFault.MOTION_SILENT.value), 0, {"stopper": 1})
    *_, last = stoppers.judge_stoppers((replace(WELL, ailments=(ill,)),))
    assert last.condition is ill
