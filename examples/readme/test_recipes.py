"""The recipes of companion/README.md are followed to the letter: a game, an output, a sensor."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.referee.commands import Command, NewMatch, RollForUs
from companion.referee.events import HouseRules
from companion.system import config
from companion.table.table import Table
from companion.table.table_config import TableConfig
from examples.readme.lines import ROOT, of, text

RECIPES = "companion/README.md"
PLAY = """
from random import Random
from companion.system.text import seat_word
from companion.core.plugin import PLUGINS
from companion.core.notation import write
from companion.web.table_page import live
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction, NewMatch, Undo
from companion.referee.events import HouseRules
from tests.web.room import FakeRoom, phones

room, chance = FakeRoom(), Random(4)
assert room.wish(NewMatch("nim", {"matches": 9}, HouseRules())).refused is None
while not room.now.over:
    (turn,) = map(seat_word, room.now.view.turns)
    action = write(chance.choice(room.now.seen_by(turn).choices))
    assert action in live(phones(room), Viewer("en", turn))
    assert room.wish(DoAction(action), by=turn).refused is None
    assert room.again().now.view == room.now.view
assert room.wish(Undo()).refused is None
assert not room.now.over
"""


def blocks(heading: str, language: str) -> list[str]:
    """Return what a recipe has in blocks of a language."""
    told = text(RECIPES).partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", told, re.MULTILINE | re.DOTALL)


def ran(words: list[str], site: Path, folder: Path, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}", "HOME": str(folder)},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(folder: Path, line: str) -> Path:
    """Do what a line of the page asks of pip, offline; return where the game lies then."""
    (nim,), (project,) = blocks("Add a game", "python"), blocks("Add a game", "toml")
    package, site = folder / "nim", folder / "site"
    package.mkdir()
    (package / "nim.py").write_text(nim, "utf-8")
    (package / "pyproject.toml").write_text(project, "utf-8")
    (folder / "project").mkdir()
    pip, *words = line.split()
    assert pip == ".venv/bin/pip"
    words += ["--target", str(site), "--no-deps", "--no-index", "--no-build-isolation", "--quiet"]
    ran(["-m", "pip", *words], site, folder / "project")
    return site


def test_a_game_of_one_file_is_installed_played_and_tried(tmp_path: Path) -> None:
    install, play, tries = (command.text for command in of("a game of one's own"))
    site = installed(tmp_path, install)
    ran(["-c", PLAY], site, tmp_path)
    words = ["-m", "companion", "--language", "en", *play.split()[1:], "--seats", "red,green"]
    told = ran([*words, "--seed", "1"], site, tmp_path, "1\n" * 9)
    assert "Red takes 1; 14 are left." in told
    assert re.search(r"\n(Red|Green) wins!\n", told)
    for more in ([], ["--ladder"]):  # two seats are all that it has
        told = ran(["-m", "companion", "study", "nim", "--games", "1", *more], site, tmp_path)
        assert "Nim" in told
    words = ["-q", "-p", "no:cacheprovider", "-n0", "--basetemp", str(tmp_path / "temp")]
    told = ran(["-m", "pytest", *words, *tries.split()[2:]], site, ROOT)
    assert int(re.findall(r"(\d+) passed", told)[0]) > 20


def table(folder: Path, toml: str = "") -> Table:
    """Return a table whose turns a test takes."""
    file = folder / "table.toml"
    file.write_text(toml, "utf-8")
    return Table(
        TableConfig(config.load(file), folder, clock_us=lambda: 5_000_000, chance=Random(1))
    )


def have_installed(name: str, module: str, site: Path) -> None:
    """Have a package of one module installed, under the group and the name that the page says."""
    ((group, named),) = re.findall(rf'group `(\S+)`, as `({name} = "\S+")`', text(RECIPES))
    about = site / f"{name}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    points = "[{}]\n{}\n".format(group, named.replace('"', ""))
    (about / "entry_points.txt").write_text(points, "utf-8")
    (site / f"{name}.py").write_text(module, "utf-8")


def test_an_output_of_one_file_is_joined_by_a_section(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (blackboard,), (section,) = blocks("Add an output", "python"), blocks("Add an output", "ini")
    have_installed("blackboard", blackboard, tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    here, board = table(tmp_path, section), tmp_path / "blackboard.txt"
    here.resume()
    assert board.read_text("utf-8").startswith("Wer spielt mit?")
    for wish in (NewMatch("via-magica", {}, HouseRules()), RollForUs()):
        here.referee.handle_command(Command(type(wish).__name__, wish, "red"), 0)
    told = board.read_text("utf-8").splitlines()
    here.stop()
    assert len(told) > 1
    assert all(told)
    assert not (tmp_path / "blackboard.txt").exists()


def test_a_sensor_of_one_file_is_joined_by_a_section_and_let_go_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (switch,) = blocks("Add a sensor", "python")
    have_installed("foot_switch", switch, tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    kind: Any = import_module("foot_switch").FootSwitch
    built: list[Any] = []
    closed: list[Any] = []
    begin = kind.__init__

    def build(switch: Any, *given: Any) -> None:
        built.append(switch)
        begin(switch, *given)

    def close(switch: Any) -> None:
        closed.append(switch)

    monkeypatch.setattr(kind, "__init__", build)
    monkeypatch.setattr(kind, "close", close)
    here = table(tmp_path, "[foot_switch]\nseat = 'blue'\n")
    here.resume()
    (foot,) = built
    foot.stepped_on(held_us=200_000)
    here.turn()
    assert here.snapshot.joining == ("blue",)
    assert not closed
    here.stop()
    assert closed == built
