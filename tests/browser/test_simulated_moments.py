"""On the phone of whoever sits at the simulated table, what happens is seen where one looks."""

from dataclasses import replace

from playwright.sync_api import Page, expect

from companion.games.zapp_zerapp.rules import Colour
from companion.maintenance.practice import PracticeStep
from companion.maintenance.view import CalibrationShown, MaintenanceDetails, MaintenanceSnapshot
from companion.present.simulated_hands import SightOfTable, Where
from companion.referee.people.person import Animal
from tests.browser.chromium import Opener, halted, looked, pass_until
from tests.browser.phases import READING, Handling, asking
from tests.browser.served import Serve, loaded
from tests.web.playing import do, table
from tests.web.room import FakeRoom
from tests.web.still import Still

INSIDE = """() => {
    const box = document.querySelector("#drama .middle").getBoundingClientRect();
    return box.width > 40 && box.left >= 0 && box.top >= 0
        && box.right <= innerWidth && box.bottom <= innerHeight;
}"""


def test_a_reveal_is_whole_and_a_walk_turns_to_the_board(phone: Opener, serve: Serve) -> None:
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7", "place red", "place green", "flip")
    page = phone("en-GB", lively=True)
    served = serve(room, Handling(Where.PAD))
    with halted(page):
        served.open(page, "/simulated", "red")
        looked(page)
        barrels, board = (
            page.locator(f".tabs [data-side={side}]") for side in ("barrels", "board")
        )
        barrels.tap()
        do(room, "say red 3", "say green 4")
        room.stir()
        middle = page.locator("#drama.kind-reveal .middle")
        expect(middle).to_be_visible()
        assert page.evaluate(INSIDE)
        expect(barrels).to_have_attribute("aria-pressed", "true")
        pass_until(page, lambda: board.get_attribute("aria-pressed") == "true")  # it is to be moved
        expect(middle).to_be_hidden()
        barrels.tap()
        do(room, "move green start")
        room.stir()
        expect(page.locator("#drama.kind-move")).to_be_visible()
        expect(board).to_have_attribute("aria-pressed", "true")


def test_a_number_is_seen_where_it_is_asked_for(phone: Opener, serve: Serve) -> None:
    served = serve(asking(), READING())
    page = served.open(phone("en-GB"), "/simulated", "red")
    number = page.locator(".barrel.flipped .number:visible")
    expect(number).to_have_text("3")
    expect(number).to_be_in_viewport(ratio=1)
    page.locator("#say-red-3").tap()
    expect(page.locator(".tabs [data-side=board]")).to_have_attribute("aria-pressed", "true")


def test_a_number_on_wood_is_covered_until_all_are_turned(phone: Opener, serve: Serve) -> None:
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7", "place red", "place green")
    served = serve(room, READING())
    page = served.open(phone("en-GB"), "/simulated", "red")
    expect(page.locator(".barrel.flipped .under:visible")).to_have_count(1)
    expect(page.locator(".barrel.flipped .number:visible")).to_have_count(0)
    expect(page.locator("#row-0 .where")).to_have_text("before you")
    do(room, "flip")
    room.stir()
    expect(page.locator(".barrel.flipped .number:visible")).to_have_text("3")


def test_whoever_is_let_in_finds_the_barrels(phone: Opener, serve: Serve) -> None:
    served = serve(asking(), READING())
    page = served.open(phone("en-GB"))  # the address that the terminal shows
    page.get_by_role("link", name="Join").last.tap()
    for digit in served.pin:
        loaded(page.get_by_role("button", name=digit, exact=True)).tap()
    loaded(page.locator("#world"))  # with barrels to look at
    served.open(page, "/join")
    loaded(page.get_by_text("I play")).tap()
    page.get_by_role("button", name="Red").tap()
    loaded(page.get_by_role("link", name="Play as Red, without a name")).tap()
    expect(page).to_have_url(f"{served.home}/simulated")
    expect(page.locator("#world[data-plays]")).to_be_visible()


def test_while_nothing_moves_the_page_seldom_asks(phone: Opener, serve: Serve) -> None:
    page, looks = phone("en-GB"), list[str]()
    page.on("request", lambda one: looks.append(one.url) if "simulated/table" in one.url else None)
    room = table(seats=(Colour.RED, Colour.GREEN))
    served = serve(room, Still())
    with halted(page):
        served.open(page, "/simulated", "red")
        looked(page)
        passed(page, 10_000)
        looks.clear()
        passed(page, 20_000)
        assert 2 <= len(looks) <= 8
        do(room, "roll 7")
        room.stir()
        pass_until(page, page.locator("#table.phase-place").is_visible)
        before = len(looks)
        pass_until(page, lambda: len(looks) >= before + 3)  # others may reach for a barrel


def passed(page: Page, ms: int) -> None:
    """Let time pass, and what is asked meanwhile be answered."""
    for _ in range(ms // 100):
        page.clock.run_for(100)


class Others(Still):
    """Hands at a table where green has a barrel in hand."""

    def table(self) -> SightOfTable:
        seen = super().table()
        first = replace(seen.barrels[0], where=Where.HAND, seat="green")
        return replace(seen, barrels=(first, *seen.barrels[1:]))


def test_a_name_erased_meanwhile_is_gone_from_the_page(phone: Opener, serve: Serve) -> None:
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7", "place red")
    served = serve(room, Others())
    people = served.server.people
    people.sit("green", "Wilhelmine", Animal.OWL)
    page = served.open(phone("en-GB"), "/simulated", "red")
    where = page.locator("#row-0 .where")
    expect(where).to_have_text("in Wilhelmine's hand")
    green = people.now.at("green")
    assert green is not None
    people.forget(green.id)
    room.stir()
    expect(where).to_have_text("in Green's hand")
    assert "Wilhelmine" not in page.content()


def test_after_practice_a_number_stands_by_what_it_means(phone: Opener, serve: Serve) -> None:
    room = FakeRoom()
    practised = MaintenanceDetails(
        (), (), CalibrationShown(13, 13, None, (), ()), practice=PracticeStep.MOVE
    )
    room.workshop = MaintenanceSnapshot(opened=practised)
    served = serve(room, READING())
    page = served.open(phone("de-DE"), "/simulated", "red")
    expect(page.locator(".barrel.flipped .number:visible")).to_be_in_viewport(ratio=1)
    expect(page.locator("#practice button").first).to_be_in_viewport(ratio=1)
