"""The picture of the board: every field, home and pawn is there, and a move shows what it does."""

import re
import xml.etree.ElementTree as ET
from math import hypot

import pytest

from companion.games.zapp_zerapp.picture import Drawn, Mark, board_svg, kind_of
from companion.games.zapp_zerapp.places import RING, SIZE, fan, field_spot, spot
from companion.games.zapp_zerapp.rules import (
    CITY,
    FIELDS,
    PRESETS,
    START,
    Banished,
    Board,
    Colour,
    Moved,
    Pawn,
    TakenAlong,
)
from companion.games.zapp_zerapp.rules.board import LETTERS
from companion.present.icons import SIGNS, sign_svg
from companion.present.viewer import Viewer
from companion.system.text import SeatName

RED, GREEN, BLUE, YELLOW = Colour
BOARD = PRESETS["two-before-city"]
READER = Viewer()


def drawn(**parts: object) -> ET.Element:
    return ET.fromstring(board_svg(BOARD, Drawn(**parts), READER))  # type: ignore[arg-type]


def classed(picture: ET.Element, style: str) -> list[ET.Element]:
    return [one for one in picture.iter() if style in one.get("class", "").split()]


def at(element: ET.Element) -> tuple[float, float]:
    found = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", ""))
    assert found, element.attrib
    return float(found[1]), float(found[2])


@pytest.mark.parametrize(("magic", "classes"), [(9, "magic"), (10, "magic two")])
def test_a_magic_number_of_two_figures_is_smaller(magic: int, classes: str) -> None:
    (number,) = classed(drawn(magic=magic), "magic")
    assert (number.get("class"), number.text) == (classes, str(magic))


def test_there_are_24_fields_in_a_circle_clockwise() -> None:
    fields = classed(drawn(), "field")
    assert [one.get("data-field") for one in fields] == [str(index) for index in range(FIELDS)]
    for index, one in enumerate(fields):
        x, y = at(one)
        assert hypot(x - SIZE / 2, y - SIZE / 2) == pytest.approx(RING, abs=0.2)
        a, b = at(fields[(index + 1) % FIELDS])
        assert (x - 200) * (b - 200) - (y - 200) * (a - 200) > 0  # y points down: clockwise


def test_every_field_shows_signs_and_not_only_colours() -> None:
    for index, one in enumerate(classed(drawn(), "field")):
        shapes = {part.get("d") for part in one.iter("path")}
        wanted = {SIGNS[LETTERS[letter]] for letter in BOARD.ring[index]}
        assert wanted <= shapes
        assert ("castles" in one.get("class", "")) == (len(BOARD.ring[index]) == 2)


def test_the_signs_of_all_seats_differ() -> None:
    assert len(set(SIGNS.values())) == len(SeatName)
    assert "seat-blue" in sign_svg("blue")
    assert sign_svg("blue") == sign_svg(BLUE)


def test_starts_and_cities_of_all_colours_lie_apart() -> None:
    homes = [spot(BOARD, colour, step) for colour in Colour for step in (START, CITY)]
    spots = homes + [field_spot(index) for index in range(FIELDS)]
    apart = [hypot(x - a, y - b) for x, y in homes for a, b in spots if (x, y) != (a, b)]
    assert min(apart) > 44


@pytest.mark.parametrize("entries", [(0, 1, 2, 3), (3, 2, 1, 0), (5, 20, 11, 7), (23, 0, 12, 13)])
def test_homes_lie_apart_on_whatever_ring_somebody_paints(
    entries: tuple[int, int, int, int],
) -> None:
    red, green, blue, yellow = ((entry - 1) % FIELDS for entry in entries)
    board = Board(BOARD.ring, entries, (red, green, blue, yellow))
    homes = {spot(board, colour, step) for colour in Colour for step in (START, CITY)}
    assert len(homes) == 8


def test_pawns_stand_where_the_view_says_and_several_are_fanned_out() -> None:
    picture = drawn(camps=((RED, (0, 7, 7)), (BLUE, (19, 25, 25))))
    pawns = {one.get("id"): one for one in classed(picture, "pawn")}
    assert set(pawns) == {f"pawn-{colour}-{n}" for colour in ("red", "blue") for n in range(3)}
    assert at(pawns["pawn-red-0"]) == pytest.approx(spot(BOARD, RED, START), abs=0.1)
    shared = BOARD.field(RED, 7)
    assert shared == BOARD.field(BLUE, 19)
    here = field_spot(shared)
    together = [at(pawns[name]) for name in ("pawn-red-1", "pawn-red-2", "pawn-blue-0")]
    assert len(set(together)) == 3
    for x, y in together:
        assert 0 < hypot(x - here[0], y - here[1]) < 16
    assert pawns["pawn-blue-2"].get("data-step") == "25"


@pytest.mark.parametrize("count", range(1, 13))
def test_however_many_pawns_share_a_field_each_has_a_place(count: int) -> None:
    places = {(round(x, 3), round(y, 3)) for x, y in fan(count)}
    assert len(places) == count


def test_a_pawn_that_can_be_chosen_bears_its_input_and_can_be_hit_by_a_finger() -> None:
    picture = drawn(camps=((RED, (0, 4, 4)),), choosable={Pawn(RED, 4): "way1-4"})
    free = classed(picture, "free")
    assert [one.get("data-choose") for one in free] == ["way1-4", "way1-4"]
    reach = classed(free[0], "reach")[0]
    assert 2 * float(reach.get("r", "0")) >= 44


def test_a_mark_shows_end_cross_and_company_and_hides_until_it_is_chosen() -> None:
    events = (
        Moved(RED, 4, 6, (4, 5)),
        Banished(RED, Pawn(BLUE, 17), 4),
        TakenAlong(RED, Pawn(GREEN, 24), 5, 6),
    )
    marks = [Mark("way", events), Mark("lit", events[:1], shown=True)]
    picture = drawn(camps=((RED, (0, 0, 4)),), marks=marks)
    walks = classed(picture, "walk")
    assert [(one.get("data-for"), one.get("hidden")) for one in walks] == [
        ("way", ""),
        ("lit", None),
        ("way", ""),
    ]
    assert len(classed(picture, "end")) == 2
    assert at(classed(picture, "cross")[0]) == pytest.approx(field_spot(4), abs=0.1)
    assert len(classed(picture, "taken")) == 1
    order = [one.get("class", "").split()[0] for one in picture]
    assert order.index("walk") < order.index("pawn") < len(order) - 1 - order[::-1].index("walk")


def test_only_a_ring_that_is_painted_has_keys_which_say_what_they_are() -> None:
    assert not [one for one in drawn().iter() if one.get("role") == "button"]
    keys = [one for one in drawn(painted=True).iter() if one.get("role") == "button"]
    assert len(keys) == FIELDS
    assert keys[3].get("aria-label") == "3: castle field of Red and Green"
    assert all(one.get("tabindex") == "0" for one in keys)
    assert kind_of(BOARD, 0, Viewer("de")) == "Schutzfeld von Blau"


def test_nothing_on_the_picture_needs_a_style_of_its_own() -> None:
    picture = board_svg(BOARD, Drawn(camps=((RED, (1, 2, 3)),)), READER)
    assert "style=" not in picture
    assert "onclick" not in picture
