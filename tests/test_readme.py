"""What the READMEs say holds: commands run, examples work, links lead somewhere."""

from __future__ import annotations

import io
import re
import shlex
import sys
import tomllib
from pathlib import Path
from signal import SIGINT
from subprocess import PIPE, Popen

import pytest

from companion.__main__ import main
from companion.rules.zapp_zerapp import PRESETS, read_board
from companion.terminal.options import read_options

ROOT = Path(__file__).parent.parent
READMES = [file for file in ROOT.rglob("*.md") if not set(file.parts) & {".venv", "node_modules"}]
README = (ROOT / "README.md").read_text("utf-8")
TESTED_ELSEWHERE = (
    "./run test",  # these two by the door's own tests
    "./run bench",
    "./run journal",  # these by tests/test_journal_command.py: they need a match that was refereed
    "./run replay match.jsonl",
)


def blocks(kind: str) -> list[str]:
    """Return the blocks of one kind of text in the README."""
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


def commands() -> list[list[str]]:
    """Return the words after ./run of every command in the README."""
    lines = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    return [
        shlex.split(line)[1:]
        for line in lines
        if line.startswith("./run") and not line.startswith(TESTED_ELSEWHERE)
    ]


def test_every_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(commands()) >= 5
    for words in commands():
        if words == [] or words[0].startswith("--"):
            goes_on_until_it_is_stopped(words, tmp_path)
            continue
        monkeypatch.setattr("sys.stdin", io.StringIO())  # a person at the table goes home at once
        assert main(words) == (130 if "--you" in words else 0), words
        assert not capsys.readouterr().err, words


def test_every_command_for_a_pi_is_understood() -> None:
    """They change the system or need a board: tests/install_command and flash_command run them."""
    found = re.findall(
        r"^(?:sudo )?(?:rappelwacht|(?<=sudo )\./run) ([^#\n]+)", README, re.MULTILINE
    )
    told = [shlex.split(line) for line in found]
    assert {words[0] for words in told} == {"install", "uninstall", "roll-back", "doctor", "flash"}
    for words in told:
        assert read_options("en", words).command == words[0]


def goes_on_until_it_is_stopped(words: list[str], folder: Path) -> None:
    """Start the table, wait until a match goes on, and stop it as a person would: Ctrl-C."""
    command = [sys.executable, "-m", "companion", *words, "--folder", str(folder / "table")]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True, cwd=ROOT) as table:  # noqa: S603
        assert table.stdout is not None
        told = list[str]()
        while not told or not re.search(
            "match begins|Partie beginnt|goes on|geht weiter", told[-1]
        ):
            told.append(next(table.stdout))
        table.send_signal(SIGINT)
        _, complaints = table.communicate(timeout=60)
    assert (table.returncode, complaints) == (130, "")


def test_the_screen_is_what_the_command_shows(capsys: pytest.CaptureFixture[str]) -> None:
    screen, *_ = blocks("text")
    (words,) = re.findall(r"one round of\n`./run (.*?)`:", README)
    assert main([*words.split(), "--language", "en"]) == 0
    assert screen in capsys.readouterr().out


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("python")
    exec(example, {})  # noqa: S102 - our own text
    assert "place blue 13" in capsys.readouterr().out


def test_the_ring_of_the_example_is_the_first_preset() -> None:
    (example,) = blocks("toml")
    assert read_board(tomllib.loads(example)) == PRESETS["two-before-city"]


@pytest.mark.parametrize("readme", READMES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_somewhere(readme: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", readme.read_text("utf-8")):
        assert (readme.parent / target).exists(), target
