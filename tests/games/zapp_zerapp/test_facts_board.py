"""The material and the board: facts ZZ-1 to ZZ-5."""

import pytest

from companion.core.game import TABLE
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import CITY, PRESETS, Board, Colour, Moved, Place, ZappZerapp
from companion.system.errors import Illegal
from tests.games.zapp_zerapp import tables
from tests.games.zapp_zerapp.tables import AT_START, BLUE, BOARDS, GREEN, RED, TWO, YELLOW, opening

COLOURS = pytest.mark.parametrize("colour", list(Colour))


@pytest.mark.parametrize("seats", [(RED, BLUE), (GREEN, BLUE, YELLOW), (RED, GREEN, BLUE, YELLOW)])
def test_zz_1_two_to_four_players_with_three_apprentices_each(seats: tuple[Colour, ...]) -> None:
    table = opening(*seats)
    assert table.game.seats == seats
    assert table.pawns == dict.fromkeys(seats, AT_START)
    view = table.game.view(table.state, None)
    assert view.pawns == tuple((seat, AT_START) for seat in seats)


def test_zz_1_four_play_unless_others_are_named() -> None:
    assert ZappZerapp().seats == (RED, GREEN, BLUE, YELLOW)
    assert [colour.name for colour in Colour] == ["RED", "GREEN", "BLUE", "YELLOW"]


def test_zz_1_thirteen_barrels_bear_1_to_13() -> None:
    assert rules.BARRELS == 13
    table = opening(RED, GREEN).do("roll 7")
    assert table.may(RED) == ["place red", *(f"place red {n}" for n in range(1, 14))]
    for number in [-1, 0, 14]:
        with pytest.raises(Illegal):
            table.game.apply(table.state, Place(RED, number))


@BOARDS
def test_zz_2_the_ring_has_20_coloured_and_4_castle_fields(board: Board) -> None:
    assert len(board.ring) == rules.FIELDS == 24
    assert sorted(map(len, board.ring)) == [1] * 20 + [2] * 4
    for kind in board.ring:
        assert set(kind) <= set("RGBY")
        assert len(set(kind)) == len(kind), "two castles, in two colours"


@BOARDS
@COLOURS
def test_zz_2_a_field_protects_the_colour_it_has(board: Board, colour: Colour) -> None:
    letter = colour.name[0]
    assert [board.ring[index] for index in board.protected(colour)] == [letter] * 5
    castles = [board.ring[index] for index in board.castles(colour)]
    assert len(castles) == 2
    assert all(len(kind) == 2 and letter in kind for kind in castles)


@BOARDS
@COLOURS
def test_zz_3_a_lap_leads_over_all_24_fields_to_the_gate(board: Board, colour: Colour) -> None:
    lap = [board.field(colour, step) for step in range(1, 25)]
    entry = board.entries[colour]
    assert lap == [(entry + index) % 24 for index in range(24)], "clockwise"
    assert lap[-1] == board.gates[colour]
    assert [board.step(colour, index) for index in lap] == list(range(1, 25))


@COLOURS
def test_zz_3_a_pawn_joins_on_its_entry_field_and_steps_home_from_its_gate(colour: Colour) -> None:
    camp = (0, 24, 24)
    table = tables.position(red=camp, green=camp, blue=camp, yellow=camp, numbers={colour: 1})
    joins, leaves = table.tell(f"move {colour.name} start"), table.tell(f"move {colour.name} 24")
    assert joins[0] == Moved(colour, 0, 1, (TWO.entries[colour],))
    assert leaves[0] == Moved(colour, 24, CITY, ())
    assert CITY == 25
    assert table.do(f"move {colour.name} 24").pawns[colour] == (0, 24, 25)


def test_zz_4_the_default_ring() -> None:
    ring = "B B B RG Y Y  Y Y Y GB R R  R R R BY G G  G G G YR B B"
    assert ZappZerapp().settings.board == Board(
        tuple(ring.split()), (0, 6, 12, 18), (23, 5, 11, 17)
    )


def test_zz_4_the_other_ring_has_three_fields_of_each_zone_before_the_city() -> None:
    ring = "B B RG Y Y Y  Y Y GB R R R  R R BY G G G  G G YR B B B"
    board = PRESETS["three-before-city"]
    assert board == Board(tuple(ring.split()), (0, 6, 12, 18), (23, 5, 11, 17))


@pytest.mark.parametrize(("name", "before"), [("two-before-city", 2), ("three-before-city", 3)])
def test_zz_4_presets_are_named_by_the_fields_before_the_city(name: str, before: int) -> None:
    board = PRESETS[name]
    for gate in board.gates:  # the zone around a gate is the next colour's but one, all five
        kind = board.ring[gate]
        behind = [board.ring[(gate - back) % 24] for back in range(6)]
        assert behind.index(next(k for k in behind if k != kind)) == before


@BOARDS
def test_zz_4_a_quarter_turn_changes_only_the_colours(board: Board) -> None:
    following = dict(zip("RGBY", "GBYR", strict=True))
    for index, kind in enumerate(board.ring):
        turned = board.ring[(index + 6) % 24]
        assert set(turned) == {following[letter] for letter in kind}
    assert [(entry + 6) % 24 for entry in board.entries] == [6, 12, 18, 0]
    assert [(gate + 6) % 24 for gate in board.gates] == [5, 11, 17, 23]


@BOARDS
@COLOURS
def test_zz_4_a_zone_is_five_fields_in_a_row_between_castles(board: Board, colour: Colour) -> None:
    zone = board.protected(colour)
    first = next(index for index in zone if (index - 1) % 24 not in zone)
    assert {(first + index) % 24 for index in range(5)} == set(zone)
    assert len(board.ring[first - 1]) == len(board.ring[(first + 5) % 24]) == 2


def test_zz_5_an_owner_can_describe_its_own_ring() -> None:
    """The same colours, but red enters where green did, and so on around the mountain."""
    mine = rules.read_board(
        {
            "ring": "G G G YR B B | B B B RG Y Y | Y Y Y GB R R | R R R BY G G",
            "entries": {"red": 6, "green": 12, "blue": 18, "yellow": 0},
            "gates": {"red": 5, "green": 11, "blue": 17, "yellow": 23},
        }
    )
    assert mine.ring == ("G", "G", "G", "YR", *"BBBBB", "RG", *"YYYYY", "GB", *"RRRRR", "BY", *"GG")
    assert (mine.entries, mine.gates) == ((6, 12, 18, 0), (5, 11, 17, 23))
    table = tables.position(red=AT_START, green=AT_START, numbers={RED: 2}, board=mine)
    assert table.tell("move red start")[0] == Moved(RED, 0, 2, (6, 7))


@BOARDS
def test_zz_5_a_ring_may_be_written_as_a_list(board: Board) -> None:
    colours = [colour.name.lower() for colour in Colour]
    data: dict[str, object] = {
        "ring": list(board.ring),
        "entries": dict(zip(colours, board.entries, strict=True)),
        "gates": dict(zip(colours, board.gates, strict=True)),
    }
    assert rules.read_board(data) == board


def test_zz_5_the_ring_decides_who_is_protected_where() -> None:
    """Green stands on field 10, which is red by default; on the second ring it is green's own."""
    greens = Board(tuple("G" * 24), TWO.entries, TWO.gates)
    for board, stays in [(TWO, False), (greens, True)]:
        table = tables.position(red=(10, 25, 25), green=(0, 0, 5), numbers={RED: 1}, board=board)
        assert (table.do("move red 10").pawns[GREEN] == (0, 0, 5)) is stays


def test_zz_1_only_those_who_play_and_the_table_act() -> None:
    table = opening(RED, GREEN).do("roll 7")
    assert table.may(BLUE) == table.may(YELLOW) == table.may(TABLE) == []
    assert tables.game(RED, GREEN).turns(table.state) == (RED, GREEN)
