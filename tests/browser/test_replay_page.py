"""A past match on one screen: it plays by itself, at any speed, and every step can be linked to."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import OnScreen, Opener, Screen, box_of, halted, until
from tests.browser.served import Serve
from tests.web.running import RUNNING, remembering

SCREENS = (
    Screen(320, 568, mobile=True),
    Screen(360, 740, mobile=True),
    Screen(390, 844, mobile=True),
    Screen(1280, 800),
    Screen(667, 330, mobile=True),
    Screen(1920, 1080),
)
PARTS = "#top, #step > .board, #step .said, #step .steps a, #slider, #run, #speeds label, #only"
OUTSIDE = """parts => Array.from(document.querySelectorAll(parts)).filter(one => {
    const box = one.getBoundingClientRect();
    return one.offsetParent !== null && (box.bottom > innerHeight + 1 || box.right > innerWidth + 1
        || box.top < 0 || box.left < 0 || box.height < 20);
}).map(one => one.id || one.className)"""


def step(page: Page) -> int:
    return int(page.locator("#slider").input_value())


@pytest.mark.slow(but=3)
@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
@pytest.mark.parametrize("screen", SCREENS, ids=lambda one: f"{one.width_px}x{one.height_px}")
@pytest.mark.parametrize("match", ["zapp-zerapp", "blackmore-changing", "via-magica-taking"])
def test_board_and_keys_are_on_one_screen(
    match: str, screen: Screen, locale: str, on: OnScreen, serve: Serve
) -> None:
    room = remembering() if match == "zapp-zerapp" else RUNNING[match][1]()
    page = serve(room).open(on(screen)(locale), "/history/m0?step=4")
    assert page.evaluate(OUTSIDE, PARTS) == []
    board = box_of(page.locator("#step > .board"))
    assert min(board["width"], board["height"]) > 0.25 * min(screen.width_px, screen.height_px)


def test_matches_appear_as_they_are_read(phone: Opener, serve: Serve) -> None:
    served = serve(remembering())
    served.phones.library.reading_s = 1e-4  # one at a time
    page = phone("en-GB")
    assert 'id="unread"' in page.context.request.get(f"{served.home}/history").text()
    served.open(page, "/history")
    page.locator("a.match").first.focus()
    expect(page.locator("a.match")).to_have_count(5)
    expect(page.locator("#unread")).to_have_count(0)
    expect(page.locator("a.match").first).to_be_focused()


def test_it_plays_by_itself_to_the_end_as_fast_as_one_likes(desk: Opener, serve: Serve) -> None:
    page = desk("en-GB")
    page.clock.install()
    serve(remembering()).open(page, "/history/m0?step=0")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(2000)
    until(page, lambda: step(page) >= 1, lambda: page.clock.run_for(100))
    page.locator("#speeds label").nth(3).click()
    until(page, lambda: step(page) == 36, lambda: page.clock.run_for(1000))
    until(page, lambda: page.locator("#run.running").count() == 0, lambda: page.clock.run_for(1000))
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?step=36")


@pytest.mark.leisure
def test_four_times_as_fast_takes_a_quarter_of_the_time(desk: Opener, serve: Serve) -> None:
    page = desk("en-GB")
    with halted(page):
        serve(remembering()).open(page, "/history/m0?step=5")  # which is shown for four seconds
        page.locator("#speeds label").nth(3).click()
        page.locator("#run").click()
        page.clock.run_for(900)
        assert step(page) == 5
        page.clock.run_for(200)
        until(page, lambda: step(page) > 5)
        page.locator("#run").click()
        before = step(page)
        page.clock.run_for(10_000)
        assert step(page) == before


def test_with_moves_only_it_goes_from_move_to_move(desk: Opener, serve: Serve) -> None:
    page = serve(remembering()).open(desk("de-DE"), "/history/m0?step=0")
    page.get_by_label("Nur Züge").check()
    seen = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        seen.append(step(page))
        expect(page.locator("#story .now")).to_have_attribute("data-moves", "")
    assert seen == sorted(set(seen))
    assert seen[0] > 1
    page.keyboard.press("ArrowLeft")
    assert step(page) == seen[1]


def test_keys_run_it_and_step_through_it_however_soon_they_come(desk: Opener, serve: Serve) -> None:
    page = serve(remembering()).open(desk("en-GB"), "/history/m0?step=7")
    for key, there in (("ArrowRight", 8), ("ArrowLeft", 7), ("Home", 0), ("End", 36)):
        page.keyboard.press(key)
        expect(page.locator("#slider")).to_have_value(str(there))
        expect(page.locator("#step .count")).to_contain_text(f"Step {there} of 36")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.locator("#run")).to_have_class("running")
    page.keyboard.press("Space")
    expect(page.locator("#run")).not_to_have_class("running")
    before = step(page)
    page.evaluate(
        """() => { for (let times = 0; times < 3; times++)
            document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" })); }"""
    )
    expect(page.locator("#step .count")).to_contain_text(f"Step {before + 3} of 36")
    page.evaluate("() => { history.replaceState = () => { throw new Error('too often'); }; }")
    for there in (1, 2, 3):  # a browser that wants no more new addresses goes on
        page.keyboard.press("ArrowRight")
        expect(page.locator("#step .count")).to_contain_text(f"Step {before + 3 + there} of 36")


def test_a_finger_slides_through_the_match(phone: Opener, serve: Serve) -> None:
    page = serve(remembering()).open(phone("en-GB"), "/history/m0?step=0")
    box = box_of(page.locator("#slider"))
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#step .count")).to_contain_text("Step 18 of 36")
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?step=18")
    page.reload()
    expect(page.locator("#slider")).to_have_value("18")


def test_without_javascript_links_and_a_form_lead_on(phone: Opener, serve: Serve) -> None:
    browser = phone().context.browser
    assert browser is not None
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    served = serve(remembering())
    page.goto(f"{served.home}/history/m0?step=7")
    page.get_by_role("link", name="One step forward").click()
    assert page.url.endswith("?step=8")
    expect(page.locator("#go")).to_be_visible()
    expect(page.locator("#run")).to_be_hidden()
    page.locator("#story a").nth(3).click()
    assert page.url.endswith("?step=3")
    plain.close()
