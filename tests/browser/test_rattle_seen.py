"""Who does not hear the rattle sees it: a bar for each knock, on every screen, left and right."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from companion.present.simulated_hands import Where
from tests.browser.chromium import Drawer, Opener, Screen, box_of, until
from tests.browser.phases import Handling, placed
from tests.browser.served import Served

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


def shaking(drawer: Drawer, folder: Path, screen: Screen, locale: str) -> tuple[Served, Page]:
    """Open the page of somebody who has a barrel in hand."""
    served = Served(placed("putback red"), folder, Handling(Where.HAND))
    page = served.open(Opener(drawer, screen)(locale), "/simulated", "red")
    expect(page.locator(".hand [data-do=shake]:visible")).to_have_count(1)
    return served, page


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_the_rattle_is_seen_above_the_keys_on_every_width(
    drawer: Drawer, tmp_path: Path, width: int, height: int
) -> None:
    served, page = shaking(drawer, tmp_path, Screen(width, height, mobile=width < 800), "en-GB")
    with served:
        meter, key = page.locator("#meter"), page.locator(".hand [data-do=shake]:visible")
        band, below = box_of(meter.locator("..")), box_of(key)
        assert band["height"] == BAND_PX
        assert band["width"] >= min(300, 0.35 * width)
        assert band["y"] + band["height"] <= below["y"]
        expect(meter).to_be_in_viewport(ratio=1)
        expect(key).to_be_in_viewport(ratio=1)
        for ear, (own, other) in ((-1, (0, 1)), (1, (1, 0))):
            page.reload()
            page.locator(".hand [data-do=shake]:visible").wait_for()
            assert page.evaluate(BARS) == [0, 0]
            page.evaluate(PLAY, ear)
            until(page, lambda own=own: page.evaluate(BARS)[own] > 100)  # type: ignore[misc]
            assert page.evaluate(BARS)[other] == 0
        drawer.put_back()


@pytest.mark.parametrize("locale", MUTED)
def test_who_has_muted_is_told_where_to_look(drawer: Drawer, tmp_path: Path, locale: str) -> None:
    served, page = shaking(drawer, tmp_path, Screen(360, 640, mobile=True), locale)
    with served:
        said = page.get_by_text(MUTED[locale])
        expect(said).to_be_hidden()
        page.locator("#mute").tap()
        expect(said).to_be_in_viewport(ratio=1)
        page.locator("#mute").tap()
        expect(said).to_be_hidden()
        page.locator("#volume").fill("0")
        expect(said).to_be_visible()
        drawer.put_back()
