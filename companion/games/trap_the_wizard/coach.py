"""How a match of Trap the Wizard is judged: the dice, and which wizard moved."""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

from companion.coach.estimate import COUNTS, LUCK, TOO_ROUGH, Estimate, why
from companion.coach.judge import Coach, Judge, Source
from companion.core.game import Action, Game, Seat
from companion.games.trap_the_wizard.experience import HUNT, known, promises, worth
from companion.games.trap_the_wizard.rules import Robe, State, TrapTheWizard
from companion.text import Text

TAKEN, PLACED = 1.4, 0.096  # points that one brought home counts, and a better position
LATER, SOON = 4.0, 3.0  # how much can still happen: in each round to come, and in this one
OFF: Final = 7  # points, beside matches played to their end


class Standing:
    """Knows how everything lies."""

    def __init__(self, game: TrapTheWizard) -> None:
        self._game, self._rules = game, known(game.settings)

    def lead(self, state: State) -> tuple[float, ...]:
        """Return points, captives and places, beside how much can still happen."""
        left = self._game.settings.rounds - state.round
        spread = sqrt(SOON + LATER * left)
        return tuple([self._points(state, seat) / spread for seat in self._game.seats])

    def _points(self, state: State, seat: Robe) -> float:
        placed = worth(self._rules, state.wizards, seat)
        return state.scores[seat] + TAKEN * len(state.taken[seat]) + PLACED * placed

    def choice(self, state: State, seat: Seat) -> Action:
        """Return what experience chooses."""
        options = self._game.legal(state, seat)
        if len(options) == 1:
            return options[0]
        return max(
            found := promises(self._rules, state, Robe(seat), options, HUNT), key=found.__getitem__
        )


def judge(game: Game[Any]) -> Judge:
    """Return who judges a match by these settings."""
    assert isinstance(game, TrapTheWizard)
    return Estimate(game, Standing(game), why(OFF))


COACH: Final = Coach(
    sources=(Source(LUCK, Text("Dice"), Text("It was mostly the dice: luck.")), TOO_ROUGH),
    judge=judge,
    counts=COUNTS,
)
