"""Hold the reference to the rulebook: its worked examples, and cases counted out by hand.

A test names its fact. Places are written as fields of the ring (``at``) wherever a picture of the
board helps, and as own steps where counting does.
"""

import random
from collections import Counter
from typing import Any

import pytest

from tests.games.zapp_zerapp.reference import CITY, START, Action, Reference, perft

RING = [*"BBB", "RG", *"YYYYY", "GB", *"RRRRR", "BY", *"GGGGG", "YR", *"BB"]
RING_THREE = [*"BB", "RG", *"YYYYY", "GB", *"RRRRR", "BY", *"GGGGG", "YR", *"BBB"]
ENTRIES = {"red": 0, "green": 6, "blue": 12, "yellow": 18}
ALL = ["red", "green", "blue", "yellow"]
RINGS = pytest.mark.parametrize("ring", [RING, RING_THREE], ids=["two", "three"])


def at(colour: str, field: int) -> int:
    """Count the own step of a colour on a field of the ring."""
    return (field - ENTRIES[colour]) % 24 + 1


def moving(
    pawns: dict[str, list[int]], numbers: dict[str, int], magic: int = 12, **more: Any
) -> Reference:
    """Set up a movement phase of the colours that have pawns here."""
    ring = more.pop("ring", RING)
    return Reference.position(
        list(pawns), ring, ENTRIES, pawns=pawns, magic=magic, numbers=numbers, **more
    )


def move(table: Reference, step: int, *take: tuple[str, int]) -> None:
    """Move a pawn of whoever is to move, with every banishment that the rules demand."""
    table.do(("move", table.order[0], step, tuple(sorted(take)), None))


def starting(seats: list[str]) -> Reference:
    return Reference(seats, RING, ENTRIES)


def placed(magic: int, **numbers: int | None) -> Reference:
    """Roll, place these barrels and flip them."""
    table = starting(list(numbers))
    table.do(("roll", magic))
    for colour, number in numbers.items():
        table.do(("place", colour, number))
    table.do(("flip",))
    return table


# The worked examples.


def test_ex_1_the_order_of_the_round() -> None:
    table = placed(8, blue=9, red=6, yellow=4, green=2)
    assert table.phase == "move"
    assert table.order == ["red", "yellow", "green"]
    assert table.legal("blue") == set()
    walked = []
    for colour in ["red", "yellow", "green"]:
        assert table.turns() == [colour]
        move(table, START)
        walked.append(table.pawns[colour])
    assert walked == [[0, 0, 6], [0, 0, 4], [0, 0, 2]]
    assert table.pawns["blue"] == [0, 0, 0]
    assert (table.phase, table.round, table.magic, table.barrels) == ("roll", 2, 0, {})


def example_a(mover: int, number: int, ring: list[str], **more: Any) -> Reference:
    """Lay out figure 5: five pawns between green's third and eleventh field, one on the eleventh.

    Fields 9 to 16: blue | yellow | red on red | - | - | green | red | yellow.
    """
    pawns = {
        "red": [START, at("red", 11), at("red", 15)],
        "green": [START, mover, at("green", 14)],
        "blue": [START, START, at("blue", 9)],
        "yellow": [START, at("yellow", 10), at("yellow", 16)],
    }
    return moving(pawns, {"green": number}, ring=ring, **more)


@RINGS
def test_ex_2_green_banishes_four_on_eight_fields(ring: list[str]) -> None:
    table = example_a(mover=3, number=8, ring=ring)
    assert ring[11] == "R", "one red pawn stands in its zone"
    move(table, 3)
    assert table.pawns == {
        "red": [START, START, at("red", 11)],
        "green": [START, at("green", 14), 11],
        "blue": [START, START, START],
        "yellow": [START, START, START],
    }


@RINGS
def test_ex_3_from_the_start_green_banishes_nobody(ring: list[str]) -> None:
    table = example_a(mover=START, number=11, ring=ring)
    before = {colour: table.pawns[colour] for colour in ["red", "blue", "yellow"]}
    move(table, START)
    assert table.pawns["green"] == [START, at("green", 14), 11]
    assert {colour: table.pawns[colour] for colour in before} == before


def example_profi(ring: list[str]) -> Reference:
    """Lay out the picture of the take-along example, as far as its text tells it.

    Green 1 stands on field 23, blue 1 on 0, four pawns on the red-green field, yellow 2 on 4;
    blue 3 on 19 and red 2 on the yellow-red field, all others on their starts.
    """
    red_green, yellow_red = ring.index("RG"), ring.index("YR")
    pawns = {
        "red": [START, at("red", red_green), at("red", yellow_red)],
        "green": [START, at("green", 23), at("green", red_green)],
        "blue": [at("blue", 0), at("blue", red_green), at("blue", 19)],
        "yellow": [START, at("yellow", red_green), at("yellow", 4)],
    }
    numbers = {"red": 2, "green": 8, "blue": 5, "yellow": 3}
    return moving(pawns, numbers, magic=8, profi=True, ring=ring)


@RINGS
def test_ex_4_the_whole_profi_round(ring: list[str]) -> None:
    table = example_profi(ring)
    red_green, yellow_red = ring.index("RG"), ring.index("YR")
    assert table.order == ["green", "blue", "yellow", "red"]
    green_1, green_2 = at("green", 23), at("green", red_green)
    assert CITY - green_1 == 7, "seven steps away from its city, with a barrel of eight"
    assert ring[5] == "Y", "green's gate field is yellow"

    move(table, green_1, ("green", green_2), ("red", at("red", red_green)))
    assert table.pawns == {
        "red": [START, at("red", 5), at("red", yellow_red)],
        "green": [START, CITY, CITY],
        "blue": [START, at("blue", 19), at("blue", 0)],
        "yellow": [START, START, at("yellow", 4)],
    }

    move(table, at("blue", 19), ("red", at("red", yellow_red)))
    assert ring[0] == "B"
    assert table.pawns["blue"] == [START, at("blue", 0), at("blue", 0)]
    assert table.pawns["red"] == [START, 1, 6], "past the red city: a whole lap to go again"

    move(table, at("yellow", 4))
    assert table.pawns["yellow"] == [START, START, at("yellow", 7)]
    assert table.pawns["red"] == [START, START, 1]

    move(table, START)
    assert ring[1] == "B"
    assert table.pawns == {
        "red": [START, 1, 2],
        "green": [START, CITY, CITY],
        "blue": [START, at("blue", 0), at("blue", 0)],
        "yellow": [START, START, at("yellow", 7)],
    }
    assert (table.phase, table.round, table.winner) == ("roll", 2, None)


def test_ex_4_green_had_six_choices() -> None:
    """Green 1 with four ways to take along; green 2 into the city; green 3 from the start."""
    taken = {action[2:4] for action in example_profi(RING).legal("green")}
    green_2, red_1 = ("green", 22), ("red", 4)
    assert taken == {
        (18, ()),
        (18, (green_2,)),
        (18, (red_1,)),
        (18, (green_2, red_1)),
        (22, ()),
        (START, ()),
    }


def test_ex_5_the_dice_add_up_to_nine() -> None:
    table = starting(ALL)
    table.do(("roll", 5 + 4))
    assert (table.magic, table.phase) == (9, "place")


# A round.


def test_zz_1_three_pawns_of_each_colour_that_plays() -> None:
    table = starting(["yellow", "red"])
    assert table.pawns == {"red": [0, 0, 0], "yellow": [0, 0, 0]}
    assert (table.phase, table.round, table.magic) == ("roll", 1, 0)


@pytest.mark.parametrize("seats", [["red"], [], ["red", "red"], ["red", "white"]])
def test_zz_1_two_to_four_different_colours(seats: list[str]) -> None:
    with pytest.raises(AssertionError, match="ZZ-1"):
        starting(seats)


def test_zz_6_the_roll_is_two_to_twelve() -> None:
    table = starting(ALL)
    assert table.turns() == ["table"]
    assert table.legal("table") == {("roll", magic) for magic in range(2, 13)}
    assert table.legal("red") == set()
    with pytest.raises(AssertionError, match="not legal"):
        table.do(("roll", 13))


def test_zz_7_everybody_places_one_barrel_and_no_number_twice() -> None:
    table = starting(["red", "green", "blue"])
    table.do(("roll", 7))
    assert table.turns() == ["red", "green", "blue"]
    assert len(table.legal("red")) == 14
    table.do(("place", "green", 5))
    assert table.turns() == ["red", "blue"]
    assert table.legal("green") == set()
    allowed = {action[2] for action in table.legal("blue")}
    assert allowed == {1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, None}
    table.do(("place", "blue", None))
    assert len(table.legal("red")) == 13, "a barrel that nobody has read blocks no number"
    assert table.phase == "place"
    table.do(("place", "red", 1))
    assert table.phase == "flip"
    assert table.legal("table") == {("flip",)}


def test_zz_7_unread_barrels_are_said_after_the_flip_in_any_order() -> None:
    table = placed(9, red=None, green=5, blue=None)
    assert (table.phase, table.turns()) == ("say", ["table"])
    others = set(range(1, 14)) - {5}
    assert table.legal("table") == {("say", c, n) for c in ["red", "blue"] for n in others}
    table.do(("say", "blue", 9))
    assert table.legal("table") == {("say", "red", number) for number in others - {9}}
    table.do(("say", "red", 1))
    assert (table.phase, table.order) == ("move", ["blue", "green", "red"])


@pytest.mark.parametrize(("number", "effective"), [(7, True), (8, True), (9, False), (13, False)])
def test_zz_8_equal_or_lower_is_effective(number: int, effective: bool) -> None:
    table = placed(8, red=number, green=1)
    assert ("red" in table.order) is effective


def test_zz_8_when_nobody_is_effective_the_next_round_begins() -> None:
    table = placed(2, red=3, green=13)
    assert (table.phase, table.round, table.magic) == ("roll", 2, 0)
    assert (table.barrels, table.order) == ({}, [])
    assert table.pawns == {"red": [0, 0, 0], "green": [0, 0, 0]}


def test_zz_9_thirteen_never_works_and_one_always_does() -> None:
    for magic in range(2, 13):
        assert placed(magic, red=13, green=1).order == ["green"]


# Moving.


def test_zz_12_a_pawn_walks_exactly_its_number() -> None:
    table = moving({"red": [0, 5, 18], "green": [0, 0, 0]}, {"red": 6})
    assert {action[2] for action in table.legal("red")} == {0, 5, 18}
    move(table, 18)
    assert table.pawns["red"] == [0, 5, 24]


@pytest.mark.parametrize(
    ("step", "number", "end"),
    [(23, 1, 24), (23, 2, CITY), (23, 12, CITY), (24, 1, CITY), (13, 11, 24), (13, 12, CITY)],
)
def test_zz_12_only_the_city_swallows_a_surplus(step: int, number: int, end: int) -> None:
    table = moving({"red": [0, 0, step], "green": [0, 0, 0]}, {"red": number})
    move(table, step)
    assert table.pawns["red"] == [0, 0, end]


def test_zz_12_a_foreign_city_is_walked_past() -> None:
    """Green's city lies between the fields 5 and 6: red's steps 6 and 7."""
    table = moving({"red": [0, 0, 6], "green": [0, 0, 0]}, {"red": 1})
    move(table, 6)
    assert table.pawns["red"] == [0, 0, 7]


def test_zz_13_a_field_holds_any_number_of_pawns() -> None:
    field = 17
    pawns = {colour: [at(colour, field)] * 3 for colour in ["green", "blue"]}
    pawns["red"] = [0, at("red", field), at("red", 15)]
    table = moving(pawns, {"red": 2})
    move(table, at("red", 15))
    assert table.pawns == {"red": [0, 18, 18], "green": [12, 12, 12], "blue": [START, START, START]}


@pytest.mark.parametrize(
    ("pawns", "choices"),
    [([0, 0, 0], 1), ([0, 3, 3], 2), ([0, 3, 9], 3), ([3, 9, CITY], 2), ([4, CITY, CITY], 1)],
)
def test_zz_14_equal_pawns_are_one_choice_and_one_always_moves(
    pawns: list[int], choices: int
) -> None:
    table = moving({"red": pawns, "green": [0, 0, 0]}, {"red": 2})
    assert {action[2] for action in table.legal("red")} == set(pawns) - {CITY}
    assert len(table.legal("red")) == choices


def test_zz_15_the_third_pawn_home_ends_the_game_at_once() -> None:
    table = moving({"red": [20, 25, 25], "green": [24, 25, 25]}, {"red": 7, "green": 6})
    move(table, 20)
    assert (table.phase, table.winner, table.round) == ("over", "red", 1)
    assert (table.order, table.turns()) == ([], [])
    assert table.legal("green") == table.legal("table") == set()
    assert table.pawns["green"] == [24, 25, 25]


# Banishing.


@pytest.mark.parametrize(
    ("field", "goes"),
    [
        (11, False),  # behind the mover
        (12, False),  # beside the mover
        (13, True),  # overtaken
        (14, True),  # overtaken
        (15, True),  # overtaken, a castle field means nothing in the basic game
        (16, True),  # caught up with
        (17, False),  # ahead
    ],
)
def test_zz_16_overtaken_or_caught_up_with(field: int, goes: bool) -> None:
    """Red walks from field 12 to field 16; blue has no zone there."""
    blue = at("blue", field)
    table = moving({"red": [0, 0, at("red", 12)], "blue": [0, 0, blue]}, {"red": 4})
    move(table, at("red", 12))
    assert table.pawns == {"red": [0, 0, 17], "blue": [0, 0, START if goes else blue]}


@pytest.mark.parametrize("field", [16, 20])
def test_zz_16_the_own_zone_protects(field: int) -> None:
    """Red walks from 15 to 20, all five fields of green's zone; blue is not protected there."""
    pawns = {"green": [0, 0, at("green", field)], "blue": [0, 0, at("blue", field)]}
    table = moving({"red": [0, 0, at("red", 15)], **pawns}, {"red": 5})
    move(table, at("red", 15))
    assert table.pawns["green"] == [0, 0, at("green", field)]
    assert table.pawns["blue"] == [0, 0, START]


def test_zz_17_own_pawns_and_those_beside_the_mover_stay() -> None:
    pawns = {"red": [7, 8, 9], "green": [0, 0, at("green", 6)], "blue": [0, 0, at("blue", 7)]}
    table = moving(pawns, {"red": 2})
    move(table, 7)
    assert table.pawns["red"] == [8, 9, 9]
    assert table.pawns["green"] == [0, 0, 1], "on the field where red began"
    assert table.pawns["blue"] == [0, 0, START], "on the field next to it"


def test_zz_18_from_the_start_a_pawn_banishes_nobody_from_the_entry_field_to_the_end() -> None:
    pawns = {"green": [at("green", 0), at("green", 1), at("green", 2)], "red": [0, 0, 1]}
    table = moving(pawns, {"red": 3})
    move(table, START)
    assert table.pawns == {"red": [0, 1, 3], "green": [19, 20, 21]}
    table = moving(pawns, {"red": 2})
    move(table, 1)
    assert table.pawns == {"red": [0, 0, 3], "green": [0, 0, 19]}


def test_zz_19_on_the_way_into_the_city_all_fields_up_to_the_gate_count() -> None:
    """Red stands on field 20; blue's zone begins on 22, green and yellow have none there."""
    pawns = {
        "red": [0, 0, 21],
        "green": [at("green", 21), at("green", 23), at("green", 0)],
        "blue": [at("blue", 20), at("blue", 21), at("blue", 23)],
    }
    table = moving(pawns, {"red": 12})
    move(table, 21)
    assert table.pawns["red"] == [0, 0, CITY]
    assert table.pawns["green"] == [0, 0, at("green", 0)], "nobody behind the city is passed"
    assert table.pawns["blue"] == [0, at("blue", 20), at("blue", 23)]


def test_zz_20_the_mover_names_any_of_the_banished() -> None:
    """Two equal pawns and one more: three times two choices."""
    pawns = {"red": [25, 25, 7], "green": [0, 3, 3], "blue": [0, 0, at("blue", 8)]}
    table = moving(pawns, {"red": 3}, overlook=True)
    green, blue = ("green", 3), ("blue", 21)
    named: set[Action] = {
        (),
        (green,),
        (green, green),
        (blue,),
        (blue, green),
        (blue, green, green),
    }
    assert table.legal("red") == {("move", "red", 7, (), some) for some in named}
    table.do(("move", "red", 7, (), (green,)))
    assert table.pawns == {"red": [10, 25, 25], "green": [0, 0, 3], "blue": [0, 0, 21]}


def test_zz_20_without_the_setting_every_banishment_happens() -> None:
    table = moving({"red": [25, 25, 7], "green": [0, 3, 3]}, {"red": 3})
    assert table.legal("red") == {("move", "red", 7, (), None)}
    move(table, 7)
    assert table.pawns["green"] == [0, 0, 0]


@pytest.mark.parametrize("profi", [False, True])
def test_zz_20_example_a_has_sixteen_ways_to_look(profi: bool) -> None:
    """Four could go. In the profi game blue is safe on the green-blue field: three could go."""
    table = example_a(mover=3, number=8, ring=RING, overlook=True, profi=profi)
    ways = {action[4] for action in table.legal("green") if action[2] == 3 and action[3] == ()}
    assert len(ways) == (8 if profi else 16)
    assert {action[4] for action in table.legal("green") if action[2] == START} == {()}


# The profi version.


@pytest.mark.parametrize(("profi", "stays"), [(False, []), (True, ["blue", "yellow"])])
def test_zz_21_castles_protect_their_two_colours(profi: bool, stays: list[str]) -> None:
    """Red ends on the blue-yellow field 15; there nobody is overtaken, so nobody is taken."""
    others = ["green", "blue", "yellow"]
    pawns = {colour: [0, 0, at(colour, 15)] for colour in others}
    table = moving({"red": [25, 25, 14], **pawns}, {"red": 2}, profi=profi)
    assert table.legal("red") == {("move", "red", 14, (), None)}
    move(table, 14)
    assert [colour for colour in others if table.pawns[colour] != [0, 0, 0]] == stays


def test_zz_22_none_some_or_all_are_taken_and_equal_pawns_are_one_choice() -> None:
    """On the blue-yellow field: two blue and one yellow to take, a green one that is banished."""
    pawns = {
        "red": [25, 25, 14],
        "green": [0, 0, at("green", 15)],
        "blue": [0, 4, 4],
        "yellow": [0, 0, 22],
    }
    blue, yellow = ("blue", 4), ("yellow", 22)
    takes: set[Action] = {
        (),
        (blue,),
        (blue, blue),
        (yellow,),
        (blue, yellow),
        (blue, blue, yellow),
    }
    table = moving(pawns, {"red": 4}, profi=True)
    assert table.legal("red") == {("move", "red", 14, take, None) for take in takes}
    move(table, 14, blue, yellow)
    assert table.pawns == {
        "red": [18, 25, 25],
        "green": [0, 0, 0],
        "blue": [0, 4, 6],
        "yellow": [0, 0, 24],
    }


def test_zz_22_the_basic_game_knows_no_taking_along() -> None:
    table = moving({"red": [25, 25, 14], "blue": [0, 0, 4]}, {"red": 4})
    assert table.legal("red") == {("move", "red", 14, (), None)}


def test_zz_22_own_pawns_ride_from_their_castle_only() -> None:
    """Red on the red-green field 3 may ride, red on the green-blue field 9 may not."""
    table = moving({"red": [3, 4, 10], "green": [0, 0, 0]}, {"red": 9}, profi=True)
    takes = {action[3] for action in table.legal("red") if action[2] == 3}
    assert takes == {(), (("red", 4),)}
    move(table, 3, ("red", 4))
    assert table.pawns["red"] == [10, 12, 12]


def test_zz_23_from_the_start_a_pawn_takes_along_but_does_not_banish() -> None:
    """Field 3 holds green, who may ride, and blue, who would be banished by any other move."""
    pawns = {"red": [0, 25, 25], "green": [0, 0, 22], "blue": [0, 0, at("blue", 3)]}
    table = moving(pawns, {"red": 6}, profi=True)
    takes: set[Action] = {(), (("green", 22),)}
    assert table.legal("red") == {("move", "red", 0, take, None) for take in takes}
    move(table, 0, ("green", 22))
    assert table.pawns == {"red": [6, 25, 25], "green": [0, 0, 24], "blue": [0, 0, 16]}


def test_zz_23_nobody_is_taken_from_the_field_where_the_move_began() -> None:
    table = moving({"red": [4, 4, 25], "green": [0, 0, 22]}, {"red": 6}, profi=True)
    assert table.legal("red") == {("move", "red", 4, (), None)}


def test_zz_24_into_the_city_own_ones_come_along_and_foreign_ones_stop_at_the_gate() -> None:
    """Red passes the yellow-red field 21 on its way home."""
    pawns = {"red": [0, 20, 22], "yellow": [0, 0, 4]}
    table = moving(pawns, {"red": 8}, profi=True)
    move(table, 20, ("red", 22), ("yellow", 4))
    assert table.pawns == {"red": [0, CITY, CITY], "yellow": [0, 0, at("yellow", 23)]}
    assert at("yellow", 23) == 6


def test_zz_24_own_pawns_taken_home_count_for_the_win() -> None:
    table = moving({"red": [20, 22, 25], "green": [0, 0, 0]}, {"red": 8, "green": 1}, profi=True)
    move(table, 20, ("red", 22))
    assert (table.phase, table.winner, table.order) == ("over", "red", [])


def test_zz_24_from_the_gate_field_to_the_gate_field_is_a_choice() -> None:
    """Red's gate field is a castle field here: yellow rides to where it stands, red rides home."""
    ring = [*RING[:21], "B", "B", "YR"]
    pawns = {"red": [23, 24, 25], "yellow": [0, 0, 6]}
    table = moving(pawns, {"red": 2}, profi=True, ring=ring)
    red, yellow = ("red", 24), ("yellow", 6)
    takes = {action[3] for action in table.legal("red") if action[2] == 23}
    assert takes == {(), (red,), (yellow,), (red, yellow)}
    assert {action[3] for action in table.legal("red") if action[2] == 24} == {()}
    move(table, 23, yellow)
    assert table.pawns == {"red": [24, 25, 25], "yellow": [0, 0, 6]}


def test_zz_25_a_pawn_carried_past_its_city_owes_another_lap() -> None:
    """Green rides from the red-green field 3, its step 22, past its city to field 8."""
    table = moving({"red": [2, 25, 25], "green": [0, 0, 22]}, {"red": 7, "green": 2}, profi=True)
    move(table, 2, ("green", 22))
    assert table.pawns == {"red": [9, 25, 25], "green": [0, 0, 3]}
    move(table, 3)
    assert table.pawns["green"] == [0, 0, 5]


def test_zz_26_a_pawn_that_rides_is_not_banished_by_its_carrier() -> None:
    """Two blue pawns: one rides from field 15 to green's field 17, one is caught up with there."""
    table = moving({"red": [14, 25, 25], "blue": [0, 4, 6]}, {"red": 4}, profi=True)
    move(table, 14, ("blue", 4))
    assert table.pawns["blue"] == [0, 0, 6]
    table = moving({"red": [14, 25, 25], "blue": [0, 4, 6]}, {"red": 4}, profi=True, overlook=True)
    assert len(table.legal("red")) == 4, "ride or not, banish or not"
    table.do(("move", "red", 14, (("blue", 4),), ()))
    assert table.pawns["blue"] == [0, 6, 6]


# Whole movement phases, counted by hand.


def test_perft_a_banishment_costs_the_next_player_a_choice() -> None:
    """Red from the start: green keeps two choices. Red over green's pawn: one is left."""
    table = moving({"red": [0, 0, 2], "green": [0, 0, 1]}, {"red": 6, "green": 4}, magic=8)
    leaves = {
        (((0, 2, 6), (0, 1, 4)), None): 1,
        (((0, 2, 6), (0, 0, 5)), None): 1,
        (((0, 0, 8), (0, 0, 4)), None): 1,
    }
    assert perft(table) == (3, Counter(leaves))


def test_perft_an_overlooked_pawn_moves_on_and_may_overlook_in_turn() -> None:
    """Three as before, and three where red overlooks green.

    Then green goes from its start, or walks over red on field 7 and banishes or overlooks it.
    """
    table = moving(
        {"red": [0, 0, 2], "green": [0, 0, 1]}, {"red": 6, "green": 4}, magic=8, overlook=True
    )
    leaves = {
        (((0, 2, 6), (0, 1, 4)), None): 1,
        (((0, 2, 6), (0, 0, 5)), None): 1,
        (((0, 0, 8), (0, 0, 4)), None): 1,
        (((0, 0, 8), (0, 1, 4)), None): 1,
        (((0, 0, 8), (0, 0, 5)), None): 1,
        (((0, 0, 0), (0, 0, 5)), None): 1,
    }
    assert perft(table) == (6, Counter(leaves))


def test_perft_a_win_ends_its_branch_at_once() -> None:
    """Red wins where it takes its own pawn home; in the two other branches green still moves."""
    table = moving({"red": [18, 22, 25], "green": [0, 0, 0]}, {"red": 7, "green": 1}, profi=True)
    leaves = {
        (((22, 25, 25), (0, 0, 1)), None): 1,
        (((25, 25, 25), (0, 0, 0)), "red"): 1,
        (((18, 25, 25), (0, 0, 1)), None): 1,
    }
    assert perft(table) == (3, Counter(leaves))


def test_perft_two_ways_to_one_position_are_two_sequences() -> None:
    """Yellow rides from red's gate field to red's gate field, or stays there."""
    ring = [*RING[:21], "B", "B", "YR"]
    pawns = {"red": [0, 0, 23], "yellow": [0, 0, 6]}
    table = moving(pawns, {"red": 2}, profi=True, ring=ring)
    leaves = {(((0, 0, 25), (0, 0, 6)), None): 2, (((0, 2, 23), (0, 0, 6)), None): 1}
    assert perft(table) == (3, Counter(leaves))


def test_perft_ex_4_in_the_basic_game() -> None:
    """Count example 4 without taking along, by green's choice and then blue's (rearmost first).

    Green 1 goes home: 4 + 2 + 4. Green 2 goes home, or green 3 sets out: 6 + 4 + 9.
    """
    table = example_profi(RING)
    table.profi = False
    assert perft(table)[0] == 10 + 19 + 19


def test_perft_ex_4_in_the_profi_game() -> None:
    """Count example 4 by green's choice and then blue's (rearmost first).

    Green 1 goes home alone 6 + 12 + 22, with green 2 6 + 12 + 11, with red 1 5 + 10 + 8, with
    both 5 + 10 + 4. Green 2 goes home 18 + 11 + 9. Green 3 sets out 18 + 22 + 9.
    """
    count, leaves = perft(example_profi(RING))
    assert count == 40 + 29 + 23 + 19 + 38 + 49
    assert leaves.total() == count


# What must always hold.


@pytest.mark.parametrize("profi", [False, True])
@pytest.mark.parametrize("overlook", [False, True])
@pytest.mark.parametrize("seats", [["red", "blue"], ["green", "blue", "yellow"], ALL])
def test_a_game_played_at_random_comes_to_an_end(
    seats: list[str], profi: bool, overlook: bool
) -> None:
    """ZZ-14 on the way: whoever moves has one to three pawns to choose from."""
    chance = random.Random(f"{seats}{profi}{overlook}")
    table = Reference(seats, RING, ENTRIES, profi=profi, overlook=overlook)
    for _ in range(20_000):
        if table.phase == "over":
            break
        who = chance.choice(table.turns())
        legal = table.legal(who)
        if table.phase == "move":
            assert 1 <= len({action[2] for action in legal}) <= 3
        table.do(chance.choice(sorted(legal, key=repr)))
        for places in table.pawns.values():
            assert places == sorted(places)
            assert len(places) == 3
            assert all(START <= place <= CITY for place in places)
    assert table.phase == "over"
    assert table.winner is not None
    home = [colour for colour in seats if table.pawns[colour] == [CITY] * 3]
    assert home == [table.winner]
