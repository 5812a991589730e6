"""An evening in a hall, run by taps: check-in, rounds, results, corrections, standings."""

import pytest
from playwright.sync_api import Page, expect

from companion.hall.server_app import HallServer
from companion.hall.tournament.events import Begun, Chosen, Mode, TableAdded
from companion.hall.tournament.standings import standings
from companion.hall.tournament.tournament import TournamentMatch
from companion.referee.people.person import Animal
from tests.browser.chromium import (
    PHONE,
    Complaints,
    Drawer,
    Opener,
    barriers,
    too_small,
    too_wide,
    until,
)
from tests.hall.test_server_app import hall as hall  # noqa: PLC0414 - a fixture

HERE = "127.0.0.1"


@pytest.fixture
def phone(hall: HallServer, drawer: Drawer, complaints: Complaints) -> Opener:  # noqa: ARG001 - complaints end before the hall
    """Open phones that are left before the hall is closed."""
    return Opener(drawer, PHONE)


def address(hall: HallServer, path: str) -> str:
    return f"http://{HERE}:{hall.here.port}{path}"


def directs(hall: HallServer, page: Page) -> None:
    page.goto(address(hall, "/director"))
    page.fill("#pin", hall.accounts.pin)
    page.click("main form button")
    page.wait_for_selector("#director")
    page.wait_for_load_state()  # before its script runs, a tap only loads the page again


def opened(hall: HallServer, director: Page, people: int, tables: int) -> None:
    """Open an evening by the director's taps; there are people already, but for one."""
    director.select_option("#choose-mode", "points")
    director.select_option("#choose-wanted", "4")
    director.click("#choose button")
    for number in range(1, tables):
        hall.tables.get_or_add(f"table-{number}")
    hall.changed("director")
    director.click("#tables button.main")
    expect(director.locator("#tables .list li")).to_have_count(tables - 1)
    director.locator("#tables button[data-direct*=tableadded]").click()
    expect(director.locator("#tables .list li")).to_have_count(tables)
    for at in range(people - 2):
        hall.tournament.check_in(f"Person {at + 1}", [*Animal][at % len(Animal)])
    director.fill("#let-in-name", "Oma")
    director.click("#let-in button")
    expect(director.locator("#people .list li")).to_have_count(people - 1)


def begins(director: Page) -> None:
    director.get_by_role("button", name="Propose the next round").click()
    director.get_by_role("button", name="Start this round").click()
    director.wait_for_selector("[id^=running-]")


def plays(hall: HallServer, director: Page) -> None:
    """Enter every result by taps: as people sit, so they came in."""
    for match in hall.tournament.now.running:
        director.click(f"#running-{match.id} > summary")
        enter(director, match.id, match.players)
        expect(director.locator(f"#running-{match.id}")).to_have_count(0)


def enter(director: Page, match: int, order: tuple[str, ...]) -> None:
    for one in order[:-1]:
        director.click(f"#place-{match}-{one}")
    director.click(f"#enter-{match}")


def test_an_evening_from_check_in_to_standings_by_taps(hall: HallServer, phone: Opener) -> None:
    director, player = phone("en-GB"), phone("en-GB")
    directs(hall, director)
    opened(hall, director, people=8, tables=2)
    player.goto(address(hall, "/evening"))
    player.fill("#person-name", "Ada")
    player.click("label:has([value=owl])")
    player.get_by_role("button", name="Check in").click()
    expect(player.locator("#where")).to_contain_text("Your next match appears here")
    director.get_by_role("button", name="Propose the next round").click()
    expect(player.locator("#where")).to_contain_text("Next: Table")
    swaps = director.locator("[data-swap]")
    expect(swaps).to_have_count(8)
    one, other = (swaps.nth(at).get_attribute("data-swap") for at in (0, 5))
    swaps.nth(0).click()
    swaps.nth(5).click()
    expect(director.locator("[data-swap]").nth(0)).to_have_attribute("data-swap", str(other))
    assert hall.tournament.now.proposal is not None
    assert one in hall.tournament.now.proposal.placings[1].players
    director.get_by_role("button", name="Start this round").click()
    expect(player.locator("h2").first).to_have_text("Who plays where")
    assert not too_wide(director) + too_wide(player) + too_small(director) + too_small(player)
    plays(hall, director)
    expect(player.locator("table.standings tbody tr")).to_have_count(8)
    begins(director)
    match = hall.tournament.now.matches[0]
    director.click("#finished > summary")
    director.click(f"#over-{match.id} > summary")
    enter(director, match.id, tuple(reversed(match.players)))
    until(director, lambda: hall.tournament.now.matches[0].places != match.places)
    plays(hall, director)
    assert hall.tournament.now.matches[0].result == tuple((one,) for one in reversed(match.players))
    player.get_by_text("I have to go").click()
    player.get_by_role("button", name="Leave now").click()
    expect(player.locator("#mine")).to_contain_text("You have left.")
    assert not barriers(player) + barriers(director)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("mode", ["casual", "points", "knock-out"])
def test_equal_places_are_entered_by_taps(hall: HallServer, phone: Opener, mode: str) -> None:
    for name in ("Ada", "Bo", "Cy", "Di"):
        hall.tournament.check_in(name)
    hall.tournament.do(TableAdded("1"))
    hall.tournament.do(Chosen("zapp-zerapp", Mode(mode), 2, 4, 4, 2))
    hall.tournament.propose()
    hall.tournament.do(Begun())
    (match,) = hall.tournament.now.running
    first, second, third, fourth = match.players
    director = phone("en-GB")
    directs(hall, director)
    director.click(f"#running-{match.id} > summary")
    equal = director.locator(f"#equal-{match.id}")
    expect(equal).to_be_disabled()
    director.click(f"#place-{match.id}-{first}")
    director.click(f"#place-{match.id}-{second}")
    equal.click()
    expect(equal).to_have_attribute("aria-pressed", "true")
    equal.click()  # not so after all
    expect(director.locator(f"#place-{match.id}-{second}")).to_have_attribute("data-place", "2")
    director.click(f"#place-{match.id}-{third}")  # who is left is the last by that
    equal.click()
    expect(director.locator(f"#place-{match.id}-{fourth}")).to_have_attribute("data-place", "3")
    assert not too_wide(director) + too_small(director)
    director.click(f"#enter-{match.id}")
    expect(director.locator("#finished")).to_be_visible()
    assert hall.tournament.now.matches[0].places == ((first,), (second,), (third, fourth))
    player = phone("en-GB")
    player.goto(address(hall, "/evening"))
    player.click("#results > summary")
    expect(player.locator("#results ol > li")).to_have_count(3)


@pytest.mark.slow
def test_ratings_go_from_evening_to_evening_by_taps(hall: HallServer, phone: Opener) -> None:
    director, ada = phone("en-GB"), phone("de-DE")
    directs(hall, director)
    director.click("#rate > summary")
    director.get_by_role("button", name="Switch on").click()
    director.fill("#let-in-name", "Oma")
    director.check("#let-in-kept")
    director.click("#let-in button")
    expect(director.locator("#people .list li")).to_have_count(1)
    ada.goto(address(hall, "/evening"))
    ada.fill("#person-name", "Ada")
    ada.click("#check-in button")
    ada.click("#known > summary")
    ada.get_by_role("button", name="Erkenne mich wieder").click()
    expect(ada.locator("#known")).to_contain_text("du wirst wiedererkannt")
    hall.tournament.do(TableAdded("1"))
    hall.tournament.do(Chosen("zapp-zerapp", Mode.CASUAL, 2, 4, 4))
    begins(director)
    plays(hall, director)
    ada.click("#ratings > summary")
    expect(ada.locator("#ratings tbody tr")).to_have_count(2)
    expect(ada.locator("#ratings tbody td:nth-child(3)").first).to_contain_text("±")
    assert not too_wide(ada) + too_small(ada) + too_wide(director) + too_small(director)
    assert not barriers(ada) + barriers(director)
    director.click("#anew > summary")
    director.get_by_role("button", name="Erase and start over").click()
    director.get_by_role("button", name="Tap again to erase").click()
    expect(director.locator("#absent")).to_contain_text("(2)")
    ada.goto(address(hall, "/evening"))
    expect(ada.locator("#again")).to_contain_text("Schön, dass du wieder da bist, Ada!")
    assert not too_wide(ada) + too_small(ada)
    ada.click("#again button.main")
    expect(ada.locator("#mine")).to_contain_text("Ada")
    expect(director.locator("#absent")).to_contain_text("(1)")
    director.click("#absent > summary")
    director.locator("#absent .list li").get_by_role("button", name="Check in").click()
    expect(director.locator("#people > .list li")).to_have_count(2)


def test_what_is_refused_is_said(hall: HallServer, phone: Opener, complaints: Complaints) -> None:
    complaints.forgive("status of 409")
    director = phone("de-DE")
    directs(hall, director)
    director.click("#choose button")
    director.get_by_role("button", name="Nächste Runde vorschlagen").click()
    expect(director.locator("#told")).to_contain_text("Kein Tisch ist frei")


@pytest.mark.slow
def test_an_evening_of_eight_tables_by_taps(hall: HallServer, phone: Opener) -> None:
    director, player = phone("en-GB"), phone("de-DE")
    directs(hall, director)
    opened(hall, director, people=31, tables=8)
    player.goto(address(hall, "/evening"))
    player.fill("#person-name", "Ada")
    player.click("#check-in button")
    expect(player.locator("#mine")).to_be_visible()
    for _ in range(3):
        begins(director)
        plays(hall, director)
    expect(player.locator("table.standings tbody tr")).to_have_count(31)
    met = [
        (one, other)
        for match in hall.tournament.now.matches
        for one in match.players
        for other in match.players
        if one != other
    ]
    assert len(met) == len({*met})


@pytest.mark.slow
def test_somebody_leaves_a_table_breaks_and_round_two_is_corrected_in_round_four(
    hall: HallServer, phone: Opener
) -> None:
    director, player = phone("de-DE"), phone("en-GB")
    directs(hall, director)
    opened(hall, director, people=12, tables=4)
    player.goto(address(hall, "/evening"))
    player.fill("#person-name", "Ada")
    player.click("#check-in button")
    expect(player.locator("#mine")).to_be_visible()
    begin_in_german(director)
    plays(hall, director)
    begin_in_german(director)

    first, second, *_ = hall.tournament.now.running  # in round two somebody leaves …
    leaver = first.players[0]
    open_part(director, "people")
    director.click(f"#guest-{leaver} summary")
    twice(director, f"#guest-{leaver} button")
    expect(director.locator(f"#guest-{leaver}")).to_contain_text("ist wieder da")
    assert leaver not in hall.tournament.now.here

    broken = second.table  # … and a table breaks: they move to the one that is free
    director.click(f"#of-table-{broken} summary")
    twice(director, f"#of-table-{broken} button[data-direct*=tablebroke]")
    expect(director.locator(f"#of-table-{broken}")).to_contain_text("kaputt")
    moved = hall.tournament.now.matches[second.id]
    assert moved.table not in {None, broken}
    expect(director.locator(f"#of-table-{moved.table} #running-{second.id}")).to_have_count(1)
    plays(hall, director)

    for _ in range(2):
        begin_in_german(director)
        if len(hall.tournament.now.rounds) < 4:
            plays(hall, director)
    later = [match for match in hall.tournament.now.matches if match.round >= 2]
    assert all(leaver not in match.players and match.table != broken for match in later)

    correct_to_equals(hall, director, player, hall.tournament.now.matches[second.id])
    director.click(f"#guest-{leaver} summary")
    director.click(f"#guest-{leaver} button")  # who left comes back, and the table, too
    director.click(f"#of-table-{broken} summary")
    director.click(f"#of-table-{broken} button[data-direct*=tablemended]")
    expect(director.locator(f"#of-table-{broken}")).to_contain_text("ist kaputt")
    plays(hall, director)
    begin_in_german(director)
    playing = {one for match in hall.tournament.now.running for one in match.players}
    assert leaver in playing | {*hall.tournament.now.rounds[-1].byes}
    assert not too_wide(director) + too_wide(player) + too_small(director) + too_small(player)


def begin_in_german(director: Page) -> None:
    director.get_by_role("button", name="Nächste Runde vorschlagen").click()
    director.get_by_role("button", name="Diese Runde starten").click()
    director.wait_for_selector("[id^=running-]")


def twice(page: Page, button: str) -> None:
    """Tap what asks for a second tap."""
    page.locator(button).first.click()
    page.locator(button).first.click()


def open_part(page: Page, name: str) -> None:
    """Open a part of the director's page, if it is not."""
    if not page.locator(f"#{name}").evaluate("one => one.open"):
        page.click(f"#{name} > summary")


def correct_to_equals(
    hall: HallServer, director: Page, player: Page, wrong: TournamentMatch
) -> None:
    """Correct a result by taps: the last two share the place; standings follow everywhere."""
    before = {one.person: one.tally.points for one in standings(hall.tournament.now)}
    open_part(director, "finished")
    director.click(f"#over-{wrong.id} > summary")
    for one in reversed(wrong.players[1:]):
        director.click(f"#place-{wrong.id}-{one}")
    director.click(f"#equal-{wrong.id}")  # of these, one was left over
    director.click(f"#enter-{wrong.id}")
    until(director, lambda: hall.tournament.now.matches[wrong.id].places != wrong.places)
    places = hall.tournament.now.matches[wrong.id].places
    assert places is not None
    assert {*places[-1]} == {*wrong.players[:2]}
    after = {one.person: one.tally.points for one in standings(hall.tournament.now)}
    assert after[wrong.players[0]] < before[wrong.players[0]]
    assert {one for one in after if after[one] != before[one]} <= {*wrong.players}
    points = str(after[wrong.players[0]] / 10).removesuffix(".0")
    expect(player.locator(f"#standing-{wrong.players[0]} td:nth-child(3)")).to_have_text(points)
