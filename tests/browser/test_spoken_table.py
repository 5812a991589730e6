"""A whole table on a phone that speaks: in order, to the end, as everybody may hear it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Page

from companion.referee.commands import Call, DoAction
from tests.browser.chromium import Opener, halted, looked, pass_until, until
from tests.browser.served import Served
from tests.browser.test_voice import answer_as_device
from tests.web.room import FakeRoom

Opens = Callable[..., "Spoken"]
ROLLED = "Runde 1: Die magische Zahl ist 9"
SHAKE = "Schüttelt! Behaltet ein Fass mit höchstens 9 Steinen."


class Spoken:
    """A phone at a table, and what it has said so far."""

    def __init__(self, page: Page, table: Served, role: str) -> None:
        self.page, self.table = page, table
        page.route("**/static/voice.js*", answer_as_device)
        table.open(page, role=role)
        looked(page)
        page.click("#menu > summary")
        page.click("#speaks")
        page.keyboard.press("Escape")
        page.evaluate("document.getElementById('menu').open = false")

    @property
    def said(self) -> list[str]:
        found: list[str] = self.page.evaluate("window.said.map(one => one.text)")
        return found

    @property
    def shown(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate("window.rappel.shown")
        return found

    def end(self) -> None:
        self.page.evaluate("window.end()")

    def until_said(self, last: str) -> list[str]:
        """Let the device come to the end of what it says until it says this; return all."""
        self.goes_on(lambda: last in self.said)
        return self.said

    def goes_on(self, holds: Callable[[], bool]) -> None:
        """Let time pass, and the device come to the end of each sentence, until something is so."""
        pass_until(self.page, holds, self.end)


@pytest.fixture
def spoken(serve: Callable[[FakeRoom], Served], phone: Opener) -> Iterator[Opens]:
    with ExitStack() as life:

        def open_(room: FakeRoom, role: str = "table") -> Spoken:
            page = phone("de-DE")
            life.enter_context(halted(page))
            return Spoken(page, serve(room), role)

        yield open_


def test_a_moment_lasts_until_it_is_said_and_then_comes_what_is_to_be_done(spoken: Opens) -> None:
    phone = spoken(FakeRoom("red", "blue"))
    phone.until_said("Rot: Würfle!")
    phone.end()
    phone.table.room.wish(DoAction("roll 9"))  # type: ignore[attr-defined]
    until(phone.page, lambda: ROLLED in phone.said)
    phone.page.clock.run_for(1500)  # longer than dice are shown
    assert phone.shown == []
    assert "Würfle" in phone.page.inner_text("#headline")
    phone.end()
    pass_until(phone.page, lambda: len(phone.shown) == 1)
    assert phone.until_said(SHAKE)[-2:] == [ROLLED, SHAKE]
    assert phone.page.evaluate("[window.most, window.cancelled]") == [1, 0]


def test_a_seats_own_phone_says_aloud_what_everybody_may_hear(spoken: Opens) -> None:
    room = FakeRoom("red", "blue")
    phone = spoken(room, "red")
    phone.until_said("Rot: Würfle!")
    room.wish(DoAction("roll 9"))
    room.wish(DoAction("place red"))
    phone.until_said("Blau schüttelt noch.")
    assert not [one for one in phone.said[1:] if "du " in one.lower() or "dein" in one.lower()]


@pytest.mark.slow
def test_a_foul_interrupts_a_screen_reader_and_all_else_waits_politely(spoken: Opens) -> None:
    room = FakeRoom("red", "blue")
    phone = spoken(room)
    room.wish(DoAction("roll 9"))
    phone.goes_on(lambda: phone.page.inner_text("#announced") == ROLLED)
    room.wish(Call("snatched", "red"))
    alarmed = phone.page.locator("#alarmed")
    phone.goes_on(lambda: alarmed.inner_text().startswith("Rot – "))
    assert phone.page.inner_text("#announced") == ROLLED
    assert phone.page.get_attribute("#announced", "role") == "status"
    assert phone.page.get_attribute("#alarmed", "role") == "alert"


def heard(spoken: Opens, red: int, blue: int) -> tuple[list[str], list[str]]:
    """Return what is said up to the flip, and after it, with these barrels."""
    room = FakeRoom("red", "blue")
    phone = spoken(room)
    phone.until_said("Rot: Würfle!")
    room.wish(DoAction("roll 9"))
    phone.until_said(SHAKE)
    room.place("red", red)
    phone.until_said("Blau schüttelt noch.")
    room.place("blue", blue)
    before = phone.until_said("Alle Fässer umdrehen!")
    room.flip(red, blue)
    phone.goes_on(lambda: any("zeigt" in one for one in phone.said))
    return before, phone.said[len(before) :]


def test_up_to_the_flip_two_tables_with_other_barrels_say_the_same(spoken: Opens) -> None:
    one, other = heard(spoken, 5, 9), heard(spoken, 2, 13)
    assert one[0] == other[0]
    assert len(one[0]) > 4
    assert one[1] != other[1]
