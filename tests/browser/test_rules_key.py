"""The key "?" opens the rules of the moment over the page, for fingers, keys and screen readers."""

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import (
    Complaints,
    OnScreen,
    Opener,
    Screen,
    barriers,
    box_of,
    too_small,
    too_wide,
)
from tests.browser.served import Serve
from tests.web.playing import do, table
from tests.web.room import FakeRoom
from tests.web.still import Still

HEADINGS = {
    "de-DE": ("Dann: schütteln und wählen", "Zuletzt: ziehen"),
    "en-GB": ("Then: shake and choose", "Last: move"),
}


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("locale", "size"), [("de-DE", (320, 568)), ("en-GB", (360, 640))])
def test_the_rules_of_the_phase_open_over_the_page_and_close_by_key_and_finger(
    on: OnScreen, serve: Serve, locale: str, size: tuple[int, int]
) -> None:
    room = table()
    do(room, "roll 7")
    page, asked = on(Screen(*size, mobile=True))(locale), list[str]()
    page.on("request", lambda one: asked.append(one.url))
    serve(room, Still()).open(page, "/simulated", "red")
    sheet, key, top = (page.locator(one) for one in ("#rules-now", "#rules-key", "#headline"))
    expect(page.locator(".barrel.free")).to_have_count(13)
    assert not [url for url in asked if "rules" in url or "drawings" in url]
    before = top.bounding_box()
    key.tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(sheet.get_by_role("heading")).to_have_text(HEADINGS[locale][0])
    expect(sheet.locator(":focus")).to_have_count(1)
    expect(sheet.get_by_role("img")).to_be_in_viewport(ratio=1)
    expect(sheet.get_by_role("heading")).to_be_in_viewport(ratio=1)
    box = box_of(sheet)
    assert box["height"] <= 0.63 * size[1]
    assert barriers(page) == []
    assert too_wide(page) == []
    assert top.bounding_box() == before
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(key).to_be_focused()
    assert too_small(page) == []
    move(room)
    expect(page.locator("#table.phase-move")).to_be_attached()
    key.press("Enter")
    expect(sheet.get_by_role("heading")).to_have_text(HEADINGS[locale][1])
    page.touchscreen.tap(20, 20)  # beside it
    expect(sheet).to_be_hidden()


def move(room: FakeRoom) -> None:
    """Let all choose, and one move."""
    seats = ("red", "green", "blue", "yellow")
    do(room, *(f"place {seat}" for seat in seats), "flip")
    do(room, *(f"say {seat} {number}" for number, seat in enumerate(seats, 2)))
    room.stir()


def test_where_the_companion_does_not_answer_that_is_said(
    phone: Opener, serve: Serve, complaints: Complaints
) -> None:
    complaints.forgive("rules")
    page = serve(table()).open(phone("en-GB"), "/", "red")
    page.route("**/rules", lambda route: route.abort())
    page.locator("#rules-key").tap()
    expect(page.locator("#told")).not_to_be_empty()
    expect(page.locator("#rules-now")).to_be_hidden()
