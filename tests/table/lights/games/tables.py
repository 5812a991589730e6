"""Tables at which other games than Zapp Zerapp are played, for the tests of their lights.

It must not hold tests.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Self

from companion.core.game import TABLE, Action, Game, Seat, choices
from companion.core.notation import read
from companion.core.plugin import GAMES, players
from companion.games.zapp_zerapp.rules import Colour
from companion.present.lights.canvas import quarter
from companion.referee.events import ActionDone, HouseRules
from companion.referee.match import Match, apply, start_match, started_event
from companion.referee.match_snapshot import for_match
from companion.referee.snapshot import Snapshot
from companion.system.text import seat_word

ACTED_US = 0


@dataclass(frozen=True)
class Played:
    """A match as far as it has got."""

    match: Match

    @classmethod
    def of(cls, game: Game[Any]) -> Self:
        return cls(start_match(started_event(game, HouseRules()), GAMES))

    def do(self, *actions: str | Action) -> Self:
        match = self.match
        for one in actions:
            action = read(match.game, match.state, one) if isinstance(one, str) else one
            match = apply(match, ActionDone(action, "red"))
        return replace(self, match=match)

    def lit(self, seat: str, offer: int) -> Snapshot:
        """Return the table while the button of a seat has something lit."""
        return for_match("m", self.match, {seat: offer}, ())

    def offering(self, seat: str, text: str) -> Snapshot:
        """Return the table while the button of a seat has this action lit."""
        (shown,) = (one for one in self.now.seats if one.colour == seat)
        wishes = [getattr(offer.wish, "text", None) for offer in shown.offers]
        return self.lit(seat, wishes.index(text))

    @property
    def now(self) -> Snapshot:
        """Return the table just after the newest action."""
        return replace(for_match("m", self.match, {}, ()), acted_us=ACTED_US)


def at_random(game: Game[Any], chance: Random, most: int) -> Iterator[Played]:
    """Yield a match after each of its actions, until it is over."""
    played = Played.of(game)
    yield played
    for _ in range(most):
        turns = game.turns(played.match.state)
        if not turns:
            return
        played = played.do(_any(game, played.match.state, chance.choice(turns), chance))
        yield played


def _any(game: Game[Any], state: Any, seat: Seat, chance: Random) -> Action:
    """Return what chance brings, or what a player chooses, who mostly has a plan."""
    actions = game.legal(state, seat)
    if seat == TABLE:
        return chance.choices(actions, game.odds(state))[0]
    if chance.random() < 0.2:
        return chance.choice(actions)
    choose = players(game.name)["casual"]
    view, options = game.view(state, seat), choices(game, state, seat)
    return choose(game.settings, view, seat, options, chance)


def some_lit(played: Played, chance: Random) -> Snapshot:
    """Return the table with whatever some button may have lit; without, if none can have any."""
    shown = [seat for seat in played.now.seats if seat.offers]
    if not shown:
        return played.now
    seat = chance.choice(shown)
    return played.lit(seat.colour, chance.randrange(len(seat.offers)))


def in_quarters(lights: dict[int, Any]) -> dict[str, int]:
    """Return how many lights are on in the quarter of each seat, its city included."""
    counts = {seat: sum(light in lights for light in quarter(seat)) for seat in Colour}
    return {seat_word(seat): number for seat, number in counts.items() if number}
