"""Every page in every state, on a phone: nothing bars anybody, nothing is too small or too wide."""

import pytest
from playwright.sync_api import Page

from tests.browser import sights
from tests.browser.chromium import (
    Complaints,
    Drawer,
    Opener,
    Screen,
    barriers,
    hindrances,
    too_small,
    too_wide,
)
from tests.browser.phases import ADDED, phases
from tests.browser.served import Serve, Served
from tests.browser.sights import SIGHTS, Sight

NAMES = [sight.name for sight in SIGHTS]
SMALLEST = Screen(320, 568, mobile=True)
ZOOMED = Screen(320, 256)  # 1280 × 1024 at 400 %
UNREACHABLE = """() => Array.from(document.querySelectorAll(
    "main :is([data-wish], [data-confirms], [data-do], a.button, input, summary, #headline, h1)"
)).filter(one => {
    if (!one.checkVisibility({visibilityProperty: true}) || one.closest(".skip")) return false;
    return ![one, ...(one.labels || [])].some(said => { // an input may be drawn as its label
        said.scrollIntoView({block: "center", inline: "center"});
        const box = said.getBoundingClientRect();
        const x = box.left + box.width / 2, y = box.top + box.height / 2;
        const top = document.elementFromPoint(x, y);
        return top && (said.contains(top) || top.contains(said));
    });
}).map(one => one.id || one.outerHTML.slice(0, 90))"""
BY_NIGHT = {*NAMES[::2], "right", "fault"}  # each page, in about half of its states


def look(served: Served, sight: Sight, page: Page) -> Page:
    served.open(page, sight.path, sight.role)
    page.wait_for_load_state("load")
    sight.then(page)
    return page


@pytest.mark.slow(but=3)
@pytest.mark.parametrize("sight", SIGHTS, ids=NAMES)
def test_everybody_can_use_it_with_a_finger_by_day_and_by_night(
    sight: Sight,
    *,
    phone: Opener,
    complaints: Complaints,
    full: bool,
    serve: Serve,
) -> None:
    if sight.name == "fault":
        complaints.forgive("status of 404")
    served = serve(sight.room())
    page = look(served, sight, phone("de-DE"))
    assert barriers(page) == []
    if full or sight.name in BY_NIGHT:
        page.emulate_media(color_scheme="dark")
        assert barriers(page, "color-contrast") == []
    assert too_small(page) + too_wide(page) == []
    if full:  # German words are longer
        served.server.pairing.leave_all()
        english = look(served, sight, phone("en-GB"))
        assert too_small(english) + too_wide(english) == []


def test_every_phase_of_a_game_suits_fingers_and_screen_readers(
    drawer: Drawer, phone: Opener, full: bool, *, serve: Serve
) -> None:
    for phase in phases() if full else ADDED[-2:]:
        if phase.hands is None:
            page = look(serve(phase.sight.room()), phase.sight, phone("de-DE"))
            for one in page.locator(".pick-hue, .movable, .pick").all()[:1]:
                one.tap()
            sights.unfolds(page)
            assert hindrances(page) == [], phase.name
            page.emulate_media(color_scheme="dark")
            assert barriers(page, "color-contrast") == [], phase.name
            drawer.put_back()


@pytest.mark.slow
def test_small_phones_suit_fingers(drawer: Drawer, serve: Serve) -> None:
    found = []
    for sight in SIGHTS:
        page = look(serve(sight.room()), sight, Opener(drawer, SMALLEST)("de-DE"))
        found += [f"{sight.name}: {fault}" for fault in (*too_small(page), *too_wide(page))]
        drawer.put_back()
    assert found == [], found


@pytest.mark.slow
def test_at_four_times_the_size_everything_can_be_reached(
    drawer: Drawer, complaints: Complaints, serve: Serve
) -> None:
    complaints.forgive("status of 404")  # one of the pages is that of a fault
    found = []
    for sight in (*SIGHTS, *(phase.sight for phase in ADDED if phase.hands is None)):
        page = look(serve(sight.room()), sight, Opener(drawer, ZOOMED)("de-DE"))
        faults = (*too_wide(page), *page.evaluate(UNREACHABLE))
        found += [f"{sight.name}: {fault}" for fault in faults]
        drawer.put_back()
    assert found == [], found
