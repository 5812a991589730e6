"""The Profi version, where castle fields protect and let pawns ride: facts ZZ-21 to ZZ-26.

The castle fields: red-green 3, green-blue 9, blue-yellow 15, yellow-red 21.
"""

from dataclasses import replace

import pytest

from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import CITY, Banished, CameHome, Moved, Pawn, TakenAlong, Won
from companion.system.errors import Illegal
from tests.games.zapp_zerapp.tables import (
    AT_START,
    BLUE,
    GREEN,
    RED,
    TWO,
    YELLOW,
    Table,
    at,
    position,
)

GATE_CASTLE = replace(TWO, ring=(*TWO.ring[:21], "B", "B", "YR"))  # a castle field at red's gate


def test_zz_21_the_profi_version_must_be_agreed_on() -> None:
    assert not rules.Settings().profi


def meeting(profi: bool, end: int) -> Table:
    """Red comes from field 13; green, blue and yellow stand on the blue-yellow field 15."""
    green, blue, yellow = (at(colour, 15) for colour in (GREEN, BLUE, YELLOW))
    return position(
        red=(14, 25, 25),
        green=(0, 0, green),
        blue=(0, 0, blue),
        yellow=(0, 0, yellow),
        numbers={RED: end - 13},
        profi=profi,
    )


@pytest.mark.parametrize("end", [15, 16])
@pytest.mark.parametrize(("profi", "stay"), [(False, []), (True, [BLUE, YELLOW])])
def test_zz_21_castles_protect_two_colours(profi: bool, stay: list[rules.Colour], end: int) -> None:
    table = meeting(profi, end)
    gone = [
        event.pawn.colour for event in table.tell_move("move red 14") if isinstance(event, Banished)
    ]
    pawns = table.do("move red 14").pawns
    assert [colour for colour in (GREEN, BLUE, YELLOW) if pawns[colour] != AT_START] == stay
    assert set(gone) == {GREEN, BLUE, YELLOW} - set(stay)


def test_zz_21_the_own_zone_protects_as_before() -> None:
    """Red walks from 15 to 18, past green and blue on 16."""
    table = position(
        red=(16, 25, 25),
        green=(0, 0, at(GREEN, 16)),
        blue=(0, 0, at(BLUE, 16)),
        numbers={RED: 3},
        profi=True,
    )
    assert table.may(RED) == ["move red 16"], "nobody rides from a protected field"
    assert table.do("move red 16").pawns == {
        RED: (19, 25, 25),
        GREEN: (0, 0, at(GREEN, 16)),
        BLUE: AT_START,
    }


def test_zz_21_with_overlook_the_protected_cannot_be_named() -> None:
    table = position(red=(14, 25, 25), green=(0, 0, 10), blue=(0, 0, 4), numbers={RED: 2})
    assert len(table.may(RED)) == 1
    table = position(
        red=(14, 25, 25),
        green=(0, 0, 10),
        blue=(0, 0, 4),
        numbers={RED: 2},
        profi=True,
        overlook=True,
    )
    assert table.may(RED) == ["move red 14 banish none", "move red 14 banish green:10"]


def test_zz_22_none_some_or_all_may_be_taken_along() -> None:
    """On the blue-yellow field two blue pawns and a yellow one may ride; green is banished."""
    table = position(
        red=(14, 25, 25),
        green=(0, 0, at(GREEN, 15)),
        blue=(0, 4, 4),
        yellow=(0, 0, 22),
        numbers={RED: 4},
        profi=True,
    )
    assert table.may(RED) == [
        "move red 14",
        "move red 14 take yellow:22",
        "move red 14 take blue:4",
        "move red 14 take blue:4,yellow:22",
        "move red 14 take blue:4,blue:4",
        "move red 14 take blue:4,blue:4,yellow:22",
    ]
    ways: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
        "move red 14": ((0, 4, 4), (0, 0, 22)),
        "move red 14 take blue:4": ((0, 4, 6), (0, 0, 22)),
        "move red 14 take blue:4,yellow:22": ((0, 4, 6), (0, 0, 24)),
        "move red 14 take blue:4,blue:4,yellow:22": ((0, 6, 6), (0, 0, 24)),
    }
    for text, (blue, yellow) in ways.items():
        pawns = table.do(text).pawns
        assert pawns == {RED: (18, 25, 25), GREEN: AT_START, BLUE: blue, YELLOW: yellow}
    assert table.tell_move("move red 14 take blue:4,yellow:22") == (
        Moved(RED, 14, 18, (14, 15, 16, 17)),
        Banished(RED, Pawn(GREEN, 10), 15),
        TakenAlong(RED, Pawn(BLUE, 4), 15, 6),
        TakenAlong(RED, Pawn(YELLOW, 22), 15, 24),
    )


def test_zz_22_nobody_is_taken_from_the_end_field() -> None:
    """Overtaking is passing by: from field 13 to 15 red passes nobody on 15, to 16 it does."""
    assert meeting(profi=True, end=15).may(RED) == ["move red 14"]
    assert len(meeting(profi=True, end=16).may(RED)) == 4


def test_zz_22_nobody_is_taken_in_the_basic_game() -> None:
    table = meeting(profi=False, end=16)
    assert table.may(RED) == ["move red 14"]
    with pytest.raises(Illegal):
        table.game.apply(table.state, rules.Move(RED, 14, (Pawn(BLUE, 4),)))


def test_zz_22_own_pawns_ride_too_but_only_from_their_own_castles() -> None:
    """Red on the red-green field 3 may ride; red on the green-blue field 9 may not."""
    table = position(red=(3, 4, 10), green=AT_START, numbers={RED: 9}, profi=True)
    assert table.may(RED)[:2] == ["move red 3", "move red 3 take red:4"]
    assert [text for text in table.may(RED) if "red:10" in text] == []
    assert table.do("move red 3 take red:4").pawns[RED] == (10, 12, 12)
    assert table.do("move red 3").pawns[RED] == (4, 10, 12)


@pytest.mark.parametrize(
    "wrong",
    [
        (Pawn(BLUE, 4), Pawn(BLUE, 4)),  # one pawn, named twice
        (Pawn(GREEN, 10),),  # on a castle field of two other colours
        (Pawn(YELLOW, 22), Pawn(BLUE, 4)),  # not in order
        (Pawn(BLUE, 0),),  # nobody overtakes a start
    ],
)
def test_zz_22_nobody_else_can_be_taken(wrong: tuple[Pawn, ...]) -> None:
    table = meeting(profi=True, end=16)
    with pytest.raises(Illegal):
        table.game.apply(table.state, rules.Move(RED, 14, wrong))


def test_zz_23_from_the_start_a_pawn_takes_along_but_does_not_banish() -> None:
    """On field 3 stand green, who may ride, and blue, whom any other move would banish."""
    blue = (0, 0, at(BLUE, 3))
    table = position(red=(0, 25, 25), green=(0, 0, 22), blue=blue, numbers={RED: 6}, profi=True)
    assert table.may(RED) == ["move red start", "move red start take green:22"]
    taken = table.do("move red start take green:22")
    assert taken.pawns == {RED: (6, 25, 25), GREEN: (0, 0, 24), BLUE: blue}
    assert table.tell_move("move red start take green:22") == (
        Moved(RED, 0, 6, (0, 1, 2, 3, 4, 5)),
        TakenAlong(RED, Pawn(GREEN, 22), 3, 24),
    )


def test_zz_23_nobody_is_taken_from_the_field_where_the_move_began() -> None:
    """Red leaves the red-green field; one step further back it would have passed it."""
    table = position(red=(4, 4, 25), green=(0, 0, 22), numbers={RED: 6}, profi=True)
    assert table.may(RED) == ["move red 4"]
    table = position(red=(3, 4, 25), green=(0, 0, 22), numbers={RED: 6}, profi=True)
    assert [text for text in table.may(RED) if text.startswith("move red 3")] == [
        "move red 3",
        "move red 3 take green:22",
        "move red 3 take red:4",
        "move red 3 take red:4,green:22",
    ]


def test_zz_24_those_taken_along_end_where_the_mover_ends() -> None:
    """Everybody counts its own steps, but all stand on field 17."""
    table = meeting(profi=True, end=17).do("move red 14 take blue:4,yellow:22")
    ends = [(RED, 18), (BLUE, 6), (YELLOW, 24)]
    assert all(step in table.pawns[colour] for colour, step in ends)
    assert {TWO.field(colour, step) for colour, step in ends} == {17}


def test_zz_24_into_the_city_own_ones_come_along_and_foreign_ones_stop_at_the_gate() -> None:
    """Red passes the yellow-red field 21 on its way home; its gate is field 23."""
    table = position(red=(0, 20, 22), yellow=(0, 0, 4), numbers={RED: 8}, profi=True)
    text = "move red 20 take red:22,yellow:4"
    assert table.tell_move(text) == (
        Moved(RED, 20, CITY, (20, 21, 22, 23)),
        TakenAlong(RED, Pawn(RED, 22), 21, CITY),
        TakenAlong(RED, Pawn(YELLOW, 4), 21, 6),
        CameHome(RED, 2),
    )
    assert table.do(text).pawns == {RED: (0, CITY, CITY), YELLOW: (0, 0, at(YELLOW, 23))}


def test_zz_24_own_pawns_taken_home_count_for_the_win() -> None:
    table = position(
        red=(20, 22, 25), green=AT_START, numbers={RED: 8, GREEN: 1}, magic=8, profi=True
    )
    won = table.do("move red 20 take red:22")
    outcome = won.game.outcome(won.state)
    assert outcome is not None
    assert outcome.winners == (RED,)
    assert won.game.turns(won.state) == ()
    assert table.tell_move("move red 20 take red:22")[-2:] == (CameHome(RED, 3), Won(RED))
    alone = table.do("move red 20")
    assert alone.game.outcome(alone.state) is None
    assert alone.game.turns(alone.state) == (GREEN,)


def test_zz_24_on_the_gate_field_itself_an_own_pawn_waits_or_rides_home() -> None:
    """Where the gate is a castle field, a foreign pawn rides to where it stands."""
    table = position(
        red=(23, 24, 25), yellow=(0, 0, 6), numbers={RED: 2}, profi=True, board=GATE_CASTLE
    )
    assert table.may(RED) == [
        "move red 23",
        "move red 23 take yellow:6",
        "move red 23 take red:24",
        "move red 23 take red:24,yellow:6",
        "move red 24",
    ]
    assert table.do("move red 23 take yellow:6").pawns == {RED: (24, 25, 25), YELLOW: (0, 0, 6)}


def test_zz_25_whoever_is_carried_past_its_own_city_owes_another_lap() -> None:
    """Green rides from the red-green field 3, its step 22, past its city to field 8."""
    table = position(
        red=(2, 25, 25), green=(0, 0, 22), numbers={RED: 7, GREEN: 2}, magic=7, profi=True
    )
    assert TakenAlong(RED, Pawn(GREEN, 22), 3, 3) in table.tell_move("move red 2 take green:22")
    table = table.do("move red 2 take green:22")
    assert table.pawns == {RED: (9, 25, 25), GREEN: (0, 0, 3)}
    assert table.do("move green 3").pawns[GREEN] == (0, 0, 5)


def test_zz_25_whoever_is_carried_to_its_own_gate_field_is_not_past_it() -> None:
    table = position(red=(2, 25, 25), green=(0, 0, 22), numbers={RED: 4}, profi=True)
    assert table.do("move red 2 take green:22").pawns[GREEN] == (0, 0, 24)


def test_zz_26_whoever_rides_is_not_banished_by_its_carrier() -> None:
    """Blue 1 rides from field 15 to green's field 17, where blue 2 is caught up with."""
    table = position(red=(14, 25, 25), blue=(0, 4, 6), numbers={RED: 4}, profi=True)
    assert table.do("move red 14 take blue:4").pawns[BLUE] == (0, 0, 6)
    assert table.tell_move("move red 14 take blue:4")[1:] == (
        Banished(RED, Pawn(BLUE, 6), 17),
        TakenAlong(RED, Pawn(BLUE, 4), 15, 6),
    )


def test_zz_26_nor_can_it_be_named_for_banishing() -> None:
    table = position(red=(14, 25, 25), blue=(0, 4, 6), numbers={RED: 4}, profi=True, overlook=True)
    assert table.may(RED) == [
        "move red 14 banish none",
        "move red 14 banish blue:6",
        "move red 14 take blue:4 banish none",
        "move red 14 take blue:4 banish blue:6",
    ]
    assert table.do("move red 14 take blue:4 banish none").pawns[BLUE] == (0, 6, 6)
    assert table.do("move red 14 take blue:4 banish blue:6").pawns[BLUE] == (0, 0, 6)


def test_zz_26_the_next_mover_can_banish_it() -> None:
    """Red carries blue from field 15 to 17, green's ground; yellow, left on 15, catches up."""
    table = position(
        red=(14, 25, 25),
        blue=(0, 0, 4),
        yellow=(0, 0, at(YELLOW, 15)),
        numbers={RED: 4, YELLOW: 2},
        profi=True,
    )
    table = table.do("move red 14 take blue:4", f"move yellow {at(YELLOW, 15)}")
    assert table.pawns[BLUE] == AT_START
