"""A game by keyboard: shaking, keeping, moving, taking back; and all that one may mistype."""

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from companion.cli.main import main
from companion.core.log import load
from companion.core.plugin import GAMES
from companion.games.zapp_zerapp.listening_ai.people import Ear, Hands, Plateau
from companion.games.zapp_zerapp.terminal.human import PATIENCE
from companion.i18n.translate import say
from companion.system.errors import CompanionError
from companion.system.text import SeatName, Text
from tests.cli.terminal.keyboard import HUMAN, type_in


def test_a_person_plays_by_typing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Whoever always keeps the first barrel and moves whatever can be moved gets to the end."""
    turn = ["A", "keep", "B", "keep", "move red", "start"]
    rest = [f"{step}" for step in range(24, 0, -1)]
    type_in(monkeypatch, *(turn + rest) * 60)
    file = tmp_path / "game.jsonl"
    assert main([*HUMAN, "5", "--save", str(file)]) == 0
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
    assert main([*HUMAN, "5", "--language", "de"]) == 66
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
    places = "ABCD"
    type_in(monkeypatch, *places)
    assert main([*HUMAN, "2"]) == 66
    light = keep_the_lightest(capsys.readouterr().out)
    type_in(monkeypatch, *places, light, f"keep {light}", "?", "7", "fly", "move red start", "M")
    assert main([*HUMAN, "2"]) == 66
    out = capsys.readouterr().out
    assert "  move red start\n      Red leaves the start and comes to field" in out
    assert "No pawn stands on red:7; move one of red:start." in out
    assert "'fly' is not an action; begin with one of roll, place, flip, say, move," in out
    assert out.count("Red leaves the start and comes to field") == 2


@pytest.mark.parametrize("typed", ["ziehe rot start", "zug rot start", "move red start", "start"])
def test_a_move_is_understood_in_ones_own_language_and_in_english(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    places = "ABCD"
    type_in(monkeypatch, *places)
    assert main([*HUMAN, "2"]) == 66
    light = keep_the_lightest(capsys.readouterr().out)
    type_in(monkeypatch, *places, light, f"behalte {light}", typed, "M")
    assert main([*HUMAN, "2", "--language", "de"]) == 66
    assert "Rot verlässt den Start und kommt auf Feld" in capsys.readouterr().out


def test_where_nothing_is_shuffled_one_is_told_what_stands_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "A", "keep", "start", *"ABCD")
    assert main([*HUMAN, "5", "--no-shuffle"]) == 66
    assert re.search(r"barrel \d+ goes back to place A", capsys.readouterr().out)


NOTHING = {
    "en": "There is nothing to take back: only your own move, until you shake again.",
    "de": "Es gibt nichts zurückzunehmen: nur deinen eigenen Zug, bis du wieder schüttelst.",
}
SHOWN = {"en": r"Red shows \d+", "de": r"Rot zeigt \d+"}


@pytest.mark.parametrize("language", NOTHING)
@pytest.mark.parametrize("seed", ["3", "5"])
def test_what_has_been_flipped_stays_chosen(
    seed: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever could choose again after the flip would read one barrel after the other."""
    lines = [line for place in "ABCDEFGHIJKLM" for line in (place, f"keep {place}", "undo")]
    type_in(monkeypatch, *lines)
    assert main([*HUMAN, seed, "--language", language]) == 66
    out = capsys.readouterr().out
    assert NOTHING[language] in " ".join(out.split())
    assert "Taken back." not in out
    assert "Zurückgenommen." not in out
    rounds = [int(number) for number in re.findall(r"── R\w+ (\d+): ", out)]
    assert all(after == before + 1 for before, after in pairwise(rounds))
    assert len(re.findall(SHOWN[language], out)) <= len(rounds)


ROUND = ("A", "keep", "start", "B", "C", "keep C")  # with seed 3, red then moves by 3


def test_a_move_that_was_taken_back_has_never_been(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    straight, winding = tmp_path / "straight.jsonl", tmp_path / "winding.jsonl"
    type_in(monkeypatch, *ROUND, "4")
    assert main([*HUMAN, "3", "--save", str(straight)]) == 66
    capsys.readouterr()
    type_in(monkeypatch, "undo", "A", "undo", *ROUND[1:], "undo", "start", "undo", "undo", "4")
    assert main([*HUMAN, "3", "--save", str(winding)]) == 66
    out = capsys.readouterr().out
    assert out.count("Taken back.") == 1
    assert out.count(NOTHING["en"]) == 4
    assert "The game so far is saved in" in out
    assert winding.read_bytes() == straight.read_bytes()


def test_after_taking_back_nothing_of_it_is_left_in_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    type_in(monkeypatch, *ROUND[:3], "undo")
    assert main([*HUMAN, "3", "--save", str(file)]) == 66
    done = [line for line in file.read_text().splitlines() if '"red"' in line][1:]
    assert ['"place"' in line for line in done] == [True]


def test_whoever_has_shaken_again_keeps_to_the_move(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else the same round could be heard twice, or all its barrels."""
    type_in(monkeypatch, *ROUND[:4], "undo")
    assert main([*HUMAN, "3"]) == 66
    out = capsys.readouterr().out
    assert NOTHING["en"] in out
    assert "Taken back." not in out


IMPATIENT = {
    "en": ("sounds like", "The others wait; {} more shake", "have waited long enough", "forever"),
    "de": ("klingt nach", "Alle warten; noch {}-mal", "haben lange genug gewartet", "ewig"),
}


@pytest.mark.parametrize("seats", ["red,blue", "red,green,blue,yellow"])
@pytest.mark.parametrize("language", IMPATIENT)
def test_nobody_shakes_until_the_noise_is_gone(
    seats: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sound, waiting, enough, rule = IMPATIENT[language]
    type_in(monkeypatch, *"A" * 30, "?", "keep A")
    options = ("--seats", seats, "--seed", "3", "--language", language)
    assert main(["play", "--you", "red", "--no-board", *options]) == 66
    out = capsys.readouterr().out
    heard = out.count(sound)
    assert PATIENCE < heard <= 7 + PATIENCE  # nobody else shakes more than six
    assert all(waiting.format(left) in out for left in range(PATIENCE + 1))
    assert out.count(enough) == 30 - heard
    assert rule in out
    assert re.search(SHOWN[language], out)


def test_a_new_round_brings_new_patience(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, *"A" * 12, "keep A", *"A" * 12)
    assert main([*HUMAN, "5"]) == 66
    last = capsys.readouterr().out.split("Round 2")[1]
    assert last.count("sounds like") > PATIENCE
    assert f"The others wait; {PATIENCE} more shakes" in last


def test_where_nothing_is_shuffled_everybodys_barrels_are_seen_going_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "A", "keep", "start")
    assert main([*HUMAN, "3", "--no-shuffle"]) == 66
    out = capsys.readouterr().out
    shown = set(re.findall(r"(\w+) shows (\d+)", out))
    assert {who for who, _ in shown} == {"Red", "Green"}
    assert set(re.findall(r"\((\w+): barrel (\d+) goes back to place [A-M]", out)) == shown


@pytest.mark.parametrize(
    ("language", "word"), [("en", "quit"), ("en", "EXIT"), ("de", "Ende"), ("de", "quit")]
)
def test_whoever_has_enough_says_so(
    language: str, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty line is no answer; the magic number stands in every question."""
    type_in(monkeypatch, "", "   ", word, "A")
    assert main([*HUMAN, "5", "--language", language]) == 130
    out = capsys.readouterr().out
    (magic,) = re.findall(r"(?:the magic number is|Die magische Zahl ist) (\d+)", out)
    question = Text(
        "{seat}, at most {magic}; in hand: {held}. Which barrel? ",
        seat=SeatName.RED,
        magic=magic,
        held="–",
    )
    assert out.count(say(question, language)) == 3
    assert "Barrel A" not in out
    assert "Fass A" not in out


def test_full_hands_are_not_blamed_for_a_barrel_that_somebody_holds() -> None:
    plateau = Plateau()
    mine, other = (Hands(plateau, Ear(), Random(1), lambda _: None) for _ in range(2))
    for hands, place in [(mine, "A"), (mine, "B"), (other, "C")]:
        hands.shake(place)
    with pytest.raises(CompanionError, match="There is no barrel at C"):
        mine.shake("C")
    with pytest.raises(CompanionError, match="Both hands are full"):
        mine.shake("D")
    assert mine.held == ("A", "B")
