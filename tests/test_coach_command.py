"""The command `coach` tells of every match in a file that is won, and why not of another."""

import json
from pathlib import Path
from random import Random

import pytest

from companion.cli.main import main
from companion.core.log import Log
from companion.core.plugin import GAMES
from companion.games.trap_the_wizard import rules as trap
from companion.journal.export import export_lines
from tests.cli.journal.matches import LAST, play
from tests.games.zapp_zerapp.coach.matches import listened
from tests.referee.tables import Round


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return a saved game that was won."""
    file = tmp_path / "game.jsonl"
    file.write_text(listened(1).dump())
    return file


def test_a_saved_game_is_told_with_a_plot(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coach", str(saved)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    plot = [line for line in told.out.splitlines() if {"█", "░"} & set(line[5:]) and line[4] == " "]
    assert sum("Red" in line for line in plot) == 1  # the legend
    levels = [line[5:] for line in plot if line[:5].strip() in {"", "100", "50", "0"}]
    assert len(levels) >= 10
    for said in ("At first", "Own moves", "Moves of the others", "The ear", "At the end"):
        assert said in told.out
    assert all(len(line) <= 78 for line in told.out.splitlines())


def test_it_speaks_german(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coach", str(saved), "--language", "de"]) == 0
    out = capsys.readouterr().out
    assert "Woraus das Ergebnis besteht" in out
    assert "Züge der anderen" in out


def test_json_holds_each_matchs_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = play(Round("red", "blue"), *LAST)
    file = tmp_path / "match.jsonl"
    file.write_text("".join(export_lines(table.paper.matches["m0"])))
    assert main(["coach", str(file), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert told["seats"] == ["red", "blue"]
    assert [one["last"] for one in told["parts"]] == [1, 0]
    assert told["parts"][0]["put_right"] > 0  # its pawns were set before the city
    for parts in told["parts"]:
        luck = sum(one["brought"] for one in parts["luck"])
        moves = parts["own_moves"] + parts["others_moves"] + parts["put_right"]
        assert abs(parts["first"] + luck + moves - parts["last"]) <= 1e-9


@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_nothing_is_told_before_the_end(
    flag: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, file = listened(1), tmp_path / "game.jsonl"
    file.write_text(log.undo(1).dump())
    assert main(["coach", str(file), *flag]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)


def test_an_estimate_says_so_and_what_it_cannot_tell_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, chance = GAMES["trap-the-wizard"](trap.Settings(trap.PLAYERS[:2], rounds=1)), Random(3)
    log = Log.begin(game)
    while turns := game.turns(log.state):
        log = log.play(chance.choice(game.legal(log.state, turns[0])))
    file = tmp_path / "game.jsonl"
    file.write_text(log.dump())
    assert main(["coach", str(file)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    for said in ("off by about 7 points", "Dice", "Luck or skill, we cannot tell", "Own moves"):
        assert said in told


def test_a_game_without_a_coach_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, chance = GAMES["blackmore"](), Random(3)
    log = Log.begin(game)
    while turns := game.turns(log.state):
        log = log.play(chance.choice(game.legal(log.state, turns[0])))
    file = tmp_path / "game.jsonl"
    file.write_text(log.dump())
    assert main(["coach", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_is_sound_of_a_file_is_told_and_what_is_not_is_said(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved.write_text(saved.read_text() + "nonsense\n")
    assert main(["coach", str(saved)]) == 1
    told = capsys.readouterr()
    assert "Own moves" in told.out
    assert "nonsense" in told.err
