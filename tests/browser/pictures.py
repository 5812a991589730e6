"""Takes a picture of every page in every state, to be looked at by people.

    .venv/bin/python -m tests.browser.pictures FOLDER [NAME …]

writes FOLDER/NAME-phone-de.png and its like: on a phone (360 × 740) and at a desk (1280 × 800), in
German and in English; by night too where a picture is not of a small difference. Only the pages
with the names given are taken, if there are any.
"""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from playwright.sync_api import Page

from tests.browser.chromium import DESK, FOUND, PHONE, Drawer, Opener, started
from tests.browser.served import Served
from tests.browser.sights import SIGHTS, Sight
from tests.browser.simulated import Evening
from tests.programs import lacking

LOCALES: Final = {"de": "de-DE", "en": "en-GB"}
SCREENS: Final = {"phone": replace(PHONE, scale=1), "desk": DESK}
BY_NIGHT: Final = (
    *("table-choosing", "table-accused", "table-over", "setup-painting", "join", "workshop"),
    *("history", "history-match", "manual", "simulated"),
)
Light = Literal["light", "dark"]


def main(folder: Path, names: list[str]) -> None:
    """Take the pictures."""
    if FOUND is None:
        raise SystemExit(lacking("chromium"))
    folder.mkdir(parents=True, exist_ok=True)
    with started(FOUND) as browser:
        drawer = Drawer(browser)
        for sight in SIGHTS:
            if not names or sight.name in names:
                _take(drawer, sight, folder)
        if not names or "simulated" in names:
            _play(drawer, folder)


def _take(drawer: Drawer, sight: Sight, folder: Path) -> None:
    with TemporaryDirectory() as kept, Served(sight.room(), Path(kept)) as served:
        for name, screen in SCREENS.items():
            for language, locale in LOCALES.items():
                page = Opener(drawer, screen)(locale)
                served.open(page, sight.path, sight.role)
                sight.then(page)
                _keep(page, folder / f"{sight.name}-{name}-{language}", sight.name)
                drawer.put_back()
                served.server.pairing.leave_all()


def _play(drawer: Drawer, folder: Path) -> None:
    """Take pictures of the simulated table while a barrel is in hand."""
    with TemporaryDirectory() as kept, Evening(Path(kept)) as evening:
        evening.begin()
        for name, screen in SCREENS.items():
            for language, locale in LOCALES.items():
                page = Opener(drawer, screen)(locale)
                evening.open(page)
                _keep(page, folder / f"simulated-watching-{name}-{language}", "")
                takes_a_barrel(evening, page)
                page.evaluate("scrollTo(0, 0)")
                _keep(page, folder / f"simulated-{name}-{language}", "simulated")
                drawer.put_back()


def takes_a_barrel(evening: Evening, page: Page) -> None:
    """Sit down at red's seat, and have a barrel in hand."""
    evening.open(page, role="red")
    page.locator("#table.phase-place").wait_for()
    if page.locator(".hand:not([hidden])").count() == 0:
        page.locator("#all summary").click()
        page.locator("#all button:visible").first.click()
    page.locator(".hand:not([hidden])").first.wait_for()


def _keep(page: Page, path: Path, name: str) -> None:
    lights: list[Light] = ["light", "dark"] if name in BY_NIGHT else ["light"]
    for light in lights:
        page.emulate_media(color_scheme=light)
        end = "" if light == "light" else "-night"
        page.screenshot(path=f"{path}{end}.png", full_page=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
