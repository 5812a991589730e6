"""Whole games by taps on one phone: how many a decision takes, what scrolls, and what flits by.

A person plays against the companion as the companion itself would; at Zapp Zerapp, which needs
hands, one phone plays for two. Nobody skips what is shown.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Error, Page

from companion.core.plugin import players
from companion.games.zapp_zerapp.rules import CITY, Colour, Phase
from companion.present.animations import LEAST_MS, AnimationKind
from companion.referee.commands import CommandBody, DoAction, NewMatch
from companion.referee.events import Bot, HouseRules
from companion.system.text import SeatName, seat_word
from research.bench._fingers import Finger
from tests.browser.asked import unseen
from tests.browser.chromium import Drawer, Opener, Screen
from tests.browser.phases import next_of
from tests.browser.served import Served
from tests.web.playing import do
from tests.web.room import FakeRoom

SEED: Final = 4
MOST: Final = 600  # decisions of one person
CHANGED: Final = "seen => document.getElementById('table').dataset.version !== seen"
STALE: Final = """newest => {
    if (Number(document.getElementById('table').dataset.version) >= newest) return 0;
    const keys = [...document.querySelectorAll('#play [data-wish], #play [data-confirms]')];
    const dead = one => one.disabled || one.getAttribute('aria-disabled') === 'true'
        || !one.getClientRects().length || getComputedStyle(one).visibility !== 'visible';
    return keys.filter(one => !dead(one) && one.closest('[data-version]').dataset.version).length;
}"""  # keys that look alive, though what they ask is of the past
CALM: Final = "!(document.getElementById('drama') || {hidden: true}).offsetParent"
TICK_MS: Final = 1.0  # clocks of browsers are coarse
CHOOSES_MANY: Final = "portals"  # three of a hand are chosen at once, with a tap for each


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game to be played by taps."""

    name: str
    width_px: int
    height_px: int
    locale: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An event that the page has shown."""

    kind: str
    from_ms: float
    to_ms: float
    skipped: bool

    @property
    def too_short(self) -> bool:
        """Tell whether nobody could see it, though nobody wanted it to end."""
        least_ms = LEAST_MS[AnimationKind(self.kind)]
        return not self.skipped and self.to_ms - self.from_ms < least_ms - TICK_MS


@dataclass(frozen=True, slots=True)
class Played:
    """How it went."""

    name: str
    decisions: int
    taps: tuple[int, ...]  # for each decision, the usual ones
    many: tuple[int, ...]  # for each in which several things are chosen together
    scrolls: int
    scrolled: tuple[str, ...]
    shown: tuple[Shown, ...]
    took_s: float
    over: bool
    stuck: str = ""  # where nothing went on, and why
    stale: int = 0  # keys that looked alive and were not, or lay hidden while they were asked for

    @property
    def reveal_s(self) -> float:
        """Return how long barrels were turned at most, before play went on."""
        turned = [one.to_ms - one.from_ms for one in self.shown if one.kind == "reveal"]
        return round(max(turned, default=0.0) / 1000, 1)


def begun(game: str) -> tuple[FakeRoom, str]:
    """Sit down to a short match; return by whose phone it is played."""
    room = FakeRoom()
    room.referee.chance = Random(SEED)
    if not players(game):
        do(room, NewMatch(game, {"seats": ["red", "green"]}, HouseRules()))
        return room, "table"
    short = {"trap-the-wizard": {"rounds": 1}, "ludo": {"pawns": 1}}.get(game, {})
    known = tuple(players(game))
    house = HouseRules(bots=(Bot(SeatName.GREEN, "good" if "good" in known else known[0]),))
    do(room, NewMatch(game, {"seats": ["red", "green"], **short}, house))
    return room, "red"


def next_with_barrels(room: FakeRoom, chance: Random) -> CommandBody:
    """Return what two people do next who have barrels: Red mostly chooses well."""
    view = room.now.view
    match view.phase:
        case Phase.ROLL:
            return DoAction(f"roll {chance.randint(8, 12)}")
        case Phase.PLACE:
            return DoAction(f"place {seat_word(view.turns[0])}")
        case Phase.FLIP:
            return DoAction("flip")
        case Phase.SAY:
            unread = next(one for one in view.placed if one not in dict(view.numbers))
            number = view.magic if unread is Colour.RED else chance.randint(1, 7)
            return DoAction(f"say {unread.name.lower()} {number}")
    mover = Colour(view.turns[0])
    step = max(step for step in dict(view.pawns)[mover] if step != CITY)
    return DoAction(f"move {mover.name.lower()} {step or 'start'}")


def play(drawer: Drawer, game: Game, most: int = MOST) -> Played:
    """Play a whole game by taps."""
    room, role = begun(game.name)
    chance, begun_s = Random(SEED), time.monotonic()
    usual, many, shown, stale = list[int](), list[int](), set[Shown](), 0
    with TemporaryDirectory() as kept, Served(room, Path(kept)) as served:
        screen = Screen(game.width_px, game.height_px, mobile=True)
        page = served.open(Opener(drawer, screen)(game.locale, lively=True), role=role)
        page.wait_for_load_state("load")
        finger = Finger(page, room)
        stuck = ""
        try:
            while not room.now.over and len(usual) + len(many) < most:
                finger.sees()
                stale += len(unseen(page)) if page.evaluate(CALM) else 0
                before, version = finger.felt.taps, room.now.version
                people = role == "table"
                wish = next_with_barrels(room, chance) if people else next_of(room, chance)[0]
                if isinstance(wish, DoAction):
                    finger.does(wish.text)
                else:
                    finger.rolls()
                stale += page.evaluate(STALE, room.now.version)
                page.wait_for_function(CHANGED, arg=str(version))
                stale += bool(
                    page.locator("#told").text_content()
                )  # it looked alive, and was refused
                several = isinstance(wish, DoAction) and f" {CHOOSES_MANY} " in wish.text
                (many if several else usual).append(finger.felt.taps - before)
                shown |= _shown(page)
            finger.sees()
            page.wait_for_function(CALM)
            shown |= _shown(page)
        except (Error, AssertionError) as fault:  # whoever plays would be at a loss, too
            stuck = f"after {len(usual)} decisions: {str(fault).splitlines()[0]}"
        felt = finger.felt
        drawer.put_back()
    return Played(
        game.name,
        len(usual) + len(many),
        tuple(usual),
        tuple(many),
        felt.scrolls,
        felt.told,
        tuple(sorted(shown, key=lambda one: one.from_ms)),
        time.monotonic() - begun_s,
        room.now.over,
        stuck,
        stale,
    )


def _shown(page: Page) -> set[Shown]:
    """Return what the page has kept of what it showed."""
    kept = page.evaluate("(window.rappel || {}).shown || []")
    return {Shown(one["kind"], one["from"], one["to"], one["skipped"]) for one in kept}
