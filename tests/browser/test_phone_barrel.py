"""A phone is the barrel: its motion is played into the page, and the real sensing judges it."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Response, Route, expect

from companion.games.zapp_zerapp.rules import Colour, Phase
from companion.system.text import SeatName
from rappelwacht_research.phone_motions import USUAL, recorded
from tests.browser.chromium import (
    PATIENCE_MS,
    Complaints,
    Drawer,
    Opener,
    too_small,
    too_wide,
    until,
)
from tests.browser.served import Serve, trusting
from tests.browser.simulated import BUSY, Begin, Evening
from tests.browser.test_simulated import ROLL, moves, sits
from tests.programs import need
from tests.web.room import FakeRoom
from tests.web.still import Still

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
LIFTS: Final = "0.1 blue lifts 7\nblue carries 7 for 2"
LET_IN = """role => fetch('/api/pair', {method: 'POST', body: JSON.stringify(role),
    headers: {'Content-Type': 'application/json'}}).then(answer => answer.ok)"""
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
def test_a_phone_is_shaken_looks_is_given_placed_and_flipped(begin: Begin, phone: Opener) -> None:
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


class SensingPhone:
    """A phone that trusts the table, has its page by https, and feels what its own sensor says.

    The browser tells the page 60 times a second, also while nothing new is felt.
    """

    def __init__(self, browser: Browser, evening: Evening, seat: str) -> None:
        self.seat, self.answers = seat, list[dict[str, Any]]()
        context = browser.new_context(
            locale="en-GB", viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True
        )
        context.set_default_timeout(PATIENCE_MS)
        context.grant_permissions(["accelerometer", "gyroscope"])
        self.page = context.new_page()
        self.page.goto(f"{evening.safe_home}/join")
        assert self.page.evaluate(LET_IN, {"pin": evening.phones.pairing.pin, "seat": seat})
        self.page.goto(f"{evening.safe_home}/simulated")
        self.page.on("response", self._tell)
        self._sensor = context.new_cdp_session(self.page)
        for kind in (FELT, "linear-acceleration", "gyroscope"):
            there = {"enabled": True, "type": kind, "metadata": {"available": True}}
            self._sensor.send("Emulation.setSensorOverrideEnabled", there)
            self._feel(USUAL.up, kind)

    def _tell(self, answer: Response) -> None:
        if "simulated/motion" in answer.url and answer.ok:
            self.answers.append(answer.json())

    def _feel(self, force: Sequence[float], kind: str = FELT) -> None:
        reading = {"xyz": dict(zip("xyz", force, strict=True))}
        words = {"type": kind, "reading": reading}
        self._sensor.send("Emulation.setSensorOverrideReadings", words)

    def senses(self, samples: Samples) -> None:
        """Feel something, in real time."""
        begun_s = monotonic()
        for at_ms, *force in samples:
            early_ms = at_ms - 1000 * (monotonic() - begun_s)
            if early_ms < -50:
                continue  # a machine that is slow feels less often
            if early_ms > 0:
                self.page.wait_for_timeout(early_ms)
            self._feel(force)

    def becomes_a_barrel(self) -> None:
        """Switch it on, and lay the phone on either side."""
        self.page.locator("#phone").tap()
        says = self.page.locator("#phone-says")
        expect(says).to_contain_text("turn it over")
        self._feel(USUAL.down)
        expect(says).to_contain_text("knows where down is")

    def lifts(self, handle: int) -> None:
        self.page.locator("#all > summary").press("Enter")
        self.page.locator(f"#row-{handle} [data-do=lift]").tap()
        self.page.locator("#all > summary").press("Enter")

    @property
    def numbers(self) -> set[int]:
        """Return the numbers that this phone was told."""
        return {one["number"] for one in self.answers} - {None}


def does(phone: SensingPhone, script: str, seed: int, came: Callable[[], bool]) -> None:
    """Move a phone until that came of it: a slow machine may feel too little the first time."""
    for again in range(4):
        phone.senses(moved(script, seed + again))
        phone.page.wait_for_timeout(1000)
        if came():
            return
    raise AssertionError(phone.answers[-1])


def placed(evening: Evening, phone: SensingPhone) -> None:
    """Wait until the phone, which lies on its screen, is taken for a barrel that was placed."""
    phone.senses(lies(USUAL.down, 0.5))
    until(phone.page, lambda: Colour[phone.seat.upper()] in evening.view.placed)


def flips(evening: Evening, phone: SensingPhone, seed: int) -> None:
    """Turn the phone on its head, where it lay."""

    def flipped() -> bool:
        seen = evening.hands.table().barrels
        return any(barrel.seat == phone.seat and barrel.flipped for barrel in seen)

    does(phone, "2 blue flips 7", seed, flipped)


@pytest.mark.slow
def test_three_phones_play_a_round_by_https_and_one_of_them_is_caught(
    begin: Begin, drawer: Drawer, tmp_path: Path
) -> None:
    need("openssl", "certutil")
    seats = (SeatName.RED, SeatName.GREEN, SeatName.BLUE)
    evening = begin(seats=seats, https=True)
    end_s = monotonic() + PATIENCE_MS / 1000
    while evening.phones.https.port is None:
        assert monotonic() < end_s
        evening.live.clock_us()
    with trusting(drawer, evening.phones, tmp_path / "home") as browser:
        phones = [SensingPhone(browser, evening, seat.name.lower()) for seat in seats]
        red, green, blue = phones
        for phone in phones:
            assert phone.page.evaluate("isSecureContext")
            phone.page.locator("#sit-down").tap()
        evening.begin()
        until(red.page, lambda: evening.mixed)
        red.page.get_by_role("button", name=ROLL).tap()
        for phone in phones:
            expect(phone.page.locator("#table.phase-place")).to_be_visible()
            phone.becomes_a_barrel()

        red.lifts(3)  # is shaken
        shakes = f"{LIFTS}\nblue shakes 7 for 2"
        does(red, shakes, 1, lambda: any(one["knocks"] for one in red.answers))
        placed(evening, red)

        green.lifts(4)  # goes from hand to hand
        green.senses(moved(f"{LIFTS}\nblue hands 7 to red\nred puts back 7", 2))
        placed(evening, green)
        assert not evening.table.snapshot.fouls

        blue.lifts(5)  # is looked at
        peeks = f"{LIFTS}\nblue peeks 7 to 150 for 2\nblue puts back 7"
        does(blue, peeks, 3, lambda: bool(evening.table.snapshot.fouls and blue.numbers))
        (foul,) = evening.table.snapshot.fouls
        assert foul.raised.code == "peek"
        tilts = [point.tilt_deg for point in foul.raised.evidence]
        assert 140 <= max(tilts) <= 160  # the chart of that motion
        times = [point.at_ms for point in foul.raised.evidence if point.tilt_deg > 120]
        assert 1200 <= max(times) - min(times) <= 2800
        placed(evening, blue)
        number = evening.live.table.world.on_pad(SeatName.BLUE)
        assert (red.numbers, green.numbers, blue.numbers) == (set(), set(), {number})
        expect(blue.page.locator("#caught")).to_be_visible()
        red.page.locator("[data-side=board]").first.tap()
        expect(red.page.locator("svg.evidence path.tilt").first).to_be_visible()
        red.page.get_by_role("button", name="No, that was nothing").first.tap()
        until(red.page, lambda: evening.view.phase is Phase.FLIP)
        red.page.locator("[data-side=barrels]").first.tap()

        for seed, phone in enumerate(phones):
            flips(evening, phone, seed)
        until(red.page, lambda: evening.view.phase is not Phase.FLIP)

        def move() -> None:
            for phone in phones:
                moves(evening, phone.page)

        until(red.page, lambda: evening.view.round > 1, move)
        assert len(evening.table.snapshot.fouls) <= 1  # nobody else


# --- what goes wrong on the way -------------------------------------------------------------------

CARRIED: Final = "0.1 blue lifts 7\nblue carries 7 for 12\nblue puts back 7"
LOCKED: Final = """locked => {
  Object.defineProperty(document, "hidden", { value: locked, configurable: true });
  const state = locked ? "hidden" : "visible";
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def is_moving(told: Sequence[dict[str, Any]]) -> bool:
    return bool(told) and told[-1]["pose"] == "moving"


@pytest.mark.slow
def test_a_locked_phone_and_lost_seconds_accuse_nobody_and_play_goes_on(
    begin: Begin, phone: Opener, complaints: Complaints
) -> None:
    complaints.forgive("ERR_INTERNET_DISCONNECTED|Failed to fetch")
    evening = begin(seed=5)
    page = sits(evening, phone("en-GB"))
    becomes_a_barrel(page)
    takes(evening, page)
    barrel = page.locator("#as-barrel")
    with told(page) as answers:
        feels(page, moved(CARRIED))
        until(page, lambda: is_moving(answers))
        page.context.set_offline(True)
        expect(barrel).to_be_hidden()
        page.wait_for_timeout(2500)
        page.context.set_offline(False)
        answers.clear()
        until(page, lambda: is_moving(answers))
        until(page, lambda: still(page))
        page.evaluate(LOCKED, True)
        page.wait_for_timeout(1500)  # locked: nothing is felt
        page.evaluate(LOCKED, False)
        answers.clear()
        feels(page, moved(CARRIED, 2))
        until(page, lambda: is_moving(answers))
        expect(barrel).to_be_visible()
        assert {one["number"] for one in answers} == {None}
    assert evening.holds
    assert not evening.table.snapshot.fouls


@pytest.mark.slow
def test_a_second_phone_is_told_so(begin: Begin, phone: Opener, complaints: Complaints) -> None:
    complaints.forgive("status of 422")  # that is how it is told
    evening = begin(seed=5)
    page = sits(evening, phone("en-GB"))
    other = evening.open(phone("de-DE"), role="red")
    becomes_a_barrel(page)
    takes(evening, page)
    feels(page, moved(CARRIED))
    expect(page.locator("#as-barrel")).to_be_visible()
    other.context.grant_permissions(["accelerometer", "gyroscope"])
    other.locator("#phone").tap()
    says = other.locator("#phone-says")
    for lying, asks in ((USUAL.up, "dreh"), (USUAL.down, "anderes Handy")):
        feels(other, lies(lying))
        expect(says).to_contain_text(re.compile(asks, re.IGNORECASE))
    assert other.locator("#as-barrel").is_hidden()


@pytest.mark.slow
def test_in_a_tab_that_keeps_nothing_it_is_a_barrel_and_is_placed_at_the_second_try(
    begin: Begin, phone: Opener, complaints: Complaints
) -> None:
    complaints.forgive("ERR_FAILED|Failed to fetch")
    page = phone("en-GB")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('private'); } })"
    )
    evening = begin(seed=5)
    sits(evening, page)
    becomes_a_barrel(page)
    takes(evening, page)
    feels(page, moved("0.1 blue lifts 7\nblue carries 7 for 3\nblue puts back 7"))
    expect(page.locator("#as-barrel")).to_be_visible()
    until(page, lambda: still(page))
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost or "place" not in (route.request.post_data or ""):
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort()

    page.route("**/api/simulated/act", lose)
    feels(page, lies(USUAL.down, 20))
    until(page, lambda: Colour.RED in evening.view.placed)
    assert lost


@pytest.mark.slow
def test_a_phone_that_feels_is_offered_to_record_a_hand_before_a_match(
    begin: Begin, phone: Opener
) -> None:
    page = begin().open(phone("en-GB"), role="red")
    page.get_by_role("button", name="Barrels").tap()
    link = page.locator("#gives a")
    expect(link).to_be_hidden()
    becomes_a_barrel(page)
    link.tap()
    expect(page.locator("#agree")).to_be_visible()


NONE: Final = {
    "Object.defineProperty(window, 'isSecureContext', { value: false })": "trusts",
    "delete window.DeviceMotionEvent": "does not feel",
    "DeviceMotionEvent.requestPermission = () => Promise.resolve('denied')": "may not feel",
    "setTimeout = (call, ms) => window.setInterval(call, ms / 50)": "does not tell",
    "tell nothing": "does not tell",
}


def test_a_phone_says_why_it_is_none(serve: Serve, phone: Opener) -> None:
    served, page = serve(FakeRoom(), Still()), phone("en-GB")
    page.context.grant_permissions(["accelerometer", "gyroscope"])
    for before, says in NONE.items():
        served.open(page, "/simulated", "red")
        page.get_by_role("button", name="Barrels").tap()
        if before == "tell nothing":
            page.locator("#phone").tap()
            feels(page, [[at, None, None, None] for at in range(0, 2000, 16)])  # type: ignore[list-item]
        else:
            page.evaluate(f"() => {{ {before}; }}")
            page.locator("#phone").tap()
        expect(page.locator("#phone-says")).to_contain_text(says)
        expect(page.locator("#phone")).to_have_attribute("aria-pressed", "false")
        assert page.locator("#untrusted").is_visible() == (says == "trusts")
        assert too_small(page) + too_wide(page) == []
