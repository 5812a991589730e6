"""Opens pages in a real Chromium, as a phone and as a desk, and hears what they complain about.

Whatever a name, it leads to this machine: nothing gets out.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, time
from typing import Final, Literal

from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    CDPSession,
    ConsoleMessage,
    FloatRect,
    Locator,
    Page,
    Route,
    ViewportSize,
    WebError,
    expect,
    sync_playwright,
)

from tests.programs import path

FOUND: Final = path("chromium")
ARGUMENTS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    "--host-resolver-rules=MAP * 127.0.0.1",
)
PATIENCE_MS: Final = 60_000  # a machine may have much else to do
EMPTY: Final = "<link rel='icon' href='data:,'>"  # or it is asked for
LOOK_MS: Final = 20  # between two looks at what no page shows
STEP_MS: Final = 50
AHEAD_S: Final = 3600  # a clock is halted later than it is: it only goes forward
HEARD: Final = """version => Array.from(document.querySelectorAll('[data-live]')).some(
    one => one.newest && one.newest.getAttribute('data-version') >= version)"""
DRAWER: Final = "http://127.0.0.1/"  # where pages are between tests: of the site of all our tables
AXE: Final = Path(__file__).with_name("axe") / "axe.min.js"
TOUCH_PX: Final = 44
USUAL_PX: Final = 16
TOUCHED: Final = "button, .button, summary, select, input, nav a, form a, a.card"
SMALL: Final = """([touched, least]) => Array.from(document.querySelectorAll(touched))
    .filter(one => !one.closest('.skip'))
    .map(one => ({one, all: [one, ...(one.labels || [])]}))
    .map(({one, all}) => ({one, boxes: all.map(box => box.getBoundingClientRect())}))
    .filter(({boxes}) => boxes[0].width > 1 && boxes[0].height > 1)
    .filter(({boxes}) => !boxes.some(box => box.width > least - 1 && box.height > least - 1))
    .map(({one, boxes: [box]}) => `${one.outerHTML.slice(0, 90)}: ${box.width} × ${box.height}`)"""
WIDER: Final = """() => Array.from(document.querySelectorAll('body *'))
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.wide'))
    .map(one => one.outerHTML.slice(0, 90))"""


@dataclass(frozen=True, slots=True)
class Screen:
    """What a page is looked at on."""

    width_px: int
    height_px: int
    scale: float = 1
    mobile: bool = False


PHONE: Final = Screen(360, 740, scale=2, mobile=True)
DESK: Final = Screen(1280, 800)


@dataclass(slots=True)
class Complaints:
    """What pages wrote to their console as an error, violations of their own policy included."""

    heard: list[str] = field(default_factory=list)
    _forgiven: list[str] = field(default_factory=list)

    def forgive(self, pattern: str) -> None:
        """Let a test expect a complaint, such as the "status of 409" of a phone that is late."""
        self._forgiven.append(pattern)

    @property
    def left(self) -> list[str]:
        """Return the complaints that no test has forgiven."""
        return [one for one in self.heard if not any(re.search(p, one) for p in self._forgiven)]

    def console(self, message: ConsoleMessage) -> None:
        """Hear what a page writes; in the drawer it is of what was still asked for when it came."""
        if message.type == "error" and message.location["url"] != DRAWER:
            self.heard.append(f"{message.location['url']}: {message.text}")

    def error(self, error: WebError) -> None:
        """Hear what no script of a page has caught."""
        self.heard.append(f"{error.page.url if error.page else ''}: {error.error}")


class Drawer:
    """Where phones and desks are kept between tests: starting a new one costs a second.

    Each page has a context of its own, and nothing in it but what the test puts there.
    """

    def __init__(self, browser: Browser, *, traced: bool = False) -> None:
        self._browser, self._tracing = browser, traced
        self._kept: dict[tuple[Screen, str], list[Page]] = {}
        self._out: list[tuple[tuple[Screen, str], Page]] = []
        self._traced = set[Page]()
        self._sessions = dict[Page, CDPSession]()
        self.complaints = Complaints()  # of those that are out

    @property
    def kind(self) -> BrowserType:
        """Return which browser it is, to start another with settings of its own."""
        return self._browser.browser_type

    def take(self, screen: Screen, locale: str) -> Page:
        """Return an empty page for a reader of this language."""
        kept = self._kept.setdefault((screen, locale), [])
        page = kept.pop() if kept else self._context(screen, locale).new_page()
        if self._tracing:
            page.context.tracing.start_chunk()
            self._traced.add(page)
        self._out.append(((screen, locale), page))
        return page

    def put_back(self) -> None:
        """Leave all pages that are out, wipe off what they kept, and give them their size again."""
        while self._out:
            kind, page = self._out.pop()
            self.stop_trace(page)
            self._wipe(page)
            screen, _ = kind
            size: ViewportSize = {"width": screen.width_px, "height": screen.height_px}
            if page.viewport_size != size:
                page.set_viewport_size(size)
            self._kept[kind].append(page)

    @property
    def out(self) -> list[Page]:
        """Return the pages that a test has taken."""
        return [page for _, page in self._out]

    def stop_trace(self, page: Page, path: Path | None = None) -> None:
        """Write no more of what a page does, and keep what was written if a path is given."""
        if page in self._traced:
            self._traced.remove(page)
            page.context.tracing.stop_chunk(path=path)

    def _context(self, screen: Screen, locale: str) -> BrowserContext:
        context = self._browser.new_context(
            viewport={"width": screen.width_px, "height": screen.height_px},
            device_scale_factor=screen.scale,
            is_mobile=screen.mobile,
            has_touch=screen.mobile,
            locale=locale,
        )
        context.set_default_timeout(PATIENCE_MS)
        if self._tracing:
            context.tracing.start(snapshots=True)
        context.on("console", self._console)
        context.on("weberror", self._error)
        return context

    def _wipe(self, page: Page) -> None:
        for other in page.context.pages:
            if other is not page:
                other.goto("about:blank")  # a page that is just loading may never be closed
                other.close()
        page.unroute_all(behavior="ignoreErrors")
        left = page.url
        page.route(DRAWER, _empty)
        page.goto(DRAWER)
        page.unroute_all()
        page.context.clear_cookies()
        if page not in self._sessions:
            self._sessions[page] = page.context.new_cdp_session(page)
        kept = {"origin": left, "storageTypes": "local_storage"}  # all that our pages keep
        self._sessions[page].send("Storage.clearDataForOrigin", kept)

    def _console(self, message: ConsoleMessage) -> None:
        self.complaints.console(message)

    def _error(self, error: WebError) -> None:
        self.complaints.error(error)


def _empty(route: Route) -> None:
    route.fulfill(body=EMPTY, content_type="text/html")


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens pages on a screen: `phone("en-GB")`, or `phone(lively=True)` where things move."""

    drawer: Drawer
    screen: Screen

    def __call__(self, locale: str = "de-DE", *, lively: bool = False) -> Page:
        """Open an empty page for a reader of this language, by day."""
        page = self.drawer.take(self.screen, locale)
        motion: Literal["no-preference", "reduce"] = "no-preference" if lively else "reduce"
        page.emulate_media(color_scheme="light", reduced_motion=motion)  # to move costs a machine
        return page


OnScreen = Callable[[Screen], Opener]


@contextmanager
def started(program: str, letters_px: int = USUAL_PX) -> Iterator[Browser]:
    """Have a Chromium running, perhaps of a person who has made all letters larger."""
    expect.set_options(timeout=PATIENCE_MS)
    large = f"--blink-settings=defaultFontSize={letters_px}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*ARGUMENTS, large])
        yield browser
        browser.close()


def until(
    page: Page, holds: Callable[[], bool], meanwhile: Callable[[], object] = lambda: None
) -> None:
    """Wait for what no page shows; the pages go on, and perhaps something is done."""
    end_s = monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert monotonic() < end_s
        meanwhile()
        page.wait_for_timeout(LOOK_MS)


@contextmanager
def halted(page: Page) -> Iterator[None]:
    """Let a page's own time pass only by `page.clock.run_for`: what it shows for a while stays.

    Begin before the page is opened. What a page animates by the browser's own clock goes on.
    """
    page.clock.install()
    page.clock.pause_at(time() + AHEAD_S)
    try:
        yield
    finally:
        page.clock.resume()  # pages are kept for other tests


def pass_until(
    page: Page, holds: Callable[[], bool], meanwhile: Callable[[], object] = lambda: None
) -> None:
    """Let halted time pass until something is so; it has at least a minute, however slow it is."""
    end_s, passed_ms = monotonic() + PATIENCE_MS / 1000, 0
    while not holds():
        assert monotonic() < end_s or passed_ms < PATIENCE_MS
        meanwhile()
        page.clock.run_for(STEP_MS)
        passed_ms += STEP_MS


def looked(page: Page, version: int = -1) -> None:
    """Wait until a page has heard how the table is, at least in this version; it may show it later.

    What it hears first is no news; all that comes afterwards is.
    """
    page.wait_for_function(HEARD, arg=version)


def box_of(part: Locator) -> FloatRect:
    """Return where a part of a page is; it must be somewhere."""
    box = part.bounding_box()
    assert box is not None
    return box


def barriers(page: Page, *rules: str) -> list[str]:
    """Return what axe finds that keeps people out or hinders them, by all its rules or by some.

    There is one line for each, with the first elements.
    """
    if not page.evaluate("'axe' in window"):  # half a megabyte
        page.evaluate(f"(() => {{{AXE.read_text(encoding='utf-8')}}})()")
    options = {"resultTypes": ["violations"], "preload": False}
    options |= {"runOnly": list(rules)} if rules else {}
    found = page.evaluate("async how => (await axe.run(how)).violations", options)
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: "
        + json.dumps([node["target"] for node in one["nodes"][:3]])
        for one in found
    ]


def too_small(page: Page) -> list[str]:
    """Return what fingers have to hit and could miss."""
    found: list[str] = page.evaluate(SMALL, [TOUCHED, TOUCH_PX])
    return found


def too_wide(page: Page) -> list[str]:
    """Return what makes a page scroll to the side."""
    scrolls = page.evaluate("document.scrollingElement.scrollWidth > innerWidth")
    found: list[str] = page.evaluate(WIDER)[-3:] if scrolls else []
    return found or ["the page"] * scrolls


def hindrances(page: Page) -> list[str]:
    """Return what keeps people out or hinders them: by axe's rules, or too small, or too wide."""
    return [*barriers(page), *too_small(page), *too_wide(page)]
