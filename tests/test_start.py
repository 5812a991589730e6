"""What a command does not need is not waited for, and every command is where it is looked for."""

import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest

from companion.cli.options import COMMANDS, WITHOUT_COMMAND, extra_commands
from companion.core.plugin import GAMES

HEAVY = (
    "companion.table.table",
    "companion.simulator.run",
    "gpiozero",
    "serial",
    "smbus2",
    "flask",
)
WEB = ("flask", "jinja2", "waitress", "werkzeug")
LOOK = "import sys; from companion.cli.main import main; {run}; print(*sys.modules)"


def loaded_by(words: list[str]) -> list[str]:
    """Return the modules that a command loads."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK.format(run=f"main({words!r})")],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("words", [["lights", "--list"], ["journal", "list", "--folder", "gone"]])
def test_small_commands_do_not_wait_for_a_table(words: list[str]) -> None:
    loaded = loaded_by(words)
    assert "companion.cli.options" in loaded
    assert not set(HEAVY) & set(loaded)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("game", GAMES)
def test_who_plays_in_a_terminal_waits_for_no_page_or_other_game(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    play = ["play", "--game", game, "--seats", "red,blue", "--seed", "1", "--save", str(file)]
    for words in (play, ["replay", str(file)]):
        loaded = loaded_by(words)
        assert not {*HEAVY, *WEB} & set(loaded)
        others = [one.replace("-", "_") for one in {*GAMES} - {game}]
        assert not [one for one in loaded for other in others if f"{other}.rules" in one]


BEGIN = """
import sys
from pathlib import Path
from companion.system import config
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.core.plugin import GAMES
from companion.core.codec import pack
from companion.referee.commands import Command, NewMatch
from companion.referee.events import HouseRules

with Table(TableConfig(config.TableWiring(), Path(sys.argv[2]))) as table:
    settings = pack(GAMES[sys.argv[1]].settings_type())
    before, take = set(), table._handle

    def note(message, now_us):
        before.update(sys.modules)
        take(message, now_us)

    table._handle = note
    answer = table.ask(Command("1", NewMatch(sys.argv[1], settings, HouseRules()), "phone"))
    assert answer is not None and answer.refused is None, answer
    print(sorted(set(sys.modules) - before))
"""


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("game", GAMES)
def test_the_table_does_not_wait_for_a_game_to_be_imported(game: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN, game, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_a_real_table_loads_no_simulator_and_no_game_before_a_match() -> None:
    run = "from companion.core.plugin import PLUGINS; import companion.cli.table"
    done = subprocess.run(
        [sys.executable, "-c", LOOK.format(run=run)], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "companion.web.app" in loaded
    assert not [
        name for name in loaded if name.startswith(("companion.simulator", "companion.games."))
    ]


def test_every_command_that_is_understood_is_there() -> None:
    for command in (WITHOUT_COMMAND, *COMMANDS.values(), *extra_commands().values()):
        assert callable(resolve_name(command.place))
