"""The worked examples of the rulebook, EX-1 to EX-5, by its numbers."""

import pytest

from companion.core.game import TABLE
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import CITY, START, Banished, Board, Move, Moved, Pawn, Shown
from companion.system.errors import Illegal
from tests.games.zapp_zerapp import tables
from tests.games.zapp_zerapp.tables import AT_START, BLUE, BOARDS, GREEN, RED, YELLOW, Table, at


def test_ex_1_figure_4_the_order_of_a_round() -> None:
    """The dice show 8; Beatrix Blue has 9, Roswitha Red 6, Gustav Yellow 4, Guildo Green 2."""
    table = tables.placed(8, {BLUE: 9, RED: 6, YELLOW: 4, GREEN: 2})
    assert table.tell("flip") == (
        Shown(RED, 6, works=True),
        Shown(GREEN, 2, works=True),
        Shown(BLUE, 9, works=False),
        Shown(YELLOW, 4, works=True),
        rules.Order((RED, YELLOW, GREEN)),
    )
    table = table.do("flip")
    with pytest.raises(Illegal):
        table.game.apply(table.state, Move(BLUE, START))
    for mover, number in [(RED, 6), (YELLOW, 4), (GREEN, 2)]:
        assert table.game.turns(table.state) == (mover,)
        table = table.do(f"move {mover.name} start")
        assert table.pawns[mover] == (0, 0, number)
    assert table.pawns[BLUE] == AT_START
    assert (table.state.phase, table.state.round) == (rules.Phase.ROLL, 2)


def example_a(mover: int, number: int, board: Board) -> Table:
    """Lay out figure 5: five pawns between green's 3rd and 11th field, one on the 11th.

    Fields 9 to 16: blue | yellow | red on red | - | - | green | red | yellow.
    """
    assert board.ring[11] == "R", "one of the red pawns stands in its zone"
    return tables.position(
        red=(START, at(RED, 11), at(RED, 15)),
        green=(START, mover, at(GREEN, 14)),
        blue=(START, START, at(BLUE, 9)),
        yellow=(START, at(YELLOW, 10), at(YELLOW, 16)),
        numbers={GREEN: number},
        board=board,
    )


@BOARDS
def test_ex_2_example_a_green_banishes_four_of_six(board: Board) -> None:
    table = example_a(mover=3, number=8, board=board)
    moved, *banished = table.tell_move("move green 3")
    assert moved == Moved(GREEN, 3, 11, (9, 10, 11, 12, 13, 14, 15, 16))
    assert banished == [
        Banished(GREEN, Pawn(BLUE, at(BLUE, 9)), 9),
        Banished(GREEN, Pawn(YELLOW, at(YELLOW, 10)), 10),
        Banished(GREEN, Pawn(RED, at(RED, 15)), 15),
        Banished(GREEN, Pawn(YELLOW, at(YELLOW, 16)), 16),
    ]
    assert table.do("move green 3").pawns == {
        RED: (START, START, at(RED, 11)),
        GREEN: (START, at(GREEN, 14), 11),
        BLUE: AT_START,
        YELLOW: AT_START,
    }


@BOARDS
def test_ex_3_example_b_from_the_start_green_banishes_nobody(board: Board) -> None:
    table = example_a(mover=START, number=11, board=board)
    (moved,) = table.tell_move("move green start")
    assert isinstance(moved, Moved)
    assert (moved.end, moved.path[-1]) == (11, 16), "the same field as in example A"
    after = table.do("move green start").pawns
    assert after == {**table.pawns, GREEN: (START, at(GREEN, 14), 11)}


def example_profi(board: Board) -> Table:
    """Lay out the picture of the Profi example as far as its text tells it.

    Green 1 stands on field 23, blue 1 on 0, four pawns on the red-green field, yellow 2 on 4;
    blue 3 stands on 19 and red 2 on the yellow-red field, all others on their starts.
    """
    red_green, yellow_red = board.castles(RED)
    return tables.position(
        red=(START, at(RED, red_green), at(RED, yellow_red)),
        green=(START, at(GREEN, 23), at(GREEN, red_green)),
        blue=(at(BLUE, 0), at(BLUE, red_green), at(BLUE, 19)),
        yellow=(START, at(YELLOW, red_green), at(YELLOW, 4)),
        numbers={GREEN: 8, BLUE: 5, YELLOW: 3, RED: 2},
        magic=8,
        profi=True,
        board=board,
    )


@BOARDS
def test_ex_4_the_profi_round(board: Board) -> None:
    table = example_profi(board)
    red_green, yellow_red = board.castles(RED)
    red_1, red_2 = Pawn(RED, at(RED, red_green)), Pawn(RED, at(RED, yellow_red))
    green_1, green_2 = Pawn(GREEN, at(GREEN, 23)), Pawn(GREEN, at(GREEN, red_green))
    blue_1, blue_2 = Pawn(BLUE, at(BLUE, 0)), Pawn(BLUE, at(BLUE, red_green))
    yellow_1, yellow_2 = Pawn(YELLOW, at(YELLOW, red_green)), Pawn(YELLOW, at(YELLOW, 4))
    blue_3 = Pawn(BLUE, at(BLUE, 19))

    assert CITY - green_1.step == 7, "seven steps away from its city, with a barrel of eight"
    assert (board.ring[0], board.ring[4], board.ring[5]) == ("B", "Y", "Y")
    text = f"move green {green_1.step} take {red_1},{green_2}"
    assert table.tell_move(text) == (
        Moved(GREEN, green_1.step, CITY, (0, 1, 2, 3, 4, 5)),
        Banished(GREEN, blue_2, red_green),
        Banished(GREEN, yellow_1, red_green),
        rules.TakenAlong(GREEN, red_1, red_green, at(RED, 5)),
        rules.TakenAlong(GREEN, green_2, red_green, CITY),
        rules.CameHome(GREEN, 2),
    )
    table = table.do(text)
    assert table.pawns == {
        RED: (START, at(RED, 5), red_2.step),
        GREEN: (START, CITY, CITY),
        BLUE: (START, blue_3.step, blue_1.step),
        YELLOW: (START, START, yellow_2.step),
    }

    table = table.do(f"move blue {blue_3.step} take {red_2}")
    assert table.pawns[BLUE] == (START, blue_1.step, at(BLUE, 0)), "on a blue field"
    assert table.pawns[RED] == (START, at(RED, 0), at(RED, 5)), "past the red city"

    text = f"move yellow {yellow_2.step}"
    assert Banished(YELLOW, Pawn(RED, at(RED, 5)), 5) in table.tell_move(text)
    table = table.do(text)
    assert table.pawns[YELLOW] == (START, START, at(YELLOW, 7))
    assert table.pawns[RED] == (START, START, at(RED, 0))

    assert table.tell("move red start")[-1] == rules.RoundOver(1, shuffle=True, roller=GREEN)
    table = table.do("move red start")
    assert board.ring[1] == "B"
    assert table.pawns == {
        RED: (START, at(RED, 0), at(RED, 1)),
        GREEN: (START, CITY, CITY),
        BLUE: (START, blue_1.step, at(BLUE, 0)),
        YELLOW: (START, START, at(YELLOW, 7)),
    }
    assert (table.state.phase, table.state.round) == (rules.Phase.ROLL, 2)


@BOARDS
def test_ex_4_green_could_have_chosen_otherwise(board: Board) -> None:
    """Green 1 with none, either or both; or green 2 into the city; or green 3 from the start."""
    table = example_profi(board)
    red, green = board.castles(RED)[0] + 1, at(GREEN, board.castles(RED)[0])
    assert table.may(GREEN) == [
        "move green start",
        "move green 18",
        f"move green 18 take green:{green}",
        f"move green 18 take red:{red}",
        f"move green 18 take red:{red},green:{green}",
        f"move green {green}",
    ]


def test_ex_5_figure_3_five_and_four_make_the_magic_number_nine() -> None:
    table = tables.opening()
    assert table.may(TABLE).count("roll 9") == 1
    assert table.tell(f"roll {5 + 4}") == (rules.MagicNumber(1, 9),)
    assert table.do("roll 9").state.magic == 9
