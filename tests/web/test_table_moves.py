"""Choosing a move: each pawn once, and what it would bring about before it is confirmed."""

import re

import pytest

from companion.games.zapp_zerapp.moves import ways
from companion.games.zapp_zerapp.rules import Colour
from companion.present.viewer import Viewer
from tests.web.playing import do, moving, page, peek, table, to_move


def test_every_pawn_that_can_move_is_one_choice_on_the_board_and_in_the_list() -> None:
    room = moving()
    html = page(room, "red")
    acted = room.snapshot.acted
    wanted = [f"way{acted}-start", f"way{acted}-4", f"way{acted}-19"]
    assert re.findall(r'type="radio" name="way" id="([^"]+)"', html) == wanted
    assert set(re.findall(r'data-choose="([^"]+)"', html)) == set(wanted)
    assert re.findall(r'name="way" [^>]* value="([^"]+)"', html) == [
        "move red start",
        "move red 4",
        "move red 19",
    ]


@pytest.mark.parametrize("role", [None, "blue"])
def test_whoever_is_not_to_move_sees_what_can_be_done_and_cannot_do_it(role: str | None) -> None:
    html = page(moving(), role)
    assert "Red can move like this:" in html
    assert "Red moves from field 4 to field 10." in html
    assert 'name="way"' not in html
    assert "data-choose" not in html


@pytest.mark.parametrize(
    ("role", "asks"), [("red", True), ("table", True), ("blue", False), (None, False)]
)
def test_only_who_can_move_a_pawn_is_asked_to(role: str | None, asks: bool) -> None:
    many, one = moving(), moving()
    do(one, "correct pawns red:24,red:city,red:city")
    for room, ask in ((many, ": tap a pawn."), (one, ": confirm the move.")):
        end = ask if asks else "."
        who = "You move" if role == "red" else "Red moves"
        assert _headline(page(room, role)) == f"{who} by 6 fields{end}"


def _headline(html: str) -> str:
    found = re.search(r'<h1 id="headline"[^>]*>([^<]*)<', html)
    assert found
    return found[1]


def test_what_is_to_be_done_stands_before_what_is_to_be_judged() -> None:
    room = moving()
    room.tell(peek())
    for role in ("red", "blue", None):
        html = page(room, role)
        doing = "moving-" if role == "red" else "can-move"
        assert html.index("mountain") < html.index(f'id="{doing}') < html.index('class="card foul"')


def test_banishments_are_told_and_drawn_before_they_are_confirmed() -> None:
    room = moving()
    way = next(one for one in ways(room.snapshot, Viewer()) if one.pawn.step == 4)
    assert way.follows == ("Banished: Blue has to go from its field 20 back to the start.",)
    html = page(room, "red")
    (mark,) = re.findall(
        rf'<g class="walk" data-for="{way.id}" hidden="">(.*?cross.*?)</g></g>', html
    )
    assert "seat-blue" in mark


def test_each_way_does_what_the_page_says_when_it_is_confirmed() -> None:
    for number in range(3):
        room = moving()
        way = ways(room.snapshot, Viewer())[number]
        do(room, way.text)
        told = [Viewer().say(event) for event in room.snapshot.happened]
        assert way.sentence in told
        assert set(way.follows) <= set(told)


def test_in_the_profi_version_whoever_can_come_along_can_be_ticked() -> None:
    room = table(profi=True)
    do(room, "correct pawns red:2,red:4,red:19,green:start,green:22,green:22")
    to_move(room, red=6, green=5, blue=11, yellow=2)
    way = next(one for one in ways(room.snapshot, Viewer()) if one.pawn.step == 2)
    assert [str(whom.pawn) for whom in way.takes] == ["red:4", "green:22", "green:22"]
    html = page(room, "red")
    assert html.count(f'id="{way.id}-take-') == 3
    assert html.count(f'data-for="{way.id}-take-') == 3
    do(room, f"{way.text} take green:22,green:22")


def test_where_one_may_overlook_the_page_points_at_nobody() -> None:
    room = moving(overlook=True)
    html = page(room, "red")
    assert "Banished:" not in html
    way = next(one for one in ways(room.snapshot, Viewer()) if one.pawn.step == 4)
    others = [f"{colour.name.lower()}:{step}" for colour, camp in room.snapshot.view.pawns
              if colour is not Colour.RED for step in camp if 0 < step < 25]  # fmt: skip
    assert [str(whom.pawn) for whom in way.banishes] == others
    assert way.follows == ()
    assert all("Banished" not in repr(event) for event in way.events)
    do(room, f"{way.text} banish blue:20")


def test_what_a_button_has_brought_up_is_seen_on_every_phone() -> None:
    room = moving()
    room.press("red")
    html = page(room, None)
    assert 'id="offered-red"' in html
    assert re.search(r'<g class="walk" data-for="[^"]+">', html)


def test_a_choice_does_not_stay_for_whoever_moves_next() -> None:
    room = moving()
    before = {way.id for way in ways(room.snapshot, Viewer())}
    do(room, "move red start")
    assert not before & {way.id for way in ways(room.snapshot, Viewer())}
