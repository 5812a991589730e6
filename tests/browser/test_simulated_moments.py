"""On the phone of whoever sits at the simulated table, what happens is seen where one looks."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from companion.games.zapp_zerapp.rules import Colour
from companion.present.hands import Where
from tests.browser.chromium import Opener
from tests.browser.phases import Handling
from tests.browser.served import Served
from tests.outputs.web.playing import do, table

INSIDE = """() => {
    const box = document.querySelector("#drama .middle").getBoundingClientRect();
    return box.width > 40 && box.left >= 0 && box.top >= 0
        && box.right <= innerWidth && box.bottom <= innerHeight;
}"""


def test_a_reveal_is_whole_beside_barrels_and_a_walk_turns_to_the_board(
    phone: Opener, tmp_path: Path
) -> None:
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7", "place red", "place green", "flip")
    with Served(room, tmp_path, Handling(Where.PAD)) as served:
        page = served.open(phone("en-GB", lively=True), "/simulated", "red")
        barrels, board = (
            page.locator(f".tabs [data-side={side}]") for side in ("barrels", "board")
        )
        barrels.tap()
        do(room, "say red 3", "say green 4")
        room.stir()
        expect(page.locator("#drama.kind-reveal .middle")).to_be_visible()
        assert page.evaluate(INSIDE)
        expect(board).to_have_attribute("aria-pressed", "true")  # when it is to be moved
        barrels.tap()
        do(room, "move green start")
        room.stir()
        expect(page.locator("#drama.kind-move")).to_be_visible()
        expect(board).to_have_attribute("aria-pressed", "true")
        page.goto("about:blank")  # before the server stops
