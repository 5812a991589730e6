"""How the simulated table on the command line ends: by itself only if so many games were wanted."""

from __future__ import annotations

import re
from argparse import Namespace
from io import StringIO
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.table_command import simulated
from companion.terminal.options import read_options
from companion.terminal.screen import Screen

OVER = "The match is over; Ctrl-C ends the table."


class Enough:
    """Guests who have played all their games."""

    def __init__(self, *_: object) -> None:
        """Sit down."""

    def go(self, *_: object) -> bool:
        """Go home."""
        return False


class Terminal(StringIO):
    """A terminal where somebody presses Ctrl-C after reading that the match is over."""

    page = ""

    def write(self, text: str) -> int:
        written = super().write(text)
        if OVER in text:
            (port,) = re.findall(r"open \S+:(\d+)\.", self.getvalue())
            with urlopen(f"http://127.0.0.1:{port}/") as answer:
                self.page = answer.read().decode()
            raise KeyboardInterrupt
        return written


def options(folder: Path, *words: str) -> Namespace:
    return read_options("en", ["--folder", str(folder), "--port", "0", *words])


@pytest.fixture(autouse=True)
def _enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table_command.Party", Enough)


def test_after_the_match_it_serves_on_and_says_how_it_ends(tmp_path: Path) -> None:
    terminal = Terminal()
    with pytest.raises(KeyboardInterrupt):
        simulated(options(tmp_path), Screen(terminal, "en"))
    assert 'data-live="table"' in terminal.page


def test_after_as_many_games_as_were_wanted_it_ends_by_itself(tmp_path: Path) -> None:
    terminal = StringIO()
    assert simulated(options(tmp_path, "--games", "1"), Screen(terminal, "en")) == 0
    assert OVER not in terminal.getvalue()
