"""The whole simulated table on a phone: joining by a button, enrolling, playing, being caught."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.chromium import Opener, too_small, too_wide
from tests.browser.simulated import Evening

Begin = Callable[..., Evening]
PLACED = re.compile("hat gewählt|welches Fass|dreht um|zeigt")
HASTE = 6.0  # where nobody's eyes and fingers have to keep up


@pytest.fixture
def begin(tmp_path: Path, chromium: Browser) -> Iterator[Begin]:
    """Begin evenings at the simulated table, and end them when no page is open any more."""
    with ExitStack() as life:

        def started(**how: object) -> Evening:
            return life.enter_context(Evening(tmp_path, **how))  # type: ignore[arg-type]

        yield started
        for context in chromium.contexts:
            context.close()


def sits(evening: Evening, page: Page) -> Page:
    """Take the seat by a tap, and wait until there is something to shake for."""
    evening.open(page)
    page.locator("#take-seat").tap()
    expect(page.locator("#world[data-plays]")).to_be_visible()
    expect(page.locator("#table.phase-place")).to_be_visible()
    return page


def grasps(page: Page, letter: int) -> None:
    """Drag a barrel from the plateau to the right hand, and keep the finger on it."""
    barrel = page.locator(f"[data-barrel='{letter}'].free .reach")
    barrel.wait_for(state="attached")
    page.locator("#world").scroll_into_view_if_needed()
    box, scene = barrel.bounding_box(), page.locator("#scene svg").first.bounding_box()
    assert box
    assert scene
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(
        scene["x"] + 0.72 * scene["width"], scene["y"] + 0.86 * scene["height"], steps=6
    )


def test_a_person_takes_the_seat_shakes_hears_and_places(
    begin: Begin, phone: Opener, axe: Callable[..., list[str]]
) -> None:
    evening = begin()
    page = phone("de-DE")
    knocks: list[int] = []

    def hear(answer: Response) -> None:
        knocks.extend(len(one["knocks"]) for one in answer.json()["heard"])

    sits(evening, page)
    page.on("response", lambda answer: hear(answer) if "simulated/act" in answer.url else None)
    grasps(page, 3)
    expect(page.locator("#hand-right")).to_be_visible()
    for turn in range(40):  # to and fro, until stones were heard
        page.mouse.move(220 + 60 * (turn % 2), 500, steps=3)
    page.mouse.up()
    page.locator("#hand-right [data-do=shake]").tap()
    for _ in range(600):
        if sum(knocks):
            break
        page.wait_for_timeout(50)
    assert sum(knocks) > 0
    assert axe(page) == []
    assert too_small(page) == []
    assert too_wide(page) == []
    page.locator("#hand-right [data-do=place]").tap()
    expect(page.locator("#seat-red")).to_contain_text(PLACED)
    assert not [one for one in evening.table.snapshot.fouls if one.raised.code == "peek"]


def test_a_person_who_peeks_is_accused_with_evidence_and_acquitted(
    begin: Begin, phone: Opener, axe: Callable[..., list[str]]
) -> None:
    evening = begin(seed=5)
    page = sits(evening, phone("en-GB"))
    grasps(page, 0)
    page.mouse.up()
    peek = page.locator(".hand:not([hidden]) [data-do=peek]")
    peek.hover()
    page.mouse.down()
    expect(page.locator("#caught")).to_be_visible()
    page.mouse.up()
    card = page.locator("#table .foul").first
    expect(card).to_be_visible()
    assert card.locator("svg").count() >= 1
    assert axe(page) == []
    (foul,) = [one for one in evening.table.snapshot.fouls if one.raised.code == "peek"]
    assert max(point.tilt_deg for point in foul.raised.evidence) > 60
    page.get_by_role("button", name="Dismiss: it was none").first.tap()
    expect(page.locator("#caught")).to_be_hidden()
    assert [one.upheld for one in evening.table.snapshot.fouls if one.raised.code == "peek"] == [
        False
    ]


def test_a_phone_is_let_in_by_the_button_of_its_seat(begin: Begin, phone: Opener) -> None:
    evening = begin(speed=HASTE, plays=False)
    page = evening.open(phone("de-DE"), "/join")
    page.get_by_text("Rot", exact=True).first.tap()
    page.get_by_role("button", name="Mit dem Knopf verbinden").tap()
    expect(page.locator("#press")).to_be_visible()
    evening.hands.press(0.2)
    expect(page.get_by_role("heading", name="Dieses Handy spielt mit")).to_be_visible()
    assert evening.table.snapshot.joining == ()  # the press was for the phone alone
    evening.open(page, "/setup")
    expect(page.get_by_role("button", name="Partie beginnen")).to_be_enabled()


def test_thirteen_barrels_are_enrolled_in_the_workshop(begin: Begin, phone: Opener) -> None:
    evening = begin(speed=HASTE, plays=False)
    truth = {stopper: barrel for barrel, stopper in evening.live.table.world.stoppers.items()}
    page = evening.open(phone("en-GB"), "/workshop", "table")
    page.get_by_role("button", name="Enrol all barrels").tap()
    expect(page.locator("ol.barrels li")).to_have_count(13)
    save = page.get_by_role("button", name="Finish and save")
    for _ in range(2000):
        if save.is_visible():
            break
        page.wait_for_timeout(20)
        enrolment = evening.table.workshop.opened.enrolment  # type: ignore[union-attr]
        assert enrolment is not None
        if enrolment.left and evening.rests:
            evening.lift(enrolment.left[0])
        elif not enrolment.left and page.locator("#number").is_visible():
            number = truth[enrolment.whom[0]]
            page.locator(f"#read-{enrolment.whom[0]}-{number}").tap()
    save.tap()
    expect(page.locator("#enrol .big")).to_have_text("13 of 13 barrels are known.")
    page.get_by_text("What was saved before").tap()
    expect(page.locator("#version-2 strong")).to_be_visible()
    page.get_by_role("button", name="Use this one again").last.tap()
    expect(page.locator("#version-3 strong")).to_be_visible()  # so it went on from the first
    expect(page.locator("#enrol .big")).to_have_text("0 of 13 barrels are known.")
