"""Several phones at one simulated table, and several fingers on one of them."""

from dataclasses import replace
from typing import Final

import pytest
from playwright.sync_api import FloatRect, Page, expect

from companion.present.simulated_hands import RattleHeard, ShakeVigour, SightOfTable, Where
from tests.browser.chromium import Opener, box_of, until
from tests.browser.served import Serve
from tests.browser.simulated import Begin
from tests.web.playing import do, table
from tests.web.still import Still

TWO_FINGERS: Final = """() => {
  const picture = document.querySelector("#scene svg");
  const finger = (kind, id, x, y) => {
    const at = new DOMPoint(x, y).matrixTransform(picture.getScreenCTM());
    const how = {pointerId: id, clientX: at.x, clientY: at.y, bubbles: true};
    const event = new PointerEvent(kind, how);
    const barrel = document.querySelector(`[data-barrel='${id}'].free .reach`);
    (kind === "pointerdown" ? barrel : picture).dispatchEvent(event);
  };
  [3, 6].forEach(id => finger("pointerdown", id, 100 * id - 200, 430));
  let step = 0;
  window.shaking = setInterval(() => {
    step += 1;
    [3, 6].forEach(id => finger("pointermove", id, 100 * id - 200 + 40 * (step % 2), 430));
  }, 40);
}"""


class Both(Still):
    """Hands with a barrel in each."""

    def __init__(self) -> None:
        self.shaken: list[int] = []

    def table(self) -> SightOfTable:
        sight = super().table()
        barrels = tuple(
            replace(one, where=Where.HAND, seat="red") if one.handle in (3, 6) else one
            for one in sight.barrels
        )
        return replace(sight, barrels=barrels)

    def shake(
        self, handle: int, for_s: float, vigour: ShakeVigour = ShakeVigour.AS_USUAL
    ) -> RattleHeard:
        self.shaken.append(handle)
        return replace(super().shake(handle, for_s, vigour), lasts_ms=100)


def test_two_fingers_shake_barrels_in_turn(serve: Serve, phone: Opener) -> None:
    hands, room = Both(), table()
    do(room, "roll 9")
    page = serve(room, hands).open(phone("en-GB"), "/simulated", "red")
    expect(page.locator("#hand-left")).to_be_visible()
    expect(page.locator("#hand-right")).to_be_visible()
    page.evaluate(TWO_FINGERS)
    until(page, lambda: len(hands.shaken) >= 6)
    page.evaluate("clearInterval(window.shaking)")
    assert {3, 6} == {*hands.shaken[:2]} == {*hands.shaken[2:4]}


@pytest.mark.slow
def test_two_phones_play_at_one_table(begin: Begin, phone: Opener) -> None:
    evening = begin(speed=2.0)
    pages = {seat: evening.open(phone("en-GB"), role=seat) for seat in ("red", "blue")}
    for seat, page in pages.items():
        expect(page.locator(f"#world[data-seat={seat}][data-plays]")).to_be_attached()
        page.locator("#sit-down").tap()
    evening.begin()
    until(pages["red"], lambda: evening.mixed)
    pages["red"].get_by_role("button", name="Roll for us").tap()
    until(pages["red"], lambda: len(evening.best) > 1)  # it is rolled
    for handle, page in zip(evening.best[:2], pages.values(), strict=True):
        takes(page, handle)
        for key in ("shake", "place"):
            page.locator(f".hand:not([hidden]) [data-do={key}]").first.tap()
            until(page, lambda: evening.rests)
    for page in pages.values():
        expect(page.locator("#table.phase-flip")).to_be_visible()
        page.locator("#own-pad [data-do=flip]:visible").tap()
        until(page, lambda: evening.rests)
    until(pages["red"], lambda: evening.view.phase.name == "MOVE")
    assert {seat.name for seat, _ in evening.view.numbers} == {"RED", "BLUE"}


def takes(page: Page, handle: int) -> None:
    """Take a barrel by the list, as those do who use no picture."""
    expect(page.locator("#table.phase-place")).to_be_visible()
    page.locator("#all summary").press("Enter")
    page.locator(f"#row-{handle} [data-do=lift]").tap()
    page.locator("#all summary").press("Enter")


def test_what_is_below_the_hands_overlaps_nothing_and_says_what_it_is(
    serve: Serve, phone: Opener
) -> None:
    room = table()
    do(room, "roll 9")
    page = serve(room, Both()).open(phone("en-GB"), "/simulated", "red")
    tells = page.locator("#what-bars")
    expect(tells).to_be_visible()
    for width, height in ((360, 640), (390, 844), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        button, caption = box_of(page.locator("#press")), page.locator(".caption").bounding_box()
        assert caption is None or caption["height"] < 1 or caption["y"] >= end_of(button)
        expect(tells).to_be_visible()
    page.locator("#hand-left [data-do=shake]").tap()
    expect(tells).to_be_hidden()


def end_of(box: FloatRect) -> float:
    """Return where something ends that stands on its own shadow."""
    return box["y"] + box["height"] + 5
