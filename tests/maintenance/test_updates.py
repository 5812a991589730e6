"""Stoppers get a new firmware by radio at the simulated table, from the button to the next boot."""

from collections.abc import Mapping
from pathlib import Path

from companion.devices.firmware import image
from companion.maintenance.stopper_status import version_text
from companion.maintenance.updates import FirmwareRelease, Stage
from companion.referee.maintenance_commands import UpdateStoppers
from companion.simulator.boards import StopperBoard
from tests.maintenance.benches import opened, shown, wants
from tests.scenarios.refereed import Refereed

KIND = image.KINDS["stopper"]
NEWER = 0x000201


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
    updates = evening.table.maintenance.parts.updates
    updates.newest, updates.release = version_text(firmware.version), lambda: firmware
    boards = [evening.sim.stoppers[number] for number in sorted(evening.sim.stoppers)]
    for board in boards[stoppers:]:
        board.power_off()
    evening.table.maintenance.vitals = {
        number: vitals
        for number, vitals in evening.table.maintenance.vitals.items()
        if number <= stoppers
    }
    return boards[:stoppers]


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


def test_a_program_that_is_older_than_a_stopper_says_so(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        older = FirmwareRelease(0x000100, newer().files)
        (board,) = outdated(evening, firmware=older)
        wants(evening, UpdateStoppers())
        assert until_over(evening, 60) == {1: Stage.NEWER}
        assert not board.disk.files


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
