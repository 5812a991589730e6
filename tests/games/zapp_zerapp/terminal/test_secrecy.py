"""Before the flip nobody at the screen learns a number: only what an ear makes of it (ZZ-7)."""

from pathlib import Path
from random import Random

import pytest

from companion.cli.main import main
from companion.core.log import load
from companion.core.plugin import GAMES
from companion.games.zapp_zerapp.listening_ai.people import PLACES, Barrel, Ear, Plateau
from companion.games.zapp_zerapp.rules import BARRELS, Colour
from tests.cli.terminal.keyboard import type_in
from tests.referee.twins import seen_by

FLIP = {"en": "Now all flip theirs!", "de": "Jetzt drehen alle um!"}
SHAKING = ("?", "A", "A", "B", "keep C", "C", "?", "Q")  # and so on, until all others wait
WAITING = ("D", "D", "E", "E", "F", "F", "?", "undo")
VIEWERS = (None, *Colour)


class Table:
    """A table at which every number is another one by `turned`, and every ear hears nothing."""

    def __init__(self, turned: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hidden: list[int] = []
        shuffle = Plateau.shuffle

        def turn(plateau: Plateau, rng: Random) -> None:
            shuffle(plateau, rng)
            for place in PLACES:
                number = (plateau.take(place).number + turned) % BARRELS + 1
                self.hidden.append(number)
                plateau.put_back(Barrel(place, number))

        def hear(ear: Ear, number: int, rng: Random) -> float:
            del ear, number
            return 1 + 12 * rng.random()

        monkeypatch.setattr(Plateau, "shuffle", turn)
        monkeypatch.setattr(Ear, "hear", hear)


@pytest.mark.parametrize("language", FLIP)
@pytest.mark.parametrize(
    "options",
    [
        ["--seed", "1", "--seats", "red,blue"],
        ["--seed", "2"],
        ["--seed", "3", "--profi", "--no-shuffle"],
    ],
)
def test_two_tables_that_differ_in_nothing_but_the_numbers_look_alike(
    options: list[str],
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told, hidden = [], []
    for turned in (0, 1, 5):
        with monkeypatch.context() as patch:
            table = Table(turned, patch)
            patch.chdir(tmp_path)
            words = ["play", "--you", "red", "--language", language, *options]
            type_in(patch, *SHAKING, *WAITING, *(f"keep {place}" for place in "ABCDEF"))
            assert main(words) == 66
            before, flip, _ = capsys.readouterr().out.partition(FLIP[language])
            assert flip
            told.append(before)
            hidden.append(table.hidden[:BARRELS])
    assert told[0] == told[1] == told[2]
    assert hidden[0] != hidden[1] != hidden[2]


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_game_broken_off_before_the_flip_can_be_shown_to_anybody(
    seed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file keeps the numbers, so that the game can go on; what anybody sees of it does not."""
    shown, files = [], []
    for turned in (0, 1, 5):
        file = tmp_path / f"{turned}.jsonl"
        with monkeypatch.context() as patch:
            Table(turned, patch)
            type_in(patch, *SHAKING, *WAITING)
            words = ["play", "--you", "red", "--seed", seed, "--save", str(file)]
            assert main(words) == 66
        capsys.readouterr()
        files.append(file.read_bytes())
        log, fault = load(file.read_text("utf-8"), GAMES)
        assert fault is None
        seen = [f"{seen_by(log, viewer)}" for viewer in VIEWERS]
        for options in (["--as", "spectator"], ["--as", "red"], ["--language", "de"]):
            assert main(["replay", str(file), *options]) == 0
            seen.append(capsys.readouterr().out)
        shown.append(seen)
    assert files[0] != files[1] != files[2]
    assert shown[0] == shown[1] == shown[2]
    assert "barrel=None" in shown[0][0]
