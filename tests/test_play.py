"""Games in the terminal: repeated, saved, typed; and everything that can go wrong with it."""

import argparse
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from companion import __version__
from companion.cli.main import main
from tests.cli.terminal.conftest import plain as plain  # noqa: PLC0414 - a fixture

ROOT = Path(__file__).parent.parent
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def start(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Start the program for real."""
    return subprocess.run(
        [sys.executable, "-m", "companion", *words],
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("options", [[], ["--profi", "--overlook", "--no-shuffle"]])
def test_one_seed_is_one_game_to_the_byte(options: list[str]) -> None:
    runs = [start("play", "--seed", "7", *options, PYTHONHASHSEED=seed) for seed in ("0", "1")]
    assert runs[0].stdout == runs[1].stdout != start("play", "--seed", "8", *options).stdout
    assert runs[0].returncode == 0
    assert not runs[0].stderr


def test_where_nobody_answers_it_ends_with_a_sentence() -> None:
    game = start("play", "--you", "red", "--seed", "5", "--game", "blackmore")
    assert (game.returncode, b"Traceback" in game.stderr, game.stderr == b"") == (66, False, False)


def test_without_a_seed_the_game_says_how_to_repeat_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--bots", "2"]) == 0
    once = capsys.readouterr().out
    seed = re.match(r"This is game (\d+); '--seed \1' repeats it\.", once)
    assert seed
    assert main(["play", "--bots", "2", "--seed", seed[1]]) == 0
    assert capsys.readouterr().out == once


def test_the_command_needs_no_other_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play"]) == 0
    assert " wins!" in capsys.readouterr().out


TOLD = {
    "de": ["magische Zahl ist", "ein Fass", "zeigt", "Zugreihenfolge: ", "Verbannt: ", "gewinnt!"],
    "en": ["magic number is", "a barrel", "shows", "Order of moves: ", "Banished: ", "wins!"],
}


@pytest.mark.parametrize("language", TOLD)
@pytest.mark.parametrize(
    "options", [[], ["--profi"], ["--overlook"], ["--no-shuffle"], ["--seats", "yellow,red"]]
)
def test_a_game_tells_all_that_matters_in_eighty_columns(
    options: list[str], language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--seed", "5", "--language", language, *options]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    words, foreign = TOLD[language], TOLD["en" if language == "de" else "de"]
    assert all(word in out for word in words)
    assert not any(word in out for word in foreign)
    assert "\x1b" not in out
    assert ("┌" in out) == ("--no-board" not in options)


def test_words_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--seed", "5", "--no-board"]) == 0
    assert "┌" not in capsys.readouterr().out


def test_a_reader_who_has_had_enough_is_left_in_peace() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "play", "--seed", "1"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as game:
        assert game.stdout
        assert game.stderr
        game.stdout.readline()
        game.stdout.close()
        assert game.stderr.read() == b""
    assert game.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_output_is_one_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        game = subprocess.run(
            [sys.executable, "-m", "companion", "play", "--seed", "1"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert game.returncode == 2
    assert game.stderr == b"The output cannot be written: No space left on device.\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--seats red", "Mit 1 Mitspieler geht es nicht"),
        ("--seats rot,rot", "Die Farben Rot, Rot sind nicht jede einmal"),
        ("--seats red,pink", "--seats: „pink“ ist keine Farbe; die Farben sind Rot, Grün, Blau"),
        ("--you pink", "--you: „pink“ ist keine Farbe"),
        ("--seats rot,grün --you blau", "Blau spielt hier nicht mit; es spielen Rot und Grün."),
        ("--bots 5", "5 Spieler finden keinen Platz; frei sind 4."),
        ("--bots 1", "Mit 1 Mitspieler geht es nicht"),
        ("--bots 3 --seats red,blue", "--bots 3 passt nicht zu --seats mit 2 Plätzen dafür"),
        ("--bots two", "--bots: „two“ ist keine ganze Zahl von 0 bis 99."),
        ("--seed -1", "--seed: „-1“ ist keine ganze Zahl von 0 bis 999999999999999999."),
        ("--seed", "--seed braucht einen Wert."),
        ("--profi=yes", "--profi nimmt keinen Wert."),
        ("--chess", "„--chess“ ist hier nicht bekannt. „rappelwacht play --help“ zeigt, was"),
        ("--board round", "Einen Spielplan „round“ gibt es nicht; nenne einen von two-before-city"),
        ("--board missing.toml", "Eine Datei „missing.toml“ gibt es nicht."),
        ("--save /nowhere/at/all", "Den Ordner gibt es nicht. Lege ihn zuerst an."),
        ("--save /dev/null/x", "„/dev/null/x“ lässt sich nicht schreiben: "),
    ],
)
def test_an_option_that_makes_no_sense_is_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--language", "de", *words.split()]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert not shown.out


@pytest.mark.parametrize(
    "words", ["flash --seed", "flash paly", "flash", "play --help", "play --seed", "play --profi=1"]
)
def test_nothing_that_python_itself_says_of_a_command_line_is_shown_or_needed(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused() -> str:
        with suppress(SystemExit):
            assert main(["--language", "de", *words.split()]) == 2
        return "".join(capsys.readouterr())

    usual = refused()
    no_words = "%(heading)s:"  # what Python 3.13 has translators order, but not say
    monkeypatch.setattr(
        argparse, "_", lambda text: text if text == no_words else f"Python's {text}"
    )
    assert refused() == usual


def test_the_second_line_of_how_a_command_is_used_stands_below_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--help", "--language", "de"])
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.index("[") == second.index("[")


def test_a_language_that_nobody_speaks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "fr"]) == 2
    assert main(["play", "--language"]) == 2
    unknown, missing = capsys.readouterr().err.splitlines()
    assert ("'fr'" in unknown, "en, de" in unknown) == (True, True)
    assert "'rappelwacht play --help'" in missing


def test_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paly"]) == 2
    assert "'play'?" in capsys.readouterr().err


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert (left.value.code, capsys.readouterr().out) == (0, f"rappelwacht {__version__}\n")


@pytest.mark.parametrize("command", [[], ["play"], ["replay"]])
@pytest.mark.parametrize(("language", "word"), [("de", "Aufruf: "), ("en", "Usage: ")])
def test_help_in_both_languages(
    command: list[str], language: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command, "--help", f"--language={language}"])
    out = capsys.readouterr().out
    assert left.value.code == 0
    assert word in out
    assert "usage:" not in out
    assert max(map(len, out.splitlines())) <= 80
    if language == "de":
        assert "show" not in out
