"""Whole games of Blackmore by taps: each on an own phone, and one phone that counts for all."""

import re

import pytest
from playwright.sync_api import Page, expect

from companion.core.notation import write
from companion.games.blackmore.rules import Play, Suit
from companion.i18n.translate import name
from companion.system.text import SEATS, seat_word
from tests.browser.chromium import Opener
from tests.browser.served import Serve, shows
from tests.web.games.witches import tricks, witches
from tests.web.playing import do
from tests.web.room import FakeRoom

PEOPLE = ("red", "yellow")  # the companion plays for all others


def chooses(page: Page, place: int) -> None:
    """Tap a card, see what it would come to, and confirm it."""
    form = page.locator("form.moving")
    acted = form.get_attribute("id")
    cards = form.locator(".pick")
    cards.nth(place % cards.count()).tap()
    expect(form.locator(".follows:visible")).to_have_count(1)
    form.locator("[data-confirms]").tap()
    expect(page.locator(f"#{acted}")).to_have_count(0)


def begins(page: Page, *, people: tuple[str, ...], others: str) -> None:
    """Set a match up: who plays, and for whom the companion does."""
    page.get_by_role("link", name="Set up a match").tap()
    page.get_by_role("link", name="The Witches of Blackmore").tap()
    for seat in SEATS:
        page.locator(f"#seat-{seat}").select_option("people" if seat in people else others)


@pytest.mark.slow
def test_a_whole_game_is_played_by_taps_on_two_phones(phone: Opener, serve: Serve) -> None:
    room = FakeRoom()
    served = serve(room)
    red, yellow = (served.open(phone("en-GB"), role=seat) for seat in PEOPLE)
    watcher = served.open(phone("de-DE"))
    begins(red, people=PEOPLE, others="casual")
    red.get_by_role("button", name="Begin the match").tap()
    expect(red.locator("#blackmore")).to_be_visible()
    chosen = 0
    while not room.snapshot.over:
        view = room.snapshot.view
        page = red if view.queue[0] == SEATS.index("red") else yellow
        shows(page, room)
        assert watcher.locator("main form, main [data-wish]").count() == 0
        chosen += 1
        assert chosen <= 2 * 9 * len(PEOPLE)
        chooses(page, chosen % 2)  # of a trick that is won: keep the trump, or change it
    assert room.snapshot.outcome is not None
    for page in (red, yellow, watcher):
        shows(page, room)
        for _, points in room.snapshot.outcome.scores:
            expect(page.locator(".scores")).to_contain_text(str(points))
    expect(red.get_by_role("button", name="Another match, the same way")).to_be_visible()


def test_a_hand_stands_on_the_phone_of_its_seat_alone(phone: Opener, serve: Serve) -> None:
    room = witches("white:9 white:8", "violet:7")
    served = serve(room)
    red, table = served.open(phone("en-GB"), role="red"), served.open(phone("en-GB"), role="table")
    expect(red.get_by_role("radio", name="9 brooms")).to_have_count(1)
    expect(table.locator("#hidden-hands")).to_be_visible()
    assert table.locator(".witch").count() == 0
    expect(red.get_by_role("button", name="Play this card")).to_be_disabled()
    red.get_by_role("radio", name="9 brooms").check()
    expect(red.locator(".follows:visible")).to_have_text("You lead with it.")
    red.get_by_role("button", name="Play this card").tap()
    expect(table.locator(".witch-card.suit-white")).to_have_count(1)
    expect(red.locator("#hand .witch")).to_have_count(5)


@pytest.mark.slow
def test_a_whole_game_with_paper_cards_is_typed_on_one_phone(phone: Opener, serve: Serve) -> None:
    room = FakeRoom()
    page = serve(room).open(phone("de-DE"), role="table")
    page.goto(f"{page.url}setup?game=blackmore")
    for seat in SEATS:
        page.locator(f"#seat-{seat}").select_option("people" if seat in PEOPLE else "")
    page.locator("#rules > summary").tap()
    page.get_by_text("Eigene Karten").tap()
    page.get_by_role("button", name="Partie beginnen").tap()
    expect(page.locator("#headline")).to_contain_text("Deckt die oberste Karte auf")
    types(page, Suit.BLUE, 7)
    expect(page.locator("svg.witches:not(.wheel)")).to_have_attribute(
        "aria-label", re.compile("Trumpf: Fledermaus")
    )
    while not room.snapshot.over:
        view = room.snapshot.view
        action = room.snapshot.seen_by(seat_word(view.queue[0])).choices[-1]
        if 2 < view.pile < 41:  # the middle of the game is told without taps
            do(room, write(action))
            room.stir()
            continue
        shows(page, room)
        if isinstance(action, Play):
            types(page, action.card.suit, action.card.value)
        else:
            chooses(page, 0)
    expect(page.locator("#headline")).to_contain_text("gewinn")


def types(page: Page, suit: Suit, value: int) -> None:
    """Tap the suit of a card, then its value."""
    page.get_by_role("radio", name=name(suit, "de"), exact=True).check()
    keys = page.get_by_role("group", name=name(suit, "de"), exact=True)
    keys.get_by_role("button", name=str(value), exact=True).tap()
    expect(keys).to_have_count(0)


def over() -> FakeRoom:
    """Return a table at which all has been played."""
    room = witches(seats=SEATS)
    tricks(room, 99)
    return room


def test_at_the_end_a_row_of_the_scores_is_one_line(phone: Opener, serve: Serve) -> None:
    page = phone("de-DE")
    serve(over()).open(page, role="red")
    for row in page.locator(".scores tbody tr").all():
        sign, name = (row.locator(part).bounding_box() for part in (".seat-name svg", "bdi"))
        assert sign
        assert name
        assert name["y"] < sign["y"] + sign["height"] / 2 < name["y"] + name["height"]
        assert sign["x"] < name["x"]
