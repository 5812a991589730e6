"""Who is heard, whose battery lasts, who runs what: said of made-up stoppers."""

from dataclasses import replace
from pathlib import Path

from companion.i18n.translate import say
from companion.maintenance.checks import computer, stoppers
from companion.maintenance.checks.computer import FirmwareCheck
from companion.maintenance.checks.result import translated
from companion.maintenance.checks.stoppers import Battery, HeardCheck
from companion.maintenance.stopper_status import ChargeStage
from companion.maintenance.view import StopperShown
from companion.referee.faults import STOPPER_FAULT
from companion.sensing.stopper_faults import StopperFault
from companion.system.status import Condition, Status

WELL = StopperShown(1, 0, 90, -55, computer.shipped("stopper"))
ALL = tuple(replace(WELL, number=number) for number in range(1, 14))


def states(*them: StopperShown, hub: str | None = None) -> dict[str, Status]:
    return {result.check: result.condition.state for result in stoppers.judge_stoppers(them, hub)}


def test_nothing_is_wrong_with_good_stoppers() -> None:
    assert list(states(*ALL).values()) == [HeardCheck.ALL, Battery.ENOUGH, FirmwareCheck.NEWEST]


def test_the_firmware_that_came_with_this_program_has_a_version() -> None:
    assert computer.shipped("stopper") == computer.shipped("hub") == "0.2.0"


def test_a_stopper_that_was_not_heard_has_to_be_lifted() -> None:
    silent = replace(ALL[3], heard_ago_s=None)
    (one, *_) = stoppers.judge_stoppers((*ALL[:3], silent))
    assert one.condition.state is HeardCheck.SILENT
    assert "Stopper 4 was not heard from; lift its barrel to wake it" in translated(one, say).told


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
    assert "Stopper 1 is being charged in the box." in {one.told for one in said}
    assert states(charging)["batteries"] is Battery.UNKNOWN


def test_another_firmware_has_to_be_flashed(tmp_path: Path) -> None:
    assert states(replace(WELL, firmware="0.0.9"))["firmware"] is FirmwareCheck.STOPPERS_OLD
    assert states(WELL, hub="0.0.9")["firmware"] is FirmwareCheck.HUB_OLD
    assert states(WELL, hub="0.2.0")["firmware"] is FirmwareCheck.NEWEST
    assert states(replace(WELL, firmware=None))["firmware"] is FirmwareCheck.UNKNOWN
    (unknown,) = computer.judge_firmware(
        {1: "0.0.9"}, folder=tmp_path
    )  # as where no firmware came along
    assert unknown.condition.state is FirmwareCheck.UNKNOWN


def test_what_ails_a_stopper_is_said_too() -> None:
    ill = Condition(STOPPER_FAULT(StopperFault.MOTION_SILENT.value), 0, {"stopper": 1})
    *_, last = stoppers.judge_stoppers((replace(WELL, ailments=(ill,)),))
    assert last.condition is ill
