"""What a command does not need is not waited for, and every command is where it is looked for."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from companion.__main__ import COMMANDS
from companion.core.kit import GAMES
from companion.outputs.terminal import options

HEAVY = ("companion.app", "companion.simulator.run", "gpiozero", "serial", "smbus2", "flask")
WEB = ("flask", "jinja2", "waitress", "werkzeug")
LOOK = "import sys; from companion.__main__ import main; {run}; print(*sys.modules)"


def loaded_by(words: list[str]) -> list[str]:
    """Return the modules that a command loads."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", LOOK.format(run=f"main({words!r})")],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("words", [["lights", "--list"], ["journal", "list", "--folder", "gone"]])
def test_small_commands_do_not_wait_for_a_table(words: list[str]) -> None:
    loaded = loaded_by(words)
    assert "companion.outputs.terminal.options" in loaded
    assert not set(HEAVY) & set(loaded)


@pytest.mark.parametrize("game", GAMES)
def test_whoever_plays_in_the_terminal_waits_for_no_page_and_no_other_game(
    game: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    play = ["play", "--game", game, "--seats", "red,blue", "--seed", "1", "--save", str(file)]
    for words in (play, ["replay", str(file)]):
        loaded = loaded_by(words)
        assert not {*HEAVY, *WEB} & set(loaded)
        others = [one.replace("-", "_") for one in {*GAMES} - {game}]
        assert not [one for one in loaded for other in others if f"{other}.rules" in one]


def test_every_command_that_is_understood_is_there() -> None:
    assert set(COMMANDS) == {None, *options.COMMANDS}
    for place, name in COMMANDS.values():
        assert callable(getattr(import_module(place), name))
