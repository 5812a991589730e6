"""One sweep: the worth of every round's start, from what the starts of next rounds are worth.

All figures are how probably the first side wins, by its camp and the second side's. Both have any
two of the thirteen barrels; the higher number moves first, as is best for it; one above the magic
number moves nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.zapp_zerapp.rules.rounds import ROLL_ODDS, SUMS
from companion.games.zapp_zerapp.rules.state import BARRELS
from companion.games.zapp_zerapp.solved.camps import COUNT, HOME
from companion.games.zapp_zerapp.solver.ways import NUMBERS, PAWNS, Ways

Values = NDArray[np.float32]

PASS = 0  # a barrel above the magic number


class Sweep:
    """Sweeps of one board, with the room they need."""

    def __init__(self, first: Ways, second: Ways) -> None:
        self._first, self._second = first, second
        self.symmetric = bool(np.array_equal(first.banned, second.banned))
        shape = COUNT, NUMBERS, COUNT
        self._second_moves = np.empty(shape, np.float32)  # [first, number - 1, second]
        self._first_moves = np.empty(shape, np.float32)
        self._seconds_to = second.to.reshape(-1, COUNT)
        self._seconds_sweep = second.sweep.reshape(-1, COUNT)

    def __call__(self, worth: Values, progress: Callable[[float], None]) -> Values:
        """Return what is worth how much, one round earlier."""
        for camp in range(COUNT):
            self._alone(worth, camp)
            if camp % 64 == 0:
                progress(0.3 * camp / COUNT)
        new = np.empty_like(worth)
        table = np.zeros((BARRELS, BARRELS, COUNT), np.float32)  # both never have the same
        for camp in range(COUNT):
            wide = camp + 1 if self.symmetric else COUNT
            numbers = table[:, :, :wide]
            self._by_numbers(worth, camp, numbers)
            new[camp, :wide] = _round(numbers)
            if camp % 64 == 0:
                progress(0.3 + 0.7 * camp / COUNT * (camp / COUNT if self.symmetric else 1))
        new[HOME], new[:, HOME] = 1, 0
        if self.symmetric:
            for camp in range(COUNT):
                new[camp, camp + 1 :] = 1 - new[camp + 1 :, camp]
        return new

    def _alone(self, worth: Values, camp: int) -> None:
        """What it is worth if only one side is still to move, by its number."""
        at = self._second_at(camp) * COUNT + self._seconds_to
        found = worth.ravel().take(at).reshape(NUMBERS, PAWNS, COUNT)
        found.min(axis=1, out=self._second_moves[camp])
        if camp == HOME:
            self._second_moves[camp] = 1
        for number in range(NUMBERS):
            best = self._first_moves[camp, number]
            best[:] = 0
            for to, sweep in self._walks(camp, number):
                np.maximum(best, worth[to].take(self._first.banned[sweep]), out=best)
        self._first_moves[camp, :, HOME] = 0

    def _by_numbers(self, worth: Values, camp: int, table: Values) -> None:
        """Fill in what each pair of numbers is worth, the first side's first."""
        wide = table.shape[2]
        table[PASS, PASS] = worth[camp, :wide]
        table[PASS, 1:] = self._second_moves[camp, :, :wide]
        table[1:, PASS] = self._first_moves[camp, :, :wide]
        found = np.empty((NUMBERS, wide), np.float32)
        for number in range(1, NUMBERS):  # less by one: the other has one of as many lower numbers
            best = table[number + 1, 1 : number + 1]
            best[:] = 0
            for to, sweep in self._walks(camp, number):
                banned = self._first.banned[sweep, :wide]
                after = self._second_moves[to, :number]
                after.take(banned, axis=1, out=found[:number], mode="clip")
                np.maximum(best, found[:number], out=best)
        flat = self._first_moves.ravel()
        at = (self._second_at(camp)[:, :wide] * NUMBERS) * COUNT + self._seconds_to[:, :wide]
        for number in range(1, NUMBERS):
            for lower in range(number):
                after = flat[lower * COUNT :]
                best = table[lower + 1, number + 1]
                after.take(at[number * PAWNS], out=best, mode="clip")
                for pawn in range(1, PAWNS):
                    after.take(at[number * PAWNS + pawn], out=found[0], mode="clip")
                    np.minimum(best, found[0], out=best)

    def _walks(self, camp: int, number: int) -> set[tuple[int, int]]:
        to, sweep = self._first.to[number, :, camp], self._first.sweep[number, :, camp]
        return set(zip(to.tolist(), sweep.tolist(), strict=True))

    def _second_at(self, camp: int) -> NDArray[np.intp]:
        """Return to which camp each move of the second side brings the first side's."""
        return self._second.banned[:, camp].take(self._seconds_sweep)


def _round(numbers: Values) -> Values:
    """Return what a round is worth before its roll, if each pair of numbers is worth so much."""
    return np.asarray(np.einsum("ij,ijc->c", ODDS, numbers), np.float32)


def _odds() -> Values:
    """Return how often both have which numbers that work, or none, as all dice and barrels go."""
    odds = np.zeros((BARRELS, BARRELS))
    for magic, ways in zip(SUMS, ROLL_ODDS, strict=True):
        for one, other in permutations(range(1, BARRELS + 1), 2):
            odds[one if one <= magic else PASS, other if other <= magic else PASS] += ways
    return np.asarray(odds / odds.sum(), np.float32)


ODDS: Final = _odds()
