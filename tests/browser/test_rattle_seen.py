"""Who does not hear the rattle sees it: a bar for each knock, on every screen, left and right."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from companion.present.simulated_hands import Where
from tests.browser.chromium import OnScreen, Opener, Screen, box_of, until
from tests.browser.phases import Handling, placed
from tests.browser.served import Serve

WIDTHS: Final = ((320, 568), (360, 640), (390, 844), (740, 360), (1280, 720), (1440, 900))
MUTED: Final = {
    "en-GB": "Sound is off – watch the bars.",
    "de-DE": "Der Ton ist aus – achte auf die Balken.",
}
BAND_PX: Final = 64
# How much of the band's left and right half is coloured, and how high.
BARS: Final = """() => {
    const canvas = document.getElementById("meter");
    const {width, height} = canvas, pen = canvas.getContext("2d"), found = [];
    for (const from of [0, Math.ceil(width / 2) + 4]) {
        const seen = pen.getImageData(from, 0, Math.floor(width / 2) - 4, height).data;
        found.push(seen.filter((value, at) => at % 4 === 3 && value > 60).length);
    }
    return found;
}"""
PLAY: Final = """ear => window.rattle.play(
    [{at_ms: 0, strength: 0.9}, {at_ms: 60, strength: 0.3}, {at_ms: 120, strength: 0.6}], ear)"""


def shaking(page: Page, serve: Serve) -> Page:
    """Open the page of somebody who has a barrel in hand."""
    serve(placed("putback red"), Handling(Where.HAND)).open(page, "/simulated", "red")
    expect(page.locator(".hand [data-do=shake]:visible")).to_have_count(1)
    return page


@pytest.mark.parametrize("mobile", [True, False])
def test_the_rattle_is_seen_above_the_keys_on_every_width(
    on: OnScreen, serve: Serve, *, mobile: bool
) -> None:
    sizes = [size for size in WIDTHS if mobile is (size[0] < 800)]
    page = shaking(on(Screen(*sizes[0], mobile=mobile))("en-GB"), serve)
    meter, key = page.locator("#meter"), page.locator(".hand [data-do=shake]:visible")
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        band, below = box_of(meter.locator("..")), box_of(key)
        assert band["height"] == BAND_PX
        assert band["width"] >= min(300, 0.35 * width)
        assert band["y"] + band["height"] <= below["y"]
        expect(meter).to_be_in_viewport(ratio=1)
        expect(key).to_be_in_viewport(ratio=1)
        for ear, (own, other) in ((-1, (0, 1)), (1, (1, 0))):
            page.reload()
            key.wait_for()
            assert page.evaluate(BARS) == [0, 0]
            page.evaluate(PLAY, ear)
            until(page, lambda own=own: page.evaluate(BARS)[own] > 100)  # type: ignore[misc]
            assert page.evaluate(BARS)[other] == 0


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("locale", MUTED)
def test_who_has_muted_is_told_where_to_look(phone: Opener, serve: Serve, locale: str) -> None:
    page = shaking(phone(locale), serve)
    said = page.get_by_text(MUTED[locale])
    expect(said).to_be_hidden()
    page.locator("#mute").tap()
    expect(said).to_be_in_viewport(ratio=1)
    page.locator("#mute").tap()
    expect(said).to_be_hidden()
    page.locator("#volume").fill("0")
    expect(said).to_be_visible()
