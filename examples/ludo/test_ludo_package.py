"""A game of another package is built, installed by its entry point, and played everywhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from examples.building import ROOT, built, passes
from examples.readme.lines import of
from tests.options import ANY_GAME

HERE: Final = Path(__file__).parent
MOST_LINES: Final = 500  # of all that a game needs, in both languages
SUITES: Final = ("examples/ludo/installed", *ANY_GAME)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package as its author would, and install it into a folder of its own."""
    return built(tmp_path_factory.mktemp("ludo"))


def ran(site: Path, home: Path, *words: str) -> str:
    """Run a module of ours where the game is installed, and return what it says."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=home,
        env=os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}", "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout


def test_it_is_small() -> None:
    files = [file for file in (HERE / "package").rglob("*") if file.is_file()]
    ours = [file for file in files if file.suffix in {".py", ".po", ".html", ".toml"}]
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in ours)
    assert lines <= MOST_LINES


def test_it_is_played_replayed_and_studied_in_a_terminal(site: Path, tmp_path: Path) -> None:
    words = ["--language", "en", "play", "--game", "ludo", "--bots", "3", "--seed", "5"]
    played = ran(site, tmp_path, "companion", *words, "--save", "game.jsonl")
    assert "sets out." in played
    replayed = ran(site, tmp_path, "companion", "--language", "de", "replay", "game.jsonl")
    assert "kommt heraus." in replayed
    assert replayed.count("kommt heraus.") == played.count("sets out.")
    studied = ran(site, tmp_path, "companion", "--language", "de", "study", "ludo", "--games", "3")
    assert "Würfe" in studied


def test_its_words_are_kept_as_the_line_says(site: Path, tmp_path: Path) -> None:
    """They are written where its author works, and not where it is installed."""
    ours = shutil.copytree(HERE / "package", tmp_path / "ludo")
    (tmp_path / "project").mkdir()
    for command in of("its words"):
        told = ran(site, tmp_path / "project", "release.words", *command.text.split()[2:])
        assert told.startswith(f"{ours}/ludo/locale/de.po: ")
        assert re.search(r"de\.po: (\d+) of \1 are translated, 0 are guessed, 0 ", told)


def test_it_passes_what_every_game_has_to_pass(site: Path, tmp_path: Path, full: bool) -> None:
    told = passes(site, tmp_path, "ludo", *SUITES, full=full)
    for suite in ("test_ludo.py", "test_every_game.py"):
        assert any(suite in line and "PASSED" in line for line in told.splitlines())
    assert "[ludo]" in told
