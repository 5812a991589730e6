"""A round of each game by keys alone: after each event the focus is where the next thing is."""

import re
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import Opener, until
from tests.browser.phases import begun, next_of
from tests.browser.served import Serve, Served
from tests.web.room import FakeRoom

TABS: Final = 40  # more would be no way
NEAR: Final = 12  # from where the focus stands after an event
STEPS: Final = 4
FOCUS: Final = """() => {
  const one = document.activeElement;
  return {
    lost: !one || one === document.body, headline: one.id === "headline",
    play: Boolean(one.closest("#play")), asked: Boolean(one.closest("[data-asked]")),
    chosen: one.type === "radio" || one.type === "checkbox", checked: Boolean(one.checked),
    key: one.nodeName === "BUTTON" && !one.disabled, more: Boolean(one.closest("details")),
    named: (one.getAttribute("aria-label") || one.textContent ||
            (one.labels && one.labels.length ? one.labels[0].textContent : "")).trim(),
    ready: Boolean(document.querySelector("#play [data-confirms]:not([disabled])")),
    html: one.outerHTML.slice(0, 160),
  };
}"""
QUIET: Final = "() => !document.querySelector('.in-drama, #drama:not([hidden])')"
GAMES: Final = {  # whose phone it is: nobody but a seat sees its hand
    "zapp-zerapp": "table",
    "trap-the-wizard": "table",
    "via-magica": "red",
    "blackmore": "red",
}

UNNAMED: Final = re.compile(
    r"^ *- (?:button|checkbox|combobox|link|radio|slider|textbox)(?: \[[^]]*\])*:?$", re.MULTILINE
)


class Keys:
    """Somebody at a phone or computer who uses no pointer."""

    def __init__(self, page: Page, table: Served, room: FakeRoom) -> None:
        self.page, self.table, self.room = page, table, room
        self.tabs: list[int] = []

    @property
    def focus(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(FOCUS)
        return found

    def rests(self) -> None:
        """Wait until the page shows all that has happened."""
        newest = f'[data-live][data-version="{self.room.now.version}"]'
        self.page.wait_for_selector(newest, state="attached")
        self.page.wait_for_function(QUIET)
        assert UNNAMED.findall(self.page.locator("#table").aria_snapshot()) == []

    def acts(self) -> None:
        """Go to what can be done, and do it."""
        before = self.room.now.version
        for pressed in range(TABS):
            focus = self.focus
            if focus["play"] and focus["chosen"] and not focus["checked"] and not focus["ready"]:
                self.page.keyboard.press("Space")
                assert self.focus["named"], focus["html"]
            elif focus["play"] and focus["key"] and not focus["more"]:
                assert focus["named"], focus["html"]
                self.page.keyboard.press("Enter")
                until(self.page, lambda: self.page.locator("[aria-busy=true]").count() == 0)
                if self.room.now.version > before:
                    self.tabs.append(pressed)
                    return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"nothing can be done by keys: {self.focus['html']}")


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("game", GAMES)
def test_a_round_goes_by_keys_and_the_focus_is_never_lost(
    game: str, serve: Serve, desk: Opener
) -> None:
    room, chance, role = begun(game, 1), Random(1), GAMES[game]
    page = desk("en-GB")
    table = serve(room)
    table.open(page, role=role)
    keys = Keys(page, table, room)
    until(page, lambda: table.server.held > 0)
    keys.rests()
    done = 0
    while done < STEPS:
        wish, by = (None, role) if role == "table" else next_of(room, chance)
        if wish is not None and by not in {role, "table"}:
            room.wish(wish, by=by)
            keys.rests()
            continue
        keys.acts()
        done += 1
        keys.rests()
        focus = keys.focus
        assert focus["headline"] or focus["play"], focus
    assert max(keys.tabs[1:]) <= NEAR
