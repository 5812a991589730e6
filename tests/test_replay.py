"""Saved games shown again, sound ones and others."""

import io
import sys
from argparse import Namespace
from pathlib import Path
from random import Random

import pytest

from companion.cli import files
from companion.cli.main import main
from companion.cli.parser import Parser
from companion.core.log import Log
from companion.core.plugin import GAMES
from companion.i18n.translate import say
from companion.present.page import title_of
from companion.system.errors import CompanionError
from companion.system.text import Text

OPTIONS = ("--profi", "--overlook", "--seats", "red,blue,yellow")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak English, without colours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Save a game."""
    file = tmp_path / "game.jsonl"
    assert main(["play", "--seed", "4", *OPTIONS, "--save", str(file)]) == 0
    capsys.readouterr()
    return file


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_game_is_shown_as_it_was_played(
    language: str, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--seed", "4", "--language", language, *OPTIONS]) == 0
    _, played = capsys.readouterr().out.split("\n", 1)
    assert main(["replay", str(saved), "--language", language]) == 0
    assert capsys.readouterr().out == played
    assert main(["replay", str(saved), "--language", language, "--as", "spectator"]) == 0
    assert capsys.readouterr().out == played


def test_through_a_players_eyes(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(saved), "--as", "red", "--no-board"]) == 0
    out = capsys.readouterr().out
    assert "may choose: move red " in out.replace("\n      ", " ")
    assert "may choose: move blue" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert main(["replay", str(saved), "--as", "green"]) == 2
    assert "Red, Blue and Yellow" in capsys.readouterr().err


def test_step_by_step(
    saved: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n"))
    assert main(["replay", str(saved), "--step"]) == 0
    out = capsys.readouterr().out
    assert out.count("Enter ") == 3  # then the input ends
    assert "wins!" in out


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_torn_game_is_shown_as_far_as_it_is_sound(
    language: str, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = saved.read_text().splitlines()
    saved.write_text("\n".join([*lines[:8], "{"]))
    assert main(["replay", str(saved), "--language", language]) == 1
    shown = capsys.readouterr()
    line, round_one = {"en": ("Line 9: ", "Round 1"), "de": ("Zeile 9: ", "Runde 1")}[language]
    assert shown.err.startswith(line)
    assert round_one in shown.out


def test_an_impossible_action_is_named(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = saved.read_text().splitlines()
    saved.write_text("\n".join([*lines[:3], '{"do": "flip"}', *lines[3:]]))
    assert main(["replay", str(saved)]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("Line 4: 'flip' ")
    assert "\n── Round 1" in shown.out


def test_a_game_broken_off_is_no_fault(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved.write_text("\n".join(saved.read_text().splitlines()[:1]))
    assert main(["replay", str(saved)]) == 0
    assert "Round 1" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", 2),
        (b"\n \n", 2),
        (b"\x00\x01\x02", 1),
        (b"\x80abc", 2),
        (b"[1, 2]", 1),
        (b'{"rappelwacht": 9, "game": "zapp-zerapp"}', 1),
    ],
)
def test_a_file_that_is_not_a_game_is_one_sentence(
    content: bytes, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file.jsonl"
    file.write_bytes(content)
    assert main(["replay", str(file)]) == code
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert all(sign.isprintable() for sign in shown.err.rstrip("\n"))


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (str(tmp_path / "none"), str(tmp_path), str(tmp_path / ("x" * 300)), "/dev/zero"):
        assert main(["replay", name]) == 2
        assert name in capsys.readouterr().err.replace("\n", "")
    assert main(["replay"]) == 2
    assert "FILE" in capsys.readouterr().err


def test_only_what_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Changes may be left out: then the recording is shown as it is."""
    assert main(["--language", "en", "tune"]) == 2
    assert main(["--language", "de", "tune"]) == 2
    english, german = capsys.readouterr().err.splitlines()
    assert english.startswith("Missing: FILE. ")
    assert german.startswith("Es fehlt: DATEI. ")


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Missing: FILE and FOLDER."), ("de", "Es fehlt: DATEI und ORDNER.")],
)
def test_all_words_that_are_missing_are_named(language: str, told: str) -> None:
    parser = Parser(language, "copy")
    parser.argument("file", Text("FILE"))
    parser.argument("folder", Text("FOLDER"))
    with pytest.raises(CompanionError) as refused:
        parser.read([], Namespace())
    assert say(refused.value, language).startswith(told)


def test_a_file_that_one_may_not_read(
    saved: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "open_to_read", refuse)
    assert main(["replay", str(saved)]) == 2
    assert str(saved) in capsys.readouterr().err


@pytest.mark.parametrize("name", [name for name in GAMES if name != "zapp-zerapp"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_other_game_is_told_event_by_event(
    name: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, chance = GAMES[name](), Random(4)
    log = Log.begin(game)
    for _ in range(120):
        seat = chance.choice(game.turns(log.state))
        log = log.play(chance.choice(game.legal(log.state, seat)))
    file = tmp_path / "game.jsonl"
    file.write_text(log.dump(), encoding="utf-8")
    assert main(["replay", str(file), "--language", language]) == 0
    out = capsys.readouterr().out
    assert out.startswith(say(title_of(name), language).upper())
    happened = [
        event
        for before, action in zip(log.states, log.actions, strict=False)
        for event in game.explain(before, action)
    ]
    assert out.splitlines()[3:-1] == [f"  {say(event, language)}" for event in happened]
