"""Every sentence exists in both languages, with the same values in it, and none is left over."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from string import Formatter

import pytest

import companion
from companion import devices, doctor, sensing, workshop
from companion.condition import State
from companion.config import SEAT_KEYS, SECTIONS
from companion.core.game import Event, SeatName
from companion.core.kit import GAMES
from companion.core.log import Log, load
from companion.errors import CompanionError, Illegal, RulesError, Unreadable
from companion.games.blackmore import rules as blackmore
from companion.games.trap_the_wizard import rules as trap
from companion.games.via_magica import rules as via_magica
from companion.games.zapp_zerapp.rules import (
    BadBoard,
    Banished,
    CameHome,
    Colour,
    Corrected,
    MagicNumber,
    Moved,
    Order,
    Pawn,
    Placed,
    RoundOver,
    SatOut,
    Shown,
    TakenAlong,
    WentBack,
    Won,
    ZappZerapp,
    read_board,
)
from companion.say import LANGUAGES, Text, place, say, spoken, variant
from companion.sensing.ailments import Ailment
from companion.sensing.told import Doing, Foul, Weight
from companion.stoppers import KEYS
from tests.say.prose import PHONE, prose_in, prose_in_python, prose_in_script, said_in

ROOT = Path(companion.__file__).parent
RED, GREEN, BLUE, YELLOW = Colour
SPOKEN = {"RulesError", "Illegal", "Unreadable", "Ambiguous", "CompanionError", "NoAnswer"}
SPOKEN |= {"BadScript", "Busy", "OutOfReach", "Stale"}
SPOKEN |= {"Text", "text", "tell", "_tell", "say"}
DRAWING = sorted({*PHONE.glob("*.py"), *ROOT.glob("present/*.py"), *ROOT.glob("games/*/*.py")})
PIECED = {"config.py", "stoppers.py", "toml_reader.py"}  # put their sentences together


def templates() -> Iterator[tuple[str, str]]:
    """Collect every English template, and the file that it stands in."""
    for file in sorted(set(ROOT.rglob("*.py")) - {ROOT / name for name in PIECED}):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and is_spoken(node.func):
                match node.args[0]:
                    case ast.Constant(value=str(template)):
                        yield template, file.name
    for page in sorted(PHONE.rglob("*.html")):
        yield from ((template, page.name) for template in said_in(page.read_text("utf-8")))


def is_spoken(function: ast.expr) -> bool:
    """Tell whether a call makes something that can be said."""
    match function:
        case ast.Attribute(ast.Name("wire")):  # which is said to the hub
            return False
        case ast.Name(name) | ast.Attribute(attr=name):
            return name in SPOKEN or ast.unparse(function) == "super().__init__"
        case ast.Call(ast.Name("type")):  # a fault wrapped in another of its kind
            return True
    return False


def states() -> Iterator[tuple[str, str]]:
    """Collect the sentence of every state that a part can be in."""
    for module in iter_modules(devices.__path__, "companion.devices."):
        import_module(module.name)
    told_by = ("referee.journal_state", "referee.troubles", "referee.shelf", "outputs.web.keeping")
    for name in ("guard", *told_by):
        import_module(f"companion.{name}")
    for package in (workshop, doctor):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    import_module("companion.doctor_command")
    for kind in State.__subclasses__():
        yield from ((state.template, kind.__name__) for state in kind)
    for one in felt():
        if str(one.value).endswith("."):
            yield str(one.value), type(one).__name__


def felt() -> Iterator[Enum]:
    """Collect what sensing has a name for: sentences, and words."""
    for module in iter_modules(sensing.__path__, "companion.sensing."):
        for kind in vars(import_module(module.name)).values():
            if isinstance(kind, type) and issubclass(kind, Enum):
                yield from kind


def wiring() -> Iterator[tuple[str, str]]:
    """Collect what can be wrong with a table's file, put together as its reader does."""
    place = "{file}, {key}: "
    for keys in (SEAT_KEYS, *(keys for _, keys in SECTIONS.values())):
        for _, right in keys.values():
            yield place + "{value} does not fit; " + right, "config.py"
    yield place + "this key is missing; " + SEAT_KEYS["pad"][1], "config.py"
    yield place + "{value} does not fit; " + KEYS["number"][1], "stoppers.py"
    for _, right in KEYS.values():
        yield place + "this key is missing; " + right, "stoppers.py"
    for file in sorted(PIECED):
        for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8"))):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "told":
                match node.value:
                    case ast.Constant(value=str(told)):
                        yield told if told.startswith("{file}") else place + told, file
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "CompanionError":
                match node.args[0]:
                    case ast.Constant(value=str(told)):
                        yield told, file
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "fault":
                match node.args[1]:
                    case ast.Constant(value=str(told)):
                        yield place + told, file


def placeholders(template: str) -> set[str]:
    """Return the names that a template puts values in for."""
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def kinds(kind: type[Event] = Event) -> Iterator[type[Event]]:
    """Return every kind of event."""
    for sub in kind.__subclasses__():
        yield sub
        yield from kinds(sub)


GERMAN = LANGUAGES["de"]
ENGLISH = LANGUAGES["en"]
RAISED = dict([*templates(), *states(), *wiring()])
VIOLET_9 = blackmore.Card(blackmore.Suit.VIOLET, 9)
EVENTS = (
    MagicNumber(3, 8),
    Placed(RED, (GREEN,)),
    Placed(RED, (GREEN, BLUE, YELLOW)),
    Placed(RED, ()),
    Shown(BLUE, 8, works=True),
    Shown(BLUE, 9, works=False),
    Order((YELLOW, RED)),
    Order(()),
    Moved(RED, 0, 6, (0, 1, 2, 3, 4, 5)),
    Moved(RED, 3, 5, (3, 4)),
    Moved(RED, 24, 25, ()),
    Banished(RED, Pawn(BLUE, 7), 18),
    TakenAlong(RED, Pawn(BLUE, 7), 18, 9),
    TakenAlong(RED, Pawn(RED, 4), 3, 9),
    TakenAlong(RED, Pawn(RED, 4), 3, 25),
    CameHome(RED, 1),
    CameHome(RED, 2),
    SatOut(RED),
    WentBack(RED, (RED, BLUE)),
    Corrected(RED, (0, 0, 0), (0, 0, 4)),
    Won(RED),
    RoundOver(4, shuffle=True, roller=BLUE),
    RoundOver(4, shuffle=False, roller=BLUE),
    via_magica.PortalDealt(via_magica.Mage.RED),
    via_magica.DisplayFilled((17, 24, 3, 40, 8)),
    via_magica.PortalsKept(via_magica.Mage.GREEN),
    via_magica.ZoneUnveiled(via_magica.Mage.BLUE, (17, 24, 38)),
    via_magica.AnimusCaught(via_magica.Mage.YELLOW, via_magica.Animus.SHADOW),
    via_magica.FieldLacking(via_magica.Mage.VIOLET),
    via_magica.CrystalPlaced(via_magica.Mage.WHITE, 17, via_magica.Animus.WATER),
    via_magica.CrystalShifted(
        via_magica.Mage.BLUE,
        via_magica.Field(24, via_magica.Animus.SHADOW),
        17,
        via_magica.Animus.WATER,
    ),
    via_magica.BagRefilled(),
    via_magica.IncantatumCalled((via_magica.Mage.RED, via_magica.Mage.GREEN)),
    via_magica.PortalOpened(via_magica.Mage.BLUE, 24, via_magica.Hue.VIOLET),
    via_magica.CrystalsGained(via_magica.Mage.RED, 1),
    via_magica.CrystalsGained(via_magica.Mage.RED, 2),
    via_magica.PortalTaken(via_magica.Mage.RED, 17),
    via_magica.RewardClaimed(via_magica.Mage.RED, via_magica.Reward.EVERY, 8),
    via_magica.PowerWaived(via_magica.Mage.RED),
    via_magica.RewardsWaived(via_magica.Mage.RED),
    via_magica.SeventhPortal(via_magica.Mage.RED),
    via_magica.CatcherPassed(via_magica.Mage.RED),
    via_magica.PortalsScored(via_magica.Mage.RED, 88, 7),
    via_magica.PortalsWon((via_magica.Mage.RED, via_magica.Mage.GREEN)),
    trap.DieCast(trap.Robe.RED, 6),
    trap.NoWay(trap.Robe.RED, 6),
    trap.WizardSetOut(trap.Robe.RED, 5, (5,)),
    trap.WizardWalked(trap.Robe.RED, 5, 6, (6,)),
    trap.WizardReturned(trap.Robe.RED, 6, (5,)),
    trap.WizardCaptured(trap.Robe.YELLOW, trap.Robe.GREEN, 76),
    trap.CaptivesHandedOver(trap.Robe.RED, trap.Robe.GREEN, trap.PLAYERS),
    trap.CaptivesReleased(trap.Robe.GREEN, (trap.Robe.RED, trap.Robe.JOKER)),
    trap.JokerCaptured(trap.Robe.RED, 76),
    trap.CaptivesBroughtHome(trap.Robe.RED, (trap.Robe.BLUE, trap.Robe.BLUE)),
    trap.CaptivesFreed(trap.Robe.RED, 2),
    trap.JokerWentBack(76),
    trap.JokerLeft(trap.Robe.YELLOW),
    trap.PointsLeftOver(trap.Robe.YELLOW, 3),
    trap.PointsGivenUp(trap.Robe.YELLOW, 3),
    trap.AnotherTurn(trap.Robe.RED),
    trap.TrapShut(2, trap.Robe.YELLOW),
    trap.CatchCounted(trap.Robe.YELLOW, 9, 45),
    trap.TrapWon((trap.Robe.RED, trap.Robe.BLUE)),
    blackmore.HandsFilled(12),
    blackmore.WheelTurned(VIOLET_9),
    blackmore.TrumpGone(7),
    blackmore.CardLed(blackmore.Chair.GREEN, VIOLET_9),
    blackmore.CardPlayed(blackmore.Chair.BLUE, VIOLET_9),
    blackmore.TrickWon(blackmore.Chair.YELLOW, VIOLET_9, 21, ()),
    blackmore.TrumpLaid(blackmore.Chair.VIOLET, VIOLET_9),
    blackmore.TrumpKept(blackmore.Chair.WHITE),
    blackmore.PileEmptied(),
    blackmore.TrumpDrawn(blackmore.Chair.RED, VIOLET_9),
    blackmore.WentWithout(blackmore.Chair.RED),
    blackmore.WheelControlled((blackmore.Chair.RED,), 54),
    blackmore.WheelControlled((blackmore.Chair.RED, blackmore.Chair.GREEN), 54),
)


def test_the_collector_finds_templates_in_every_corner() -> None:
    assert {"refusals.py", "board.py", "log.py", "options.py", "human.py"} <= {*RAISED.values()}
    assert "Line {line}: {fault}" in RAISED
    assert "{faults}" in RAISED


@pytest.mark.parametrize("template", RAISED)
def test_every_template_has_a_german_sentence_with_the_same_values(template: str) -> None:
    assert template in GERMAN.sentences, RAISED[template]
    assert placeholders(template) == placeholders(GERMAN.sentences[template])


def test_no_sentence_is_orphaned() -> None:
    assert set(GERMAN.sentences) - set(RAISED) == set()
    assert set(ENGLISH.sentences) - set(RAISED) == set()
    assert all(placeholders(t) == placeholders(s) for t, s in ENGLISH.sentences.items())


@pytest.mark.parametrize("page", sorted(PHONE.rglob("*.html")), ids=lambda page: page.name)
def test_no_page_says_anything_that_only_one_language_knows(page: Path) -> None:
    assert prose_in(page.read_text("utf-8")) == set()


@pytest.mark.parametrize("module", DRAWING, ids=lambda page: page.name)
def test_no_piece_of_html_in_python_says_anything_itself(module: Path) -> None:
    assert prose_in_python(module.read_text("utf-8")) == set()


@pytest.mark.parametrize("script", sorted(PHONE.rglob("*.js")), ids=lambda page: page.name)
def test_scripts_take_their_words_from_the_page(script: Path) -> None:
    assert prose_in_script(script.read_text("utf-8")) == []


def test_both_languages_tell_the_same_events_with_the_same_values() -> None:
    assert list(GERMAN.events) == list(ENGLISH.events)
    for key, sentence in ENGLISH.events.items():
        assert placeholders(sentence) == placeholders(GERMAN.events[key]), key
    assert set(GERMAN.seats) == set(ENGLISH.seats) == set(SeatName)


def test_every_kind_of_event_of_every_game_can_be_told() -> None:
    assert GAMES
    declared = {kind.__name__ for kind in kinds() if kind.__module__.startswith("companion.")}
    assert declared == {key.split(":")[0] for key in ENGLISH.events}
    assert {variant(event) for event in EVENTS} == set(ENGLISH.events)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("event", EVENTS, ids=variant)
def test_an_event_is_one_finished_sentence(event: Event, language: str) -> None:
    sentence = say(event, language)
    assert "{" not in sentence
    assert "Colour" not in sentence
    assert len(sentence) <= 74  # with its mark, on one line
    assert sentence[0].isupper()


def test_grammar_follows_the_numbers() -> None:
    assert say(EVENTS[1], "de") == "Rot hat ein Fass gewählt; Grün schüttelt noch."
    assert say(EVENTS[2], "de") == "Rot hat ein Fass gewählt; Grün, Blau und Gelb schütteln noch."
    assert say(EVENTS[2]) == ("Red has chosen a barrel; Green, Blue and Yellow are still shaking.")
    one = RulesError("A game takes 2 to 4 players, not {count}.", count=1)
    assert say(one) == "A game takes 2 to 4 players, not 1."
    assert say(one, "de") == "Mit 1 Mitspieler geht es nicht; es müssen 2 bis 4 sein."


def test_every_ailment_names_the_stopper_and_its_cure_in_both_languages() -> None:
    for ailment in Ailment:
        assert "{stopper:=" in ailment.value
        assert "{stopper:=" in GERMAN.sentences[ailment.value]
        assert ";" in ailment.value  # after it stands what to do
        assert ";" in GERMAN.sentences[ailment.value]
    old = Text(Ailment.OLD_STOPPER.value, stopper=4)
    assert say(old, "de") == (
        "Stopfen 4 spricht eine andere Fassung der Funksprache und wird nicht verstanden; spiele "
        "seine Firmware neu auf. Alle anderen spielen weiter."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_doing_and_every_foul_has_words_of_its_own(language: str) -> None:
    for kind in (Doing, Foul, Weight):
        words = [say(Text("{it}", it=one), language) for one in kind]
        assert len(set(words)) == len(kind)
        assert {f"{one}" for one in kind} <= set(LANGUAGES[language].phrases)
    assert say(Text("{foul}", foul=Foul.EARLY_FLIP)) == "flipped too early"
    assert say(Text("{foul}", foul=Foul.EARLY_FLIP), "de") == "zu früh umgedreht"


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
        "It is not the turn of {seat}; {mover} moves a pawn by {number}.",
        seat=RED,
        mover=YELLOW,
        number=1,
    )
    assert say(turn, "de") == "Rot ist nicht am Zug; Gelb zieht 1 Feld weit."
    assert say(turn) == "It is not the turn of Red; Yellow moves a pawn by 1."


def test_a_fault_within_a_fault_is_said_in_the_same_language() -> None:
    text = Log.begin(ZappZerapp()).dump() + '{"do": "roll", "magic": 13}\n'
    _, fault = load(text, GAMES)
    assert fault
    assert say(fault, "de") == (
        "Zeile 2: Zwei Würfel können nicht 13 zeigen; ihre Summe liegt zwischen 2 und 12."
    )


def test_all_faults_of_a_board_are_said_even_through_a_file() -> None:
    with pytest.raises(BadBoard) as bad:
        read_board({})
    german = say(bad.value, "de")
    assert german.count("fehlt") == 8
    assert "Das Einstiegsfeld von Rot fehlt" in german
    text = Log.begin(ZappZerapp()).dump().replace("23, 5, 11", "22, 5, 11")
    with pytest.raises(Unreadable) as unread:
        load(text, GAMES)
    assert say(unread.value, "de").startswith("Vor der Stadt von Rot liegt Feld 22")


def test_words_of_ours_are_translated_but_never_what_somebody_typed() -> None:
    wrong = Unreadable(
        "'{where}' is {data}; it must be {right}.", where="a", data="b", right="a list"
    )
    assert say(wrong, "de") == "„a“ ist b; richtig wäre: eine Liste."
    typed = Unreadable(
        "'{text}' is no action; begin with one of {verbs}.", text="gate", verbs=("roll", "move")
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
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
    ],
)
def test_the_language_is_what_the_environment_asks_for(
    environment: dict[str, str], language: str
) -> None:
    assert spoken(environment) == language


def test_places_have_names() -> None:
    assert [place(step, "de") for step in (0, 8, 25)] == ["Start", "Feld 8", "Stadt"]
    assert [place(step, "en") for step in (0, 8, 25)] == ["start", "field 8", "city"]
