"""How text lies on every page, in every state and phase: on all screens, as large as people set it.

With letters twice as large as usual, and at four times the size, a page scrolls, one way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Page

from companion.present.simulated_hands import Hands
from release.browsers.laid_out import font_sizes, overlaps
from research.bench._pages_seen import LANGUAGES
from tests.browser.chromium import FOUND, USUAL_PX, Drawer, Opener, Screen, started, too_wide
from tests.browser.phases import phases
from tests.browser.served import Served
from tests.browser.sights import SIGHTS, Sight

PHONES: Final = ((320, 568), (360, 640), (390, 844), (740, 360))
DESKS: Final = ((1280, 720), (1920, 1080))
FOUR_TIMES: Final = (Screen(320, 256, scale=4), ((320, 256),))  # a desk of 1280 × 1024
MAIN: Final = ("table-", "setup", "join", "people", "history", "manual", "coach")
LETTERS: Final = {"usual": USUAL_PX, "twice": 2 * USUAL_PX, "four times": USUAL_PX}
LAID: Final = """() => new Promise(done =>
    requestAnimationFrame(() => requestAnimationFrame(done)))"""


@dataclass(frozen=True, slots=True)
class Laid:
    """How text lies on the pages in one language, with letters of one size."""

    faults: tuple[str, ...]
    sizes_px: tuple[float, ...]  # of letters, on the phone on which there are the most
    screens: int  # that were looked at


def laid(task: tuple[str, str]) -> Laid:
    """Look at all pages in a language, with letters of a size, in a process of its own."""
    language, letters = task
    assert FOUND is not None
    faults, sizes, screens = list[str](), dict[tuple[int, int], set[float]](), 0
    with started(FOUND, LETTERS[letters]) as browser:
        drawer = Drawer(browser)
        for name, sight, hands in pages(letters):
            for page, (width, height) in opened(drawer, sight, hands, language, letters):
                screens += 1
                found = overlaps(page) + (too_wide(page) if letters == "four times" else [])
                faults += (f"{name} {width}x{height} {language} {letters}: {one}" for one in found)
                sizes.setdefault((width, height), set()).update(font_sizes(page))
    most = max(sizes.values(), key=len, default=set())
    return Laid(tuple(faults), tuple(sorted(most)), screens)


def pages(letters: str) -> Iterator[tuple[str, Sight, Hands | None]]:
    """Yield every page in every state; of those at four times the size only the main ones."""
    for sight in SIGHTS:
        if letters != "four times" or sight.name.startswith(MAIN):
            yield sight.name, sight, None
    for phase in phases() if letters != "four times" else ():
        yield phase.name, phase.sight, phase.hands() if phase.hands else None


def opened(
    drawer: Drawer, sight: Sight, hands: Hands | None, language: str, letters: str
) -> Iterator[tuple[Page, tuple[int, int]]]:
    """Yield a page as it is on each screen."""
    kinds: Sequence[tuple[Screen, Sequence[tuple[int, int]]]] = (
        (FOUR_TIMES,)
        if letters == "four times"
        else ((Screen(360, 740, mobile=True), PHONES), (Screen(1280, 800), DESKS))
    )
    with TemporaryDirectory() as kept, Served(sight.room(), Path(kept), hands) as served:
        for screen, sizes in kinds:
            page = Opener(drawer, screen)(LANGUAGES[language])
            served.open(page, sight.path, sight.role)
            page.wait_for_load_state("load")
            sight.then(page)
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(LAID)
                yield page, (width, height)
            drawer.put_back()
            served.server.pairing.leave_all()
