"""Games in the terminal: repeated, saved, typed; and everything that can go wrong with it."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion import __version__
from companion.__main__ import main
from companion.rules import GAMES
from companion.rules.log import load
from companion.rules.zapp_zerapp import CITY, PRESETS, START, Colour, View, ZappZerapp
from companion.terminal.picture import SIDE, picture
from companion.terminal.screen import Screen, wants_colour

ROOT = Path(__file__).parent.parent
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak English, without colours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let somebody type lines, and then nothing more."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))


def start(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Start the program for real."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "companion", *words],
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("options", [[], ["--profi", "--overlook", "--no-shuffle"]])
def test_one_seed_is_one_game_to_the_byte(options: list[str]) -> None:
    runs = [start("play", "--seed", "7", *options, PYTHONHASHSEED=seed) for seed in ("0", "1")]
    assert runs[0].stdout == runs[1].stdout != start("play", "--seed", "8", *options).stdout
    assert runs[0].returncode == 0
    assert not runs[0].stderr


def test_without_a_seed_the_game_says_how_to_repeat_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--bots", "2"]) == 0
    once = capsys.readouterr().out
    seed = re.match(r"This is game (\d+); '--seed \1' repeats it\.", once)
    assert seed
    assert main(["play", "--bots", "2", "--seed", seed[1]]) == 0
    assert capsys.readouterr().out == once


TOLD = {
    "de": ["Die magische Zahl ist", "ein Fass", "zeigt", "Zugfolge: ", "Verbannt: ", "gewinnt!"],
    "en": ["the magic number is", "a barrel", "shows", "Order of moves: ", "Banished: ", "wins!"],
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


def test_nothing_asked_shows_a_game_and_what_else_there_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "rappelwacht play --you red" in out.splitlines()[0] + out.splitlines()[1]
    assert "wins!" in out


def view(**pawns: tuple[int, int, int]) -> View:
    """Return a view in which pawns stand somewhere."""
    game = ZappZerapp()
    state = game.start()
    camps = list(state.pawns)
    for name, camp in pawns.items():
        camps[Colour[name.upper()]] = camp
    return game.view(state._replace(pawns=(camps[0], camps[1], camps[2], camps[3])), None)


def test_a_picture_shows_every_pawn_where_it_stands() -> None:
    board = PRESETS["two-before-city"]
    screen = Screen(io.StringIO())
    lines = picture(
        screen, board, view(red=(1, 1, 24), green=(START, 19, CITY), blue=(13, 13, 13)), "Title"
    )
    assert len(lines) == 3 * SIDE + 1
    assert {len(line) for line in lines} == {64}
    assert lines[2][1:9].split() == ["RR", "G", "BBB"]  # ring 0, the upper left corner
    assert lines[5][1:9].split() == ["R"]  # ring 23, below it
    assert "R  Red     ·        1, 1, 24     ·" in lines[8]
    assert "G  Green   G        19           G" in lines[9]


def test_a_crowded_field_counts_its_pawns() -> None:
    crowd = view(red=(1, 1, 1), green=(19, 19, 19), blue=(13, 13, 13), yellow=(7, 7, 7))
    lines = picture(Screen(io.StringIO()), PRESETS["two-before-city"], crowd, "")
    assert lines[2][1:9] == "R3G3B3Y3"


def test_colours_change_nothing_but_colours() -> None:
    board, seen = PRESETS["three-before-city"], view(red=(3, 4, 9), yellow=(0, 0, 25))
    plain = picture(Screen(io.StringIO()), board, seen, "Title")
    painted = picture(Screen(io.StringIO(), colour=True), board, seen, "Title")
    assert [ESCAPE.sub("", line) for line in painted] == plain
    assert painted != plain


def test_colours_are_for_terminals_and_for_those_who_want_them() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert wants_colour(Terminal(), {})
    assert not wants_colour(Terminal(), {"NO_COLOR": "1"})
    assert not wants_colour(Terminal(), {"TERM": "dumb"})
    assert not wants_colour(io.StringIO(), {})


def test_a_saved_game_is_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    assert main(["play", "--seed", "2", "--profi", "--save", str(file)]) == 0
    assert f"The game is saved in '{file}'." in capsys.readouterr().out.replace("\n", " ")
    log, fault = load(file.read_text("utf-8"), GAMES)
    assert fault is None
    assert log.game.outcome(log.state)
    assert log.dump() == file.read_text("utf-8")


def test_no_file_is_ever_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("precious")
    assert main(["play", "--save", str(file), "--language", "de"]) == 2
    assert capsys.readouterr().err == (
        f"„{file}“ gibt es schon; wähle einen anderen Namen, oder lösche die Datei zuerst.\n"
    )
    assert file.read_text() == "precious"


HUMAN = ("play", "--you", "red", "--bots", "1", "--seed", "5", "--no-board")


def test_a_person_plays_by_typing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Whoever always keeps the first barrel and moves whatever can be moved gets to the end."""
    turn = ["A", "keep", "B", "keep", "move red", "start"]
    rest = [f"{step}" for step in range(24, 0, -1)]
    type_in(monkeypatch, *(turn + rest) * 60)
    file = tmp_path / "game.jsonl"
    assert main([*HUMAN, "--save", str(file)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"Barrel A: that sounds like about \d+ stones?\.", out)
    assert "Red, which pawn goes" in out
    assert "wins!" in out
    log, fault = load(file.read_text("utf-8"), GAMES)
    assert fault is None
    assert log.game.outcome(log.state)


def test_what_cannot_be_typed_is_explained_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "?", "Q", "keep B", "behalte", "A", "B", "C", "?", "keep A", "keep C")
    assert main([*HUMAN, "--language", "de"]) == 130
    out = capsys.readouterr().out
    assert "Auf dem Bergplateau: A B C D E F G H I J K L M" in out
    assert out.count("Tippe einen Platz von A bis M, um sein Fass zu schütteln") == 2
    assert "Fass B hast du nicht in der Hand; schüttle es zuerst." in out
    assert "Beide Hände waren voll, also kommt A zurück." in out
    assert "Fass A hast du nicht in der Hand" in out
    assert "Auch Rot hat ein Fass gewählt." in out or "Rot hat ein Fass gewählt" in out


def keep_the_lightest(out: str) -> str:
    """Return the place whose barrel sounded lightest."""
    heard = re.findall(r"Barrel (\w): that sounds like about (\d+)", out)
    return str(min(heard, key=lambda one: int(one[1]))[0])


def test_moves_are_typed_in_several_ways_and_refused_in_sentences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    places = "ABCDEFGHIJKL"
    type_in(monkeypatch, *places)
    assert main(HUMAN) == 130
    light = keep_the_lightest(capsys.readouterr().out)
    type_in(monkeypatch, *places, light, f"keep {light}", "?", "7", "fly", "ziehe rot start", "M")
    assert main(HUMAN) == 130
    out = capsys.readouterr().out
    assert "  move red start\n      Red leaves the start and comes to field" in out
    assert "No pawn stands on red:7; move one of red:start." in out
    assert "'fly' is no action; begin with one of roll, place, flip, say, move." in out
    assert out.count("Red leaves the start and comes to field") == 2


def test_what_was_taken_back_has_never_been(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    straight, winding = tmp_path / "straight.jsonl", tmp_path / "winding.jsonl"
    type_in(monkeypatch, "A", "B", "keep B")
    assert main([*HUMAN, "--save", str(straight)]) == 130
    type_in(monkeypatch, "undo", "A", "keep", "undo", "B", "keep A", "undo", "keep B")
    assert main([*HUMAN, "--save", str(winding)]) == 130
    out = capsys.readouterr().out
    assert "There is nothing to take back yet." in out
    assert out.count("Taken back.") == 2
    assert "The game so far is saved in" in out
    assert winding.read_bytes() == straight.read_bytes()


def test_after_taking_back_nothing_of_it_is_left_in_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    type_in(monkeypatch, "A", "keep", "undo")
    assert main([*HUMAN, "--save", str(file)]) == 130
    done = [json.loads(line).get("seat") for line in file.read_text().splitlines()[2:]]
    assert "red" not in done


def test_where_nothing_is_shuffled_one_is_told_what_stands_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "A", "keep", "start", *"ABCD")
    assert main([*HUMAN, "--no-shuffle"]) == 130
    assert re.search(r"barrel \d+ goes back to place A", capsys.readouterr().out)


def test_an_interrupted_game_keeps_all_that_has_happened(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "companion", *HUMAN, "--save", str(file)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as game:
        assert game.stdin
        assert game.stdout
        game.stdin.write(b"A\nkeep\nA\n")
        game.stdin.flush()
        while b"Barrel A" not in game.stdout.readline():
            pass
        game.send_signal(signal.SIGINT)
        out, err = game.communicate(timeout=30)
    assert (game.returncode, err) == (130, b"")
    assert b"The game so far is saved in" in out
    log, fault = load(file.read_text("utf-8"), GAMES)
    assert fault is None
    assert log.actions


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
        ("--bots two", "--bots: „two“ ist keine ganze Zahl wie 4."),
        ("--seed -1", "--seed: „-1“ ist keine ganze Zahl wie 4."),
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


def test_a_language_that_nobody_speaks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "fr"]) == 2
    assert main(["play", "--language"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "'fr' is no language of ours; choose one of en, de.",
        "--language needs a value. 'rappelwacht play --help' shows what there is.",
    ]


def test_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paly"]) == 2
    assert capsys.readouterr().err.startswith("'paly' is not known here.")


def board_file(path: Path, **more: str) -> Path:
    """Write a board."""
    parts = {
        "ring": '"B B B RG Y Y | Y Y Y GB R R | R R R BY G G | G G G YR B B"',
        "entries": "{red = 0, green = 6, blue = 12, yellow = 18}",
        "gates": "{red = 23, green = 5, blue = 11, yellow = 17}",
    } | more
    path.write_text("".join(f"{name} = {value}\n" for name, value in parts.items()))
    return path


def test_a_board_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = board_file(tmp_path / "mine.toml")
    assert main(["play", "--seed", "1", "--board", str(file)]) == 0
    own = capsys.readouterr().out
    assert main(["play", "--seed", "1"]) == 0
    assert capsys.readouterr().out == own


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
    [(b"ring = ", "is no sound TOML"), (b"\xff\xfe", "is no text in UTF-8."), (b"", "missing")],
)
def test_a_file_that_is_no_board(
    content: bytes, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    assert main(["play", "--board", str(file)]) == 2
    assert sentence in capsys.readouterr().err


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
