"""What a seat's chip says fits into it, also on the narrowest phone and with the longest names."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from companion.present.icons import SHAPES
from companion.web.ports import TablePort
from tests.browser.chromium import Complaints, Drawer, Opener, Screen
from tests.browser.served import Served
from tests.browser.sights import flipping, shaking
from tests.browser.test_tv import of_six
from tests.web.playing import moving, won
from tests.web.room import FakeRoom
from tests.web.running import RUNNING

NAMES = ("Wilhelmine!!", "Maximiliane", "Jo", "Donaudampf12", "Ida", "MMMMMMMMMMMM")
ROOMS: dict[str, Callable[[], FakeRoom]] = {
    "shaking": shaking,
    "flipping": flipping,
    "moving": moving,
    "over": won,
    "six": of_six,
    **{name: of for name, (_, of) in RUNNING.items()},
}
FAULTS = """() => {
    const faults = [], box = one => one.getBoundingClientRect();
    const seen = one => one && box(one).width > 1 && box(one).height > 1;
    for (const chip of document.querySelectorAll("#seats li")) {
        const all = ".seat-sign, .animal, bdi, .number, .doing svg, .doing span, .places";
        const parts = Array.from(chip.querySelectorAll(all)).filter(seen);
        const name = chip.querySelector("bdi"), whole = box(chip);
        if (!seen(name)) faults.push(chip.id + " has no name");
        if (name.getClientRects().length > 1) faults.push(chip.id + " breaks its name");
        if (parseFloat(getComputedStyle(name).fontSize) < 11) faults.push(chip.id + " is small");
        for (const part of parts) {
            const a = box(part);
            if (a.left < whole.left - 1 || a.right > whole.right + 1 || a.bottom > whole.bottom + 1)
                faults.push(`${chip.id} ends before ${part.outerHTML.slice(0, 60)}`);
            for (const other of parts) {
                const b = box(other);
                if (part !== other && a.left < b.right - 1 && b.left < a.right - 1
                        && a.top < b.bottom - 2 && b.top < a.bottom - 2)
                    faults.push(`${part.outerHTML.slice(0, 40)} on ${other.outerHTML}`);
            }
        }
    }
    return faults;
}"""


@pytest.mark.slow(but=3)
@pytest.mark.parametrize("size", [(320, 568), (360, 640), (1280, 720)])
@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_nothing_on_a_chip_overlaps_or_is_cut(
    name: str,
    size: tuple[int, int],
    locale: str,
    *,
    drawer: Drawer,
    complaints: Complaints,
    serve: Callable[[TablePort], Served],
) -> None:
    served = serve(ROOMS[name]())
    people = served.server.people
    for seat, called, animal in zip(served.room.snapshot.seats, NAMES, SHAPES, strict=False):
        people.sit(seat.colour, called, animal)
    page = served.open(Opener(drawer, Screen(*size, mobile=size[0] < 800))(locale), "/", "red")
    expect(page.locator("#seat-red bdi")).to_have_text(NAMES[0])
    assert page.evaluate(FAULTS) == []
    assert complaints.left == []
