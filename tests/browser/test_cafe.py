"""What a café switched on is seen: a clock that fills, a bell, a clear background for streams."""

from time import time

from playwright.sync_api import expect

from companion.web.cafe import CafeOptions
from tests.browser.chromium import (
    OnScreen,
    Opener,
    Screen,
    halted,
    pass_until,
    too_small,
    too_wide,
)
from tests.browser.served import Serve
from tests.browser.sights import shaking
from tests.web.playing import do

FILLED = "one => parseFloat(one.style.getPropertyValue('--turn'))"
TRANSPARENT = "rgba(0, 0, 0, 0)"
SHOWN = """() => Array.from(document.querySelectorAll('#tv *')).filter(one => one.checkVisibility()
    && one.getBoundingClientRect().width && one.getBoundingClientRect().top < .5 * innerHeight)
    .map(one => one.outerHTML.slice(0, 60))"""


def test_a_clock_fills_chips_and_begins_anew_with_each_turn(phone: Opener, serve: Serve) -> None:
    room, page = shaking(), phone("en-GB")
    with halted(page):
        served = serve(room)
        served.server.cafe.choose(CafeOptions(turn_s=60))
        served.open(page, role="blue")
        chip = page.locator("#seat-blue")
        page.clock.run_for(30_000)
        assert 0.4 < chip.evaluate(FILLED) < 0.6
        page.clock.run_for(40_000)
        expect(chip).to_have_class("seat-blue turn you slow")
        do(room, "place green")
        pass_until(
            page, lambda: "turn" not in str(page.locator("#seat-green").get_attribute("class"))
        )
        page.clock.run_for(10_000)
        assert chip.evaluate(FILLED) < 0.4
        served.server.cafe.choose(CafeOptions())
        table = page.locator("#table")
        pass_until(page, lambda: table.get_attribute("data-turn-s") != "60")
        page.clock.run_for(2_000)
        assert chip.evaluate(FILLED) == 0


def test_a_bell_rings_now_and_then_and_goes_by_itself(phone: Opener, serve: Serve) -> None:
    page = phone("de-DE")
    with halted(page):
        served = serve(shaking())
        begun_ms = int((time() - 20) * 1000)  # rings 20 s before half an hour is over
        served.server.cafe.choose(CafeOptions(break_min=30, since_ms=begun_ms))
        served.open(page)
        bell = page.locator("#bell")
        expect(bell).to_be_hidden()
        page.clock.run_for(30 * 60_000)
        expect(bell).to_have_text("Zeit für eine Pause?")
        expect(bell).to_be_visible()
        page.clock.run_for(50_000)
        expect(bell).to_be_hidden()


def test_a_stream_sees_who_plays_below_and_nothing_else(on: OnScreen, serve: Serve) -> None:
    served = serve(shaking())
    served.server.cafe.choose(CafeOptions(overlay=True))
    page = served.open(on(Screen(1280, 720))("en-GB"), "/tv?overlay")
    for part in ("html", "body"):
        ground = page.locator(part).evaluate("one => getComputedStyle(one).backgroundColor")
        assert ground == TRANSPARENT
    assert page.evaluate(SHOWN) == []
    expect(page.locator("#seats li")).to_have_count(4)
    expect(page.locator("#seat-red")).to_be_in_viewport(ratio=1)


def test_all_of_it_is_switched_on_by_taps_on_a_small_phone(on: OnScreen, serve: Serve) -> None:
    served = serve(shaking())
    page = served.open(on(Screen(320, 568, mobile=True))("de-DE"), "/setup", "red")
    page.get_by_role("link", name="Für Cafés").tap()
    page.get_by_label("Zuguhr").select_option("90")
    page.get_by_label("Ein Bild für Streams").check()
    assert too_wide(page) + too_small(page) == []
    page.get_by_role("button", name="Speichern").tap()
    expect(page.get_by_label("Zuguhr")).to_have_value("90")
    assert served.server.cafe.now == CafeOptions(90, overlay=True)
