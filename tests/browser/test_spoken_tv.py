"""A television speaks once somebody wants it: what everybody may hear, in order, to the end."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from companion.referee.commands import DoAction
from tests.browser.chromium import Opener, Screen, halted, looked, pass_until
from tests.browser.served import Served
from tests.browser.test_voice import answer_as_device
from tests.web.room import FakeRoom

Turns = Callable[[FakeRoom], "Speaking"]
SCREEN: Final = Screen(1280, 720)
BEGUN: Final = ["Dieser Bildschirm spricht jetzt.", "Rot: Würfle!"]
NEAR_MS: Final = 8000


class Speaking:
    """A television at a table, and what it has said so far."""

    def __init__(self, page: Page, table: Served) -> None:
        self.page, self.table = page, table
        page.route("**/static/voice.js*", answer_as_device)
        table.open(page, "/tv?language=de")
        looked(page)

    @property
    def heard(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate("window.said")
        return found

    @property
    def said(self) -> list[str]:
        return [one["text"] for one in self.heard]

    def wants(self) -> None:
        """Wake it as a remote control does: by keys alone."""
        self.page.keyboard.press("Tab")
        expect(self.page.locator("#speaks")).to_be_focused()
        self.page.keyboard.press("Enter")

    def until_said(self, last: str) -> list[str]:
        """Let the device come to the end of what it says until it says this; return all."""
        pass_until(self.page, lambda: last in self.said, lambda: self.page.evaluate("window.end()"))
        return self.said


@pytest.fixture
def turned_on(serve: Callable[[FakeRoom], Served], desk: Opener) -> Iterator[Turns]:
    with ExitStack() as life:

        def turn(room: FakeRoom) -> Speaking:
            page = desk("de-DE")
            life.enter_context(halted(page))
            page.set_viewport_size({"width": SCREEN.width_px, "height": SCREEN.height_px})
            return Speaking(page, serve(room))

        yield turn


def test_it_is_silent_until_a_key_wants_it_and_then_says_one_thing_after_another(
    turned_on: Turns,
) -> None:
    room = FakeRoom("red", "blue")
    screen = turned_on(room)
    room.wish(DoAction("roll 9"))
    looked(screen.page, room.now.version)
    screen.page.clock.run_for(700)
    assert screen.said == []
    screen.wants()
    screen.until_said("Schüttelt! Behaltet ein Fass mit höchstens 9 Steinen.")
    room.wish(DoAction("place red"))
    last = screen.until_said("Blau schüttelt noch.")
    assert last[0] == BEGUN[0]
    assert {one["voice"] for one in screen.heard} == {"Anna"}  # of the device, in German
    assert screen.page.evaluate("[window.most, window.cancelled]") == [1, 0]


def test_its_key_is_seen_by_whoever_is_near_and_by_nobody_else(turned_on: Turns) -> None:
    screen = turned_on(FakeRoom("red", "blue"))
    key = screen.page.locator(".tv-speaks")
    expect(key).to_have_css("opacity", "0")
    screen.page.mouse.move(200, 200)
    screen.page.mouse.move(400, 300)
    expect(key).to_have_css("opacity", "1")
    expect(screen.page.locator("#speaks")).to_be_in_viewport(ratio=1)
    screen.page.clock.run_for(NEAR_MS + 1000)
    expect(key).to_have_css("opacity", "0")


def test_its_key_is_there_as_long_as_nothing_is_played(turned_on: Turns) -> None:
    screen = turned_on(FakeRoom())
    expect(screen.page.locator(".tv-speaks")).to_have_css("opacity", "1")


def heard(turned_on: Turns, red: int, blue: int) -> list[str]:
    """Return what is said up to the flip, with these barrels."""
    room = FakeRoom("red", "blue")
    screen = turned_on(room)
    screen.wants()
    screen.until_said(BEGUN[1])
    room.wish(DoAction("roll 9"))
    screen.until_said("Schüttelt! Behaltet ein Fass mit höchstens 9 Steinen.")
    room.place("red", red)
    screen.until_said("Blau schüttelt noch.")
    room.place("blue", blue)
    return screen.until_said("Alle Fässer umdrehen!")


def test_up_to_the_flip_it_says_the_same_whatever_lies_in_the_barrels(turned_on: Turns) -> None:
    assert heard(turned_on, 5, 9) == heard(turned_on, 2, 13)
