"""A finger that does what somebody wants by the fewest taps a page needs for it, in any game.

It finds what it taps by what the page says of itself: a key bears its wish, what is chosen first is
named by what appears then, a board's places name the choice they stand for. It feels every tap and
every scroll.
"""

from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from companion.web.ports import TablePort

ROLLS: Final = '"kind": "roll-for-us"'
FEEL: Final = """() => {
    const felt = window.felt = {taps: 0, scrolls: 0, told: []};
    const stood = new Map();
    addEventListener("pointerdown", () => { felt.taps += 1; }, true);
    addEventListener("scroll", event => {
        const one = event.target === document ? document.scrollingElement : event.target;
        const at = one.scrollTop + one.scrollLeft, before = stood.get(one) || 0;
        stood.set(one, at);
        if (Math.abs(at - before) < 1) return;
        felt.scrolls += 1;
        const name = one.id || one.className || one.nodeName;
        felt.told.push(`${name}: by ${Math.round(at - before)} px`);
    }, true);
}"""


@dataclass(frozen=True, slots=True)
class Felt:
    """What a finger has had to do on a page since it was opened."""

    taps: int
    scrolls: int
    told: tuple[str, ...]  # what scrolled, and how far


class Finger:
    """Taps on one page."""

    def __init__(self, page: Page, room: TablePort) -> None:
        self.page, self._room = page, room
        page.evaluate(FEEL)

    @property
    def felt(self) -> Felt:
        """Return what it has felt."""
        told: dict[str, Any] = self.page.evaluate("window.felt")
        return Felt(told["taps"], told["scrolls"], tuple(told["told"]))

    def sees(self) -> None:
        """Wait until the page shows the table as it is."""
        version = str(self._room.snapshot.version)
        expect(self.page.locator("#table")).to_have_attribute("data-version", version)

    def rolls(self) -> None:
        """Have the companion roll, draw or deal."""
        keys = self.page.locator(f"#play [data-wish*='{ROLLS}']:visible")
        (keys if keys.count() else self.page.locator("#play [data-wish]:visible")).first.tap()

    def does(self, text: str) -> None:
        """Do what the game's notation says."""
        keys = self.page.locator(f"""[data-wish*='"{text}"']""")
        if keys.count():
            key = keys.locator("visible=true")
            if not key.count():
                self.chooses(str(keys.first.get_attribute("data-for")))
            key.first.tap()
            return
        chosen, _, others = text.partition(" portals ")
        way = self.page.locator(f"input[name=way][value='{chosen}']")
        expect(way).to_have_count(1)
        form = way.locator("xpath=ancestor::form")
        for other in filter(None, others.split(",")):
            self.label(form.locator(f"input[value='{other}']")).tap()
        if form.get_attribute("data-at-once") is not None:
            self.goes(way, form)
            return
        if not way.is_checked():
            self.chooses(str(way.get_attribute("id")))
        form.locator("[data-confirms]").tap()

    def chooses(self, chosen: str) -> None:
        """Tap what chooses this, on the board if it is there, and before it what it is part of."""
        one = self.page.locator(f"#{chosen}")
        part = one.locator("xpath=ancestor::*[@data-for][1]")
        place = self.page.locator(f"[data-choose='{chosen}']").locator("visible=true")
        if place.count():
            self.hits(place.first)
            if one.is_checked() or not part.count():
                expect(one).to_be_checked()
                return
        if part.count():  # it is not seen yet, or something else of the same place was chosen
            self.chooses(str(part.get_attribute("data-for")))
        if place.count():
            self.hits(place.first)
        else:
            self.label(one).tap()
        expect(one).to_be_checked()

    def goes(self, way: Locator, form: Locator) -> None:
        """Tap where something goes, on the board or in the list: that is the move.

        Only where something else could go there, too, it is asked which.
        """
        goal = str(way.get_attribute("id"))
        part = str(way.locator("xpath=ancestor::*[@data-for][1]").get_attribute("data-for"))
        known = not self.page.locator(f"#{part}").is_checked()
        if known:
            self.chooses(part)
        place = self.page.locator(f"[data-choose='{goal}']").locator("visible=true")
        if not place.count():
            self.label(way).tap()
            return
        self.hits(place.first)
        if not known and form.locator(f".rather[data-for='{goal}']").count():
            form.locator("[data-confirms]").tap()

    def hits(self, place: Locator) -> None:
        """Tap the middle of a place on a board, whatever is drawn above it."""
        reach = place.locator(".reach")
        aim = reach.first if reach.count() else place
        aim.scroll_into_view_if_needed()
        box = aim.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.touchscreen.tap(x, y)

    def label(self, one: Locator) -> Locator:
        """Return what a finger hits of a choice."""
        return one.locator("xpath=ancestor::label")
