"""Takes the picture at the top of the README: three phones side by side, in English.

    .venv/bin/python -m tests.browser.readme_picture tests/browser/phones.png

It must not know what the pages contain.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Page

from tests.browser.chromium import FOUND, PHONE, Drawer, Opener, started
from tests.browser.pictures import takes_a_barrel
from tests.browser.served import Served
from tests.browser.sights import SIGHTS
from tests.browser.simulated import Evening
from tests.programs import lacking

SHOWN: Final = ("table-caught", "table-choosing")  # beside the simulated table
STRIP: Final = "<body style='margin:0;background:#8c7f6a;display:flex;gap:12px;padding:12px'>{}"
PICTURE: Final = (
    "<img width=360 height=740 style='border-radius:18px' src='data:image/png;base64,{}'>"
)


def main(file: Path) -> None:
    """Take it."""
    if FOUND is None:
        raise SystemExit(lacking("chromium"))
    with started(FOUND) as browser, TemporaryDirectory() as kept:
        drawer = Drawer(browser)
        phone = Opener(drawer, PHONE)
        pictures = [_simulated(phone("en-GB"), Path(kept))]
        for number, name in enumerate(SHOWN):
            sight = next(one for one in SIGHTS if one.name == name)
            folder = Path(kept, str(number))
            folder.mkdir()
            with Served(sight.room(), folder) as served:
                page = served.open(phone("en-GB"), sight.path, sight.role)
                sight.then(page)
                page.evaluate("scrollTo(0, 0)")
                pictures.append(page.screenshot())
                drawer.put_back()
        strip = browser.new_page(viewport={"width": 1128, "height": 764})
        strip.set_content(
            STRIP.format("".join(PICTURE.format(b64encode(one).decode()) for one in pictures))
        )
        strip.screenshot(path=file)


def _simulated(page: Page, folder: Path) -> bytes:
    with Evening(folder) as evening:
        evening.begin()
        takes_a_barrel(evening, page)
        page.locator("#all").evaluate("one => { one.open = false; scrollTo(0, 0); }")
        return page.screenshot()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
