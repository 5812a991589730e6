"""What a command does not need is not waited for, and every command is where it is looked for."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from companion.__main__ import COMMANDS
from companion.outputs.terminal import options

HEAVY = ("companion.app", "companion.simulator.run", "gpiozero", "serial", "smbus2", "flask")
LOOK = "import sys; from companion.__main__ import main; {run}; print(*sys.modules)"


@pytest.mark.parametrize("words", [["lights", "--list"], ["journal", "list", "--folder", "gone"]])
def test_small_commands_do_not_wait_for_a_table(words: list[str]) -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", LOOK.format(run=f"main({words!r})")],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = done.stdout.splitlines()[-1].split()
    assert "companion.outputs.terminal.options" in loaded
    assert not set(HEAVY) & set(loaded)


def test_every_command_that_is_understood_is_there() -> None:
    assert set(COMMANDS) == {None, *options.COMMANDS}
    for place, name in COMMANDS.values():
        assert callable(getattr(import_module(place), name))
