"""Whether each phase of each game shows what its headline asks for, on each size of screen.

A page is opened as the phone sees it that has to act, and then made as large as each screen;
where something is chosen before it is confirmed, it is looked at again once it is chosen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.asked import chooses, unseen
from tests.browser.chromium import Drawer, Opener, Screen, barriers
from tests.browser.phases import Phase
from tests.browser.served import Served

LANGUAGES: Final = {"de": "de-DE", "en": "en-GB"}
HAND: Final = ((320, 568), (360, 740), (390, 844), (740, 360))
DESK: Final = ((1280, 800), (1920, 1080))
KINDS: Final = ((Screen(360, 740, mobile=True), HAND), (Screen(1280, 800), DESK))
GLANCE_MS: Final = 400
BOARD: Final = """() => {
    const one = document.querySelector(".table:not(.boardless) .board");
    const box = one && one.getBoundingClientRect();
    return box && box.width ? [box.left, box.top, box.width, box.height] : [];
}"""
SETTLED: Final = """() => new Promise(done => {
    scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(done));
})"""


@dataclass(frozen=True, slots=True)
class Seen:
    """One phase on one screen, and what of it could not be seen."""

    phase: str
    width_px: int
    height_px: int
    language: str
    missing: tuple[str, ...]
    board: tuple[float, ...] = ()  # where it is, and how large

    def __str__(self) -> str:
        """Return it in a line of a report."""
        size = f"{self.width_px}x{self.height_px}"
        return f"{self.phase} {size} {self.language}: {'; '.join(self.missing)}"


@dataclass(frozen=True, slots=True)
class Looked:
    """What was looked at, and what axe finds there."""

    seen: tuple[Seen, ...]
    serious: tuple[str, ...]
    moderate: tuple[str, ...] = ()


def moved(seen: Sequence[Seen]) -> dict[str, int]:
    """Return by how many px the board of each game moves at most, on one screen, between phases.

    >>> from dataclasses import replace
    >>> one = Seen("chess/move", 360, 640, "de", (), (0.0, 60.0, 300.0, 300.0))
    >>> moved([one, replace(one, phase="chess/over", board=(0.0, 60.0, 300.0, 240.0))])
    {'chess': 60}
    """
    places = dict[tuple[str, str, int, int], list[tuple[float, ...]]]()
    for one in seen:
        game, _, phase = one.phase.partition("/")
        page = "simulated" if phase.startswith("simulated") else ""
        if one.board:
            where = (game, page, one.width_px, one.height_px)
            places.setdefault(where, []).append(one.board)
    most = dict[str, int]()
    for (game, *_), boards in places.items():
        px = max(max(side) - min(side) for side in zip(*boards, strict=True))
        most[game] = max(most.get(game, 0), round(px))
    return most


def look(
    drawer: Drawer, phases: Sequence[Phase], language: str, *, axe: bool, pictures: Path | None
) -> Looked:
    """Look at phases on all screens, in one language."""
    seen, serious, moderate = list[Seen](), list[str](), list[str]()
    for phase in phases:
        with TemporaryDirectory() as kept:
            hands = phase.hands() if phase.hands else None
            with Served(phase.sight.room(), Path(kept), hands) as served:
                for screen, sizes in KINDS:
                    page = Opener(drawer, screen)(LANGUAGES[language])
                    served.open(page, phase.sight.path, phase.sight.role)
                    page.wait_for_load_state("load")
                    phase.sight.then(page)
                    if phase.hands:  # the eye has looked: only then hands have their keys
                        expect(page.locator("#row-0 .where")).not_to_be_empty()
                    seen += _on_screens(page, phase.name, language, sizes, pictures)
                    if axe and screen.mobile:
                        for barrier in barriers(page):
                            hinders = "(minor)" in barrier or "(moderate)" in barrier
                            kind = moderate if hinders else serious
                            kind.append(f"{phase.name} {language}: {barrier}")
                    if chooses(page):
                        name = f"{phase.name}-chosen"
                        seen += _on_screens(page, name, language, sizes, pictures)
                    drawer.put_back()
                    served.server.pairing.leave_all()
    return Looked(tuple(seen), tuple(serious), tuple(moderate))


def _on_screens(
    page: Page, name: str, language: str, sizes: Sequence[tuple[int, int]], pictures: Path | None
) -> Iterator[Seen]:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        if missing := unseen(page):  # perhaps the newest has just come, and people look longer
            page.wait_for_timeout(GLANCE_MS)
            missing = unseen(page)
        board = tuple(page.evaluate(BOARD))
        one = Seen(name, width, height, language, tuple(missing), board)
        if pictures is not None:
            mark = "-missing" if one.missing else ""
            file = f"{name.replace('/', '-')}-{width}x{height}-{language}{mark}.png"
            page.screenshot(path=pictures / file)
        yield one
