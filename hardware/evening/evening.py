"""An evening of two people at the simulated table: their phones and a television, and what they do.

One plays with hands at the table, and is caught peeking; the other has the table's phone and rules.
As in any film somebody whispers which barrel is good. It must not know how they are filmed; what is
tapped is found by what the pages say of themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Final

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as Gone

from companion.games.zapp_zerapp.rules import Phase
from companion.referee.commands import DoAction
from hardware.evening.filming import Film
from tests.browser.simulated import Evening

NEARLY_HOME: Final = "correct pawns red:24,red:city,red:city,blue:20,blue:17,blue:14"  # past red
SHAKES: Final = 2
PATIENCE_S: Final = 120.0  # as long as guests may take who hear badly
PEEKS_S: Final = 1.3
LOOK_MS: Final = 40
GONE_MS: Final = 4_000  # after which a key that went away is looked for again
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
    pace: float = 1.0  # of the table's clock

    def wait(self, holds: Callable[[], bool]) -> None:
        """Wait for something; what is raised meanwhile was nothing."""
        end_s = monotonic() + PATIENCE_S
        while not holds():
            assert monotonic() < end_s, self.evening.table.snapshot
            self.film.tick()
            self.rules()
            self.hands.wait_for_timeout(LOOK_MS)

    def rolls(self) -> None:
        """Roll, unless a guest did."""
        self.wait(self._roll)
        self.film.shoot("rolled")

    def _roll(self) -> bool:
        back = self.hands.locator("#own-pad [data-do=put_back]:visible")
        if self.evening.view.phase is Phase.ROLL and back.count() and self.taps(back):
            self.wait(lambda: self.evening.cleared and self.evening.idle)
        key = self.hands.locator("#play [data-wish*='roll-for-us']:visible")
        if self.evening.view.phase is Phase.ROLL and key.count() and self.taps(key.first):
            self.wait(lambda: self.evening.view.phase is not Phase.ROLL)
        return self.evening.view.phase is Phase.PLACE

    def takes(self) -> None:
        """Take a barrel from the middle, by the finger."""
        self.side("barrels")

        def tries() -> bool:
            if self.evening.holds:
                return True
            free = self._good()
            if free is not None:
                self.drags(free)
            return False

        self.wait(tries)
        self.film.shoot("taken")
        self.shakes()

    def _good(self) -> Locator | None:
        """Return a barrel that leads far, if one stands there: somebody has whispered which."""
        for handle in self.evening.best:
            free = self.hands.locator(f"[data-barrel='{handle}'].free .reach")
            if free.count():
                return free
        free = self.hands.locator("[data-barrel].free .reach")
        return free.nth(self.chance.randrange(free.count())) if free.count() else None

    def drags(self, barrel: Locator) -> None:
        """Drag a barrel to the right hand."""
        ends = (barrel.bounding_box(), self.hands.locator("[data-palm=right]").bounding_box())
        mouse = self.hands.mouse
        for box, deed in zip(ends, (mouse.down, mouse.up), strict=True):
            if box is None:
                return
            mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
            deed()
        self.wait(lambda: self.evening.idle)

    def shakes(self) -> None:
        """Shake what is in hand, and listen."""
        for _ in range(SHAKES):
            self.hands.locator(".hand:not([hidden]) [data-do=shake]").first.tap()
            self._goes_on(1.0)
        self.wait(lambda: self.evening.idle)

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

        while not dares():
            self.film.tick()
        self._goes_on(2.0)
        self.film.shoot("caught")

    def dismisses(self) -> None:
        """See that all is ruled on: it was nothing."""
        self.wait(lambda: all(one.upheld is False for one in self.evening.table.snapshot.fouls))
        self.film.shoot("dismissed")

    def rules(self) -> None:
        """Dismiss something that is open."""
        if any(one.upheld is None for one in self.evening.table.snapshot.fouls):
            self.side("board", self.other)
            keys = self.other.locator("[data-wish*='\"upheld\": false']:visible")
            if keys.count():
                keys.first.tap()
                self.other.wait_for_timeout(RULES_MS)

    def places(self) -> None:
        """Put the barrel down at the own seat, and wait for all others."""
        self.hands.locator(".hand:not([hidden]) [data-do=place]").first.tap()
        self.wait(lambda: self.evening.view.phase is not Phase.PLACE)

    def flips(self) -> None:
        """Turn the own barrel over, and see what it is."""
        self.wait(self._revealed)
        self._sees("reveal", "revealed")
        self._goes_on(4.0)

    def _revealed(self) -> bool:
        """Tell whether all numbers are known; the own one is said if the table asks for it.

        Where no spell works nobody moves, and all barrels are back at once.
        """
        if self.evening.view.phase is Phase.FLIP:
            self.side("barrels")
            flip = self.hands.locator("#own-pad [data-do=flip]:visible")
            if flip.count() and self.evening.idle and self.taps(flip):
                self._goes_on(1.0)
        own = [one for one in self.evening.hands.table().barrels if one.seat == "red"]
        shown = [one.number for one in own if one.number is not None]
        key = self.hands.locator(f"#say-red-{shown[0]}:visible") if shown else None
        if self.evening.view.phase is Phase.SAY and key and key.count() and self.taps(key):
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
            ways.last.evaluate("way => way.click()")  # whoever is furthest goes on
        self.film.shoot("moving")
        confirm = form.locator("[data-confirms]:enabled")
        if confirm.count() and self.taps(confirm):
            self.other.wait_for_timeout(ANSWERS_MS)
            if not self.evening.table.snapshot.over:
                self._goes_on(1.0)
        return False

    def side(self, which: str, page: Page | None = None) -> None:
        """Look at barrels or at the board, where a phone shows one of them."""
        tab = (page or self.hands).locator(f".tabs [data-side={which}]:visible")
        if tab.count() and tab.get_attribute("aria-pressed") != "true":
            self.taps(tab)

    def taps(self, key: Locator) -> bool:
        """Tap a key; return whether it was still there, such as while nobody raised a foul."""
        try:
            key.tap(timeout=GONE_MS)
        except Gone:
            return False
        return True

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
        answer = self.evening.says(DoAction(NEARLY_HOME))
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
        self.film.runs(seconds / self.pace)
