"""What the table agrees on by options: each is in the game that is played, and is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.games.zapp_zerapp.rules import PRESETS, read_board
from tests.cli.terminal.keyboard import type_in


def board_file(path: Path, **more: str) -> Path:
    """Write a board."""
    parts = {
        "ring": '"B B B RG Y Y | Y Y Y GB R R | R R R BY G G | G G G YR B B"',
        "entries": "{red = 0, green = 6, blue = 12, yellow = 18}",
        "gates": "{red = 23, green = 5, blue = 11, yellow = 17}",
    } | more
    path.write_text("".join(f"{name} = {value}\n" for name, value in parts.items()))
    return path


@pytest.mark.parametrize(
    ("language", "words"), [("en", "The gate of"), ("de", "Vor der Stadt von")]
)
def test_all_faults_of_a_board_are_told_one_on_each_line(
    language: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gates = "{red = 3, green = 5, blue = 12, yellow = 17}"
    file = board_file(tmp_path / "bad.toml", gates=gates, ring='"B B"')
    assert main(["play", "--language", language, "--board", str(file)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert [line.startswith(words) for line in lines] == [False, True, True]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"ring = ", "is not valid TOML"), (b"\xff\xfe", "is not UTF-8 text."), (b"", "missing")],
)
def test_a_file_that_is_not_a_board(
    content: bytes, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    assert main(["play", "--board", str(file)]) == 2
    assert sentence in capsys.readouterr().err


OTHER = "B RG B B YB Y Y Y GR Y G G G YG R R R R BY G B R R YR"
ELSEWHERE = {
    "ring": f'"{OTHER}"',
    "entries": "{red = 2, green = 9, blue = 13, yellow = 20}",
    "gates": "{red = 1, green = 8, blue = 12, yellow = 19}",
}
BASIC = {"seats": ["red", "green", "blue", "yellow"], "profi": False, "overlook": False}
BASIC |= {"shuffle": True}


def played(file: Path, *words: str) -> dict[str, Any]:
    """Play a game, and return what its file says that was agreed on, except for the board."""
    assert main(["play", "--seed", "1", "--save", str(file), *words]) == 0
    settings: dict[str, Any] = json.loads(file.read_text("utf-8").splitlines()[0])["settings"]
    return settings


@pytest.mark.parametrize(
    ("words", "other", "told"),
    [
        ("", {}, "base game, shuffled every round\nRed, Green, Blue and Yellow play."),
        ("--profi", {"profi": True}, "Profi version, shuffled every round\n"),
        ("--no-shuffle", {"shuffle": False}, "base game, never shuffled\n"),
        ("--overlook", {"overlook": True}, "every round, banishments may be overlooked\n"),
        ("--seats yellow,red", {"seats": ["red", "yellow"]}, "Red and Yellow play."),
        ("--bots 3", {"seats": ["red", "green", "blue"]}, "Red, Green and Blue play."),
        ("--board three-before-city", {}, "base game"),
    ],
)
def test_an_option_changes_the_game_and_is_told(
    words: str,
    other: dict[str, object],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = played(tmp_path / "game.jsonl", *words.split())
    board = PRESETS["three-before-city" if "--board" in words else "two-before-city"]
    assert read_written(settings.pop("board")) == board
    assert settings == BASIC | other
    out = capsys.readouterr().out
    assert told in out
    assert ("overlooked" in out) == ("--overlook" in words)


def read_written(board: dict[str, Any]) -> object:
    """Return the board that stands in a saved game."""
    colours = ("red", "green", "blue", "yellow")
    named = {k: dict(zip(colours, board[k], strict=True)) for k in ("entries", "gates")}
    return read_board({"ring": board["ring"], **named})


def test_you_and_bots_sit_at_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch)
    file = tmp_path / "game.jsonl"
    assert main(["play", "--you", "blue", "--bots", "1", "--save", str(file)]) == 66
    assert json.loads(file.read_text().splitlines()[0])["settings"]["seats"] == ["red", "blue"]
    assert "Red and Blue play." in capsys.readouterr().out


def test_a_board_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = board_file(tmp_path / "mine.toml", **ELSEWHERE)
    board = played(tmp_path / "game.jsonl", "--board", str(file))["board"]
    assert board == {"ring": OTHER.split(), "entries": [2, 9, 13, 20], "gates": [1, 8, 12, 19]}
    assert read_written(board) not in PRESETS.values()
    first = capsys.readouterr().out.split("┌", 1)[1].splitlines()[1]
    fields = [field.strip(" »RGBY") for field in first.strip("│").split("│")]
    assert fields == ["b", "r/g", "b", "b", "y/b", "y", "y"]
    assert ["»R" in field for field in first.strip("│").split("│")].index(True) == 2


@pytest.mark.parametrize(
    "content",
    [
        "x = " + "[" * 5000 + "]" * 5000,
        "x = " + "{a = " * 5000 + "1" + "}" * 5000,
        "entries.red." + ".".join("a" * 3000) + " = 1",
        "x = " + "1" * 5000,
        "entries = {red = 0x" + "f" * 5000 + "}",
        "entries = {red = 12345678901234567890}",
    ],
    ids=["lists", "tables", "dots", "digits", "hex", "64 bits"],
)
@pytest.mark.parametrize(("language", "words"), [("en", "not valid"), ("de", "kein richtiges")])
def test_a_board_that_python_cannot_swallow_is_one_sentence(
    content: str, language: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(content)
    assert main(["play", "--language", language, "--board", str(file)]) == 2
    shown = capsys.readouterr()
    assert f"{words} TOML: " in shown.err
    assert (shown.err.count("\n"), shown.out) == (1, "")
