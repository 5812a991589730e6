"""The doctor has the table say something, and tells what is missing if it cannot."""

import sys
from pathlib import Path

import pytest

from companion.maintenance.checks import computer
from companion.maintenance.checks.computer import VoiceCheck
from companion.maintenance.checks.result import CheckResult, translated
from companion.present.viewer import Viewer
from companion.table.outputs.voice import PROGRAM, command
from tests.programs import need


def tried(program: str, *more: str) -> CheckResult:
    return computer.judge_voice(
        [sys.executable, "-c", program, *more], "xx", "Hier spricht der Tisch."
    )


def test_what_it_says_comes_by_standard_input(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    program = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.stdin.read(), 'utf-8')"
    assert tried(program, str(heard)).condition.state is VoiceCheck.SPEAKS
    assert heard.read_text("utf-8") == "Hier spricht der Tisch.\n"


def test_without_its_program_one_line_says_what_to_do() -> None:
    found = computer.judge_voice(["no-such-program"], "de", "…")
    assert translated(found, Viewer().say).told.endswith("sudo apt-get install espeak-ng")
    assert translated(found, Viewer().say).mark == "see-to"


def test_a_language_that_it_does_not_know() -> None:
    found = tried("raise SystemExit(1)")
    assert found.condition.state is VoiceCheck.UNSPOKEN
    assert "xx" in translated(found, Viewer().say).told


def test_without_a_loudspeaker_it_is_not_taken_for_well() -> None:
    lines = "ALSA lib pcm.c:1: no card\\nerror: No such file or directory\\n"
    found = tried(f"import sys; sys.stderr.write('{lines}')")
    assert found.condition.state is VoiceCheck.UNHEARD
    assert "(No such file or directory)" in translated(found, Viewer().say).told


def test_one_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer, "TRY_S", 0.2)
    found = tried("import time; time.sleep(60)")
    assert found.condition.state is VoiceCheck.HANGS


def test_the_real_program_knows_both_languages_and_no_other(tmp_path: Path) -> None:
    need(PROGRAM)
    states = [
        computer.judge_voice(
            [*command(code), "-w", str(tmp_path / "x.wav")], code, "7"
        ).condition.state
        for code in ("de", "en", "xx")
    ]
    assert states == [VoiceCheck.SPEAKS, VoiceCheck.SPEAKS, VoiceCheck.UNSPOKEN]
