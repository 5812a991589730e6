"""How a match of Via Magica is judged: bag and stack, and what each has built."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from companion.coach.estimate import COUNTS, LUCK, TOO_ROUGH, Estimate, why
from companion.coach.judge import Coach, Judge, Source
from companion.core.game import Action, Game, Seat
from companion.games.via_magica.experience import Prospects, best
from companion.games.via_magica.rules import Player, State, ViaMagica
from companion.games.via_magica.rules.scoring import NUMBERED, points
from companion.text import Text

BUILT, OPENED = 0.99, 5.1  # what a point in prospect counts, and each portal that is opened
HOPE: Final = 7.2  # what it counts that a reward for a number of portals may still be claimed
LAST, LEFT = 16.8, 96.5  # how much can still happen: at the end, and as long as all lies ahead
OFF: Final = 18  # points, beside matches played to their end


class Standing:
    """Knows how everything lies."""

    def __init__(self, game: ViaMagica) -> None:
        self._game = game

    def lead(self, state: State) -> tuple[float, ...]:
        """Return points, portals and prospects, beside how much can still happen."""
        players = _opened(state)
        found = [(players[seat], Prospects(players, players[seat])) for seat in self._game.seats]
        spread = sqrt(LAST + LEFT * min(prospects.left for _, prospects in found))
        return tuple([_points(player, prospects) / spread for player, prospects in found])

    def choice(self, state: State, seat: Seat) -> Action:
        """Return what experience chooses."""
        options, own = self._game.legal(state, seat), state.players[seat]
        if len(options) == 1:
            return options[0]
        prospects, one_number = Prospects(state.players, own), self._game.settings.numbers == 1
        return best(prospects, own, options, one_number=one_number)


def _opened(state: State) -> Sequence[Player]:
    """Return the players; what one is just opening counts as open."""
    players = [*state.players]
    if state.opening:
        seat = state.queue[0]
        players[seat] = players[seat]._replace(opened=(*players[seat].opened, *state.opening))
    return players


def _points(own: Player, prospects: Prospects) -> float:
    built = sum([prospects.of(one.portal, one.covered) for one in own.building])
    hope = HOPE * NUMBERED.isdisjoint(own.rewards)
    return points(own) + OPENED * len(own.opened) + BUILT * built + hope


def judge(game: Game[Any]) -> Judge:
    """Return who judges a match by these settings."""
    assert isinstance(game, ViaMagica)
    return Estimate(game, Standing(game), why(OFF))


COACH: Final = Coach(
    sources=(
        Source(LUCK, Text("Bag and portals"), Text("It was mostly the bag and the portals: luck.")),
        TOO_ROUGH,
    ),
    judge=judge,
    counts=COUNTS,
)
