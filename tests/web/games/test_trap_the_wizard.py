"""Trap the Wizard on a phone: what each phone shows, and can choose from."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from companion.core.notation import parse, read
from companion.core.plugin import GAMES
from companion.games.trap_the_wizard.moves import choices
from companion.games.trap_the_wizard.page import PAGE, act, headline, parts, picture, seats
from companion.games.trap_the_wizard.rules import (
    START,
    Phase,
    Robe,
    Settings,
    TrapTheWizard,
    WizardReturned,
    WizardWalked,
)
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction
from companion.referee.events import HouseRules
from companion.referee.snapshot import SeatView
from tests.games.trap_the_wizard.tables import Table, opening, position
from tests.web.games.trapping import CATCHING, at, classed, drawn, far, page, snapshot, spoked
from tests.web.playing import offered, texts

RED, GREEN, BLUE, YELLOW, JOKER = Robe


# --- what can be done -----------------------------------------------------------------------------


def test_one_of_the_ends_is_tapped_or_a_wizard_first() -> None:
    table = position(CATCHING, 4)
    picture, html = drawn(table), page(table)
    ids = {*re.findall(r'<input type="radio" name="(?:wizard|way)" id="([^"]+)"', html)}
    tapped = {one.get("data-choose") for one in picture.iter() if one.get("data-choose")}
    assert tapped == ids
    assert {one.get("data-choose") for one in classed(picture, "free")} < tapped
    for group in classed(picture, "ends"):
        assert group.get("hidden") is None  # three wizards can move: a tap chooses one of them, too
        start = {"w7-0": "start", "w7-1": "0", "w7-2": "30"}[group.get("data-for", "")]
        ends = {one.get("data-end") for one in classed(group, "goal")}
        assert ends == table.ends(start)


def test_what_can_be_tapped_leaves_room_for_a_finger_beside_it() -> None:
    picture = drawn(position({RED: (4, 5, START), GREEN: (40,)}, 1))
    goals = [classed(group, "goal") for group in classed(picture, "ends")]
    assert max(map(len, goals)) > 2
    for kind in (classed(picture, "free"), *goals):
        reach = [
            (at(one), float(finger.get("r", "")))
            for one in kind
            for finger in classed(one, "reach")[:1]
        ]
        assert len(reach) == len(kind)
        for (one, first), (other, second) in combinations(reach, 2):
            assert far(one, other) >= first + second - 0.2
            assert first >= 9


def test_a_cage_stands_where_a_move_would_capture() -> None:
    goals = {one.get("data-end"): one for one in classed(drawn(position(CATCHING, 4)), "goal")}
    caged = {end for end, one in goals.items() if classed(one, "cage")}
    assert caged == {"4"}
    assert "Field 4: a catch" in page(position(CATCHING, 4))
    assert "Red captures a wizard of Blue on field 4" in page(position(CATCHING, 4))


def test_every_way_that_is_offered_is_a_legal_move_and_none_is_missing() -> None:
    for table in (position(CATCHING, 4), position({RED: ((6, (GREEN,)), 30), GREEN: (20,)}, 4)):
        html = page(table)
        ways = re.findall(r'name="way" id="[^"]+" value="([^"]+)"', html)
        assert sorted(ways) == sorted(table.may())


def test_the_only_way_is_chosen_from_the_beginning() -> None:
    alone = spoked(24, (0, 6, 12, 18), 2)
    table = position({RED: (START,), GREEN: (9,)}, 1, board=alone)
    (choice,) = choices(snapshot(table), Viewer())
    assert (choice.chosen, [way.chosen for way in choice.ways]) == (True, [True])
    assert page(table).count(" checked>") == 2


def test_what_a_seats_button_has_brought_up_is_chosen_on_the_phones_too() -> None:
    now = snapshot(position(CATCHING, 4))
    (red, *others) = now.seats
    told = [one.wish.text for one in red.offers if isinstance(one.wish, DoAction)]
    lit = next(number for number, text in enumerate(told) if "move red 30" in text)
    now = replace(now, seats=(SeatView("red", offers=red.offers, lit=lit), *others))
    chosen = [choice for choice in choices(now, Viewer()) if choice.chosen]
    assert [choice.wizard.place for choice in chosen] == [30]
    assert [way.text for way in chosen[0].ways if way.chosen] == [told[lit]]


def test_where_the_last_ones_walked_stays_to_be_seen() -> None:
    table = position({RED: (7,), GREEN: (20,)})
    events = (WizardWalked(GREEN, 18, 20, (19, 20)), WizardReturned(RED, 7, (6, 5)))
    told = picture(snapshot(table).view, table.game.settings, events, Viewer())
    tracks = classed(ET.fromstring(told), "was")
    assert [one.get("class") for one in tracks] == ["was seat-green", "was seat-red"]
    assert [one[0].get("d", "").count("L") for one in tracks] == [2, 3]


def test_points_left_over_are_used_or_left() -> None:
    table = position({RED: ((6, (GREEN,)), 30, 31), GREEN: (20, 21)}, 5)
    table = table.do("move red 6 start load green")
    assert table.turn == (Phase.REST.value, RED)
    html = page(table)
    assert "leave red" in texts(html)
    assert "Red may move another wizard by 3." in html
    assert "leave red" not in texts(page(position(CATCHING, 4)))
    assert not classed(drawn(table), "die")  # no side shows what is left over


SHARING = position({RED: ((32, (JOKER,)), START), GREEN: (34, 20)}, 2, joker_spares=True)


def test_the_jokers_holder_chooses_whether_it_captures_or_shares() -> None:
    html = page(SHARING)
    ways = re.findall(r'id="([^"]+)" value="([^"]+)"[^>]*> <span>([^<]+)<', html)
    there = {said: (name, text) for name, text, said in ways if " 34" in text}
    assert {said: text for said, (_, text) in there.items()} == {
        "Field 34: a catch": "move red 32 34 load joker",
        "Field 34, shared with Green": "move red 32 34 load joker spare green",
    }
    assert len({name for name, _ in there.values()}) == 2
    assert "Feld 34, zusammen mit Grün" in page(SHARING, "red", "de")
    goals = [one.get("data-end") for one in classed(drawn(SHARING), "goal")]
    assert goals.count("34") == 1, "a tap on the board captures"


@pytest.mark.parametrize("table", [SHARING, position({RED: (32, 36), GREEN: (20, 21)}, 2)])
def test_where_several_end_one_is_meant_and_keys_name_the_others(table: Table) -> None:
    now = snapshot(table)
    ways = [way for choice in choices(now, Viewer()) for way in choice.ways]
    meeting = [way for way in ways if way.end == 34]
    (leads,) = [way for way in meeting if way.leads]
    assert len(meeting) == 2
    assert leads.others == tuple(way.text for way in meeting if way is not leads)
    html = page(table)
    for text in leads.others:  # so two taps are enough: on the field, and on this key
        assert re.search(f'data-for="{leads.id}" data-wish="[^"]*{text}', html)
    seen = [one for one in classed(drawn(table), "goal") if one.get("data-end") == "34"]
    assert [one.get("data-choose") for one in seen if one.get("hidden") is None] == [leads.id]


def test_a_tap_where_one_of_them_stands_means_that_one_until_another_is_chosen() -> None:
    table = position({RED: (9, 10), GREEN: (20, 21)}, 1)
    goals = {one.get("data-end"): one for one in classed(drawn(table), "goal")}
    assert {*goals} == {"8", "9", "10", "11"}
    assert {end for end, one in goals.items() if one.get("hidden") is None} == {"8", "11"}
    first, second = choices(snapshot(table), Viewer())
    assert goals["10"].get("data-for") == first.id
    assert goals["9"].get("data-for") == second.id


def test_after_a_six_whoever_may_pass_it_up_is_asked() -> None:
    table = opening(RED, GREEN, six_passes=True).do("roll 6", "move red start 10")
    html = page(table)
    assert texts(html)[:2] == ["again red", "pass red"]
    assert "Red may roll again: it was a six." in html
    assert "Nicht noch einmal würfeln" in page(table, "red", "de")
    assert not {"again red", "pass red"} & {*texts(page(table, "green"))}
    assert "<form" not in html


# --- who may do what, and what it is called -------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "may"), [("table", True), ("red", True), ("green", False), (None, False)]
)
def test_only_whose_turn_it_is_rolls_and_moves(role: str | None, may: bool) -> None:
    rolling, moving = opening(RED, GREEN), position(CATCHING, 4)
    rolls = {f"roll {number}" for number in range(1, 7)}
    html = page(rolling, role, house=HouseRules())
    assert (rolls <= {*texts(html)}) == may
    assert not rolls & {*texts(page(rolling, role))}  # where the companion rolls
    assert any(wish["kind"] == "roll-for-us" for wish in offered(html)) == may
    assert ('data-choose="roll-for-us"' in html) == ('id="roll-for-us"' in html) == may
    assert ("<form" in page(moving, role)) == may
    assert ("data-choose" in page(moving, role)) == may


def test_whoever_watches_sees_the_board_and_how_to_join() -> None:
    html = page(position(CATCHING, 4), None)
    assert 'href="/join"' in html
    assert 'class="trap"' in html
    assert not offered(html)


@pytest.mark.parametrize(
    ("table", "english", "german"),
    [
        (opening(RED, GREEN), "Red: roll the die.", "Rot: Würfle!"),
        (
            position({RED: (7,), GREEN: (9,)}, sixes=1),
            "Red rolls again: it was a six.",
            "Rot würfelt noch einmal: Es war eine Sechs.",
        ),
        (
            position({RED: (7,), GREEN: (9,)}, 4),
            "Red moves a wizard by 4.",
            "Rot zieht einen Zauberer um 4 Felder.",
        ),
    ],
)
def test_the_headline_says_what_is_to_be_done(table: Table, english: str, german: str) -> None:
    assert headline(snapshot(table), Viewer("en")) == english
    assert headline(snapshot(table), Viewer("de")) == german
    assert english in page(table, "table", "en")
    assert german in page(table, "green", "de")


def test_on_ones_own_phone_the_headline_says_you() -> None:
    table = position({RED: (7,), GREEN: (9,)}, 4)
    assert "You move a wizard by 4." in page(table, "red", "en")
    assert "Du ziehst einen Zauberer um 4 Felder." in page(table, "red", "de")


def test_a_german_page_says_nothing_in_english() -> None:
    html = page(position(CATCHING, 4, taken={GREEN: (RED,)}, rounds=3), "red", "de")
    assert "Tippe an, wohin ein Zauberer geht" in html
    assert "Auf Feld 0, hält Grün, Grün und Blau" in html
    assert "Feld 4: ein Fang" in html
    assert "Runde 1 von 3" in html
    for word in ("field", "wizard on", "holding", "captured", "Where", "points", "Round", "joker"):
        assert not re.search(rf">[^<]*\b{word}\b[^<]*<", html), word


def test_a_list_tells_where_each_stands_and_who_has_the_joker() -> None:
    html = page(position({RED: (7, (9, (GREEN, JOKER))), GREEN: ()} | {YELLOW: (3,)}))
    for told in ("On field 7", "On field 9, holding Green and the joker", "all captured"):
        assert f"<dd>{told}</dd>" in html
    assert "<dd>Red holds it</dd>" in html
    assert "<dd>On field 76</dd>" in page(opening())
    gone = position({RED: (7,), GREEN: (9,)})
    lost = replace(snapshot(gone).view, joker=None)
    assert "Out until the next round" in page(gone, view=lost)


def test_seats_show_their_points_of_earlier_rounds_and_of_this_one() -> None:
    table = position(
        {RED: (7,), GREEN: (9,), BLUE: ()}, taken={RED: (BLUE, GREEN)}, scores=(3, 1, 0, 0)
    )
    lines = {one.colour: one for one in seats(snapshot(table), Viewer("en", "green"))}
    assert [one.number for one in lines.values()] == [5, 1, 0]
    assert [one.doing for one in lines.values()] == ["rolls", "", "all captured"]
    assert (lines["red"].turn, lines["green"].turn, lines["green"].yours) == (True, False, True)


def test_an_account_tells_who_is_free_held_and_brought_home() -> None:
    table = position(
        {RED: ((7, (RED, GREEN, GREEN, JOKER)), 20), GREEN: (9,)},
        taken={GREEN: ()},
        scores=(3, 1, 0, 0),
        round_=2,
        rounds=3,
    )
    html = page(table)
    assert "Round 2 of 3" in html
    cells = [re.findall(r"<td>(\d+)</td>", row) for row in html.split("<tr>")]
    assert [row for row in cells if row] == [["2", "2", "0", "3"], ["1", "0", "0", "1"]]


def test_when_it_is_over_the_board_stays_and_nothing_can_be_done_on_it() -> None:
    table = position({RED: (7, 8), GREEN: (9,)}, 1, rounds=1).do("move red 8 9")
    now = snapshot(table)
    assert now.over
    lines = seats(now, Viewer())
    assert [(one.number, one.doing, one.turn) for one in lines] == [
        (1, "has won", False),
        (0, "", False),
    ]
    trap = parts(now, Viewer("en", "table"))["trap"]
    assert not trap["rolls"]
    assert not trap["choices"]
    assert 'class="trap"' in page(table)
    assert "<form" not in page(table).split('id="account"')[0]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("roll 3", "The die shows 3"),
        ("move red start 7", "Move a wizard from the start to field 7"),
        ("move red 6 12 load green", "Move the wizard on field 6 to field 12"),
        ("move red 6 start load green", "Bring the wizard on field 6 home"),
        ("leave red", "Leave the points unused"),
        ("again red", "Roll again"),
        ("pass red", "Do not roll again"),
        ("move red 32 34 load joker spare green", "Share field 34, coming from field 32"),
    ],
)
def test_actions_are_named_for_buttons(text: str, named: str) -> None:
    six = opening(six_passes=True).do("roll 6", "move red start 10")
    table = {
        "roll 3": opening(),
        "again red": six,
        "pass red": six,
        "move red 32 34 load joker spare green": SHARING,
        "move red start 7": position({RED: (START,), GREEN: (30,)}, 3),
        "leave red": position({RED: ((6, (GREEN,)), 30), GREEN: (20,)}, 5).do(
            "move red 6 start load green"
        ),
    }.get(text, position({RED: ((6, (GREEN,)), 30), GREEN: (20,)}, 6))
    action = read(table.game, table.state, text)
    _, given = parse(table.game, text)
    assert act(type(action), given, Viewer()) == named


# --- settings -------------------------------------------------------------------------------------


def test_every_assumed_reading_can_be_chosen_and_is_in_force() -> None:
    usual = Settings()
    names = [option.name for option in PAGE.options]
    assert {*names} == {*Settings.__slots__} - {"seats", "board"}
    for option in PAGE.options:
        value = getattr(usual, option.name)
        values = [value for value, _ in option.values] or [True, False]
        assert value in values
        for one in values:
            changed: dict[str, Any] = {option.name: one}
            assert getattr(TrapTheWizard(replace(usual, **changed)).settings, option.name) == one
    assert GAMES[TrapTheWizard.name] is TrapTheWizard
