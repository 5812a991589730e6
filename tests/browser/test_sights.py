"""Every page in every state, on a phone: nothing bars anybody, nothing is too small or too wide."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from companion.web.ports import TablePort
from tests.browser.chromium import Complaints, Drawer, Opener, Screen, too_small, too_wide
from tests.browser.served import Served
from tests.browser.sights import SIGHTS, Sight

NAMES = [sight.name for sight in SIGHTS]
SMALLEST = Screen(320, 568, mobile=True)
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
    axe: Callable[..., list[str]],
    complaints: Complaints,
    full: bool,
    serve: Callable[[TablePort], Served],
) -> None:
    if sight.name == "fault":
        complaints.forgive("status of 404")
    served = serve(sight.room())
    page = look(served, sight, phone("de-DE"))
    assert axe(page) == []
    if full or sight.name in BY_NIGHT:
        page.emulate_media(color_scheme="dark")
        assert axe(page, "color-contrast") == []
    assert too_small(page) == []
    assert too_wide(page) == []
    if full:  # German words are longer
        served.server.pairing.leave_all()
        english = look(served, sight, phone("en-GB"))
        assert too_small(english) == []
        assert too_wide(english) == []


@pytest.mark.slow
def test_the_smallest_phone_has_room_for_fingers(
    drawer: Drawer, serve: Callable[[TablePort], Served]
) -> None:
    found = []
    for sight in SIGHTS:
        page = look(serve(sight.room()), sight, Opener(drawer, SMALLEST)("de-DE"))
        found += [f"{sight.name}: {fault}" for fault in (*too_small(page), *too_wide(page))]
        drawer.put_back()
    assert found == []
