"""The practice round on a phone: eight steps at the simulated table, the last one a caught peek."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.maintenance.practice import COUNT, PracticeStep
from companion.system.text import SeatName
from tests.browser.asked import unseen
from tests.browser.chromium import OnScreen, Screen, barriers, box_of, too_wide, until
from tests.browser.simulated import Begin, Evening

SPEED = 3.0
BEFORE = (PracticeStep.GOAL, PracticeStep.DICE)
AFTER = (PracticeStep.MOVE, PracticeStep.BANISH)


def at(page: Page, step: PracticeStep, language: str) -> None:
    """Wait for a step; one sentence asks for something, and says how far it is."""
    expect(page.locator(f"#world[data-mark={step.name.lower()}]")).to_be_attached()
    counted = {"en": f"{step.number} of {COUNT}", "de": f"{step.number} von {COUNT}"}[language]
    expect(page.locator("#step")).to_have_text(counted)
    expect(page.locator("#step")).to_be_in_viewport(ratio=1)
    expect(page.locator("#headline")).to_be_in_viewport(ratio=1)
    expect(page.locator("#waits")).to_be_hidden()
    assert too_wide(page) == []


def takes(evening: Evening, page: Page, handle: int) -> None:
    """Take a barrel by a tap."""
    box = box_of(page.locator(f"[data-barrel='{handle}'].free .reach"))
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(page, lambda: evening.live.table.world.free_us[SeatName.RED] > 0 and evening.idle)


def shows(page: Page, step: PracticeStep) -> bool:
    return page.locator("#world").get_attribute("data-mark") == step.name.lower()


def compares(evening: Evening, page: Page) -> None:
    """Shake both: as often as it takes."""
    if evening.idle and not shows(page, PracticeStep.PLACE):
        page.locator("#compare").tap()


def tapped(key: Locator) -> None:
    expect(key.locator("xpath=ancestor-or-self::*[contains(@class, 'settles')]")).to_have_count(0)
    key.tap()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_who_is_new_learns_it_in_eight_steps(
    begin: Begin, on: OnScreen, tmp_path: Path, locale: str
) -> None:
    page, language = on(Screen(360, 640, mobile=True))(locale), locale[:2]
    evening = begin(speed=SPEED)
    evening.open(page)
    expect(page.locator("#learn.wide-key")).to_be_in_viewport(ratio=1)
    expect(page.locator("#take-seat.quiet")).to_be_visible()
    page.locator("#learn").tap()
    goes_on = page.locator("#practice [data-wish]").first
    for step in BEFORE:
        at(page, step, language)
        expect(page.locator("#practice :is(svg.picture, img)")).to_be_in_viewport(ratio=1)
        assert barriers(page) == []
        assert unseen(page) == []
        goes_on.press("Enter")
        if step is PracticeStep.GOAL:  # the same key again goes on, and does not stop it
            at(page, PracticeStep.DICE, language)
            expect(goes_on).to_be_focused()
    at(page, PracticeStep.SHAKE, language)
    for handle in (0, 3):
        takes(evening, page, handle)
    until(page, lambda: shows(page, PracticeStep.PLACE), lambda: compares(evening, page))
    at(page, PracticeStep.PLACE, language)
    until(page, lambda: evening.idle)
    tapped(page.locator("#hand-right [data-do=place]"))
    at(page, PracticeStep.FLIP, language)
    until(page, lambda: evening.idle)
    expect(page.locator(".barrel.flipped .number:visible")).to_have_count(0)
    tapped(page.locator("#own-pad [data-do=flip]"))
    at(page, PracticeStep.MOVE, language)
    expect(page.locator(".barrel.flipped .number:visible")).to_be_in_viewport(ratio=1)
    for step in AFTER:
        at(page, step, language)
        expect(page.locator("#practice svg.picture")).to_be_in_viewport(ratio=1)
        expect(goes_on).to_be_in_viewport(ratio=1)
        goes_on.tap()
    at(page, PracticeStep.PEEK, language)
    page.locator(".two [data-do=peek]:visible").hover()
    page.mouse.down()
    page.wait_for_timeout(1500 / SPEED)
    page.mouse.up()
    expect(page.locator("#world[data-mark=done]")).to_be_attached()
    expect(page.locator("#practice svg.evidence")).to_be_in_viewport(ratio=1)
    assert barriers(page) == []
    goes_on.tap()
    expect(page.locator("#practice")).to_have_count(0)
    assert not evening.table.matches()
    assert not [*tmp_path.glob("practice*")]
