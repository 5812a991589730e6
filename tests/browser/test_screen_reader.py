"""A round of each game by what a screen reader reads alone: names of controls, and what it is told.

Nothing is looked for by its place, its looks or its mark: who plays here knows roles and names.
"""

import re
from collections import Counter
from random import Random
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Locator, Page

from companion.present.viewer import Viewer
from tests.browser.chromium import Opener, until
from tests.browser.phases import begun, next_of
from tests.browser.served import Serve
from tests.browser.test_keys import GAMES, QUIET, STEPS
from tests.web.room import FakeRoom

MOST: Final = 8  # choices for one event
CONTROL: Final = re.compile(r"""^ *- '?(button|radio|checkbox) "([^"]*)"(.*)$""", re.MULTILINE)
TOLD: Final = """() => {
    window.told = [];
    for (const one of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
        new MutationObserver(() => window.told.push(one.textContent.trim()))
            .observe(one, {childList: true, characterData: true, subtree: true});
    }
}"""


class Control(NamedTuple):
    """What a screen reader says of something that can be used."""

    role: str
    name: str
    checked: bool


class Listener:
    """Somebody who sees nothing."""

    def __init__(self, page: Page, room: FakeRoom, role: str) -> None:
        self.page, self.room = page, room
        self.reader = Viewer("en", role)
        page.evaluate(TOLD)

    @property
    def told(self) -> list[str]:
        """Return all that was told without being asked for."""
        found: list[str] = self.page.evaluate("window.told")
        return found

    @property
    def region(self) -> Locator:
        """Return what is read when one goes through the page."""
        return self.page.locator("main")

    def rests(self) -> None:
        """Wait until the page tells all that has happened."""
        newest = f'[data-live][data-version="{self.room.now.version}"]'
        self.page.wait_for_selector(newest, state="attached")
        self.page.wait_for_function(QUIET)

    def controls(self) -> list[Control]:
        """Return what can be chosen or pressed now, in the order of reading."""
        return [
            Control(role, name, "[checked]" in rest)
            for role, name, rest in CONTROL.findall(self.region.aria_snapshot())
            if "[disabled]" not in rest
        ]

    def acts(self) -> None:
        """Choose what can be chosen until a key leads on, and press that."""
        before = self.room.now.version
        at_first = self.controls()
        for _ in range(MOST):
            controls = self.controls()
            same = [one for one, count in Counter(controls).items() if count > 1]
            assert not same, f"nobody can tell these apart: {same}"
            keys = [one for one in controls if one.role == "button" and one.name[:4] != "No, "]
            choices = [one for one in controls if one.role != "button" and not one.checked]
            new = [one for one in keys if one not in at_first]
            ready = new or (any(one.checked for one in at_first) and keys) or not choices
            self._uses((new or keys)[0] if ready else choices[0])
            if self.room.now.version > before:
                return
        raise AssertionError(f"nothing leads on: {self.controls()}")

    def _uses(self, one: Control) -> None:
        control = self.region.get_by_role(one.role, name=one.name, exact=True)  # type: ignore[arg-type]
        control.press("Space")
        until(self.page, lambda: self.page.locator("[aria-busy=true]").count() == 0)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("game", GAMES)
def test_a_round_goes_by_names_and_what_happens_is_told_once(
    game: str, serve: Serve, phone: Opener
) -> None:
    room, chance, role = begun(game, 1), Random(1), GAMES[game]
    page = phone("en-GB")
    table = serve(room)
    table.open(page, role=role)
    until(page, lambda: table.server.held > 0)
    listener = Listener(page, room, role)
    listener.rests()
    done = 0
    while done < STEPS:
        wish, by = (None, role) if role == "table" else next_of(room, chance)
        version = room.now.version
        if wish is not None and by not in {role, "table"}:
            room.wish(wish, by=by)
        else:
            listener.acts()
            done += 1
        listener.rests()
        if room.now.acted > version:
            told = listener.told
            for event in room.now.happened:
                sentence = listener.reader.say(event)
                assert told.count(sentence) >= 1, f"{sentence} was not told: {told}"
