"""What all tests of the journal's commands need: a plain screen, and an evening."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.referee.commands import GiveUp
from tests.cli.journal.matches import LAST, MOVED, Told, kept, play
from tests.referee.tables import Round


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak English, without colours, by the clock of Greenwich."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Return what says words to the command line: its exit code, output and errors."""

    def say(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return say


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Return the folder of an evening: a match that was won, one given up, one cut off."""
    won = play(Round("red", "blue"), *MOVED, *LAST)
    given_up = play(Round("red", "green", "blue", "yellow"), "roll 7", GiveUp())
    return kept(tmp_path / "evening", won, given_up, play(Round("red", "blue"), *MOVED, "roll 5"))
