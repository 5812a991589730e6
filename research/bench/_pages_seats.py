"""How many people play Zapp Zerapp at one simulated table, each on an own phone.

Everybody takes a barrel, shakes it and places it, as those do who use the list instead of the
picture; whoever has a barrel on the own pad has played.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Error, Page, expect

from companion.system.text import SeatName
from tests.browser.chromium import FOUND, PHONE, Drawer, Opener, started, until
from tests.browser.simulated import Evening

SEATS: Final = ("red", "green", "blue", "yellow")
SPEED: Final = 2.0


def at_one_table(seats: tuple[str, ...] = SEATS) -> int:
    """Return how many of these people have placed a barrel."""
    assert FOUND is not None
    colours = tuple(SeatName[seat.upper()] for seat in seats)
    with started(FOUND) as browser, TemporaryDirectory() as kept:
        drawer = Drawer(browser)
        with Evening(Path(kept), speed=SPEED, seats=colours) as evening:
            pages = {
                seat: evening.open(Opener(drawer, PHONE)("en-GB"), role=seat) for seat in seats
            }
            for seat, page in pages.items():
                expect(page.locator(f"#world[data-seat={seat}][data-plays]")).to_be_attached()
                page.locator("#sit-down").tap()
            first = pages[seats[0]]
            evening.begin()
            until(first, lambda: evening.mixed)
            first.get_by_role("button", name="Roll for us").tap()
            until(first, lambda: len(evening.best) >= len(seats))  # it is rolled
            placed = [
                places(page, handle, lambda: evening.rests)
                for handle, page in zip(evening.best, pages.values(), strict=False)
            ]
            drawer.put_back()
    return sum(placed)


def places(page: Page, handle: int, rests: Callable[[], bool]) -> bool:
    """Take a barrel by the list, shake it and place it; tell whether that went well."""
    try:
        expect(page.locator("#table.phase-place")).to_be_visible()
        page.locator("#all summary").press("Enter")
        page.locator(f"#row-{handle} [data-do=lift]").tap()
        page.locator("#all summary").press("Enter")
        for key in ("shake", "place"):
            page.locator(f".hand:not([hidden]) [data-do={key}]").first.tap()
            until(page, rests)
        expect(page.locator("#own-pad")).to_be_visible()
    except (Error, AssertionError):
        return False
    return True
