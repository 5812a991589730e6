"""Rounds of Zapp Zerapp by taps on one phone at the simulated table, among guests, by the clock.

Somebody who is neither quick nor slow takes one barrel, shakes it once, keeps it, turns it over and
moves: how long does a round last for everybody, and how many taps does it take?
"""

import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.sync_api import Page, expect

from companion.games.zapp_zerapp.rules import Phase
from companion.games.zapp_zerapp.simulated.guests import TEMPERAMENTS
from companion.system.config import SEATS
from companion.system.text import SeatName
from research.bench._fingers import Finger
from tests.browser.chromium import Drawer, Opener, Screen
from tests.browser.simulated import Evening

Figures = dict[str, Any]
SCREEN: Final = Screen(360, 640, mobile=True)
ROUNDS: Final = 5
THINKS_MS: Final = 900  # before each tap
PATIENT_S: Final = 12.0  # somebody who has waited so long for the dice rolls them
LOOK_MS: Final = 50
LONGEST_S: Final = 180.0  # then a round is stuck
ALIVE: Final = """selector => {
    const dead = "[aria-busy=true], [aria-disabled=true]";
    const alive = one => !one.disabled && !one.matches(dead);
    const seen = one => one.checkVisibility({visibilityProperty: true});
    const found = [...document.querySelectorAll(selector)].find(one => seen(one) && alive(one));
    if (!found) return null;
    const box = found.getBoundingClientRect();
    return {x: box.x + box.width / 2, y: box.y + box.height / 2};
}"""


@dataclass(frozen=True, slots=True)
class Key:
    """Something to tap on."""

    selector: str
    x_px: float
    y_px: float


@dataclass(frozen=True, slots=True)
class Round:
    """How long one took, of everybody's time, and how many taps."""

    lasted_s: float
    taps: int
    spent_s: dict[str, float]  # in each phase


class Somebody:
    """Plays Red on one phone: one tap after another, each after a moment's thought."""

    def __init__(self, page: Page, evening: Evening) -> None:
        self._page, self._evening = page, evening
        self._finger = Finger(page, evening.table)
        self._shaken = False
        self._calm_s = time.monotonic()  # since when there was nothing to tap

    def plays(self) -> Round:
        """Play on until the next round."""
        begun_s, taps, spent = time.monotonic(), self._finger.felt.taps, dict[str, float]()
        number, self._shaken = self._evening.view.round, False
        while not self._evening.table.snapshot.over and self._evening.view.round == number:
            before_s, phase = time.monotonic(), self._evening.view.phase
            if before_s > begun_s + LONGEST_S:
                raise RuntimeError(f"a round is stuck: {self._page.inner_text('h1')}")
            if self._wants(phase) is not None:
                self._page.wait_for_timeout(THINKS_MS)
                self._taps(self._wants(phase))
                self._calm_s = time.monotonic()
            self._page.wait_for_timeout(LOOK_MS)
            lasted_s = time.monotonic() - before_s
            spent[phase.value] = round(spent.get(phase.value, 0.0) + lasted_s, 2)
        return Round(time.monotonic() - begun_s, self._finger.felt.taps - taps, spent)

    def _wants(self, phase: Phase) -> Key | None:
        """Return what is tapped next; None: somebody else is to do something."""
        if (nothing := self._key(".ruling button:last-child")) is not None:
            return nothing  # nobody is strict here
        match phase:
            case Phase.ROLL if time.monotonic() > self._calm_s + PATIENT_S:
                return self._key("#doing-roll [data-wish]")
            case Phase.PLACE if self._key("#own-pad") is None:
                deed = "place" if self._shaken else "shake"
                held = self._key(f".two [data-do={deed}]")
                return held or self._key("#barrels .barrel.free:not(.held) .reach")
            case Phase.FLIP:
                return self._key("#own-pad [data-do=flip]")
            case Phase.MOVE if self._evening.view.turns[0] == SeatName.RED:
                return self._key("[data-confirms]") or self._key("#mountain [data-choose]")
        return None

    def _key(self, selector: str) -> Key | None:
        found = self._page.evaluate(ALIVE, selector)
        return None if found is None else Key(selector, found["x"], found["y"])

    def _taps(self, key: Key | None) -> None:
        if key is not None:
            self._shaken |= "shake" in key.selector
            self._page.touchscreen.tap(key.x_px, key.y_px)


def measure(drawer: Drawer, how_many: int = ROUNDS) -> tuple[Round, ...]:
    """Play so many rounds with three guests, at the speed of a clock."""
    with TemporaryDirectory() as folder:
        page = Opener(drawer, SCREEN)("en-GB", lively=True)
        with Evening(Path(folder), seats=SEATS, moods=TEMPERAMENTS) as evening:
            evening.open(page)
            page.locator("#take-seat").tap()
            expect(page.locator("#world[data-plays]")).to_be_attached()
            evening.begin()
            expect(page.locator("#table.game-zapp-zerapp")).to_be_attached()
            somebody = Somebody(page, evening)
            somebody.plays()  # the first one begins with a table that is laid
            rounds = tuple(somebody.plays() for _ in range(how_many))
            drawer.put_back()
        return rounds


def told(rounds: tuple[Round, ...]) -> Figures:
    """Return what rounds took, in the middle and at most."""
    lasted = [one.lasted_s for one in rounds]
    taps = [one.taps for one in rounds]
    return {
        "round_s": round(median(lasted), 1),
        "round_s_max": round(max(lasted), 1),
        "taps_per_round": median(taps),
        "taps_per_round_max": max(taps),
        "rounds": [{"s": round(one.lasted_s, 1), "taps": one.taps} | one.spent_s for one in rounds],
    }
