"""Sentences call people by name, say "you" to whoever sits there, and colours where nobody does."""

from io import StringIO

import pytest

from companion.games.trap_the_wizard.rules import Robe
from companion.games.zapp_zerapp.rules import Colour
from companion.i18n.translate import EVERYBODY, Audience, say
from companion.present.terminal import TerminalScreen
from companion.present.viewer import Viewer
from companion.referee.people.person import Animal
from companion.referee.people.store import KeptPeople
from companion.system.text import SeatName, Text
from release.words.upkeep import spoiled

MOVES = "{seat:@{seat} moves|you move} by {count} {count:#field|fields}."


def reader(role: str | None = None, language: str = "en") -> Viewer:
    people = KeptPeople()
    people.sit("red", "Oma", Animal.FOX)
    people.sit("blue", animal=Animal.OWL)
    return Viewer(language, role, people.now)


@pytest.mark.parametrize("seat", [SeatName.RED, Colour.RED, Robe.RED, "red"])
def test_a_seat_is_called_as_who_sits_there(seat: object) -> None:
    assert reader().name(seat) == "Oma"
    assert reader().colour(seat) == "Red"
    assert Viewer().name(seat) == "Red"


def test_whoever_has_no_name_is_called_by_the_animal_in_the_readers_language() -> None:
    assert reader().name("blue") == "Owl"
    assert reader(language="de").name("blue") == "Eule"
    assert reader(language="de").name("green") == "Grün"


def test_what_is_not_a_seat_keeps_its_word() -> None:
    assert reader().name(Robe.JOKER) == Viewer().name(Robe.JOKER)


def test_several_are_joined_by_name() -> None:
    seats = (SeatName.RED, SeatName.BLUE, SeatName.GREEN)
    assert reader().say("{seats:and} play.", seats=seats) == "Oma, Owl and Green play."


@pytest.mark.parametrize(
    ("role", "said"),
    [
        (None, "Oma moves by 5 fields."),
        ("table", "Oma moves by 5 fields."),
        ("blue", "Oma moves by 5 fields."),
        ("red", "you move by 5 fields."),
    ],
)
def test_whoever_sits_there_is_addressed(role: str | None, said: str) -> None:
    assert reader(role).say(MOVES, seat=Colour.RED, count=5) == said


def test_one_of_several_is_not_a_single_one() -> None:
    template = "{seats:@{seats:and} {seats:#is|are}|you are} still shaking."
    for seats, said in [
        ((SeatName.RED,), "you are still shaking."),
        ((SeatName.BLUE,), "Owl is still shaking."),
        ((SeatName.RED, SeatName.BLUE), "Oma and Owl are still shaking."),
    ]:
        assert reader("red").say(template, seats=seats) == said


def test_what_all_are_told_addresses_nobody() -> None:
    assert reader("red").as_all().say(MOVES, seat=Colour.RED, count=1) == "Oma moves by 1 field."


def test_a_sentence_within_a_sentence_is_told_to_the_same() -> None:
    inner = Text("{seat} leads", seat=SeatName.RED)
    assert reader().say("Now {what}.", what=inner) == "Now Oma leads."


def test_a_name_is_never_a_template() -> None:
    hearer = Audience({"red": "{count}<b>"}, None)
    assert say(Text("{seat}!", seat=SeatName.RED), "en", hearer) == "{count}<b>!"
    assert say(Text(MOVES, seat=SeatName.RED, count=2)) == "Red moves by 2 fields."
    assert EVERYBODY.names == {}


def test_a_name_from_the_right_leaves_the_words_around_it_in_their_order() -> None:
    people = KeptPeople()
    people.sit("red", "עמית")
    said = Viewer("en", None, people.now).say("{seat} moves by 5.", seat=SeatName.RED)
    assert said == "\u2068עמית\u2069 moves by 5."


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("{seat:@{seat} zieht|du ziehst} {count} {count:#Feld|Felder}.", ""),
        ("{seat:@{seat} zieht} {count} {count:#Feld|Felder}.", "it needs words for others"),
        ("{seat:@{sitz} zieht|du ziehst} {count}.", "the placeholders are not"),
        ("{seat:@{seat:~x} zieht|du ziehst} {count}.", "nobody knows the form"),
    ],
)
def test_translations_are_checked_within_what_is_said_to_one(said: str, wrong: str) -> None:
    assert spoiled(MOVES, said, 2).startswith(wrong)
    assert bool(wrong) == bool(spoiled(MOVES, said, 2))


def test_a_screen_calls_people_by_name_as_phones_do() -> None:
    screen = TerminalScreen(StringIO(), "de", seating=reader().seating)
    assert screen.name(SeatName.RED) == "Oma"
    assert screen.say(Text("{seat} moves.", seat=Colour.BLUE)) == "Eule moves."
