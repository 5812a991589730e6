"""Opens pages in a real Chromium, as a phone and as a desk, and hears what they complain about.

It must not know any page of ours. Whatever a name, it leads to this machine: nothing gets out.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

FOUND: Final = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING: Final = "needs Chromium: sudo apt-get install chromium"
ARGUMENTS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    "--host-resolver-rules=MAP * 127.0.0.1",
)
PATIENCE_MS: Final = 30_000  # a machine may have much else to do
AXE: Final = Path(__file__).with_name("axe") / "axe.min.js"
BARRIERS: Final = ("serious", "critical")
TOUCH_PX: Final = 44
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


@dataclass  # without slots: playwright leaves a mark on the object whose method it shall call
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

    def listen(self, page: Page) -> None:
        """Hear all that goes wrong on a page from now on."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.heard.append(f"{page.url}: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.heard.append(f"{message.location['url']}: {message.text}")


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens a page in a context of its own: nothing in it but what the test puts there."""

    browser: Browser
    screen: Screen
    complaints: Complaints

    def __call__(self, locale: str = "de-DE") -> Page:
        """Open an empty page for a reader of this language."""
        screen = self.screen
        context = self.browser.new_context(
            viewport={"width": screen.width_px, "height": screen.height_px},
            device_scale_factor=screen.scale,
            is_mobile=screen.mobile,
            has_touch=screen.mobile,
            locale=locale,
        )
        context.set_default_timeout(PATIENCE_MS)
        context.on("page", self.complaints.listen)
        return context.new_page()


@contextmanager
def started(program: str) -> Iterator[Browser]:
    """Have a Chromium running."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield browser
        browser.close()


def barriers(page: Page, *rules: str) -> list[str]:
    """Return what axe finds that keeps people out, by all its rules if none are named.

    There is one line for each, with the first elements.
    """
    page.evaluate(f"window.axe || (() => {{{AXE.read_text(encoding='utf-8')}}})()")
    options = {"resultTypes": ["violations"], "preload": False}
    options |= {"runOnly": list(rules)} if rules else {}
    found = page.evaluate("async how => (await axe.run(how)).violations", options)
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: "
        + json.dumps([node["target"] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in BARRIERS
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
