"""A phone's manners: the screen stays on, it shakes on one's turn, its title says so."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.commands import GiveUp
from companion.web.common.request_guard import UNUSED
from tests.browser.chromium import Opener, until
from tests.browser.served import Serve
from tests.browser.test_live import SLEEPS
from tests.web.playing import do, moving
from tests.web.room import FakeRoom

FAKES = """
    window.fake = {locks: 0, released: 0, shaken: 0};
    Object.defineProperty(navigator, 'vibrate', {value: () => { window.fake.shaken += 1; }});
    Object.defineProperty(navigator, 'wakeLock', {value: {request: () => {
        window.fake.locks += 1;
        const lock = new EventTarget();
        lock.release = () => {
            window.fake.released += 1;
            lock.dispatchEvent(new Event('release'));
            return Promise.resolve();
        };
        document.addEventListener('visibilitychange', () => {
            if (document.visibilityState === 'hidden') lock.dispatchEvent(new Event('release'));
        });
        return Promise.resolve(lock);
    }}});
"""


@pytest.fixture
def polite(phone: Opener) -> Callable[[str], Page]:
    """Open a phone on which locks and shakes are counted."""

    def open_it(locale: str) -> Page:
        page = phone(locale).context.new_page()  # of its own, or it would keep the fakes
        page.add_init_script(FAKES)
        return page

    return open_it


def done(room: FakeRoom, *wishes: object) -> None:
    """Do something, and have the phones hear of it at once."""
    do(room, *wishes)
    room.stir()


def fake(page: Page, what: str) -> int:
    found: int = page.evaluate(f"window.fake.{what}")
    return found


def test_a_page_may_sound_and_stay_on_and_nothing_else(phone: Opener, serve: Serve) -> None:
    page = phone()
    logged = list[str]()
    page.on("console", lambda message: logged.append(message.text))
    serve(FakeRoom()).open(page)
    assert [line for line in logged if "Permissions-Policy" in line] == []
    allowed = set(page.evaluate("document.featurePolicy.allowedFeatures()"))
    assert {"autoplay", "screen-wake-lock"} <= allowed
    assert not allowed & {*UNUSED}


def test_the_screen_stays_on_during_a_match(polite: Callable[[str], Page], serve: Serve) -> None:
    page = serve(FakeRoom()).open(polite("en-GB"), "/", "green")
    assert fake(page, "locks") == 0
    room = moving()
    serve(room).open(page, "/", "green")
    until(page, lambda: fake(page, "locks") == 1)
    page.evaluate(SLEEPS, arg=True)
    until(page, lambda: fake(page, "released") == 1)
    page.evaluate(SLEEPS, arg=False)
    until(page, lambda: fake(page, "locks") == 2)
    assert fake(page, "released") == 1
    done(room, GiveUp())
    until(page, lambda: fake(page, "released") == 2)


def test_a_phone_says_and_feels_whose_turn_is(polite: Callable[[str], Page], serve: Serve) -> None:
    room = moving()
    page = serve(room).open(polite("de-DE"), "/", "green")
    expect(page).to_have_title("Spiel – Rappelwacht")
    page.locator("#headline").click()
    done(room, "move red start")
    expect(page).to_have_title("● du bist dran – Rappelwacht")
    assert fake(page, "shaken") == 1
    page.reload()
    expect(page).to_have_title("● du bist dran – Rappelwacht")
    assert fake(page, "shaken") == 0  # that is no news


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("role", ["table", "blue", None])
def test_no_other_phone_does(role: str | None, polite: Callable[[str], Page], serve: Serve) -> None:
    room = moving()
    page = serve(room).open(polite("en-GB"), "/", role)
    page.locator("#headline").click()
    done(room, "move red start")
    expect(page.locator("#headline")).to_contain_text("Green")
    expect(page).to_have_title("Game – Rappelwacht")
    assert fake(page, "shaken") == 0


def test_it_does_not_shake_before_a_tap_nor_when_it_is_told_not_to(
    polite: Callable[[str], Page], serve: Serve
) -> None:
    room = moving()
    page = serve(room).open(polite("en-GB"), "/", "green")
    done(room, "move red start")
    expect(page).to_have_title("● your turn – Rappelwacht")
    assert fake(page, "shaken") == 0
    page.locator("#menu > summary").click()
    page.locator("#vibrates").click()
    expect(page.locator("#vibrates")).to_have_attribute("aria-pressed", "false")
    page.reload()
    page.locator("#headline").click()
    done(room, "move green start")
    expect(page).to_have_title("Game – Rappelwacht")
    done(room, "move yellow start")
    expect(page.locator("#headline")).to_contain_text("Your turn: roll")
    expect(page).to_have_title("● your turn – Rappelwacht")
    assert fake(page, "shaken") == 0


def test_a_tab_nobody_looks_at_says_it_too(polite: Callable[[str], Page], serve: Serve) -> None:
    room = moving()
    page = polite("en-GB")
    serve(room).open(page, "/", "green")
    page.evaluate(
        "() => { const real = setTimeout; window.setTimeout = (f, ms) => real(f, ms / 25); }"
    )
    page.evaluate(SLEEPS, arg=True)
    done(room, "move red start")
    expect(page).to_have_title("● your turn – Rappelwacht")
