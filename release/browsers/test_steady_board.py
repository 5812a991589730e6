"""The board has its place: whatever is asked, it is as large as before, and where it was."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import Drawer, Opener, Screen
from tests.browser.phases import Phase, phases
from tests.browser.served import Served

SIZES: Final = ((320, 568), (360, 640), (360, 740), (390, 844), (740, 360), (1280, 720))
BOXES: Final = """() => ['.board', '.scene'].flatMap(name => {
    const one = document.querySelector(name), box = one && one.getBoundingClientRect();
    return box && box.width ? [[name, box.left, box.top, box.width, box.height]] : [];
})"""
MOST_PX: Final = 2
Places = dict[tuple[str, str, int, int], list[tuple[str, list[float]]]]


def looked_at(
    drawer: Drawer, kept: Path, phase: Phase, locale: str, places: Places, *, full: bool
) -> None:
    """Add where the board of a phase is, on phones; with --full on every screen, and by night."""
    with Served(phase.sight.room(), kept, phase.hands() if phase.hands else None) as served:
        phone, desk = Screen(360, 640, mobile=True), Screen(1280, 720)
        for sizes, screen in (
            ((SIZES[:-1], phone), (SIZES[-1:], desk)) if full else ((SIZES[:-1:2], phone),)
        ):
            page = Opener(drawer, screen)(locale)
            served.open(page, phase.sight.path, phase.sight.role)
            page.wait_for_load_state()
            if phase.hands:  # the eye has looked: only then hands have their keys
                expect(page.locator("#row-0 .where")).not_to_be_empty()
            for scheme in ("light", "dark") if full else ("light",):
                page.emulate_media(color_scheme=scheme)
                for width, height in sizes:
                    page.set_viewport_size({"width": width, "height": height})
                    for name, *box in page.evaluate(BOXES):
                        place = (phase.sight.path, name, width, height)
                        places.setdefault(place, []).append((phase.name, box))
            drawer.put_back()


def moved(places: Places) -> list[str]:
    """Return what of the boards moves between phases, and by how much."""
    found = []
    for place, seen in places.items():
        usual = sorted(box for _, box in seen)[len(seen) // 2]
        for phase, box in seen:
            most = max(abs(one - other) for one, other in zip(box, usual, strict=True))
            if most > MOST_PX:
                found.append(f"{place} {phase}: {most:.0f} px")
    return [*dict.fromkeys(found)]


@pytest.mark.parametrize("game", ["zapp-zerapp", "trap-the-wizard", "via-magica", "blackmore"])
@pytest.mark.slow(but=1)
@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_the_board_stays_where_it_is_in_every_phase(
    drawer: Drawer, game: str, locale: str, full: bool
) -> None:
    places: Places = {}
    for phase in phases([game]):
        if phase.sight.name not in {"none", "joining"}:
            with TemporaryDirectory() as kept:
                looked_at(drawer, Path(kept), phase, locale, places, full=full)
    assert places
    assert moved(places) == []
