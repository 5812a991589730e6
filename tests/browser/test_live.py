"""A page stays fresh: by the stream, by asking when that is full, through sleep and a restart."""

import pytest
from playwright.sync_api import Page, Route

from companion.referee.commands import DoAction, Undo
from companion.web.common import asset_version, fanout
from tests.browser.chromium import Complaints, Opener, halted, looked, pass_until, until
from tests.browser.served import Serve, Served
from tests.web.room import FakeRoom

SLEEPS = """asleep => {
    Object.defineProperty(document, 'visibilityState',
                          {configurable: true, get: () => asleep ? 'hidden' : 'visible'});
    document.dispatchEvent(new Event('visibilitychange'));
}"""
HURRIES = "() => { const real = setTimeout; window.setTimeout = (f, ms) => real(f, ms / 10); }"
LATE_BY = "ms => { const now = Date.now; Date.now = () => now() + ms; }"


@pytest.fixture
def evening(serve: Serve) -> Served:
    """A table whose pages are served, end, and come back at the same port."""
    return serve(FakeRoom("red", "blue"))


def change(evening: Served) -> str:
    """Let the table change; return its version then."""
    room = evening.room
    assert isinstance(room, FakeRoom)
    assert room.wish(Undo() if room.now.version % 2 else DoAction("roll 7")).refused is None
    return str(room.now.version)


def upgrade(
    page: Page, evening: Served, monkeypatch: pytest.MonkeyPatch, newer: str, *, followed: int = 1
) -> None:
    """End the companion while so many pages follow it; another build of it comes back."""
    until(page, lambda: evening.server.held == followed)
    evening.stop()
    monkeypatch.setattr(asset_version, "build", lambda: newer)
    evening.begin()


def shows(page: Page, version: str) -> None:
    page.wait_for_selector(f'[data-live][data-version="{version}"]')


def test_a_change_arrives_and_nothing_people_did_is_lost(evening: Served, phone: Opener) -> None:
    page = phone("en-GB")
    page.goto(evening.home)
    part = page.evaluate_handle("document.querySelector('[data-live]')")
    page.evaluate("""() => {
        const live = document.querySelector('[data-live]');
        window.morphs = 0;
        live.addEventListener('morphed', () => { window.morphs += 1; });
        live.querySelectorAll('details').forEach(one => { one.open = true; });
    }""")
    version = change(evening)
    shows(page, version)
    assert page.evaluate("part => part.isConnected", part)  # it was worked in, not replaced
    assert page.evaluate("window.morphs") >= 1
    assert page.locator("[data-live] details").count() >= 1
    assert page.locator("[data-live] details:not([open])").count() == 0
    assert page.locator("#line").is_hidden()


def test_focus_stays_where_it_was_and_what_is_foreign_goes(evening: Served, phone: Opener) -> None:
    page = phone()
    page.goto(evening.home)
    page.wait_for_selector('[data-live][data-version="0"]')
    focused = page.evaluate_handle("""() => {
        document.querySelector('[data-live]').append(document.createElement('mark'));
        const summary = document.querySelector('[data-live] summary');
        summary.focus();
        return summary;
    }""")
    shows(page, change(evening))
    assert page.evaluate("focused => document.activeElement === focused", focused)
    assert page.locator("[data-live] mark").count() == 0


def test_a_hidden_page_is_silent_and_wakes_with_the_newest(evening: Served, phone: Opener) -> None:
    page = phone()
    page.goto(evening.home)
    shows(page, change(evening))
    page.evaluate(SLEEPS, arg=True)
    until(page, lambda: evening.server.held == 0)
    version = change(evening)
    page.evaluate(SLEEPS, arg=False)
    shows(page, version)
    until(page, lambda: evening.server.held == 1)


def test_without_a_place_in_the_stream_the_page_asks(
    evening: Served, phone: Opener, complaints: Complaints
) -> None:
    complaints.forgive("503")
    evening.stop()
    evening.begin(places=0)
    page = phone()
    page.goto(evening.home)
    shows(page, change(evening))
    shows(page, change(evening))
    assert page.locator("#line").is_hidden()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(
    ("locale", "words"), [("de-DE", "Zuletzt gesehen"), ("en-GB", "Last seen")]
)
def test_an_end_is_told_with_when_it_was_last_seen_and_a_restart_is_found(
    evening: Served, phone: Opener, complaints: Complaints, locale: str, words: str
) -> None:
    complaints.forgive("ERR_")
    page = phone(locale)
    page.goto(evening.home)
    shows(page, change(evening))
    page.evaluate(HURRIES)
    evening.stop()
    page.wait_for_selector("#line:visible")
    assert words in page.inner_text("#line")
    assert page.locator("[data-live].stale").count() == 1
    version = change(evening)
    evening.begin()
    shows(page, version)
    page.wait_for_selector("#line", state="hidden")


def test_after_an_upgrade_a_page_loads_itself_again_unless_that_loses_what_somebody_typed(
    evening: Served, phone: Opener, complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints.forgive("ERR_")
    page = phone("en-GB")
    page.goto(evening.home)
    shows(page, change(evening))
    evening.stop()
    evening.begin()  # a restart alone changes nothing
    shows(page, change(evening))
    assert page.locator("#outdated").is_hidden()

    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    page.fill("main > input", "half a word")
    upgrade(page, evening, monkeypatch, "newer")
    page.wait_for_selector("#outdated:visible")
    assert page.input_value("main > input") == "half a word"
    page.click("#outdated a")
    page.wait_for_selector("html[data-build=newer]")
    assert page.locator("#outdated").is_hidden()

    shows(page, change(evening))
    upgrade(page, evening, monkeypatch, "newest")
    page.wait_for_selector("html[data-build=newest]")
    shows(page, change(evening))


def test_a_page_that_slept_through_an_upgrade_loads_itself_again(
    evening: Served, phone: Opener, complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints.forgive("ERR_")
    page = phone()
    page.goto(evening.home)
    shows(page, change(evening))
    page.evaluate(SLEEPS, arg=True)
    upgrade(page, evening, monkeypatch, "newer", followed=0)
    page.evaluate(SLEEPS, arg=False)
    page.wait_for_selector("html[data-build=newer]")


def test_a_page_that_only_sends_learns_of_an_upgrade_by_the_answer(
    evening: Served, phone: Opener, complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints.forgive("ERR_")
    complaints.forgive("403")  # it is not let in
    page = phone("de-DE")
    page.goto(f"{evening.home}/manual")
    upgrade(page, evening, monkeypatch, "newer", followed=0)
    page.evaluate("window.rappel.wish({kind: 'roll-for-us'}, document.body)")
    page.wait_for_selector("#outdated:visible")
    assert "veraltet" in page.inner_text("#outdated")


def test_a_line_that_died_without_a_word_is_noticed(
    evening: Served, phone: Opener, complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints.forgive("ERR_FAILED")
    evening.stop()
    monkeypatch.setattr(fanout, "HEARTBEAT_S", 3600.0)
    evening.begin()
    page = phone("en-GB")
    page.goto(evening.home)
    shows(page, change(evening))
    dead = True  # whoever calls again gets no answer before it was seen that the line is dead

    def pass_on(route: Route) -> None:
        route.abort() if dead else route.continue_()

    for news in ("**/api/stream*", "**/api/view/*"):
        page.route(news, pass_on)
    page.evaluate(LATE_BY, arg=3 * 3600 * 1000)  # as if nothing had come for three hours
    page.wait_for_selector("#line:visible")
    assert "3 h" in page.inner_text("#line")
    dead = False
    page.wait_for_selector("#line", state="hidden")  # it called again
    shows(page, change(evening))


def test_silence_is_told_within_ten_seconds_and_taken_back_by_itself(
    evening: Served, phone: Opener, complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints.forgive("ERR_FAILED")
    evening.stop()
    monkeypatch.setattr(fanout, "HEARTBEAT_S", 3600.0)
    evening.begin()
    page = phone("en-GB")
    with halted(page):
        page.goto(evening.home)
        looked(page)
        away = True
        page.route("**/api/view/*", lambda route: route.abort() if away else route.continue_())
        page.route("**/api/stream*", lambda route: route.abort() if away else route.continue_())
        page.clock.run_for(8_000)  # a packet that comes late is nobody's business
        assert page.locator("#line").is_hidden()
        page.clock.run_for(2_000)
        assert page.locator("#line").is_visible()
        away = False
        pass_until(page, page.locator("#line").is_hidden)


def test_a_question_that_nobody_answers_is_asked_again(
    evening: Served, phone: Opener, complaints: Complaints
) -> None:
    complaints.forgive("ERR_")
    page = phone()
    page.goto(evening.home)
    page.evaluate(SLEEPS, arg=True)
    unanswered: list[Route] = []

    def swallow(route: Route) -> None:
        unanswered.append(route) if len(unanswered) < 2 else route.continue_()

    page.route("**/api/view/*", swallow)  # as where the Wi-Fi loses everything
    page.evaluate(HURRIES)
    page.evaluate(SLEEPS, arg=False)
    version = change(evening)
    shows(page, version)
    assert len(unanswered) == 2
