"""Play fits on one screen, whichever it is; and where letters are large, a page scrolls one way."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

from companion.web.ports import TablePort
from release.browsers.laid_out import overlaps
from research.bench._pages_seen import look
from tests.browser.asked import unseen
from tests.browser.chromium import ARGUMENTS, FOUND, Complaints, Drawer, Opener, Screen, too_wide
from tests.browser.phases import reached
from tests.browser.served import Served
from tests.browser.sights import SIGHTS, Sight, unfolds
from tests.web.playing import won
from tests.web.running import RUNNING

TABLES: Final = (
    *(sight for sight in SIGHTS if sight.name.startswith("table-")),
    *(Sight(name, room, role=role) for name, (role, room) in RUNNING.items()),
)
SCREENS: Final = ((320, 568), (360, 740), (390, 844), (1280, 800), (740, 360), (1920, 1080))
SCROLLS: Final = """() => [document.scrollingElement, document.body].some(
    one => one.scrollHeight > innerHeight + 1 || one.scrollWidth > innerWidth)"""
LARGE_PX: Final = 30  # letters of a person who has set them so
TWICE: Final = Screen(640, 400, scale=2)  # a desk of 1280 × 800 on which all is twice as large


@pytest.mark.slow(but=1)  # the smallest phone
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_what_is_asked_for_is_seen_without_scrolling(
    drawer: Drawer, serve: Callable[[TablePort], Served], width: int, height: int
) -> None:
    found = []
    for sight in TABLES:
        page = Opener(drawer, Screen(width, height, mobile=width < 800))()
        serve(sight.room()).open(page, sight.path, sight.role)
        if sight.then is not unfolds:
            sight.then(page)
        found += [f"{sight.name}: {fault}" for fault in unseen(page)]
        found += [f"{sight.name} scrolls"] * page.evaluate(SCROLLS)
        drawer.put_back()
    assert found == []


def test_at_the_end_the_board_is_not_an_icon(
    phone: Opener, serve: Callable[[TablePort], Served]
) -> None:
    page = serve(won()).open(phone(), role="red")
    board = page.locator("#mountain > svg").bounding_box()
    assert board is not None
    assert board["height"] > 150


@pytest.mark.slow
def test_a_phone_held_sideways_shows_cards_and_keys(drawer: Drawer) -> None:
    phases = (*reached("via-magica"), *reached("blackmore"))
    looked = look(drawer, phases, "de", axe=False, pictures=None)
    assert [str(one) for one in looked.seen if one.missing] == []


@pytest.fixture
def large(drawer: Drawer, tmp_path: Path) -> Iterator[Page]:
    """Open a phone whose letters are large: only a browser's own settings make them so."""
    context = drawer.kind.launch_persistent_context(
        tmp_path / "phone",
        executable_path=FOUND,
        args=[*ARGUMENTS, f"--blink-settings=defaultFontSize={LARGE_PX}"],
        viewport={"width": 360, "height": 740},
        locale="de-DE",
        reduced_motion="reduce",
    )
    yield context.new_page()
    context.close()


@pytest.mark.slow
def test_with_large_letters_nothing_scrolls_sideways_or_lies_over_another(
    large: Page, serve: Callable[[TablePort], Served]
) -> None:
    found = []
    for sight in (*SIGHTS, *TABLES):
        serve(sight.room()).open(large, sight.path, sight.role)
        sight.then(large)
        assert large.evaluate("getComputedStyle(document.documentElement).fontSize") != "18px"
        found += [f"{sight.name}: {fault}" for fault in (*too_wide(large), *overlaps(large))]
        large.context.clear_cookies()
    assert found == []


@pytest.mark.slow
def test_at_twice_the_size_nothing_scrolls_sideways(
    drawer: Drawer, complaints: Complaints, serve: Callable[[TablePort], Served]
) -> None:
    complaints.forgive("status of 404")  # one sight is a page that does not exist
    found = []
    for sight in (*SIGHTS, *TABLES):
        page = Opener(drawer, TWICE)()
        serve(sight.room()).open(page, sight.path, sight.role)
        sight.then(page)
        found += [f"{sight.name}: {wide}" for wide in too_wide(page)]
        drawer.put_back()
    assert found == []
