"""The first run on a small phone: five taps, no scrolling, and then the table as it was built."""

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import expect

from companion.present.simulated_hands import SightOfTable, SittingPlayer
from companion.referee.commands import NewMatch
from companion.system.config import COLOURS, TableWiring
from companion.web.first_run_page import SETUP_FILE, Built, FirstRun, TableSetup
from tests.browser.chromium import Complaints, OnScreen, Screen, until
from tests.browser.served import Serve
from tests.web.room import FakeRoom
from tests.web.still import Still

SMALL = Screen(360, 640, mobile=True)
IN_SIGHT = "one => one.getBoundingClientRect().bottom <= innerHeight"
LIKELY = "#welcome :is(button, a.button):not(.quiet)"


def test_five_taps_lead_to_the_table_and_none_is_below_the_screen(
    on: OnScreen, serve: Serve, complaints: Complaints, tmp_path: Path
) -> None:
    room = FakeRoom()
    room.first_run = first_run = FirstRun(tmp_path, TableWiring(), frozenset({"hub"}))
    served, page = serve(room), on(SMALL)("de-DE")
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


class Guest(Still):
    """Hands at a seat where a guest sits until somebody takes it."""

    sat = 0

    def table(self) -> SightOfTable:
        sitting = SittingPlayer.YOU if self.sat else SittingPlayer.GUEST
        return replace(super().table(), sitting=sitting)

    def sit(self) -> None:
        self.sat += 1


def test_who_has_built_nothing_and_plays_now_sits_and_begins_with_that_tap(
    on: OnScreen, serve: Serve, tmp_path: Path
) -> None:
    room, hands = FakeRoom(), Guest()
    SETUP_FILE.save(tmp_path, TableSetup(built=Built.NOTHING))
    room.first_run = FirstRun(tmp_path, TableWiring())
    page = serve(room, hands).open(on(SMALL)("en-GB"), "/welcome?step=practice", "table")
    assert hands.sat == 0
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#world[data-plays]")).to_be_attached()
    until(page, lambda: bool(room.commands))
    assert hands.sat == 1
    begun = room.commands[-1].wish
    assert isinstance(begun, NewMatch)
    assert (begun.game, begun.settings["seats"]) == ("zapp-zerapp", [*COLOURS])
    expect(page.locator("#sit-down")).to_be_hidden()
