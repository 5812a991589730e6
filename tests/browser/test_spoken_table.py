"""A whole table on a phone or television that speaks: in order, to the end, as all may hear it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from companion.present.headline import headline
from companion.present.viewer import Viewer
from companion.referee.commands import Call, DoAction
from tests.browser.chromium import Opener, halted, looked, pass_until, until
from tests.browser.served import Serve, Served
from tests.browser.test_voice import answer_as_device
from tests.web.room import FakeRoom

Opens = Callable[..., "Spoken"]
ROLL = "Rot: Würfle!"
ROLLED = "Runde 1: Die magische Zahl ist 9"
SHAKE = "Schüttelt! Behaltet höchstens 9 Steine."
HD: Final = {"width": 1280, "height": 720}
NEAR_MS: Final = 8000


class Spoken:
    """A screen at a table, and what it has said so far."""

    def __init__(self, page: Page, table: Served, path: str = "/", role: str | None = None) -> None:
        self.page, self.table = page, table
        page.route("**/static/voice.js*", answer_as_device)
        table.open(page, path, role=role)
        looked(page)

    def wants(self) -> None:
        """Let it speak: by a tap on a phone, and on a television, as by a remote, by keys alone."""
        if (menu := self.page.locator("#menu > summary")).count():
            menu.click()
            self.page.click("#speaks")
            self.page.evaluate("document.getElementById('menu').open = false")
        else:
            self.page.keyboard.press("Tab")
            expect(self.page.locator("#speaks")).to_be_focused()
            self.page.keyboard.press("Enter")

    @property
    def heard(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate("window.said")
        return found

    @property
    def said(self) -> list[str]:
        return [one["text"] for one in self.heard]

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
def spoken(serve: Serve, phone: Opener) -> Iterator[Opens]:
    with ExitStack() as life:

        def open_(room: FakeRoom, role: str = "table") -> Spoken:
            page = phone("de-DE")
            life.enter_context(halted(page))
            found = Spoken(page, serve(room), role=role)
            found.wants()
            return found

        yield open_


@pytest.fixture
def screen(serve: Serve, desk: Opener) -> Iterator[Opens]:
    """Turn a television on, which does not speak yet."""
    with ExitStack() as life:

        def turn(room: FakeRoom) -> Spoken:
            page = desk("de-DE")
            life.enter_context(halted(page))
            page.set_viewport_size(HD)  # type: ignore[arg-type]
            return Spoken(page, serve(room), "/tv?language=de")

        yield turn


def test_a_moment_lasts_until_it_is_said_and_then_comes_what_is_to_be_done(spoken: Opens) -> None:
    phone = spoken(FakeRoom("red", "blue"))
    phone.until_said(ROLL)
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
    phone.until_said(ROLL)
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


def heard(room: FakeRoom, screen: Spoken, red: int, blue: int) -> list[str]:
    """Return what is said up to the flip, with these barrels."""
    screen.until_said(ROLL)
    room.wish(DoAction("roll 9"))
    screen.until_said(SHAKE)
    room.place("red", red)
    screen.until_said("Blau schüttelt noch.")
    room.place("blue", blue)
    return screen.until_said(headline(room.snapshot, Viewer("de")))


def test_up_to_the_flip_two_tables_with_other_barrels_say_the_same(spoken: Opens) -> None:
    before, after = list[list[str]](), list[list[str]]()
    for red, blue in ((5, 9), (2, 13)):
        room = FakeRoom("red", "blue")
        phone = spoken(room)
        before.append(heard(room, phone, red, blue))
        room.flip(red, blue)
        phone.goes_on(lambda phone=phone: any("zeigt" in one for one in phone.said))  # type: ignore[misc]
        after.append(phone.said[len(before[-1]) :])
    assert before[0] == before[1]
    assert len(before[0]) > 4
    assert after[0] != after[1]


# --- a television ---------------------------------------------------------------------------------


def test_it_is_silent_until_a_key_wants_it_and_then_says_one_thing_after_another(
    screen: Opens,
) -> None:
    room = FakeRoom("red", "blue")
    television = screen(room)
    room.wish(DoAction("roll 9"))
    looked(television.page, room.now.version)
    television.page.clock.run_for(700)
    assert television.said == []
    television.wants()
    television.until_said(SHAKE)
    room.wish(DoAction("place red"))
    assert television.until_said("Blau schüttelt noch.")[0] == "Dieser Bildschirm spricht jetzt."
    assert {one["voice"] for one in television.heard} == {"Anna"}  # of the device, in German
    assert television.page.evaluate("[window.most, window.cancelled]") == [1, 0]


def test_its_key_is_seen_by_whoever_is_near_and_by_nobody_else(screen: Opens) -> None:
    page = screen(FakeRoom("red", "blue")).page
    key = page.locator(".tv-speaks")
    expect(key).to_have_css("opacity", "0")
    page.mouse.move(200, 200)
    page.mouse.move(400, 300)
    expect(key).to_have_css("opacity", "1")
    expect(page.locator("#speaks")).to_be_in_viewport(ratio=1)
    page.clock.run_for(NEAR_MS + 1000)
    expect(key).to_have_css("opacity", "0")


def test_its_key_is_there_as_long_as_nothing_is_played(screen: Opens) -> None:
    expect(screen(FakeRoom()).page.locator(".tv-speaks")).to_have_css("opacity", "1")


def test_up_to_the_flip_it_says_the_same_whatever_lies_in_the_barrels(screen: Opens) -> None:
    told = list[list[str]]()
    for barrels in ((5, 9), (2, 13)):
        room = FakeRoom("red", "blue")
        television = screen(room)
        television.wants()
        told.append(heard(room, television, *barrels))
    assert told[0] == told[1]
