"""A phone is the barrel: its motion is played into the page, and the real sensing judges it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Response, expect

from companion.games.zapp_zerapp.rules import Colour, Phase
from companion.system.text import SeatName
from rappelwacht_research.phone_motions import USUAL, recorded
from tests.browser.chromium import Opener, too_small, too_wide, until
from tests.browser.simulated import BUSY, Evening
from tests.browser.test_simulated import ROLL, Begin, moves, sits
from tests.browser.test_simulated import begin as begin  # noqa: PLC0414 - a fixture

PLAYS = """samples => {
  const begun = performance.now(), left = samples.slice();
  window.moving = true;
  const timer = setInterval(() => {
    while (left.length && left[0][0] <= performance.now() - begun) {
      const [, x, y, z] = left.shift();
      const felt = { accelerationIncludingGravity: { x, y, z } };
      dispatchEvent(new DeviceMotionEvent("devicemotion", felt));
    }
    if (!left.length) { clearInterval(timer); window.moving = false; }
  }, 4);
}"""
FELT = "accelerometer"
Samples = Sequence[Sequence[float]]


def feels(page: Page, samples: Samples) -> None:
    """Let a phone feel something, which takes as long as it does."""
    page.evaluate(PLAYS, samples)


def still(page: Page) -> bool:
    return not page.evaluate("window.moving")


def moved(script: str, seed: int = 1) -> Samples:
    """Return what it feels that lies on its screen, and is moved as a script moves a barrel."""
    return [[at_ms, *force] for at_ms, force in recorded(script, seed)]


def lies(force: tuple[float, float, float], for_s: float = 2.5) -> Samples:
    return [[1000 * at / USUAL.hz, *force] for at in range(round(for_s * USUAL.hz))]


@contextmanager
def told(page: Page) -> Iterator[list[dict[str, Any]]]:
    """Yield what the table answers to motion."""
    answers: list[dict[str, Any]] = []

    def tell(answer: Response) -> None:
        if "simulated/motion" in answer.url and answer.ok:
            answers.append(answer.json())

    page.on("response", tell)
    try:
        yield answers
    finally:
        page.remove_listener("response", tell)


def becomes_a_barrel(page: Page) -> None:
    """Switch it on, and lay the phone on either side."""
    page.context.grant_permissions(["accelerometer", "gyroscope"])
    page.locator("#phone").tap()
    says = page.locator("#phone-says")
    expect(says).to_contain_text("screen up")
    feels(page, lies(USUAL.up))
    expect(says).to_contain_text("turn it over")
    feels(page, lies(USUAL.down))
    expect(says).to_contain_text("knows where down is")
    until(page, lambda: still(page))


def takes(evening: Evening, page: Page) -> None:
    page.locator("#all > summary").tap()
    page.locator("#all [data-do=lift]:visible").last.tap()
    until(page, lambda: evening.holds)
    page.locator("#all > summary").tap()


@pytest.mark.slow
def test_a_phone_is_shaken_looks_is_handed_over_placed_and_flipped(
    begin: Begin, phone: Opener
) -> None:
    evening = begin(seed=5, moods=(BUSY,))
    page = sits(evening, phone("en-GB"))
    becomes_a_barrel(page)
    takes(evening, page)
    world = evening.live.table.world
    (number,) = [one for one in world.barrels if world.holder(one) is SeatName.RED]
    barrel = page.locator("#as-barrel")
    with told(page) as answers:
        feels(
            page,
            moved(
                "0.1 blue lifts 7\nblue carries 7 for 2\nblue shakes 7 for 2\nblue hands 7 to red"
            ),
        )
        expect(barrel).to_be_visible()
        assert too_wide(page) == []
        until(page, lambda: still(page))
        assert sum(len(one["knocks"]) for one in answers) > number
        assert {one["number"] for one in answers} == {None}
        assert not evening.table.snapshot.fouls
        assert str(number) not in barrel.inner_text()
        feels(page, moved("0.1 blue lifts 7\nblue peeks 7 to 150 for 1.5\nblue puts back 7", 2))
        expect(barrel.locator(".number")).to_have_text(str(number))
        until(page, lambda: bool(evening.table.snapshot.fouls))
        (foul,) = evening.table.snapshot.fouls
        assert foul.raised.code == "peek"
        assert max(point.tilt_deg for point in foul.raised.evidence) >= 145
        until(page, lambda: still(page))
        feels(page, lies(USUAL.down, 4))  # and so it is placed
        until(page, lambda: Colour.RED in evening.view.placed)
    expect(barrel).to_be_hidden()
    page.locator("#caught a").tap()
    page.get_by_role("button", name="No, that was nothing").first.tap()
    until(page, lambda: evening.view.phase is Phase.FLIP)
    page.locator("[data-side=barrels]").first.tap()
    feels(page, moved("1.5 blue flips 7", 3))
    until(page, lambda: evening.view.phase is not Phase.FLIP)
    until(page, lambda: evening.view.round > 1, lambda: moves(evening, page))


@pytest.mark.slow
def test_three_phones_are_the_barrels_of_a_whole_round(begin: Begin, phone: Opener) -> None:
    seats = (SeatName.RED, SeatName.GREEN, SeatName.BLUE)
    evening = begin(seats=seats)
    pages = [evening.open(phone("en-GB"), role=seat.name.lower()) for seat in seats]
    for page in pages:
        page.locator("#sit-down").tap()
    evening.begin()
    first = pages[0]
    until(first, lambda: evening.mixed)
    first.get_by_role("button", name=ROLL).tap()
    for handle, page in enumerate(pages, 3):
        expect(page.locator("#table.phase-place")).to_be_visible()
        becomes_a_barrel(page)
        page.locator("#all > summary").press("Enter")
        page.locator(f"#row-{handle} [data-do=lift]").tap()
        page.locator("#all > summary").press("Enter")
    for seed, page in enumerate(pages):
        feels(
            page,
            moved(
                "0.1 blue lifts 7\nblue carries 7 for 2\nblue shakes 7 for 1.5\nblue puts back 7",
                seed,
            ),
        )
    for page in pages:
        until(page, lambda page=page: still(page))  # type: ignore[misc]
        feels(page, lies(USUAL.down, 4))
    until(first, lambda: evening.view.phase is Phase.FLIP)
    assert not evening.table.snapshot.fouls
    for seed, page in enumerate(pages):
        until(page, lambda page=page: still(page))  # type: ignore[misc]
        feels(page, moved("1.5 blue flips 7", seed))
    until(first, lambda: evening.view.phase is not Phase.FLIP)

    def move() -> None:
        for page in pages:
            moves(evening, page)

    until(first, lambda: evening.view.round > 1, move)
    assert not evening.table.snapshot.fouls


def senses(page: Page, sensor: CDPSession, samples: Samples) -> None:
    """Have the browser's own sensor feel something, in real time; it tells 60 times a second."""
    begun_s = monotonic()
    for at_ms, x, y, z in samples:
        early_ms = at_ms - 1000 * (monotonic() - begun_s)
        if early_ms < -50:
            continue  # a machine that is slow feels less often
        if early_ms > 0:
            page.wait_for_timeout(early_ms)
        reading = {"xyz": {"x": x, "y": y, "z": z}}
        sensor.send("Emulation.setSensorOverrideReadings", {"type": FELT, "reading": reading})


@pytest.mark.slow
def test_a_sensor_of_the_browser_is_asked_for_felt_and_judged(begin: Begin, phone: Opener) -> None:
    evening = begin(seed=5)
    page = sits(evening, phone("en-GB"))
    page.context.grant_permissions(["accelerometer", "gyroscope"])
    sensor = page.context.new_cdp_session(page)
    for kind in (FELT, "linear-acceleration", "gyroscope"):
        there = {"enabled": True, "type": kind, "metadata": {"available": True}}
        sensor.send("Emulation.setSensorOverrideEnabled", there)
        reading = {"xyz": {"x": 0, "y": 0, "z": 9.8}}
        sensor.send("Emulation.setSensorOverrideReadings", {"type": kind, "reading": reading})
    page.locator("#phone").tap()
    says = page.locator("#phone-says")
    expect(says).to_contain_text("turn it over")
    senses(page, sensor, lies(USUAL.down))
    expect(says).to_contain_text("knows where down is")
    takes(evening, page)
    senses(page, sensor, moved("0.1 blue lifts 7\nblue carries 7 for 2\nblue peeks 7 to 160 for 3"))
    until(page, lambda: bool(evening.table.snapshot.fouls))
    assert max(point.tilt_deg for point in evening.table.snapshot.fouls[0].raised.evidence) > 120


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", "trusts"),
        ("delete window.DeviceMotionEvent", "does not feel"),
        (
            "DeviceMotionEvent.requestPermission = () => Promise.resolve('denied')",
            "may not feel",
        ),
        ("setTimeout = (call, ms) => window.setInterval(call, ms / 50)", "does not tell"),
    ],
)
def test_where_a_phone_cannot_be_a_barrel_it_says_why(
    begin: Begin, phone: Opener, before: str, says: str
) -> None:
    evening = begin()
    page = evening.open(phone("en-GB"), role="red")
    page.context.grant_permissions(["accelerometer", "gyroscope"])
    page.evaluate(f"() => {{ {before}; }}")
    page.get_by_role("button", name="Barrels").tap()
    page.locator("#phone").tap()
    expect(page.locator("#phone-says")).to_contain_text(says)
    expect(page.locator("#phone")).to_have_attribute("aria-pressed", "false")
    assert page.locator("#untrusted").is_visible() == (says == "trusts")
    assert too_small(page) == []
    assert too_wide(page) == []


def test_nulls_are_no_motion(begin: Begin, phone: Opener) -> None:
    page = begin().open(phone("en-GB"), role="red")
    page.context.grant_permissions(["accelerometer", "gyroscope"])
    page.get_by_role("button", name="Barrels").tap()
    page.locator("#phone").tap()
    page.evaluate(PLAYS, [[at, None, None, None] for at in range(0, 2000, 16)])
    expect(page.locator("#phone-says")).to_contain_text("does not tell")
