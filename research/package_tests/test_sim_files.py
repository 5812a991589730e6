"""What `sim` does to files, and how it ends: nothing is lost, nothing is left behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main

ROOT = Path(__file__).parents[2]
SCRIPT = "3 blue lifts 7\nblue places 7\n+0.2 blue presses\n"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak English, without colours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Provide a short script."""
    file = tmp_path / "short.txt"
    file.write_text(SCRIPT)
    return file


def started(*words: str, folder: Path, **more: Any) -> subprocess.Popen[str]:
    """Start the program as a shell does, with a folder of its own for what is temporary."""
    tables = folder / "tables"
    tables.mkdir(exist_ok=True)
    return subprocess.Popen(
        [*more.pop("shell", ()), sys.executable, "-m", "companion", *words],
        env={**os.environ, "TMPDIR": str(tables), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
        cwd=folder,
        text=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more},
    )


@pytest.mark.parametrize("command", [["sim"], ["play", "--bots", "2"], []])
def test_without_an_output_there_is_a_sentence(command: list[str], tmp_path: Path) -> None:
    shell = ("sh", "-c", 'exec "$@" >&-', "sh")
    with started(*command, folder=tmp_path, shell=shell) as program:
        _, told = program.communicate(timeout=60)
    assert program.returncode == 2
    assert told == "The output cannot be written: Bad file descriptor.\n"


def test_without_any_output_there_is_still_the_exit_code(tmp_path: Path) -> None:
    shell = ("sh", "-c", 'exec "$@" >&- 2>&-', "sh")
    with started("sim", folder=tmp_path, shell=shell) as program:
        assert program.wait(60) == 2


def test_without_an_input_a_player_has_left(tmp_path: Path) -> None:
    shell = ("sh", "-c", 'exec "$@" <&-', "sh")
    with started("play", "--you", "red", folder=tmp_path, shell=shell) as program:
        _, told = program.communicate(timeout=60)
    assert program.returncode == 66
    assert told.startswith("The input ended, and there was more to answer.")


def until(program: subprocess.Popen[str], said: str) -> str:
    """Return the first line with these words, as soon as it is printed."""
    assert program.stdout is not None
    return next(line for line in program.stdout if said in line)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_whoever_is_ended_puts_everything_away(ending: signal.Signals, tmp_path: Path) -> None:
    words = ("sim", "--bots", "4", "--seed", "1", "--speed", "1", "--record", "evening.link")
    with started(*words, folder=tmp_path) as program:
        until(program, "The hub 7c:")
        assert list((tmp_path / "tables").iterdir())
        program.send_signal(ending)
        _, told = program.communicate(timeout=60)
    assert program.returncode == 128 + ending
    assert told == ""
    assert not list((tmp_path / "tables").iterdir())
    assert (tmp_path / "evening.link").read_text().endswith(" close\n")


def test_whoever_is_killed_has_recorded_all_but_the_last_second(tmp_path: Path) -> None:
    words = ("sim", "--bots", "4", "--seed", "1", "--speed", "1", "--record", "evening.link")
    with started(*words, folder=tmp_path) as program:
        until_s = float(until(program, "stands still")[:9])
        program.kill()
    *_, last = (tmp_path / "evening.link").read_text().splitlines()
    assert int(last.split()[0]) > 1e6 * (until_s - 1)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_recording_that_breaks_is_told_at_once_and_in_the_exit_code(
    language: str, script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--language", language, "sim", "--script", str(script), "--record", "/dev/full"]
    assert main(words) == 1
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert ("has stopped (No space left on device); the game goes on" in told.err) == (
        language == "en"
    )
    assert {"en": "presses the button", "de": "drückt den Knopf"}[language] in told.out


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ["short.txt", "link", "./hard", "other/../short.txt"])
def test_a_script_is_never_recorded_over(
    name: str, language: str, script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = script.parent
    (folder / "other").mkdir()
    (folder / "link").symlink_to("short.txt")
    (folder / "hard").hardlink_to(script)
    words = ["sim", "--script", str(script), "--record", f"{folder}/{name}"]
    assert main(["--language", language, *words]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert ("is the script itself; choose another name" in told.err) == (language == "en")
    assert script.read_text() == SCRIPT


def test_no_recording_takes_the_place_of_another_file(
    script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.link"
    file.write_text("another evening")
    assert main(["sim", "--script", str(script), "--record", str(file)]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert "already exists; choose another name, or remove it first." in told.err
    assert file.read_text() == "another evening"


@pytest.mark.parametrize(
    ("file", "complaint"), [("/dev/full", "not an ordinary file"), ("/", "Is a directory")]
)
def test_a_script_that_is_not_a_file(
    file: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sim", "--script", file]) == 2
    assert complaint in capsys.readouterr().err


def test_a_file_that_is_too_large_is_not_a_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "large.txt"
    file.write_bytes(b"#" * 1_000_001)
    assert main(["sim", "--script", str(file)]) == 2
    assert "one has at most 1000000 bytes" in capsys.readouterr().err


def test_a_script_that_goes_wrong_late_is_not_begun(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, link = tmp_path / "late.txt", tmp_path / "evening.link"
    file.write_text("3 blue lifts 7\nblue puts back 7\n900 blue lifts 7\nred shakes 7\n")
    assert main(["sim", "--script", str(file), "--record", str(link)]) == 2
    told = capsys.readouterr()
    assert "Red cannot reach barrel 7" in told.err
    assert told.out.count("\n") == 1
    assert not link.exists()
