"""Stoppers get a new firmware by radio at the simulated table, from the button to the next boot."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from companion.devices.firmware import image
from companion.maintenance.updates import FirmwareRelease, Stage
from companion.referee.maintenance_commands import StopUpdating, UpdateStoppers
from companion.simulator.boards import StopperBoard
from companion.simulator.radio import Weather
from tests.maintenance.benches import opened, shown, wants
from tests.scenarios.refereed import Refereed

KIND = image.KINDS["stopper"]
NEWER = 0x000201
ROUGH = Weather(0.15, 0.05, 0.05)


def newer(**changed: bytes) -> FirmwareRelease:
    """Return a firmware of the next version, some of whose files are other ones."""
    files = image.slot_files(KIND)
    main = files["stopper/stopper.py"].replace(b"FIRMWARE = 0x000200", b"FIRMWARE = 0x000201")
    files["stopper/stopper.py"] = main
    return FirmwareRelease(
        NEWER, files | {f"stopper/{name}.py": data for name, data in changed.items()}
    )


def outdated(
    evening: Refereed, *, firmware: FirmwareRelease, stoppers: int = 1
) -> list[StopperBoard]:
    """Let the program have come with another firmware, and but so many stoppers awake."""
    rig = evening.table._measurement
    updates = evening.table.maintenance.parts.updates
    updates._ways, updates._newest = _Ways(rig.say, firmware), None
    boards = [evening.sim.stoppers[number] for number in sorted(evening.sim.stoppers)]
    for board in boards[stoppers:]:
        board.power_off()
    evening.table.maintenance.vitals = {
        number: vitals
        for number, vitals in evening.table.maintenance.vitals.items()
        if number <= stoppers
    }
    return boards[:stoppers]


class _Ways:
    sends_sources = False

    def __init__(self, say: Callable[..., bool], firmware: FirmwareRelease) -> None:
        self.say, self._firmware = say, firmware

    def version(self) -> int:
        return self._firmware.version

    def firmware(self) -> FirmwareRelease:
        return self._firmware


def stages(evening: Refereed) -> dict[int, Stage]:
    return {one.number: one.stage for one in opened(evening).updates}


def until_over(evening: Refereed, within_s: float = 400.0) -> Mapping[int, Stage]:
    evening.until(lambda: not opened(evening).updating, within_s)
    return stages(evening)


def table(folder: Path) -> Refereed:
    return Refereed(folder, guests=False).wait(4)


def test_a_stopper_gets_it_whole_and_tells_its_new_version(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        assert opened(evening).outdated == ()
        (board,) = outdated(evening, firmware=newer())
        evening.wait(1)
        assert opened(evening).outdated == (1,)
        begun_us, air_us = evening.sim.now_us, evening.sim.air.traffic.airtime_us
        assert wants(evening, UpdateStoppers()).refused is None
        assert until_over(evening) == {1: Stage.DONE}
        took_us = evening.sim.now_us - begun_us
        assert took_us < 60_000_000
        assert evening.sim.air.traffic.airtime_us - air_us < took_us / 10
        assert board.slot == "b"
        assert board.disk.slot("b") == newer().files
        assert (board.flash["slot"], board.flash["trial"]) == (b"b", b"")
        (one, *_) = opened(evening).stoppers
        assert one.firmware == "0.2.1"
        assert opened(evening).outdated == ()


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


def test_a_program_that_is_older_than_a_stopper_says_so(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        older = FirmwareRelease(0x000100, newer().files)
        (board,) = outdated(evening, firmware=older)
        wants(evening, UpdateStoppers())
        assert until_over(evening, 60) == {1: Stage.NEWER}
        assert not board.disk.files


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


def test_a_match_ends_it_and_refuses_it(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        (board,) = outdated(evening, firmware=newer(), stoppers=13)[:1]
        wants(evening, UpdateStoppers())
        evening.until(lambda: len(board.disk.slot("b")) > 2)
        evening.begins("red", "blue").wait(2)
        there = len(board.disk.slot("b"))
        assert shown(evening).opened is None
        assert wants(evening, UpdateStoppers()).refused is not None
        evening.wait(15)
        assert len(board.disk.slot("b")) == there
        assert board.slot == "a"


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
