"""How text lies on all pages: not over other text, not cut, no word broken, in six sizes."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

import companion
from companion.web.ports import TablePort
from release.browsers.laid_out import font_sizes, overlaps
from tests.browser.chromium import Complaints, Opener
from tests.browser.phases import phases
from tests.browser.served import Served
from tests.browser.sights import SIGHTS, Sight
from tests.browser.test_sights import look
from tests.web.playing import moving

SIZES: Final = ((320, 568), (360, 640), (390, 844), (740, 360))
DESKS: Final = ((1280, 720), (1920, 1080))
NAMES = [sight.name for sight in SIGHTS]
MOST_SIZES: Final = 6
ROOM: Final = Path(companion.__file__).parent
WEB, GAMES, HALL = ROOM / "web" / "static", ROOM / "games", ROOM / "hall" / "static"
AFAR: Final = (
    "theme.css",
    "tv.css",
    "wall.css",
)  # the words themselves, and what is read from afar
OWN_SIZE: Final = re.compile(r"font(-size)?:[^;}]*\drem")
WORDED: Final = re.findall(r"--(\w+): [\d.]+rem;", (WEB / "theme.css").read_text(encoding="utf-8"))
STYLE: Final = "<style>body { margin: 0; width: 320px; font: 16px/1.2 sans-serif; }</style>"
FAULTS: Final = {
    "lies over": "<p>Below</p><p style='margin-top: -30px'>Above</p>",
    "beyond its box": "<p style='border: 1px solid; width: 50px'>Mississippi</p>",
    "cut by": "<p style='width: 30px; overflow: hidden; white-space: nowrap'>Mississippi</p>",
    "px in height": "<div style='height: 12px; overflow: hidden'>Below</div>",
    "is broken": "<p style='width: 30px; overflow-wrap: anywhere'>Mississippi</p>",
    "beyond the right edge": "<div style='overflow: hidden'></div><style>body {overflow: hidden}"
    "</style><p style='position: absolute; left: 1250px'>Mississippi</p>",
}
FINE: Final = (
    "<p>Below</p><p style='margin-top: -30px; position: relative; background: #fff'>Above</p>"
    "<p style='width: 30px; overflow: hidden; text-overflow: ellipsis;"
    " white-space: nowrap'>Wilhelmine</p>"
    "<p style='width: 30px; overflow: auto; white-space: nowrap'>Mississippi</p>"
    "<svg width='20'><text y='9'>drawn</text><text y='9'>over</text></svg>"
)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found(desk: Opener, fault: str) -> None:
    page = desk()
    page.set_content(STYLE + FAULTS[fault])
    assert [fault in found for found in overlaps(page)] == [True]


def test_what_is_meant_so_is_no_fault(desk: Opener) -> None:
    page = desk()
    page.set_content(STYLE + FINE)
    assert overlaps(page) == []


@pytest.mark.slow(but=4)
@pytest.mark.parametrize("sight", SIGHTS, ids=NAMES)
def test_text_lies_well_on_every_page(
    sight: Sight,
    *,
    phone: Opener,
    desk: Opener,
    complaints: Complaints,
    serve: Callable[[TablePort], Served],
) -> None:
    if sight.name == "fault":
        complaints.forgive("status of 404")
    served = serve(sight.room())
    found = list[str]()
    for opener, sizes in ((phone, SIZES), (desk, DESKS)):
        for locale in ("de-DE", "en-GB"):
            page = look(served, sight, opener(locale))
            found += faults(page, sizes, locale)
            served.server.pairing.leave_all()
    assert found == []


def faults(page: Page, sizes: tuple[tuple[int, int], ...], locale: str) -> Iterator[str]:
    """Yield what lies badly, on each screen."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for fault in overlaps(page):
            yield f"{width}x{height} {locale}: {fault}"


@pytest.mark.slow
def test_all_pages_have_six_sizes_of_letters(
    phone: Opener, complaints: Complaints, serve: Callable[[TablePort], Served]
) -> None:
    complaints.forgive("status of 404")
    seen = dict[float, str]()
    for sight in (*SIGHTS, *(phase.sight for phase in phases() if phase.hands is None)):
        page = look(serve(sight.room()), sight, phone("de-DE"))
        seen |= font_sizes(page)
        phone.drawer.put_back()
    assert len(seen) <= MOST_SIZES, seen


def test_decoration_leaves_and_what_is_chosen_has_an_edge_where_colours_are_forced(
    phone: Opener, serve: Callable[[TablePort], Served]
) -> None:
    page = phone("en-GB")
    serve(moving()).open(page, role="red")
    mountain, fields = page.locator(".board .rock").first, page.locator(".board .field").first
    expect(mountain).to_be_visible()
    page.emulate_media(forced_colors="active")
    expect(mountain).to_be_hidden()
    expect(fields).to_be_visible()
    way = page.locator("label.way").first
    outlined = "one => getComputedStyle(one).outlineStyle"
    assert way.evaluate(outlined) == "none"
    way.locator("input").check()
    assert way.evaluate(outlined) == "solid"
    page.emulate_media(forced_colors="none")


def test_style_sheets_name_the_sizes_of_letters_by_their_words() -> None:
    assert len(WORDED) == MOST_SIZES
    found = [
        f"{file.name}: {line.strip()}"
        for file in (*WEB.glob("*.css"), *GAMES.glob("*/page.css"), *HALL.glob("*.css"))
        if file.name not in AFAR
        for line in file.read_text(encoding="utf-8").splitlines()
        if OWN_SIZE.search(line) and ".tv #" not in line and ".tournament-wall" not in line
    ]
    assert found == []
