"""Draws the icons that a phone keeps on its screen, from the one picture of which they are made.

    .venv/bin/python -m release.icons

Whoever changes icon.svg calls it. Where a phone cuts a shape of its own out of an icon, the ground
of the picture goes on to the edge; what matters stays within four fifths.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

import companion.web
from tests.browser.chromium import FOUND, started
from tests.programs import lacking

STATIC: Final = Path(companion.web.__file__).parent / "static"
PICTURE: Final = STATIC / "icon.svg"
GROUND: Final = re.compile(r'<rect [^>]*fill="(#[0-9a-f]{6})"')
PAGE: Final = (
    "<style>html {{ background: {ground} }} body {{ margin: 0 }}"
    "svg {{ display: block; width: {share}vw; margin: {edge}vw }}</style>{picture}"
)


@dataclass(frozen=True, slots=True)
class Icon:
    """One file, and how it is drawn."""

    name: str
    side_px: int
    whole: bool = False  # the ground fills it to its corners
    share: int = 100  # of its side that the picture takes, in per cent


ICONS: Final = (
    Icon("icon-192.png", 192),
    Icon("icon-512.png", 512),
    Icon("icon-maskable-512.png", 512, whole=True, share=84),
    Icon("icon-180.png", 180, whole=True),
)


def drawn(browser: Browser, icon: Icon) -> bytes:
    """Return an icon as a PNG."""
    picture = PICTURE.read_text("utf-8")
    ground = GROUND.search(picture)
    assert ground is not None
    page = browser.new_page(viewport={"width": icon.side_px, "height": icon.side_px})
    colour = ground[1] if icon.whole else "transparent"
    edge = (100 - icon.share) / 2
    page.set_content(PAGE.format(ground=colour, share=icon.share, edge=edge, picture=picture))
    found = page.screenshot(omit_background=True)
    page.close()
    return found


def main() -> None:
    """Draw them all."""
    if FOUND is None:
        raise SystemExit(lacking("chromium"))
    with started(FOUND) as browser:
        for icon in ICONS:
            (STATIC / icon.name).write_bytes(drawn(browser, icon))


if __name__ == "__main__":
    main()
