"""The games without barrels in the terminal: whole games, what one may type, taking back."""

import io
import json
import os
import re
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.cli.card_game import Choice
from companion.cli.main import main
from companion.core.log import Log, load
from companion.core.plugin import GAMES, PLUGINS, GamePlugin
from companion.games.trap_the_wizard.rules import START, Move, Robe, Roll, Settings, TrapTheWizard
from companion.i18n.translate import name
from companion.present.terminal import CLEAR, TerminalScreen
from companion.present.terminal_game import look_of
from companion.present.viewer import Viewer
from companion.referee.events import HouseRules
from companion.referee.match import Match
from companion.referee.match_snapshot import for_match
from companion.system.text import SeatName
from tests.cli.terminal.keyboard import choices, sit, type_in

OTHERS = tuple(game for game in GAMES if game != "zapp-zerapp")
ALONE = ("--you", "red", "--bots", "2")
NOISE = ("", "0", "999999999999", "3 4", "?", "undo", "zurück", "play", "roll 6", "²", "keep 'é")


def carelessly(seed: int, noise: tuple[str, ...] = ()) -> Callable[[str], str | None]:
    """Answer by chance: mostly with the number of a choice, now and then with something else."""
    chance = Random(seed)

    def answer(shown: str) -> str:
        count = choices(shown)
        if noise and chance.random() < 0.2:
            return chance.choice(noise)
        return str(chance.randint(1, count)) if count else ""

    return answer


def scripted(*lines: str) -> Callable[[str], str | None]:
    """Answer with these lines, and then no more."""
    rest: Iterator[str] = iter(lines)
    return lambda _: next(rest, None)


def log_of(file: Path) -> Log[object]:
    """Return what was saved."""
    log, fault = load(file.read_text("utf-8"), GAMES)
    assert fault is None
    return log


# --- whole games --------------------------------------------------------------------------------


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("trap-the-wizard", ("--you", "green", "--bots", "1")),
        ("via-magica", ("--you", "red,violet", "--bots", "1")),
        ("blackmore", ("--you", "red,blue,white", "--bots", "1")),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_whoever_types_anything_gets_to_the_end_and_nothing_is_lost(
    game: str,
    seats: tuple[str, ...],
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "game.jsonl"
    words = ["--game", game, *seats, "--seed", "3", "--save", str(file), "--language", language]
    code, out = sit(monkeypatch, words, carelessly(len(language + game), NOISE))
    assert code == 0
    log = log_of(file)
    outcome = log.game.outcome(log.state)
    assert outcome
    lines = out.replace(CLEAR, "").splitlines()
    best_first = sorted(outcome.scores, key=lambda score: -score[1])
    standing = [f"{name(SeatName(seat), language):10}{won:5}" for seat, won in best_first]
    first = lines.index(standing[0])
    assert lines[first : first + len(standing)] == standing
    assert max(map(len, lines)) <= 80
    assert "{" not in out


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("game", OTHERS)
def test_bots_alone_play_the_same_by_a_seed(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("play", "--game", game, "--bots", "3", "--seed")
    told = []
    for seed in ("5", "5", "6"):
        assert main([*words, seed]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] != told[2]
    assert max(map(len, told[0].splitlines())) <= 80
    assert main([*words, "5", "--no-board"]) == 0
    assert len(capsys.readouterr().out) < len(told[0])


# --- what one may type --------------------------------------------------------------------------

PUZZLED = {"en": "Type a number from 1 to", "de": "Tippe eine Zahl von 1 bis"}
FIRST = {  # a typed action of each game with that seed, and one that the rules refuse
    "trap-the-wizard": ("move start 4", "move start 9", "cannot end there"),
    "via-magica": ("keep portals 3,5,7", "keep portals 3,5,8", "Keep three of your six portals"),
    "blackmore": ("play red:9", "play red:8", "red:8"),
}


@pytest.mark.parametrize("game", OTHERS)
@pytest.mark.parametrize("language", PUZZLED)
def test_what_makes_no_sense_is_one_sentence_and_asked_again(
    game: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nonsense = ("0", "77", "-1", "", "xyzzy", "roll 6", "deal blue 3", "deal blue red:7", "unveil")
    file, seed = tmp_path / "game.jsonl", "4"
    words = ["--game", game, *ALONE, "--seed", seed, "--save", str(file), "--language", language]
    code, out = sit(monkeypatch, words, scripted(*nonsense))
    assert code == 66
    assert out.count(PUZZLED[language]) == len(nonsense)
    questions = re.findall(r"^\w+, 1 (?:to|bis) \d+: ", out, re.MULTILINE)
    assert len(questions) == len(nonsense) + 1
    assert len({*questions}) == 1
    assert all(action.seat != 0 for action in log_of(file).actions)


@pytest.mark.parametrize("game", OTHERS)
def test_an_action_may_be_typed_and_what_the_rules_refuse_says_why(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed, refused, reason = FIRST[game]
    words = ["--game", game, *ALONE, "--seed", "4", "--save"]
    verb, *rest = typed.split()
    both: list[bytes] = []
    for line in (typed, " ".join((verb.upper(), "red", *rest))):
        file = tmp_path / f"{len(both)}.jsonl"
        code, out = sit(monkeypatch, [*words, str(file)], scripted(refused, "move blue 1", line))
        assert code == 66
        assert reason in " ".join(out.split())
        both.append(file.read_bytes())
    assert both[0] == both[1]
    assert any(action.seat == 0 for action in load(both[0].decode(), GAMES)[0].actions)


def test_nobody_chooses_for_another_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--game", "blackmore", "--you", "red,blue", "--bots", "0", "--seed", "4"]
    _, out = sit(monkeypatch, words, scripted("", "play blue red:9"))
    assert "\nTHE WITCHES OF BLACKMORE\nRed and Blue play.\n" in out  # as people call it
    assert "Now Red chooses." in out


def test_help_shows_what_may_be_typed_and_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--game", "trap-the-wizard", *ALONE, "--seed", "4"]
    _, out = sit(monkeypatch, words, scripted("?"))
    assert "      move red start 4\n" in out
    assert "'undo' " in out
    assert sit(monkeypatch, words, scripted("quit"))[0] == 130


def test_a_wizard_is_chosen_first_and_enter_leads_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = TrapTheWizard(Settings(seats=(Robe.RED, Robe.GREEN)))
    done = (Roll(6), Move(Robe.RED, START, 0), Roll(3))  # a six: red goes on
    match = Match(Log.begin(game, done), HouseRules())
    offers = look_of(game.name).offers(for_match("", match, {}, ()), Viewer("en", "red"))
    type_in(monkeypatch, "", "2", "", "1", "1")
    choice = Choice(TerminalScreen(sys.stdout), game, match.state, Robe.RED, offers)
    assert choice.make() == Move(Robe.RED, START, 3)
    wizards = "   1  On the start\n   2  On field 0\nRed, 1 to 2: "
    assert capsys.readouterr().out == (
        f"{wizards}\n"
        "  Type a number from 1 to 2, or an action such as 'move red start 3'; '?'\n"
        "  helps.\n"
        "Red, 1 to 2: 2\n"
        "On field 0:\n   1  Field 3\n   2  Field 49\nRed, 1 to 2: \n"
        f"{wizards}1\n"
        "On the start:\n   1  Field 3\n   2  Field 7\n   3  Field 53\nRed, 1 to 3: 1\n"
    )


def test_a_game_without_a_look_is_played_in_its_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = GamePlugin("rules:Blackmore", "companion.games.blackmore", players="players:PLAYERS")
    monkeypatch.setitem(PLUGINS.loaded, "blackmore", bare)
    words = ["--game", "blackmore", *ALONE, "--seed", "4"]
    code, out = sit(monkeypatch, words, lambda shown: "1" if choices(shown) else None)
    assert code == 0
    assert "\nNow Red chooses.\n   1  play red " in out
    assert re.search(r"^Red +\d+$", out, re.MULTILINE)


# --- taking back --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", OTHERS)
def test_what_is_taken_back_has_never_been_and_chance_stays_the_same(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plays(*lines: str) -> tuple[bytes, str]:
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        words = ["--game", game, *ALONE, "--seed", "4", "--save", str(file)]
        _, out = sit(monkeypatch, words, scripted(*lines))
        return file.read_bytes(), out

    once, _ = plays("1", "1")
    again, out = plays("1", "1", "undo", "undo", "undo", "2", "undo", "1", "1")
    assert again == once
    assert out.count("Taken back.") == 3
    assert out.count("There is nothing to take back.") == 1


# --- who sits where -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--game chess", "Das Spiel „chess“ ist nicht bekannt; bekannt sind zapp-zerapp"),
        ("--game via-magica --profi", "--profi gehört zu Zapp Zerapp und nicht zu „via-magica“"),
        ("--game blackmore --board x", "--board gehört zu Zapp Zerapp"),
        ("--game trap-the-wizard --you violett", "Violett gibt es in diesem Spiel nicht; die Far"),
        ("--seats red,white", "Weiß gibt es in diesem Spiel nicht; die Farben sind Rot, Grün,"),
        ("--you red,blue", "An einer Tastatur spielt nur einer Zapp Zerapp"),
        ("--game via-magica --bots 7", "7 Spieler finden keinen Platz; frei sind 6."),
        ("--game blackmore --you red --bots 0", "Mit 1 Mitspieler geht es nicht"),
        ("--game blackmore --you white", "Weiß spielt hier nicht mit; es spielen Rot, Grün, Blau"),
    ],
)
def test_a_table_that_makes_no_sense_is_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--language", "de", *words.split()]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert (shown.err.count("\n"), shown.out) == (1, "")


@pytest.mark.parametrize(
    ("words", "seats"),
    [
        ("--bots 6", ["red", "green", "blue", "yellow", "violet", "white"]),
        ("--you white,rot --bots 1", ["red", "green", "white"]),
        ("--you blue --seats blue,violet", ["blue", "violet"]),
        ("--you yellow", ["red", "green", "blue", "yellow"]),
    ],
)
def test_six_can_sit_at_a_table(
    words: str, seats: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.jsonl"
    given = ["--game", "via-magica", "--language", "de", *words.split(), "--save", str(file)]
    sit(monkeypatch, given, scripted())
    assert json.loads(file.read_text().splitlines()[0])["settings"]["seats"] == seats


def test_what_was_typed_before_the_question_is_not_an_answer_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else an Enter key that was hit twice would show the next player's hand to this one."""
    hand, terminal = os.openpty()

    class Asked(io.StringIO):
        """Answers as soon as the question is there."""

        def write(self, _question: str, /) -> int:
            return os.write(hand, b"now\n")

    with os.fdopen(terminal, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        os.write(hand, b"before\n")
        assert select.select([terminal], [], [], 30)[0]  # it has arrived
        assert TerminalScreen(Asked()).ask("? ", anew=True) == "now"
    os.close(hand)
