"""The board of Trap the Wizard is drawn from its data: every field, home and hat, and the die."""

import xml.etree.ElementTree as ET
from itertools import combinations
from math import hypot

import pytest

from companion.games.trap_the_wizard.pieces import SLAB, STAR, die_svg
from companion.games.trap_the_wizard.places import HEIGHT, WIDTH, layout
from companion.games.trap_the_wizard.rules import PLAYERS, SPOKED, START, Board, Robe
from companion.present.icons import SIGNS
from companion.system.text import SeatName, seat_word
from tests.games.trap_the_wizard.tables import opening, position
from tests.web.games.trapping import CATCHING, at, classed, drawn, far, spoked

RED, GREEN, BLUE, YELLOW, JOKER = Robe
BOARDS = {
    "usual": SPOKED,
    "small": spoked(24, (0, 6, 12, 18), 2),
    "large": spoked(64, (3, 15, 40, 50), 7),
    "uneven": spoked(40, (0, 7, 20, 33), 5),
    "other way round": spoked(52, (5, 44, 31, 18), 6),
    "only a ring": Board(((*range(12), 0),), (0, 3, 6, 9), (1,), 5),
    "a cross without a ring": Board(((0, 1, 2, 3, 4), (5, 6, 2, 7, 8)), (0, 4, 5, 8), (), 2),
    "a dead end": Board(((*range(20), 0), (0, 20, 21, 22), (10, 23)), (0, 5, 10, 15), (), 7),
}


# --- the board is drawn from its data (TW-11) -----------------------------------------------------


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_field_of_any_board_is_drawn_once_and_touches_no_other(board: Board) -> None:
    picture = drawn(opening(board=board))
    fields = {int(one.get("data-field", "")): at(one) for one in classed(picture, "place")}
    assert sorted(fields) == [*board.neighbours()]
    assert len(classed(picture, "place")) == len(fields)
    radius = layout(board).radius
    for x, y in fields.values():
        assert radius < x < WIDTH - radius
        assert radius < y < HEIGHT - radius
    assert min(far(*two) for two in combinations(fields.values(), 2)) > 2 * radius
    assert radius > 4


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_homes_lie_apart_from_each_other_and_from_all_fields(board: Board) -> None:
    plan = layout(board)
    for home in plan.homes:
        assert min(far(home, field) for field in plan.fields) > plan.room + plan.radius
        assert plan.room < home[0] < WIDTH - plan.room
        assert plan.room < home[1] < HEIGHT - plan.room
    assert min(far(*two) for two in combinations(plan.homes, 2)) >= 2 * plan.room


def test_the_usual_board_is_a_ring_with_spokes_as_wide_as_its_fields() -> None:
    plan = layout(SPOKED)
    joined = SPOKED.neighbours()
    steps = [far(plan.fields[a], plan.fields[b]) for a, several in joined.items() for b in several]
    assert max(steps) - min(steps) < 1
    centre = plan.fields[SPOKED.joker]
    for here, there in zip(range(52), [*range(1, 52), 0], strict=True):
        (x, y), (a, b) = plan.fields[here], plan.fields[there]
        assert (x - centre[0]) * (b - centre[1]) > (y - centre[1]) * (a - centre[0])  # clockwise
    for home, first in zip(SPOKED.homes, range(52, 76, 6), strict=True):
        along = [far(plan.fields[home], plan.fields[first + step]) for step in range(6)]
        assert along == sorted(along)
        assert along[-1] < far(plan.fields[home], centre)
    assert plan.radius > 11  # 19 pixels wide, on the narrowest phone


def test_a_board_of_which_fields_lie_too_close_is_drawn_nevertheless() -> None:
    crowded = spoked(40, (0, 1, 2, 3), 6)
    assert len(classed(drawn(opening(board=crowded)), "place")) == 65


def test_special_fields_doors_and_the_middle_are_marked_by_more_than_a_colour() -> None:
    fields = {int(one.get("data-field", "")): one for one in classed(drawn(opening()), "place")}
    for number, field in fields.items():
        shapes = [part.get("d") for part in field.iter() if part.get("class") == "star"]
        assert shapes == [STAR] * (number in SPOKED.special)
        rings = classed(field, "ring")
        assert len(rings) == (number in {*SPOKED.homes, SPOKED.joker})
    for robe, number in zip(PLAYERS, SPOKED.homes, strict=True):
        assert f"seat-{seat_word(robe)}" in fields[number].get("class", "").split()


# --- what stands on it ----------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_all_wizards_stand_at_home_in_the_beginning_and_the_joker_in_the_middle(
    board: Board,
) -> None:
    plan = layout(board)
    hats = {one.get("id"): one for one in drawn(opening(board=board)) if one.get("data-pawn")}
    assert len(hats) == 13
    for robe in PLAYERS:
        own = [at(hats[f"hat-{seat_word(robe)}-{number}"]) for number in range(3)]
        assert len({*own}) == 3
        assert all(far(spot, plan.homes[robe]) < plan.room for spot in own)
    joker = at(hats["hat-joker-0"])
    assert joker == pytest.approx(plan.fields[board.joker], abs=0.1)


def test_every_wizard_stands_where_the_view_says_and_bears_its_sign() -> None:
    picture = drawn(position({RED: (7, 12, START), GREEN: (9, 60, 44), YELLOW: (75,)}))
    for robe, places in ((RED, {"7", "12", "-1"}), (GREEN, {"9", "60", "44"}), (YELLOW, {"75"})):
        own = [one for one in picture if one.get("data-pawn") == seat_word(robe)]
        assert {one.get("data-step") for one in own} == places
        for one in own:
            assert SIGNS[SeatName(robe)] in {part.get("d") for part in one.iter()}
            if (place := int(one.get("data-step", ""))) != START:
                assert at(one) == pytest.approx(layout(SPOKED).fields[place], abs=0.1)


def test_two_on_a_field_stand_side_by_side_and_are_a_little_smaller() -> None:
    picture = drawn(position({RED: (2, 40, 40), GREEN: (2, 30, 31)}))
    for place in (2, 40):
        two = [one for one in picture if one.get("data-step") == str(place)]
        (x, y), (a, b) = (at(one) for one in two)
        middle = layout(SPOKED).fields[place]
        assert ((x + a) / 2, y) == pytest.approx(middle, abs=0.1)
        assert abs(x - a) == pytest.approx(15, abs=1)
        assert y == b


def test_whoever_stands_in_front_is_drawn_later() -> None:
    spots = [at(one)[1] for one in drawn(position(CATCHING, 4)) if one.get("data-pawn")]
    assert spots == sorted(spots)


def test_captives_are_a_stack_below_their_captor_by_colour_sign_and_number() -> None:
    table = position({RED: ((7, (RED, GREEN, GREEN, JOKER)), 20), GREEN: (40,), YELLOW: (50,)})
    picture = drawn(table)
    (captor,) = [one for one in picture if one.get("data-step") == "7"]
    slabs = classed(captor, "slab")
    told = {}
    for slab in slabs:
        (sign,) = classed(slab, "sign")
        told[slab.get("class")] = (sign.get("d"), "".join(slab.itertext()))
    assert told == {
        "slab seat-red": (SIGNS[SeatName.RED], ""),
        "slab seat-green": (SIGNS[SeatName.GREEN], "2"),
        "slab nobody": (STAR, ""),
    }
    heights = [at(slab)[1] for slab in slabs]
    assert len({*heights}) == 3
    assert min(abs(a - b) for a, b in combinations(heights, 2)) == pytest.approx(SLAB)
    assert not [one for one in picture if one.get("data-pawn") == "joker"]  # it is held


def test_whoever_was_brought_home_is_seen_there_however_many_they_are() -> None:
    taken = {RED: (GREEN, GREEN, GREEN, BLUE, BLUE, YELLOW, YELLOW, YELLOW)}
    table = position({RED: (7,), GREEN: (), BLUE: (40,), YELLOW: ()}, taken=taken)
    (home, *others) = classed(drawn(table), "tent")
    hats = classed(home, "hat")
    assert [one.get("class", "").split()[1] for one in hats] == [
        f"seat-{seat_word(robe)}" for robe in taken[RED]
    ]
    assert len({at(one) for one in hats}) == 8
    assert all(hypot(*at(one)) < 50 for one in hats)
    assert not any(classed(other, "hat") for other in others)


def test_homes_of_those_who_do_not_play_are_faint() -> None:
    tents = classed(drawn(opening(RED, BLUE)), "tent")
    assert ["empty" in one.get("class", "") for one in tents] == [False, True, False, True]


@pytest.mark.parametrize("number", range(1, 7))
def test_a_die_shows_as_many_pips_as_its_number(number: int) -> None:
    face = ET.fromstring(die_svg(number))
    assert len(classed(face, "pip")) == number


def test_the_die_lies_before_the_home_of_whose_turn_it_is() -> None:
    (rolled,) = classed(drawn(position({RED: (7,), GREEN: (20,)}, 5)), "die")
    assert "seat-red" in rolled.get("class", "")
    assert len(classed(rolled, "pip")) == 5
    plan = layout(SPOKED)
    assert plan.room < far(at(rolled), plan.homes[RED]) < plan.room + 30
    (asked,) = classed(drawn(position({RED: (7,), GREEN: (20,)})), "die")
    assert "".join(asked.itertext()) == "?"
