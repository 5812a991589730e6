"""Every phase of every game that is installed, as pages show it to whoever has to do something.

Phases are found by playing: a seeded match goes on until the phase comes up, so that a new game or
a new phase is looked at without being named here. What looks different within a phase is added.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any, Final

from companion.core.game import TABLE
from companion.core.notation import write
from companion.core.plugin import GAMES, players
from companion.games.zapp_zerapp.rules import Colour
from companion.present.simulated_hands import Hands, Where
from companion.present.simulated_hands import SightOfTable as Seen
from companion.referee.commands import CommandBody, DoAction, GiveUp, NewMatch, RollForUs
from companion.referee.events import HouseRules, Roller
from companion.system.text import SEATS, seat_word
from tests.browser import sights
from tests.browser.sights import Sight
from tests.web.games.magic import by_hand, told
from tests.web.games.witches import witches
from tests.web.playing import do, moving, table, won
from tests.web.room import FakeRoom
from tests.web.running import accused
from tests.web.still import Still

MOST: Final = 3000  # steps of a match
SEEDS: Final = range(2)
BARRELS: Final = "zapp-zerapp"  # its phases come with barrels, not with wishes alone
PEOPLE: Final = 3
SETTINGS: Final[Mapping[str, dict[str, Any]]] = {  # which have phases that others do not have
    "trap-the-wizard": {"rounds": 1, "six_passes": True},
    "ludo": {"pawns": 1},
}


@dataclass(frozen=True, slots=True)
class Phase:
    """A moment of a game in which something is asked for, as the phone sees it that has to act."""

    game: str
    sight: Sight
    hands: Callable[[], Hands] | None = None  # at the simulated table

    @property
    def name(self) -> str:
        """Return what it is called, such as "blackmore/play"."""
        return f"{self.game}/{self.sight.name}"


# --- played until it comes up --------------------------------------------------------------------


def begun(game: str, seed: int) -> FakeRoom:
    """Sit down to a match whose chance is known."""
    room = FakeRoom()
    room.referee.chance = Random(seed)
    settings = {"seats": list(SEATS[:PEOPLE]), **SETTINGS.get(game, {})}
    answer = room.wish(NewMatch(game, settings, HouseRules()))
    assert answer.refused is None, answer.refused
    return room


def next_of(room: FakeRoom, chance: Random) -> tuple[CommandBody, str]:
    """Return what somebody who plays sensibly does now, and on whose phone."""
    now = room.now
    seat = now.view.turns[0]
    if seat == TABLE:
        return RollForUs(), "table"
    seen = now.seen_by(seat_word(seat))
    known = players(str(now.game))
    choose = known.get("good") or next(iter(known.values()))
    action = choose(now.settings, seen, seat, seen.choices, chance)
    return DoAction(write(action)), seat_word(seat)


def phase_of(room: FakeRoom) -> str:
    """Return in which phase a match is, by its game's own word or by what can be done."""
    now = room.now
    if now.over:
        return "over"
    word = getattr(now.view, "phase", None)
    if word is None:
        return "roll" if TABLE in now.view.turns else "move"
    return str(word.value)


def reached(game: str) -> Iterator[Phase]:
    """Yield each phase of a game that a few matches come to."""
    found = set[str]()
    for seed in SEEDS:
        room, chance = begun(game, seed), Random(seed)
        for step in range(MOST):
            mark = phase_of(room)
            wish, by = (None, "table") if room.now.over else next_of(room, chance)
            if mark not in found:
                found.add(mark)
                yield Phase(game, Sight(mark, partial(played, game, seed, step), role=by))
            if wish is None:
                break
            refused = room.wish(wish, by=by).refused
            assert refused is None, refused


def played(game: str, seed: int, steps: int) -> FakeRoom:
    """Return a table at which so many steps of a seeded match are played."""
    room, chance = begun(game, seed), Random(seed)
    for _ in range(steps):
        wish, by = next_of(room, chance)
        room.wish(wish, by=by)
    return room


# --- what looks different besides ----------------------------------------------------------------


class Handling(Still):
    """Hands of a person who has taken a barrel, or has it before itself, perhaps flipped."""

    def __init__(self, where: Where, number: int | None = None) -> None:
        self._where, self._number = where, number

    def table(self) -> Seen:
        """Return the table with that barrel."""
        seen = super().table()
        seat = None if self._where is Where.PLATEAU else seen.seat
        first = replace(
            seen.barrels[0],
            where=self._where,
            seat=seat,
            flipped=self._number is not None,
            number=self._number,
        )
        return replace(seen, barrels=(first, *seen.barrels[1:]))


def rolled_by_the_companion() -> FakeRoom:
    """Return a table that has the companion roll."""
    return table(HouseRules(roller=Roller.COMPANION))


def given_up() -> FakeRoom:
    """Return a table whose match was given up."""
    room = table()
    do(room, "roll 7", GiveUp())
    return room


def placed(*wishes: str) -> FakeRoom:
    """Return a table at which red has placed and this was done, too."""
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7", "place red", *wishes)
    return room


def asking() -> FakeRoom:
    """Return a table at which no sensor knew what red has flipped."""
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7", "place red", "place green", "flip", "say green 5")
    return room


def typing() -> FakeRoom:
    """Return a table with cards of paper, at which the first trick lies."""
    room = witches(by_hand=True)
    do(room, "turn blue:7", "play red yellow:2")
    return room


def _barrels(*told: tuple[str, Callable[[], FakeRoom], str]) -> Iterator[Phase]:
    for name, room, role in told:
        yield Phase(BARRELS, Sight(name, room, role=role))


def _simulated(*told: tuple[str, Callable[[], FakeRoom], Where]) -> Iterator[Phase]:
    for name, room, where in told:
        sight = Sight(f"simulated-{name}", room, "/simulated", "red")
        yield Phase(BARRELS, sight, partial(Handling, where))


READING: Final = partial(Handling, Where.PAD, 3)
ADDED: Final = (
    *_barrels(
        ("none", FakeRoom, "table"),
        ("joining", sights.joining, "table"),
        ("roll", table, "red"),
        ("roll-by-us", rolled_by_the_companion, "red"),
        ("place", lambda: placed("putback red"), "red"),
        ("place-for-all", sights.shaking, "table"),
        ("place-foul", sights.caught, "red"),
        ("place-fouls", accused, "table"),
        ("flip", sights.flipping, "red"),
        ("say", sights.unread, "green"),
        ("say-for-all", sights.unread, "table"),
        ("move", moving, "red"),
        ("move-profi", lambda: moving(profi=True), "red"),
        ("move-overlook", lambda: moving(overlook=True), "red"),
        ("over", won, "red"),
        ("given-up", given_up, "table"),
    ),
    *_simulated(
        ("roll", table, Where.PLATEAU),
        ("place", lambda: placed("putback red"), Where.PLATEAU),
        ("hand", lambda: placed("putback red"), Where.HAND),
        ("foul", sights.caught, Where.HAND),
        ("flip", lambda: placed("place green"), Where.PAD),
        ("move", moving, Where.PAD),
        ("over", won, Where.PLATEAU),
    ),
    Phase(BARRELS, Sight("simulated-say", asking, "/simulated", "red"), READING),
    Phase("via-magica", Sight("catch-by-hand", lambda: told(by_hand()))),
    Phase("via-magica", Sight("draw-by-hand", by_hand)),
    Phase("blackmore", Sight("play-by-hand", typing)),
)


def phases(only: Collection[str] = tuple(GAMES)) -> tuple[Phase, ...]:
    """Return all of them, of every game that is installed or of these."""
    games = [game for game in only if game != BARRELS]
    added = (phase for phase in ADDED if phase.game in only)
    return (*added, *(phase for game in games for phase in reached(game)))
