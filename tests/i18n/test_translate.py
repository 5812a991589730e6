"""Every sentence exists in both languages, with the same values in it, and none is left over."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import companion
from companion.core import SeatName
from companion.core.game import Event
from companion.core.log import Log, load
from companion.core.notation import read
from companion.core.plugin import GAMES
from companion.games.trap_the_wizard import rules as trap
from companion.games.via_magica import rules as via_magica
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import Colour, Pawn, Placed, TakenAlong, place
from companion.i18n.translate import LANGUAGES, Catalogue, say, spoken
from companion.sensing.events import BarrelMotion, FoulCode, Weight
from companion.sensing.stopper_faults import StopperFault
from companion.system.errors import CompanionError, Illegal, RulesError, Unreadable
from companion.system.text import Text
from release.words.__main__ import WHOLE
from release.words.finding import found_in, kinds, sentences
from release.words.upkeep import faults, faults_of_english
from tests.cases import script
from tests.games import golden
from tests.i18n.prose import PHONE, prose_in, prose_in_python, prose_in_script

ROOT = Path(companion.__file__).parent
TESTS = Path(__file__).parents[1]
FILES = sorted((ROOT / "locale").glob("*.po"))
RED, GREEN, BLUE, YELLOW = Colour
DRAWING = sorted({*PHONE.glob("*.py"), *ROOT.glob("present/*.py"), *ROOT.glob("games/*/*.py")})
PAGES = sorted(ROOT.rglob("*.html"))
SELDOM = (  # what happens in no golden game
    rules.Order(()),
    TakenAlong(RED, Pawn(RED, 4), 3, 25),
    rules.SatOut(RED),
    rules.WentBack(RED, (RED, BLUE)),
    rules.Corrected(RED, (0, 0, 0), (0, 0, 4)),
    via_magica.PowerWaived(SeatName.RED),
    trap.TurnPassed(trap.Robe.GREEN),
)


def happened() -> Iterator[Event]:
    """Yield all that happens in the golden games of all games."""
    for file in sorted(TESTS.glob("games/*/golden/*.txt")):
        kind, text = GAMES[file.parts[-3].replace("_", "-")], file.read_text("utf-8")
        game = kind(golden.settings(text, kind.settings_type))
        state = game.start()
        for line in script(text):
            if not line.startswith(("#", "{")):
                action = read(game, state, line)
                yield from game.explain(state, action)
                state = game.apply(state, action)


@cache
def events() -> dict[tuple[str, str], Event]:
    """Return one of each kind and each of its sentences."""
    return {(type(event).__name__, event.template): event for event in (*happened(), *SELDOM)}


def test_the_collector_finds_templates_in_every_corner() -> None:
    found = found_in(companion)
    files = {Path(one.file).name for one in found}
    assert {"refusals.py", "board.py", "log.py", "options.py", "human.py", "base.html"} <= files
    keys = {(one.context, one.key) for one in found}
    assert {(None, "Line {line}: {fault}"), (None, "{faults}"), ("typed", "quit|exit")} <= keys
    assert {(None, StopperFault.SILENT.value), ("Foul.EARLY_FLIP", "flipped too early")} <= keys


def test_every_english_template_can_be_filled() -> None:
    assert list(faults_of_english(found_in(companion))) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_language_says_what_it_says_with_the_same_values_and_german_all(file: Path) -> None:
    whole = file.stem in WHOLE
    assert list(faults(file, found_in(companion), whole=whole)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_says_anything_that_only_one_language_knows(page: Path) -> None:
    assert prose_in(page.read_text("utf-8")) == set()


@pytest.mark.parametrize("module", DRAWING, ids=lambda page: page.name)
def test_no_piece_of_html_in_python_says_anything_itself(module: Path) -> None:
    assert prose_in_python(module.read_text("utf-8")) == set()


@pytest.mark.parametrize("script", sorted(PHONE.rglob("*.js")), ids=lambda page: page.name)
def test_scripts_take_their_words_from_the_page(script: Path) -> None:
    assert prose_in_script(script.read_text("utf-8")) == []


def test_every_kind_of_event_of_every_game_can_be_told() -> None:
    assert GAMES
    declared = [kind for kind in kinds(Event) if kind.__module__.startswith("companion.")]
    stated = {(kind.__name__, text) for kind in declared for text in sentences(kind)}
    assert {kind.__name__ for kind in declared} == {name for name, _ in stated}
    assert {*events()} == stated


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_event_is_one_finished_sentence(language: str) -> None:
    for event in events().values():
        sentence = say(event, language)
        assert "{" not in sentence
        assert "Colour" not in sentence
        assert len(sentence) <= 74  # with its mark, on one line
        assert sentence[0].isupper() or sentence[0].isdigit()


def test_grammar_follows_the_numbers() -> None:
    one, three = Placed(RED, (GREEN,)), Placed(RED, (GREEN, BLUE, YELLOW))
    assert say(one, "de") == "Rot hat ein Fass gewählt; Grün schüttelt noch."
    assert say(three, "de") == "Rot hat ein Fass gewählt; Grün, Blau und Gelb schütteln noch."
    assert say(three) == ("Red has chosen a barrel; Green, Blue and Yellow are still shaking.")
    few = RulesError("A game takes 2 to {most} players, not {count}.", most=4, count=1)
    assert say(few) == "A game takes 2 to 4 players, not 1."
    assert say(few, "de") == "Mit 1 Mitspieler geht es nicht; es müssen 2 bis 4 sein."


def test_every_ailment_names_the_stopper_and_its_cure_in_both_languages() -> None:
    for ailment in StopperFault:
        assert "{stopper:=" in ailment.value
        assert "4" in say(Text(ailment.value, stopper=4), "de")
        assert ";" in ailment.value  # after it stands what to do
        assert ";" in say(Text(ailment.value, stopper=4), "de")
    old = Text(StopperFault.OLD_STOPPER.value, stopper=4)
    assert say(old, "de") == (
        "Stopfen 4 spricht eine andere Fassung der Funksprache und wird nicht verstanden; spiele "
        "seine Firmware neu auf. Alle anderen spielen weiter."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_doing_and_every_foul_has_words_of_its_own(language: str) -> None:
    for kind in (BarrelMotion, FoulCode, Weight):
        words = [say(Text("{it}", it=one), language) for one in kind]
        assert len(set(words)) == len(kind)
    assert say(Text("{foul}", foul=FoulCode.EARLY_FLIP)) == "flipped too early"
    assert say(Text("{foul}", foul=FoulCode.EARLY_FLIP), "de") == "zu früh umgedreht"


def test_pawns_stay_as_they_are_typed_and_colours_get_their_names() -> None:
    error = Illegal(
        "No pawn stands on {pawn}; move one of {pawns}.",
        pawn=Pawn(GREEN, 8),
        pawns=(Pawn(GREEN, 0), Pawn(GREEN, 3)),
    )
    assert say(error, "de") == (
        "Auf green:8 steht kein Zauberlehrling; zu ziehen sind green:start, green:3."
    )
    turn = Illegal(
        "It is not {seat:@{seat}'s|your} turn; {mover} moves a pawn by {number}.",
        seat=RED,
        mover=YELLOW,
        number=1,
    )
    assert say(turn, "de") == "Rot ist nicht am Zug; Gelb zieht 1 Feld weit."
    assert say(turn) == "It is not Red's turn; Yellow moves a pawn by 1."


def test_a_fault_within_a_fault_is_said_in_the_same_language() -> None:
    text = Log.begin(rules.ZappZerapp()).dump() + '{"do": "roll", "magic": 13}\n'
    _, fault = load(text, GAMES)
    assert fault
    assert say(fault, "de") == (
        "Zeile 2: Zwei Würfel können nicht 13 zeigen; ihre Summe liegt zwischen 2 und 12."
    )


def test_all_faults_of_a_board_are_said_even_through_a_file() -> None:
    with pytest.raises(rules.BadBoard) as bad:
        rules.read_board({})
    german = say(bad.value, "de")
    assert german.count("fehlt") == 8
    assert "Das Einstiegsfeld von Rot fehlt" in german
    text = Log.begin(rules.ZappZerapp()).dump().replace("23, 5, 11", "22, 5, 11")
    with pytest.raises(Unreadable) as unread:
        load(text, GAMES)
    assert say(unread.value, "de").startswith("Vor der Stadt von Rot liegt Feld 22")


def test_words_of_ours_are_translated_but_never_what_somebody_typed() -> None:
    wrong = Unreadable(
        "'{where}' is {data}; it must be {right}.", where="a", data="b", right=Text("a list")
    )
    assert say(wrong, "de") == "„a“ ist b; richtig wäre: eine Liste."
    typed = Unreadable(
        "'{text}' is not an action; begin with one of {verbs}.", text="gate", verbs=("roll", "move")
    )
    assert "„gate“" in say(typed, "de")


def test_nothing_that_could_drive_a_terminal_is_said() -> None:
    error = CompanionError("There is no file '{file}'.", file="\x1b[2Jx\ud800")
    assert say(error) == "There is no file '�[2Jx�'."


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LC_ALL": "", "LC_MESSAGES": "de_CH", "LANG": "en_GB"}, "de"),
        ({"LC_ALL": "en_GB", "LANG": "de_DE"}, "en"),
        ({"LANG": "DE"}, "de"),
        ({"LANG": "tlh_XX.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
    ],
)
def test_the_language_is_the_environments(environment: dict[str, str], language: str) -> None:
    assert spoken(environment) == language


@pytest.mark.parametrize(
    ("spoilt", "lacks"),
    [
        ("Nach Runde {runde}", "no 'runde'"),
        ("Nach {round:#Runde|Runden", "ValueError"),
        ("Nach {round:and:", "ValueError"),
    ],
)
def test_a_translation_that_cannot_be_filled_is_said_in_english(
    spoilt: str, lacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    entry = f'msgid "After round {{round}}"\nmsgstr "{spoilt}"\n'
    (tmp_path / "de.po").write_text(header + entry)
    monkeypatch.setitem(LANGUAGES, "de", Catalogue("de", [tmp_path / "de.po"]))
    with pytest.warns(RuntimeWarning, match=lacks):
        assert say(Text("After round {round}", round=3), "de") == "After round 3"


def test_a_file_that_cannot_be_read_is_said_in_english_and_the_log_says_where_it_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "de.po").write_text('msgid "start"\nmsgstr "Start\n')
    monkeypatch.setitem(LANGUAGES, "de", Catalogue("de", [tmp_path / "de.po"]))
    assert say(place(0), "de") == "start"
    [logged] = caplog.messages
    assert logged.endswith(': line 2: msgstr "Start')


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_sentence_that_lacks_a_value_is_shown_as_it_is(language: str) -> None:
    with pytest.warns(RuntimeWarning, match=r"\{seet\} moves. \(no 'seet'\)"):
        assert say(Text("{seet} moves.", seat=3), language) == "{seet} moves."


def test_places_have_names() -> None:
    assert [say(place(step), "de") for step in (0, 8, 25)] == ["Start", "Feld 8", "Stadt"]
    assert [say(place(step)) for step in (0, 8, 25)] == ["start", "field 8", "city"]
