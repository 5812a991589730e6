"""The page of Via Magica: what it says and shows, and to whom."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from companion.core.game import TABLE
from companion.core.notation import parse, write
from companion.games.via_magica import players
from companion.games.via_magica.page import PAGE, act
from companion.games.via_magica.picture import power, worth_text
from companion.games.via_magica.rules import PORTALS, Hue, Phase, Settings, ViaMagica
from companion.games.via_magica.rules.model import Call
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction, GiveUp, Undo
from companion.referee.events import Bot, HouseRules
from companion.system.text import SeatName, seat_word
from tests.web.games.magic import DISPLAY, caught, crystallize, kept, mages, play, taking, to_open
from tests.web.playing import do, head, offered, page, texts
from tests.web.room import FakeRoom

EN, DE = Viewer("en", "table"), Viewer("de", "table")
OFFERS = re.compile(r'data-wish="|<form')


def test_it_says_what_is_to_be_done_to_everybody_and_to_the_seat_that_does_it() -> None:
    room = mages()
    assert head(page(room, "red")) == "Keep three of your portals."
    assert head(page(room, None, "de")) == "Rot und Grün wählen drei Tore."
    play(room, "keep red portals 9,21,33")
    assert head(page(room, "red")) == "Green chooses three portals."
    room = kept()
    assert head(page(room, "red", "de")) == "Zieh einen Animus aus dem Beutel."
    assert head(page(room, "green")) == "Red draws an animus from the bag."
    room = caught("water")
    assert head(page(room, "red")) == "Water: place a crystal."
    assert head(page(room, None, "de")) == "Wasser: Rot und Grün setzen einen Kristall."
    room = to_open()
    assert head(page(room, "green")) == "Incantatum! Who called first?"
    play(room, "call green")
    assert head(page(room, "green")) == "Incantatum! Open your portal."
    assert head(page(room, "red")) == "Incantatum! Green opens a portal."
    room = taking()
    assert head(page(room, "red", "de")) == "Nimm ein Tor aus der Auslage."
    assert head(page(room, None)) == "Red takes a portal from the table."


def test_with_an_empty_supply_it_asks_for_a_crystal_to_be_moved() -> None:
    hand = (24, 25, 28, 1, 2, 3)
    animi = ("air", "air", "water", "water", "earth", "life", "fire", "air")
    room = mages(hand, hand, animi=animi)
    play(room, *(f"keep {seat} portals 24,25,28" for seat in ("red", "green")), "draw")
    for _ in animi[1:]:
        assert head(page(room, "red")).endswith(": place a crystal.")
        crystallize(room)
        play(room, "draw")
    assert [zone.supply for zone in room.now.view.zones] == [0, 0]
    assert head(page(room, "red")) == "Air: move one of your crystals."
    assert head(page(room, "green", "de")) == "Luft: Verschiebe einen deiner Kristalle."
    assert head(page(room, None)) == "Air: Red and Green move a crystal."
    assert {line.doing for line in PAGE.seats(room.now, EN)} == {"moves a crystal"}


def test_the_seats_that_everybody_waits_for_are_told_with_their_points() -> None:
    room = taking()
    lines = {line.colour: line for line in PAGE.seats(room.now, EN)}
    assert [line.colour for line in lines.values() if line.turn] == ["red"]
    assert (lines["red"].number, lines["red"].doing) == (3, "opens")
    assert lines["green"].doing == "0 portals"
    assert [line.colour for line in PAGE.seats(kept().now, DE) if line.turn] == ["red"]
    do(room, GiveUp())
    assert not any(line.turn or line.doing for line in PAGE.seats(room.now, EN))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("catch fire", "Caught: fire"),
        ("crystallize red 33:air", "Place on air of portal 33"),
        ("crystallize red 33:air 9:water", "Place on air of portal 33, from water of portal 9"),
        ("call green", "Green called first"),
        ("call", "All called at once"),
        ("open red 33", "Open portal 33"),
        ("take red 11", "Take portal 11"),
        ("claim red two", "Claim: two portals"),
        ("waive red", "Do not use it"),
        ("draw 24", "Portal 24 comes to the table"),
        ("keep red portals 4", "Keep: 4"),
        ("turn", ""),
    ],
)
def test_a_button_says_what_an_action_is(text: str, said: str) -> None:
    assert act(*parse(ViaMagica(), text), EN) == said


def with_bots(people: tuple[str, ...]) -> Iterator[FakeRoom]:
    """Yield a match of three at each moment at which people have to act."""
    bots = [
        Bot(seat, "casual") for seat in map(SeatName, range(3)) if seat_word(seat) not in people
    ]
    room = mages(seats=("red", "green", "blue"), house=HouseRules(bots=tuple(bots)))
    while not room.now.over:
        yield room
        seat = room.now.view.turns[0]
        if seat == TABLE:
            play(room, "draw" if room.now.view.phase is Phase.CATCH else "call")
            continue
        view = room.now.seen_by(seat_word(seat))
        chosen = players.experienced(room.now.settings, view, seat, view.choices, Random(1))
        assert room.wish(DoAction(write(chosen)), by=seat_word(seat)).refused is None


def test_a_lot_says_whether_a_bot_called_first() -> None:
    asked = set[Phase]()
    for room in with_bots(("red",)):
        asked.add(room.now.view.phase)
    match = room.referee.match
    assert match is not None
    assert any(isinstance(action, Call) for action in match.log.actions)
    assert Phase.CALL not in asked


def test_of_two_people_and_a_bot_the_people_are_asked() -> None:
    asked = {
        text
        for room in with_bots(("red", "green"))
        if room.now.view.phase is Phase.CALL
        for text in texts(page(room))
    }
    assert asked == {"call red", "call green", "call"}


def test_every_portal_says_what_it_brings_in_both_languages() -> None:
    for portal in PORTALS.values():
        for reader in (EN, DE):
            assert worth_text(portal, reader)
            assert bool(power(portal, reader)) == (portal.hue in {Hue.BLUE, Hue.YELLOW})
    assert power(PORTALS[18], DE) == "setze 2 Kristalle irgendwohin"
    assert power(PORTALS[35], EN) == "air is a joker for you"
    assert worth_text(PORTALS[7], DE) == "3 Punkte je Tor: violett"
    assert worth_text(PORTALS[9], EN) == "1 point per field: air"


def test_every_option_is_a_setting_that_is_not_the_seats() -> None:
    assert [option.name for option in PAGE.options] == [
        *("by_hand", "triples", "numbers", "reshuffle"),
        *("chain", "interrupts", "hand_over_early"),
    ]
    for option in PAGE.options:
        assert EN.say(option.said) != DE.say(option.said)
        assert not option.values or getattr(Settings(), option.name) in dict(option.values)


def test_the_table_shows_display_bag_zones_and_rewards_to_whoever_looks() -> None:
    room = caught("water", "air")
    html = page(room, None)
    for number in (*DISPLAY, 33, 9, 21, 34, 10, 39):
        assert f"<b>{number}</b>" in html
    assert "Still in the bag: air 5, water 4, earth 4, life 3, fire 2, shadow 1, joker 2." in html
    assert "Fields: water (covered), water, earth." in html
    assert "a portal of every colour" in html
    assert html.count('<details class="mage seat-') == 2
    assert OFFERS.search(html) is None  # who watches finds nothing to tap


def test_whoever_has_a_reward_is_told_and_what_somebody_has_just_taken_is_marked() -> None:
    room = taking()
    play(room, "take red 11")
    html = page(room, None)
    assert 'class="new"' in html
    room.wish(Undo())
    assert 'class="new"' not in page(room, None)


def test_the_history_shows_the_same_table_as_it_stood() -> None:
    room = caught("water")
    shown = PAGE.picture(room.now.view, room.now.settings, (), DE)
    assert "Im Beutel – Fänger ist Rot" in shown
    assert "data-wish" not in shown


def test_what_is_over_shows_its_table_and_nothing_to_do_in_it() -> None:
    room = taking()
    do(room, GiveUp())
    html = page(room, "red")
    assert not any(text.split()[0] in {"take", "call", "catch"} for text in texts(html))
    assert "<b>33</b>" in html
    assert {"kind": "roll-for-us"} not in offered(html)
