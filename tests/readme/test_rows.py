"""A row of stoppers, typed as the README says: with all done, it says so and ends."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from companion import stoppers
from companion.__main__ import main
from companion.firmware_files.image import KINDS
from companion.flash_command import flashed
from companion.folders import kept_in
from companion.stoppers import anybodys
from tests.readme.lines import of


def test_who_types_it_with_all_done_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = kept_in(None, "table")
    folder.mkdir(parents=True)
    for number in range(1, 14):
        stoppers.keep(folder, anybodys(number))
        flashed.keep(folder, anybodys(number), KINDS["stopper"])
    for command in of("a row"):
        assert main([*shlex.split(command.text)[1:], "--language", "en"]) == 0
        assert "13 of 13 stoppers are done." in capsys.readouterr().out
