"""What opponents may do in Trap the Wizard, and how good it is to move on then.

All lies open, and experience has one answer to each number; so there are few ends, and each is
looked at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from companion.core.game import Action, Seat
from companion.core.kit import Options
from companion.games.trap_the_wizard.experience import (
    FAR,
    HUNT,
    NEAR,
    TAKEN,
    Known,
    best,
    held,
    known,
    promises,
    state_of,
    worth,
)
from companion.games.trap_the_wizard.rules import (
    START,
    Phase,
    Robe,
    Roll,
    State,
    TrapTheWizard,
    View,
)
from companion.games.trap_the_wizard.rules.state import SIDES

WORTHY, CLOSE = 3, 6.0  # so many choices are worth a search, and so close to the best
WON: Final = 60.0  # what it is worth to win, beside the points
MOST_ENDS: Final = 4096  # that are remembered


class Foresight:
    """What a search has to know."""

    def __init__(self) -> None:
        self.worth = lru_cache(MOST_ENDS)(self._worth)

    def world(self, game: TrapTheWizard, view: View, seat: Seat, chance: Random) -> State:  # noqa: ARG002 - the contract
        """Return the state: nothing is hidden."""
        return state_of(view)

    def candidates(self, game: TrapTheWizard, view: View, seat: Seat, options: Options) -> Options:
        """Return what leads to the best positions."""
        promise = promises(known(game.settings), state_of(view), Robe(seat), options, HUNT)
        most = sorted(options, key=lambda action: -promise[action])[:WORTHY]
        return [action for action in most if promise[action] > promise[most[0]] - CLOSE]

    def policy(
        self,
        game: TrapTheWizard,
        state: State,
        options: Sequence[Action],
        chance: Random,  # noqa: ARG002 - the contract
    ) -> Action:
        """Return what somebody of experience would do."""
        return best(known(game.settings), state, state.turn, options)

    def rests(self, state: State, seat: Seat) -> bool:
        """Tell whether a seat is about to roll, for all others have moved; or has nobody left."""
        if state.phase is not Phase.ROLL:
            return False
        return (state.turn == seat and not state.sixes) or not state.wizards[seat]

    def _worth(self, game: TrapTheWizard, state: State, seat: Seat) -> float:
        """Return how good the best position is to which each number leads, on average."""
        rules, robe = known(game.settings), Robe(seat)
        ahead = TAKEN * state.scores[robe] - _of_others(rules, state, robe)
        if end := game.outcome(state):
            return ahead + WON * (robe in end.winners) / len(end.winners)
        if state.phase is not Phase.ROLL or state.turn != seat:
            return ahead + _standing(rules, state, robe)
        rolled = [game.apply(state, Roll(number)) for number in range(1, SIDES + 1)]
        return ahead + sum([_best(rules, after, robe) for after in rolled]) / SIDES


FORESIGHT: Final = Foresight()


def _best(rules: Known, state: State, robe: Robe) -> float:
    if state.phase is not Phase.MOVE:  # there was no way
        return _standing(rules, state, robe)
    options = rules.game.legal(state, robe)
    return max(promises(rules, state, robe, options, HUNT).values())


def _standing(rules: Known, state: State, robe: Robe) -> float:
    return TAKEN * len(state.taken[robe]) + worth(rules, state.wizards, robe)


def _of_others(rules: Known, state: State, robe: Robe) -> float:
    """Return what the others have brought home, and how near they are with what they hold."""
    others = [one for one in rules.game.seats if one != robe]
    found = 0.0
    for other in others:
        far = rules.far[rules.homes[other]]
        found += TAKEN * (state.scores[other] + len(state.taken[other]))
        for wizard in state.wizards[other]:
            if wizard.place != START:
                found += NEAR * held(other, wizard) * (1 - far[wizard.place] / FAR)
    return found / len(others)
