"""How pawns move and banish: facts ZZ-12 to ZZ-14 and ZZ-16 to ZZ-20.

The ring, clockwise from field 0: B B B RG, five Y, GB, five R, BY, five G, YR, B B.
"""

import pytest

from companion.games.zapp_zerapp.rules import (
    CITY,
    START,
    Banished,
    CameHome,
    Move,
    Moved,
    Pawn,
    Settings,
)
from companion.games.zapp_zerapp.rules.model import Camp
from companion.system.errors import Illegal
from tests.games.zapp_zerapp.tables import AT_START, BLUE, GREEN, RED, YELLOW, at, position

# Moving.


def test_zz_12_a_pawn_moves_exactly_its_number_clockwise() -> None:
    table = position(red=(0, 5, 18), green=AT_START, numbers={RED: 6})
    assert table.may(RED) == ["move red start", "move red 5", "move red 18"]
    assert table.do("move red start").pawns[RED] == (5, 6, 18)
    assert table.do("move red 5").pawns[RED] == (0, 11, 18)
    assert table.do("move red 18").pawns[RED] == (0, 5, 24)
    assert table.tell_move("move red 5") == (Moved(RED, 5, 11, (5, 6, 7, 8, 9, 10)),)


@pytest.mark.parametrize(
    ("step", "number", "end"),
    [
        (23, 1, 24),
        (23, 2, CITY),
        (23, 3, CITY),
        (14, 12, CITY),
        (24, 1, CITY),
        (24, 12, CITY),
        (13, 11, 24),
        (13, 12, CITY),
    ],
)
def test_zz_12_only_its_own_city_stops_a_pawn(step: int, number: int, end: int) -> None:
    table = position(red=(0, 0, step), green=AT_START, numbers={RED: number})
    assert table.do(f"move red {step}").pawns[RED] == (0, 0, end)
    moved = table.tell_move(f"move red {step}")[0]
    assert isinstance(moved, Moved)
    assert (moved.start, moved.end) == (step, end)
    assert moved.path == tuple(range(step, min(end, 24))), "red's step 1 is field 0"


def test_zz_12_a_foreign_city_is_passed_and_never_entered() -> None:
    """Green's city lies beside the ring between the fields 5 and 6: red's steps 6 and 7."""
    table = position(red=(0, 0, 6), green=AT_START, numbers={RED: 1})
    assert table.tell_move("move red 6") == (Moved(RED, 6, 7, (6,)),)
    assert table.do("move red 6").pawns[RED] == (0, 0, 7)


def test_zz_12_nobody_moves_two_pawns_or_another_way() -> None:
    """No splitting, no way backwards: besides which pawn moves there is no choice."""
    table = position(red=(0, 5, 18), green=(0, 0, 3), numbers={RED: 6})
    assert list(table.game.legal(table.state, RED)) == [Move(RED, 0), Move(RED, 5), Move(RED, 18)]
    for wrong in [Move(RED, 6), Move(RED, CITY), Move(GREEN, 3), Move(RED, -1)]:
        with pytest.raises(Illegal):
            table.game.apply(table.state, wrong)


def test_zz_13_any_number_of_any_colours_may_share_a_field() -> None:
    """All meet on field 17, where green is protected."""
    table = position(
        red=(0, at(RED, 9), at(RED, 17)),
        green=(at(GREEN, 17),) * 3,
        blue=AT_START,
        numbers={RED: 8, BLUE: 6},
    )
    table = table.do("move red 10", "move blue start")
    assert table.pawns == {RED: (0, 18, 18), GREEN: (12, 12, 12), BLUE: (0, 0, 6)}
    assert at(BLUE, 17) == 6


@pytest.mark.parametrize(
    ("camp", "texts"),
    [
        ((0, 0, 0), ["move red start"]),
        ((3, 3, 3), ["move red 3"]),
        ((0, 3, 3), ["move red start", "move red 3"]),
        ((0, 3, 9), ["move red start", "move red 3", "move red 9"]),
        ((3, 24, 25), ["move red 3", "move red 24"]),
        ((24, 25, 25), ["move red 24"]),
    ],
)
@pytest.mark.parametrize("number", [1, 12])
def test_zz_14_there_are_one_to_three_moves_and_equal_pawns_are_one(
    camp: Camp, texts: list[str], number: int
) -> None:
    table = position(red=camp, green=(0, 8, 20), numbers={RED: number})
    assert table.may(RED) == texts


def test_zz_14_a_pawn_in_the_city_does_not_move() -> None:
    table = position(red=(3, 25, 25), green=AT_START, numbers={RED: 2})
    with pytest.raises(Illegal):
        table.game.apply(table.state, Move(RED, CITY))


# Banishing.


@pytest.mark.parametrize(
    ("field", "goes"),
    [
        (11, False),  # behind the mover
        (12, False),  # beside the mover
        (13, True),  # overtaken
        (14, True),  # overtaken
        (15, True),  # overtaken; in the basic game a castle field protects nobody
        (16, True),  # caught up with
        (17, False),  # ahead
    ],
)
def test_zz_16_whoever_is_overtaken_or_caught_up_with_goes_home(field: int, *, goes: bool) -> None:
    """Red walks from field 12 to field 16; blue has no zone there."""
    blue = at(BLUE, field)
    table = position(red=(0, 0, 13), blue=(0, 0, blue), numbers={RED: 4})
    moved = Moved(RED, 13, 17, (13, 14, 15, 16))
    banished = (Banished(RED, Pawn(BLUE, blue), field),) if goes else ()
    assert table.tell_move("move red 13") == (moved, *banished)
    table = table.do("move red 13")
    assert table.pawns == {RED: (0, 0, 17), BLUE: (0, 0, START if goes else blue)}


@pytest.mark.parametrize("field", range(16, 21))
def test_zz_16_on_its_own_colour_a_pawn_is_protected(field: int) -> None:
    """Red walks from 15 to 20, over green's whole zone; for blue it is foreign ground."""
    green, blue = (0, 0, at(GREEN, field)), (0, 0, at(BLUE, field))
    table = position(red=(0, 0, 16), green=green, blue=blue, numbers={RED: 5})
    assert table.tell_move("move red 16")[1:] == (Banished(RED, Pawn(BLUE, blue[2]), field),)
    table = table.do("move red 16")
    assert table.pawns == {RED: (0, 0, 21), GREEN: green, BLUE: AT_START}


def test_zz_16_all_who_stand_there_go_and_are_told_in_the_order_of_the_way() -> None:
    """Red walks from 12 to 16: two yellow and a blue pawn on 13, blue on 14, yellow on 16."""
    table = position(
        red=(0, 0, 13),
        blue=(0, at(BLUE, 13), at(BLUE, 14)),
        yellow=(at(YELLOW, 13), at(YELLOW, 13), at(YELLOW, 16)),
        numbers={RED: 4},
    )
    told = [event for event in table.tell_move("move red 13") if isinstance(event, Banished)]
    assert [event.field for event in told] == [13, 13, 13, 14, 16]
    assert table.do("move red 13").pawns == {RED: (0, 0, 17), BLUE: AT_START, YELLOW: AT_START}


def test_zz_16_a_lap_later_the_same_field_is_another_step() -> None:
    """Yellow passes field 0: red on its entry field goes, red on its gate field 23 does not."""
    table = position(red=(0, 1, 24), yellow=(0, 0, at(YELLOW, 23)), numbers={YELLOW: 2})
    assert table.do("move yellow 6").pawns == {RED: (0, 0, 24), YELLOW: (0, 0, 8)}


def test_zz_17_own_pawns_are_never_banished() -> None:
    table = position(red=(7, 8, 9), green=AT_START, numbers={RED: 2})
    assert table.tell_move("move red 7") == (Moved(RED, 7, 9, (7, 8)),)
    assert table.do("move red 7").pawns[RED] == (8, 9, 9)


def test_zz_17_whoever_stands_where_the_move_began_stays() -> None:
    table = position(
        red=(0, 0, 7), green=(0, 0, at(GREEN, 6)), blue=(0, 0, at(BLUE, 7)), numbers={RED: 2}
    )
    assert table.do("move red 7").pawns == {
        RED: (0, 0, 9),
        GREEN: (0, 0, at(GREEN, 6)),
        BLUE: AT_START,
    }


def test_zz_18_from_its_start_a_pawn_banishes_nobody_in_the_whole_move() -> None:
    """Green stands on red's entry field, on the next and where red ends."""
    green = (at(GREEN, 0), at(GREEN, 1), at(GREEN, 2))
    table = position(red=(0, 0, 1), green=green, numbers={RED: 3})
    assert table.tell_move("move red start") == (Moved(RED, 0, 3, (0, 1, 2)),)
    assert table.do("move red start").pawns == {RED: (0, 1, 3), GREEN: green}


def test_zz_18_from_its_entry_field_it_does() -> None:
    green = (at(GREEN, 0), at(GREEN, 1), at(GREEN, 2))
    table = position(red=(0, 0, 1), green=green, numbers={RED: 2})
    assert table.do("move red 1").pawns == {RED: (0, 0, 3), GREEN: (0, 0, at(GREEN, 0))}


@pytest.mark.parametrize("number", [4, 12])
def test_zz_19_on_the_way_into_the_city_every_field_up_to_the_gate_counts(number: int) -> None:
    """Red comes from field 20. Blue's zone begins on 22; nobody behind the city is passed."""
    table = position(
        red=(0, 0, 21),
        green=(at(GREEN, 21), at(GREEN, 23), at(GREEN, 0)),
        blue=(at(BLUE, 20), at(BLUE, 21), at(BLUE, 23)),
        numbers={RED: number},
    )
    assert table.tell_move("move red 21") == (
        Moved(RED, 21, CITY, (21, 22, 23)),
        Banished(RED, Pawn(GREEN, at(GREEN, 21)), 21),
        Banished(RED, Pawn(BLUE, at(BLUE, 21)), 21),
        Banished(RED, Pawn(GREEN, at(GREEN, 23)), 23),
        CameHome(RED, 1),
    )
    table = table.do("move red 21")
    assert table.pawns == {
        RED: (0, 0, CITY),
        GREEN: (0, 0, at(GREEN, 0)),
        BLUE: (0, at(BLUE, 20), at(BLUE, 23)),
    }


def test_zz_20_without_the_setting_every_banishment_happens() -> None:
    assert not Settings().overlook
    table = position(red=(25, 25, 7), green=(0, 3, 3), numbers={RED: 3})
    assert table.may(RED) == ["move red 7"]
    assert table.do("move red 7").pawns[GREEN] == AT_START
    with pytest.raises(Illegal):
        table.game.apply(table.state, Move(RED, 7, banish=(Pawn(GREEN, 3),)))


def test_zz_20_with_it_the_mover_names_any_of_the_banished_and_the_others_are_lucky() -> None:
    """Two equal green pawns and a blue one: three times two choices."""
    table = position(
        red=(25, 25, 7), green=(0, 3, 3), blue=(0, 0, at(BLUE, 8)), numbers={RED: 3}, overlook=True
    )
    assert table.may(RED) == [
        "move red 7 banish none",
        "move red 7 banish blue:21",
        "move red 7 banish green:3",
        "move red 7 banish green:3,blue:21",
        "move red 7 banish green:3,green:3",
        "move red 7 banish green:3,green:3,blue:21",
    ]
    one = table.do("move red 7 banish green:3")
    assert one.pawns == {RED: (10, 25, 25), GREEN: (0, 0, 3), BLUE: (0, 0, 21)}
    assert table.tell_move("move red 7 banish green:3") == (
        Moved(RED, 7, 10, (7, 8, 9)),
        Banished(RED, Pawn(GREEN, 3), 8),
    )
    none = table.do("move red 7 banish none")
    assert none.pawns == {RED: (10, 25, 25), GREEN: (0, 3, 3), BLUE: (0, 0, 21)}
    every = table.do("move red 7 banish green:3,green:3,blue:21")
    assert every.pawns == {RED: (10, 25, 25), GREEN: AT_START, BLUE: AT_START}


@pytest.mark.parametrize(
    "wrong",
    [
        None,  # somebody could be banished, so it must be said
        (Pawn(GREEN, 3), Pawn(GREEN, 3)),  # one pawn, named twice
        (Pawn(GREEN, 1),),  # where the move began
        (Pawn(RED, 8),),  # an own pawn
        (Pawn(GREEN, 5),),  # protected
        (Pawn(GREEN, 0),),  # nobody overtakes a start
    ],
)
def test_zz_20_nobody_else_can_be_named(wrong: tuple[Pawn, ...] | None) -> None:
    """Red walks from field 6 to 10, where green stands on its steps 1, 3 and 5; 10 is its own."""
    table = position(red=(7, 8, 25), green=(1, 3, 8), numbers={RED: 7}, overlook=True)
    ringed = [choice for choice in table.may(RED) if choice.startswith("move red 7 ")]
    assert len(ringed) == 4, "green on field 8 and on field 13, each named or not"
    with pytest.raises(Illegal):
        table.game.apply(table.state, Move(RED, 7, banish=wrong))


def test_zz_20_whoever_banishes_nobody_says_so() -> None:
    table = position(red=(0, 25, 25), green=AT_START, numbers={RED: 3}, overlook=True)
    assert table.may(RED) == ["move red start banish none"]
    assert table.do("move red start banish none").pawns[RED] == (3, 25, 25)
