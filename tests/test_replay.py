"""Saved games shown again, sound ones and others."""

import io
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
    assert "Green does not play in this game; Red, Blue and Yellow do." in capsys.readouterr().err


def test_step_by_step(
    saved: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
    assert main(["replay", str(saved), "--step"]) == 0
    out = capsys.readouterr().out
    assert out.count("Enter shows the next round") == 3  # then the input ends
    assert "wins!" in out


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Line 9: '{' is not JSON; every line of a log is one JSON object.\n"),
        ("de", "Zeile 9: „{“ ist kein JSON; jede Zeile eines Spielstands ist ein JSON-Objekt.\n"),
    ],
)
def test_a_torn_game_is_shown_as_far_as_it_is_sound(
    language: str, sentence: str, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = saved.read_text().splitlines()
    saved.write_text("\n".join([*lines[:8], "{"]))
    assert main(["replay", str(saved), "--language", language]) == 1
    shown = capsys.readouterr()
    assert shown.err == sentence
    assert ("Runde 1" if language == "de" else "Round 1") in shown.out


def test_an_impossible_action_is_named(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = saved.read_text().splitlines()
    saved.write_text("\n".join([*lines[:3], '{"do": "flip"}', *lines[3:]]))
    assert main(["replay", str(saved)]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("Line 4: 'flip' is not possible now: first ")
    assert "In round 1" in shown.out
    assert "The game stops here, in round 1." in shown.out


def test_a_game_broken_off_is_no_fault(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved.write_text("\n".join(saved.read_text().splitlines()[:1]))
    assert main(["replay", str(saved)]) == 0
    assert "The game stops here, in round 1." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "code", "sentence"),
    [
        (b"", 2, "is empty; no game has been saved in it."),
        (b"\n \n", 2, "is empty"),
        (b"\x00\x01\x02", 1, "is not JSON"),
        (b"\x80abc", 2, "is not UTF-8 text."),
        (b"[1, 2]", 1, "This is not a game log"),
        (b'{"rappelwacht": 1, "game": "chess"}', 1, "The game 'chess' is not known"),
        (b'{"rappelwacht": 9, "game": "zapp-zerapp"}', 1, "The log has format 9"),
        (b'{"rappelwacht": 1, "game": "zapp-zerapp", "schema": 1}', 1, "it must be an object"),
    ],
)
def test_a_file_that_is_not_a_game_is_one_sentence(
    content: bytes, code: int, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file.jsonl"
    file.write_bytes(content)
    for language in ("de", "en"):
        assert main(["replay", str(file), "--language", language]) == code
        shown = capsys.readouterr()
        assert shown.err.count("\n") == 1
        assert not shown.out
    assert sentence in shown.err
    assert all(sign.isprintable() for sign in shown.err.rstrip("\n"))


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none")]) == 2
    assert main(["replay", str(tmp_path)]) == 2
    assert main(["replay", str(tmp_path / ("x" * 300))]) == 2
    assert main(["replay"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert "There is no file '" in errors[0]
    assert "is a folder; name a file in it." in errors[1]
    assert "cannot be read: File name too long." in errors[2]
    assert errors[3].startswith("Missing: FILE.")


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
    assert "ask its owner for permission" in capsys.readouterr().err


def test_a_device_without_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "/dev/zero"]) == 2
    assert "'/dev/zero' is a pipe or a device" in capsys.readouterr().err


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
    stops = {"en": "The match stops here.", "de": "Die Partie bricht hier ab."}
    assert out.splitlines()[-1] == stops[language]
