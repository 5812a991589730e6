"""What may happen to a stopper that gets a new firmware by radio: power, air, reach, bad files."""

from pathlib import Path

import pytest

from companion.maintenance.updates import FirmwareRelease, Stage
from companion.referee.maintenance_commands import StopUpdating, UpdateStoppers
from companion.simulator.radio import Weather
from tests.maintenance.benches import opened, wants
from tests.maintenance.test_updates import NEWER, newer, outdated, stages, table, until_over

ROUGH = Weather(0.15, 0.05, 0.05)


def test_one_that_cannot_start_or_never_hears_its_host_goes_back(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        (board,) = outdated(evening, firmware=newer(motion=b"raise ValueError('not yet')"))
        wants(evening, UpdateStoppers())
        assert until_over(evening) == {1: Stage.BACK}
        assert (board.slot, board.trial) == ("a", False)
        assert board.flash["trial"] == b""
        evening.wait(12)
        assert opened(evening).stoppers[0].firmware == "0.2.0"


@pytest.mark.slow
def test_in_bad_air_it_takes_longer_and_arrives_all_the_same(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        boards = outdated(evening, firmware=newer(), stoppers=2)
        evening.sim.air.weather = ROUGH
        wants(evening, UpdateStoppers())
        assert set(until_over(evening, 900).values()) == {Stage.DONE}
        assert {board.slot for board in boards} == {"b"}


def test_power_cut_in_the_middle_costs_only_the_file_that_was_on_its_way(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        (board,) = outdated(evening, firmware=newer())
        wants(evening, UpdateStoppers())
        evening.until(lambda: len(board.disk.slot("b")) > 8)
        there = len(board.disk.slot("b"))
        board.power_on()
        assert board.slot == "a"
        evening.wait(1)
        assert len(board.disk.slot("b")) >= there - 1
        assert until_over(evening) == {1: Stage.DONE}


def test_one_that_goes_out_of_reach_in_the_middle_keeps_what_it_has(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        (board,) = outdated(evening, firmware=newer())
        wants(evening, UpdateStoppers())
        evening.until(lambda: len(board.disk.slot("b")) > 3)
        board.radio.powered = False
        board.power_off()
        assert until_over(evening, 60) == {1: Stage.LOST}
        there = set(board.disk.slot("b"))
        board.power_on()
        evening.sim.wake(1)
        evening.wait(3)
        wants(evening, UpdateStoppers())
        assert until_over(evening) == {1: Stage.DONE}
        assert there - {"new"} <= set(board.disk.slot("b"))


@pytest.mark.slow
def test_files_cut_short_before_they_were_sent_never_stay(tmp_path: Path) -> None:
    whole = newer().files
    cut = {name: data[: len(data) // 2] for name, data in whole.items()}
    with table(tmp_path) as evening:
        (board,) = outdated(evening, firmware=FirmwareRelease(NEWER, cut))
        wants(evening, UpdateStoppers())
        assert until_over(evening) == {1: Stage.BACK}
        assert (board.slot, board.flash["trial"]) == ("a", b"")


@pytest.mark.slow
def test_only_those_who_were_named_get_it_and_a_second_updating_waits(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        boards = outdated(evening, firmware=newer(), stoppers=3)
        evening.wait(1)
        assert wants(evening, UpdateStoppers((9,))).refused is not None
        assert wants(evening, UpdateStoppers((2,))).refused is None
        second = wants(evening, UpdateStoppers((1, 3))).refused
        assert "already being updated" in str(second)
        assert until_over(evening) == {2: Stage.DONE}
        assert [board.slot for board in boards] == ["a", "b", "a"]


@pytest.mark.slow
def test_whoever_is_moved_waits_and_who_sleeps_is_passed_over(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        boards = outdated(evening, firmware=newer(), stoppers=2)
        boards[0].power_off()
        barrel = next(b for b, s in evening.sim.world.stoppers.items() if s == 2)
        evening.people(f"red lifts {barrel}\nred shakes {barrel} for 20")
        wants(evening, UpdateStoppers())
        evening.until(lambda: stages(evening)[1] is Stage.ASLEEP)
        evening.until(lambda: not opened(evening).updating, 60)
        assert stages(evening)[2] in {Stage.MOVED, Stage.DONE}
        assert wants(evening, StopUpdating()).refused is None
