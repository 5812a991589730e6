"""The first run on a small phone: five taps, no scrolling, and then the table as it was built."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from companion.system.config import TableWiring
from companion.web.first_run_page import Built, FirstRun
from companion.web.ports import TablePort
from tests.browser.chromium import Complaints, Drawer, Opener, Screen
from tests.browser.served import Served
from tests.web.room import FakeRoom

SMALL = Screen(360, 640, mobile=True)
IN_SIGHT = "one => one.getBoundingClientRect().bottom <= innerHeight"
LIKELY = "#welcome :is(button, a.button):not(.quiet)"


def test_five_taps_lead_to_the_table_and_none_is_below_the_screen(
    drawer: Drawer, serve: Callable[[TablePort], Served], complaints: Complaints, tmp_path: Path
) -> None:
    room = FakeRoom()
    room.first_run = first_run = FirstRun(tmp_path, TableWiring(), frozenset({"hub"}))
    served, page = serve(room), Opener(drawer, SMALL)("de-DE")
    served.open(page, "/join", "table")
    for step in ("welcome", "restore", "built", "name", "practice"):
        expect(page).to_have_url(
            f"{served.home}/welcome{'' if step == 'welcome' else f'?step={step}'}"
        )
        key = page.locator(LIKELY)
        expect(key).to_have_count(1)
        assert key.evaluate(IN_SIGHT)
        key.click()
    expect(page.locator("#begins-anew")).to_be_visible()
    assert (first_run.now.done, first_run.now.built) == (True, Built.STOPPERS)
    complaints.forgive("ERR_")
    served.stop()  # while it begins, nobody answers
    room.first_run = FirstRun(tmp_path, TableWiring())
    served.begin()
    expect(page).to_have_url(f"{served.home}/?start")
    expect(page.locator("#table")).to_be_visible()
