"""Saved games: what stands in the file, when it does, and what becomes of it in an accident."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.files import SavedGameFile
from companion.cli.main import main
from companion.core.log import load
from companion.core.plugin import GAMES
from companion.games.zapp_zerapp.rules import Phase, ZappZerapp
from companion.games.zapp_zerapp.terminal.story import Story
from companion.system.errors import CompanionError
from tests.cli.terminal.keyboard import HUMAN

ROOT = Path(__file__).parent.parent.parent


def test_a_saved_game_is_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    assert main(["play", "--seed", "2", "--profi", "--save", str(file)]) == 0
    told = "".join(capsys.readouterr().out.split())  # lines break anywhere in a long path
    assert f"Thegameissavedin'{file}'." in told
    log, fault = load(file.read_text("utf-8"), GAMES)
    assert fault is None
    assert log.game.outcome(log.state)
    assert log.dump() == file.read_text("utf-8")


def test_no_file_is_ever_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("precious")
    assert main(["play", "--save", str(file), "--language", "de"]) == 2
    assert capsys.readouterr().err == (
        f"„{file}“ gibt es schon; wähle einen anderen Namen, oder lösche die Datei zuerst.\n"
    )
    assert file.read_text() == "precious"


def test_an_interrupted_game_keeps_all_that_has_happened(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with subprocess.Popen(
        [sys.executable, "-m", "companion", *HUMAN, "5", "--save", str(file)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as game:
        assert game.stdin
        assert game.stdout
        game.stdin.write(b"A\nkeep\nA\n")
        game.stdin.flush()
        assert any(b"Barrel A" in line for line in game.stdout)
        game.send_signal(signal.SIGINT)
        out, err = game.communicate(timeout=120)
    assert (game.returncode, err) == (130, b"")
    assert b"The game so far is saved in" in out
    log, fault = load(file.read_text("utf-8"), GAMES)
    assert fault is None
    assert log.actions


def test_nothing_is_told_that_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, saved = tmp_path / "game.jsonl", list[int]()
    step = Story.step

    def look(story: Story, *happened: object) -> None:
        saved.append(file.read_bytes().count(b"\n"))
        step(story, *happened)  # type: ignore[arg-type]

    monkeypatch.setattr(Story, "step", look)
    assert main(["play", "--seed", "2", "--no-board", "--save", str(file)]) == 0
    assert saved == list(range(2, len(saved) + 2))  # the head, and every action so far


def test_rounds_and_the_end_are_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, settled = tmp_path / "game.jsonl", list[str]()
    monkeypatch.setattr(os, "fsync", lambda _: settled.append(file.read_text("utf-8")))
    assert main(["play", "--seed", "2", "--no-board", "--save", str(file)]) == 0
    ends = [load(text, GAMES)[0].state for text in settled]
    rounds = [state.round for state in ends if state.phase is Phase.ROLL]
    assert rounds == list(range(2, ends[-1].round + 1))
    assert ends[-1].phase is Phase.OVER
    assert settled[-1] == file.read_text("utf-8")


def test_a_disk_that_does_not_answer_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    file = tmp_path / "game.jsonl"
    assert main(["play", "--seed", "2", "--no-board", "--save", str(file)]) == 2
    assert capsys.readouterr().err == f"'{file}' cannot be written: Input/output error.\n"


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
from companion.cli.main import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Only part of the last line"), ("de", "nahm nur einen Teil")]
)
def test_a_disk_that_fills_up_is_one_sentence(
    language: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    words = ("play", "--seed", "2", "--no-board", "--language", language, "--save", str(file))
    game = subprocess.run(
        [sys.executable, "-c", LIMITED, *words],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=60,
    )
    told = game.stderr.decode()
    assert (game.returncode, told.count("\n")) == (2, 1)
    assert sentence in told
    assert file.stat().st_size == 2000
    assert main(["replay", str(file), "--no-board"]) == 1  # as far as it is sound
    assert re.match(r"Line \d+: ", capsys.readouterr().err)


def test_a_file_that_cannot_be_shortened_is_one_sentence(tmp_path: Path) -> None:
    with SavedGameFile(tmp_path / "game.jsonl", ZappZerapp()) as notebook:
        notebook.write(1, ZappZerapp().legal(ZappZerapp().start(), -1)[0], last=False)

        class Stuck:
            """A file that refuses."""

            def __init__(self) -> None:
                self.file = notebook._file
                self.tell, self.fileno, self.close = (
                    self.file.tell,
                    self.file.fileno,
                    self.file.close,
                )

            def truncate(self, _: int) -> None:
                """Refuse."""
                raise OSError(5, "Input/output error")

        notebook._file = Stuck()  # type: ignore[assignment]
        with pytest.raises(CompanionError, match="cannot be written: Input/output error"):
            notebook.cut(0)
