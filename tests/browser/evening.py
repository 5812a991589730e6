"""An evening of two people at the simulated table: their phones and a television, and what they do.

One plays with hands at the table, and is caught peeking; the other has the table's phone and rules.
It must not know how they are filmed. What is tapped is found by what the pages say of themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Final

from playwright.sync_api import Page, expect

from companion.games.zapp_zerapp.rules import Phase
from companion.referee.commands import Act
from tests.browser.chromium import until
from tests.browser.filming import Film
from tests.browser.simulated import Evening

NAMES: Final = {"de": ("Oma", "Ben"), "en": ("Grandma", "Ben")}
ANIMALS: Final = ("owl", "fox")
NEARLY_HOME: Final = "correct pawns red:24,red:city,red:city,blue:17,blue:9,blue:start"
SHAKES: Final = 2
PEEKS_S: Final = 1.3
RULES_MS: Final = 400
SEEN_S: Final = 1.5  # until the table has noticed it
ANSWERS_MS: Final = 300
SEES_S: Final = 6.0
UNFOLDS_MS: Final = 1200  # until a barrel has turned, a crest has come
FEASTS_S: Final = 8.0


@dataclass(slots=True)
class Persons:
    """Both of them, with what they see."""

    evening: Evening
    hands: Page  # the phone of whoever sits at the table, at the seat of red
    other: Page  # the phone of the whole table
    television: Page
    film: Film
    chance: Random

    def arrive(self, language: str) -> None:
        """Come to the table, and say who one is."""
        home = self.evening.open(self.television, f"/tv?language={language}").url
        self.evening.open(self.other, "/", "table")
        self.evening.open(self.hands, "/join")
        self.film.shoot("invited")
        self.film.runs(1.0)
        self.evening.open(self.hands, role="red")
        for seat, name, animal in zip(("red", "blue"), NAMES[language], ANIMALS, strict=True):
            said = {"seat": seat, "name": name, "animal": animal, "kept": False}
            origin = home.partition("/tv")[0]
            asked = self.other.context.request.post(
                f"{origin}/api/people", data=said, headers={"Origin": origin}
            )
            assert asked.ok, asked.text()
        expect(self.hands.locator("#world[data-plays]")).to_be_attached()
        self.hands.locator("#sit-down").tap()
        self.evening.begin()
        self.wait(lambda: self.evening.mixed)

    def wait(self, holds: Callable[[], bool]) -> None:
        """Wait for something."""
        until(self.hands, holds, self.film.tick)

    def rolls(self) -> None:
        """Roll, unless a guest did."""
        self.wait(self._roll)
        self.film.shoot("rolled")

    def _roll(self) -> bool:
        back = self.hands.locator("#own-pad [data-do=put_back]:visible")
        if self.evening.view.phase is Phase.ROLL and back.count():
            back.tap()
            self.wait(lambda: self.evening.rests)
        key = self.hands.locator("#play [data-wish*='roll-for-us']:visible")
        if self.evening.view.phase is Phase.ROLL and key.count():
            key.first.tap()
            self.wait(lambda: self.evening.view.phase is not Phase.ROLL)
        return self.evening.view.phase is Phase.PLACE

    def takes(self) -> None:
        """Take a barrel from the middle, by the finger."""
        self.side("barrels")

        def tries() -> bool:
            if self.evening.holds:
                return True
            self._ruled()  # a barrel may have been turned upright when dice lay already
            free = self.hands.locator("[data-barrel].free .reach")
            if free.count():
                self.drags(free.nth(self.chance.randrange(free.count())))
            return False

        self.wait(tries)
        self.film.shoot("taken")
        self.shakes()

    def drags(self, barrel: object) -> None:
        """Drag a barrel to the right hand."""
        page = self.hands
        box = barrel.bounding_box()  # type: ignore[attr-defined]
        hand = page.locator("[data-palm=right]").bounding_box()
        if box is None or hand is None:
            return
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(hand["x"] + hand["width"] / 2, hand["y"] + hand["height"] / 2, steps=6)
        page.mouse.up()
        self.wait(lambda: self.evening.rests)

    def shakes(self) -> None:
        """Shake what is in hand, and listen."""
        for _ in range(SHAKES):
            self.hands.locator(".hand:not([hidden]) [data-do=shake]").first.tap()
            self._goes_on(1.0)
        self.wait(lambda: self.evening.rests)

    def peeks(self) -> None:
        """Look underneath, which is forbidden, until it is seen: a busy machine is slow to tilt."""
        key = self.hands.locator(".hand:not([hidden]) [data-do=peek]").first

        def dares() -> bool:
            if self.evening.table.snapshot.fouls:
                return True
            key.hover()
            self.hands.mouse.down()
            self._goes_on(PEEKS_S)
            self.film.shoot("peeking")
            self.hands.mouse.up()
            self._goes_on(SEEN_S)
            return False

        self.wait(dares)
        self._goes_on(2.0)
        self.film.shoot("caught")

    def dismisses(self) -> None:
        """Rule on all that is open: it was none."""
        self.wait(self._ruled)
        self.film.shoot("dismissed")

    def _ruled(self) -> bool:
        """Tell whether nothing is open; something that is, is dismissed."""
        keys = self.other.locator("[data-wish*='\"upheld\": false']:visible")
        if keys.count():
            keys.first.tap()
            self.other.wait_for_timeout(RULES_MS)
            return False
        return all(one.upheld is False for one in self.evening.table.snapshot.fouls)

    def places(self) -> None:
        """Put the barrel down at the own seat, and wait for all others."""
        self.hands.locator(".hand:not([hidden]) [data-do=place]").first.tap()
        self.wait(lambda: self.evening.view.phase is not Phase.PLACE)

    def flips(self) -> None:
        """Turn the own barrel over, and see what it is."""
        self.side("barrels")
        key = self.hands.locator("#own-pad [data-do=flip]")
        if self.evening.view.phase is Phase.FLIP and key.is_visible():
            key.tap()
        self.wait(self._revealed)
        self._sees("reveal", "revealed")
        self._goes_on(4.0)

    def _revealed(self) -> bool:
        """Tell whether all numbers are known; the own one is said if the table asks for it.

        Where no spell works nobody moves, and all barrels are back at once.
        """
        own = [one for one in self.evening.hands.table().barrels if one.seat == "red"]
        shown = [one.number for one in own if one.number is not None]
        key = self.hands.locator(f"#say-red-{shown[0]}:visible") if shown else None
        if self.evening.view.phase is Phase.SAY and key is not None and key.count():
            key.tap()
            self.other.wait_for_timeout(ANSWERS_MS)
        return self.evening.view.phase not in (Phase.PLACE, Phase.FLIP, Phase.SAY)

    def moves(self) -> None:
        """Move wherever one may, until the round is over."""
        self.wait(self._moved)
        self._goes_on(2.0)

    def _moved(self) -> bool:
        if self.evening.table.snapshot.over:
            self._sees("win", "won")
            return True
        if self.evening.view.phase is Phase.ROLL:
            return True
        self.side("board")
        form = self.hands.locator("form.moving:visible")
        if not form.count():
            return False
        ways = form.locator("input[name=way]")
        if ways.count() and not form.locator("input[name=way]:checked").count():
            chosen = ways.nth(self.chance.randrange(ways.count())).get_attribute("id")
            self.hands.locator(f"#{chosen}").evaluate("way => way.click()")
        self.film.shoot("moving")
        confirm = form.locator("[data-confirms]:enabled")
        if confirm.count():
            confirm.tap()
            self.other.wait_for_timeout(ANSWERS_MS)
            if not self.evening.table.snapshot.over:
                self._goes_on(1.0)
        return False

    def side(self, which: str) -> None:
        """Look at barrels or at the board, where a phone shows one of them."""
        tab = self.hands.locator(f".tabs [data-side={which}]:visible")
        if tab.count() and tab.get_attribute("aria-pressed") != "true":
            tab.tap()

    def plays_a_round(self, *, peeking: bool = False) -> None:
        """Play from the dice to the moves."""
        self.rolls()
        self.takes()
        if peeking:
            self.peeks()
            self.dismisses()
        self.places()
        self.flips()
        self.moves()

    def nearly_wins(self) -> None:
        """Have the pawns put where an evening ends soon: there is no time to film it all."""
        self.wait(lambda: self.evening.view.phase is Phase.ROLL)
        answer = self.evening.says(Act(NEARLY_HOME))
        assert answer is not None
        assert answer.refused is None, answer.refused

    def feasts(self) -> None:
        """See who has won, and play again."""
        self._goes_on(FEASTS_S)
        again = self.other.locator("[data-wish*='new-match']:visible")
        again.first.tap()
        self.wait(lambda: not self.evening.table.snapshot.over)
        self._goes_on(1.5)
        self.film.shoot("again")

    def _sees(self, kind: str, mark: str) -> None:
        """Wait for what is shown of something that happened, if it is not over yet."""
        end_s = monotonic() + SEES_S
        shown = self.other.locator(f"#drama.kind-{kind}")
        while monotonic() < end_s and not shown.is_visible():
            self.film.tick()
            self.other.wait_for_timeout(100)
        self.other.wait_for_timeout(UNFOLDS_MS)
        self.film.shoot(mark)

    def _goes_on(self, seconds: float) -> None:
        self.film.runs(seconds)
