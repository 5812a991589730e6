"""What is typed for all stoppers: a row of them by USB, and an update by radio."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import flash_board
from companion.cli.main import main
from companion.devices import stopper_registry
from companion.devices.firmware.image import KINDS
from companion.devices.stopper_registry import simulated_stopper
from companion.maintenance.updates import Stage
from companion.maintenance.view import MaintenanceSnapshot, StopperShown
from companion.referee.maintenance_commands import UpdateStoppers
from companion.system.paths import kept_in
from examples.readme.lines import of
from release.install.test_update_command import OPENED, Room, Types, at, room, types

__all__ = ["room", "types"]  # pytest finds the fixtures by their names


def test_whoever_types_it_with_all_done_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = kept_in(None, "table")
    folder.mkdir(parents=True)
    for number in range(1, 14):
        stopper_registry.save(folder, simulated_stopper(number))
        flash_board.note_flashed(folder, simulated_stopper(number), KINDS["stopper"])
    for command in of("a row"):
        assert main([*shlex.split(command.text)[1:], "--language", "en"]) == 0
        assert "13 of 13 stoppers are done." in capsys.readouterr().out


def test_whoever_asks_a_running_table_for_an_update_sees_it_through(
    room: Room, types: Types
) -> None:
    everybody = tuple(range(1, 14))
    old = tuple(StopperShown(number, firmware="0.1.9") for number in everybody)
    for command in of("an update"):
        numbers = tuple(map(int, shlex.split(command.text)[2:]))
        room.workshop = MaintenanceSnapshot(
            opened=replace(OPENED, stoppers=old, outdated=everybody)
        )
        room.steps = [at(*((one, Stage.DONE, 100) for one in numbers or everybody))]
        assert types(*map(str, numbers)) == 0
        assert room.wished.pop() == UpdateStoppers(numbers or everybody)
