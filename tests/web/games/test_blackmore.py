"""The page of Blackmore: what it says, draws and offers, and to whom."""

import re
from dataclasses import fields
from html import unescape

import pytest

from companion.games.blackmore.page import PAGE, act
from companion.games.blackmore.rules import Card, Change, Deal, Keep, Play, Settings, Suit, Turn
from companion.present.viewer import Viewer
from companion.referee.commands import Call, GiveUp, Rule
from companion.referee.events import Bot, HouseRules
from companion.system.text import SEATS, SeatName
from tests.web.games.witches import THREE, play, tricks, witches
from tests.web.playing import do, head, offered, page, texts
from tests.web.room import FakeRoom

EN, DE = Viewer("en", "table"), Viewer("de", "table")
HANDS = ("yellow:2 red:9", "red:7 yellow:5", "blue:4 white:8")


def ways(html: str) -> list[str]:
    """Return what stands to be chosen and then confirmed."""
    return re.findall(r'name="way"[^>]* value="([^"]*)"', html)


def told(html: str) -> str:
    """Return what the picture of the table says in words."""
    found = re.search(r'<svg class="witches"[^>]* aria-label="([^"]*)"', html)
    assert found is not None
    return unescape(found[1])


def led() -> FakeRoom:
    """Return a table at which the trick of WB-9 lies, but for the card of Blue."""
    room = witches(*HANDS)
    play(room, "play red yellow:2", "play green red:7")
    return room


def won() -> FakeRoom:
    """Return a table at which Blue has won the trick."""
    room = led()
    play(room, "play blue blue:4")
    return room


# --- what it says -------------------------------------------------------------------------------


def test_it_says_whose_turn_it_is_to_everybody_and_what_to_do_to_that_seat() -> None:
    room = witches(*HANDS)
    assert head(page(room, "red")) == "You lead: any card."
    assert head(page(room, None)) == "Red leads a card."
    play(room, "play red yellow:2")
    assert head(page(room, "green", "de")) == "Du darfst jede Karte spielen."
    assert head(page(room, "red", "de")) == "Grün spielt eine Karte."
    play(room, "play green red:7", "play blue blue:4")
    assert head(page(room, "blue", "de")) == "Dein Stich: Trumpf wechseln?"
    assert head(page(room, "table")) == "Blue wins the trick and may change the trump."


def test_the_seat_that_everybody_waits_for_is_told_in_the_row_of_seats() -> None:
    room = won()
    lines = {line.colour: line for line in PAGE.seats(room.now, EN)}
    assert [line.colour for line in lines.values() if line.turn] == ["blue"]
    assert lines["blue"].doing == "wins the trick"
    do(room, GiveUp())
    assert not any(line.turn or line.doing for line in PAGE.seats(room.now, EN))


@pytest.mark.parametrize(
    ("kind", "given", "english", "german"),
    [
        (Play, {"card": Card(Suit.BLUE, 7)}, "Play the 7 of bats", "Fledermaus 7 spielen"),
        (
            Change,
            {"card": Card(Suit.RED, 1)},
            "Lay the 1 of cauldrons on the trump pile",
            "Kessel 1 auf den Trumpfstapel legen",
        ),
        (Keep, {}, "Keep the trump", "Trumpf lassen, wie er ist"),
        (
            Turn,
            {"card": Card(Suit.WHITE, 9)},
            "The 9 of brooms is turned up",
            "Besen 9 ist aufgedeckt",
        ),
        (Play, {}, "", ""),
        (Deal, {"card": Card(Suit.RED, 1)}, "", ""),
    ],
)
def test_what_a_button_says(kind: type, given: dict[str, Card], english: str, german: str) -> None:
    assert act(kind, given, EN) == english
    assert act(kind, given, DE) == german


def test_all_that_a_table_can_agree_on_can_be_chosen_but_for_who_starts() -> None:
    offered = {option.name for option in PAGE.options}
    assert offered | {"seats", "starter"} == {field.name for field in fields(Settings)}


# --- the picture --------------------------------------------------------------------------------


def test_the_picture_tells_the_wheel_the_trump_the_piles_and_the_trick() -> None:
    said = told(page(led(), None))
    assert "From the highest to the lowest: 7, 6, 5, 4, 3, 2, 1, 9, 8." in said
    assert "Trump: bats." in said
    assert "In the pile: 35. On the trump pile: 1." in said
    assert "Red: the 2 of moons. Green: the 7 of cauldrons." in said
    assert "Red holds 5 cards and has won 0. Green holds 5 cards" in said


def test_the_wheel_shows_its_values_by_rank_and_marks_the_highest() -> None:
    drawn = str(PAGE.picture(led().now.view, led().now.settings, (), EN))
    ranks = re.findall(r'class="rank( highest)?"[^>]*><circle[^>]*/><text>(\d)</text>', drawn)
    assert [int(value) for _, value in ranks] == [7, 6, 5, 4, 3, 2, 1, 9, 8]
    assert [value for mark, value in ranks if mark] == ["7"]
    other = witches(*HANDS, side="ascending").now
    drawn = str(PAGE.picture(other.view, other.settings, (), EN))
    assert re.findall(r"/><text>(\d)</text></g>", drawn)[:4] == ["7", "8", "9", "1"]


def test_the_trick_shows_who_led_and_who_wins_so_far() -> None:
    html = page(led(), None)
    assert html.count('class="led"') == html.count('class="crown"') == 1
    assert len(re.findall(r'class="witch-card suit-yellow best"', html)) == 1
    assert "9 points; Red is ahead." in html
    assert re.search(r'class="witch-card suit-blue best"', page(won(), None))
    assert "13 points for Blue." in page(won(), None)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_everybody_sits_clockwise_and_whoever_looks_at_the_bottom(count: int) -> None:
    now = witches(seats=SEATS[:count]).now
    for own, reader in ((0, EN), (count - 1, Viewer("en", SEATS[count - 1]))):
        drawn = str(PAGE.picture(now.view, now.settings, (), reader))
        names = re.findall(r'class="name" x="([\d.]+)" y="([\d.]+)">(\w+)<', drawn)
        assert [name for *_, name in names] == [seat.title() for seat in SEATS[:count]]
        assert max(names, key=lambda one: float(one[1])) == names[own]
        after = names[(own + 1) % count]
        assert count == 2 or float(after[0]) < float(names[own][0])  # the next one is at the left
        wide = re.search(r'viewBox="0 (-?\d+) 360 (\d+)"', drawn)
        assert wide is not None
        assert all(float(y) - 8 > int(wide[1]) for _, y, _ in names)


def test_without_a_trump_the_wheel_says_so() -> None:
    room = led()
    view = room.now.view
    faded = type(view)(**{f.name: getattr(view, f.name) for f in fields(view)} | {"trump": None})
    drawn = str(PAGE.picture(faded, room.now.settings, (), EN))
    assert "There is no trump." in drawn
    assert ">no trump<" in drawn


def test_the_last_trick_lies_faded_until_somebody_leads() -> None:
    room = won()
    last = room.now.happened
    play(room, "keep blue")
    drawn = str(PAGE.picture(room.now.view, room.now.settings, last, EN))
    assert drawn.count(" past") == 3
    assert 'class="crown"' not in drawn
    assert " past" not in str(PAGE.picture(room.now.view, room.now.settings, (), EN))


def test_a_trick_that_the_companion_has_finished_is_shown_beside_the_next() -> None:
    bots = HouseRules(
        bots=tuple(Bot(SeatName[seat.upper()], "greedy") for seat in ("green", "blue"))
    )
    room = witches("yellow:1 yellow:3", "blue:6", "red:3", house=bots)
    play(room, "play red yellow:1")
    assert room.now.view.trick, "somebody else has won, and leads"
    html = page(room, "red")
    assert html.count('class="past"') == 1
    assert "wins the trick with the" in html
    assert len(re.findall(r'<li class="won">', html)) == 1


# --- hands --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", THREE)
def test_a_hand_is_on_the_phone_of_its_seat_and_on_no_other(seat: str) -> None:
    room = witches("white:1 white:2", "white:3 white:4", "white:5 white:6")
    own = THREE.index(seat) * 2 + 1
    cards = re.findall(r'suit-white".*?<b>(\d)</b>', page(room, seat))
    assert {int(value) for value in cards} == {own, own + 1}
    for other in (None, "table", "yellow"):
        html = page(room, other)
        assert "<b>" not in html
        assert "hand is on its own phone" in html
    assert "hand is on its own phone" not in page(room, seat)


def test_whose_turn_it_is_chooses_a_card_and_confirms_it() -> None:
    room = witches(*HANDS)
    html = page(room, "red")
    view = room.now.seen_by("red")
    assert {*ways(html)} == {f"play red {card}" for card in view.hand}
    assert "data-confirms disabled" in html
    assert not any(wish["kind"] == "act" for wish in offered(html)), "a tap alone plays nothing"
    for other in ("green", "blue", "table", None):
        assert ways(page(room, other)) == []


def test_a_hand_is_sorted_trump_first_and_by_rank() -> None:
    room = witches("yellow:9 blue:9 yellow:7 blue:1 red:8 white:2")
    assert ways(page(room, "red")) == [
        f"play red {card}"
        for card in ("blue:1", "blue:9", "red:8", "yellow:7", "yellow:9", "white:2")
    ]


def test_before_a_card_is_played_one_sees_what_it_would_do() -> None:
    html = page(witches(*HANDS), "red")
    assert html.count("You lead with it.") == 6
    room = led()
    follows = re.findall(r'id="[^"]*-follows"[^>]*>\s*<p>([^<]*)', page(room, "blue"))
    assert len(follows) == 6
    assert follows[0] == "It wins you the trick: 13 points."
    assert follows[-1] == "It does not win: Red stays ahead."
    room = witches(*HANDS)
    play(room, "play red yellow:2")
    assert "It beats every card on the table." in page(room, "green")


def test_the_hand_stays_in_sight_while_others_play() -> None:
    html = page(led(), "red")
    assert ways(html) == []
    assert html.count('class="witch ') == 5
    assert 'id="hand"' in html


# --- the trump ----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["blue", "table"])
def test_the_winner_or_the_table_may_change_the_trump(role: str) -> None:
    html = page(won(), role)
    assert ways(html) == [
        "keep blue",
        *(f"change blue {card}" for card in ("yellow:2", "red:7", "blue:4")),
    ]
    for other in ("red", "green", None):
        assert ways(page(won(), other)) == []


def test_before_the_trump_is_changed_one_sees_how_the_wheel_would_stand() -> None:
    html = page(won(), "blue")
    wheels = re.findall(r'<svg class="witches wheel"[^>]* aria-label="([^"]*)"', html)
    assert wheels == [
        "From the highest to the lowest: 7, 6, 5, 4, 3, 2, 1, 9, 8. Trump: bats.",
        "From the highest to the lowest: 2, 1, 9, 8, 7, 6, 5, 4, 3. Trump: moons.",
        "From the highest to the lowest: 7, 6, 5, 4, 3, 2, 1, 9, 8. Trump: cauldrons.",
        "From the highest to the lowest: 4, 3, 2, 1, 9, 8, 7, 6, 5. Trump: bats.",
    ]
    assert html.count("The card then no longer counts for you.") == 3


# --- cards of paper -----------------------------------------------------------------------------


def test_with_cards_of_paper_somebody_tells_which_card_was_turned_up() -> None:
    room = witches(by_hand=True)
    for role in ("table", "green"):
        html = page(room, role)
        assert head(html) == "Turn up the top card: which one is it?"
        assert len([text for text in texts(html) if text.startswith("turn ")]) == 54
    assert texts(page(room, None)) == []
    do(room, "turn red:4")
    assert "Trump: cauldrons." in told(page(room, None))


def test_with_cards_of_paper_one_phone_plays_for_all_and_gone_cards_are_gone() -> None:
    room = witches(by_hand=True)
    do(room, "turn red:4", "play red red:9")
    html = page(room, "table")
    assert head(html) == "Which card does Green play?"
    left = [text for text in texts(html) if text.startswith("play ")]
    assert len(left) == 52
    assert not {"play green red:4", "play green red:9"} & {*left}
    assert len(re.findall(r"disabled>[49]</button>", html)) == 2
    assert "hand is on its own phone" not in html
    assert [text for text in texts(page(room, "green")) if text.startswith("play ")] == left
    assert not texts(page(room, "red"))
    do(room, "play green blue:1", "play blue red:5")
    assert ways(page(room, "table"))[0].startswith("keep ")


# --- the end ------------------------------------------------------------------------------------


def test_at_the_end_there_is_the_table_and_nothing_to_play() -> None:
    room = witches(seats=SEATS)
    tricks(room, 99)
    assert room.now.over
    html = page(room, "red")
    assert told(html)
    assert ways(html) == []
    assert all(wish["kind"] != "act" for wish in offered(html))
    assert room.now.outcome is not None
    assert sum(points for _, points in room.now.outcome.scores) == 270, "all trumps were drawn"


def test_a_foul_that_somebody_called_stands_on_the_page_once_it_is_ruled_on() -> None:
    room = witches(seats=SEATS)
    do(room, Call("snatched", "green"))
    assert 'id="noted"' not in page(room, "table")
    do(room, Rule(1, upheld=False))
    html = page(room, "table")
    assert "Green – snatched a barrel: no, says the table." in html
    assert {"kind": "rule", "foul": 1, "upheld": True, "seat": None} in offered(html)
    do(room, GiveUp())
    assert 'id="noted-1"' in page(room, "table")
