"""Actions as text and as JSON, with what goes without saying left out; events as sentences."""

from companion.core.codec import pack_action
from companion.core.notation import usage, write
from companion.games.zapp_zerapp.rules import CameHome, Colour, Move, Pawn, Place
from companion.system.codec import parts


def test_an_action_is_written_with_what_is_known_of_it() -> None:
    assert write(Place(Colour.BLUE, 7)) == "place blue 7"
    assert write(Place(Colour.BLUE)) == "place blue"
    twice = (Pawn(Colour.RED, 4), Pawn(Colour.RED, 4))
    assert write(Move(Colour.GREEN, 0, take=twice)) == "move green start take red:4,red:4"


def test_a_pattern_says_what_may_be_left_out() -> None:
    assert usage(Place) == "place SEAT [BARREL]"
    assert usage(Move) == "move SEAT STEP [take LIST] [banish LIST]"


def test_the_parts_of_a_move_have_names_for_special_values() -> None:
    assert [part.name for part in parts(Move)] == ["seat", "step", "take", "banish"]
    assert parts(Move)[1].names == {0: "start", 25: "city"}


def test_json_leaves_out_what_goes_without_saying() -> None:
    assert pack_action(Place(Colour.BLUE, 7)) == {"do": "place", "seat": "blue", "barrel": 7}
    assert pack_action(Place(Colour.BLUE)) == {"do": "place", "seat": "blue"}


def test_only_of_the_first_apprentice_in_the_city_is_it_said_that_it_is_the_first() -> None:
    assert [str(CameHome(Colour.RED, pawns)) for pawns in (1, 2, 3)] == [
        "Red has the first apprentice in the city.",
        "Red has 2 apprentices in the city now.",
        "Red has 3 apprentices in the city now.",
    ]
