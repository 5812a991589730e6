"""Sweeps until nothing changes, and keeps what it has for whoever goes on later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.zapp_zerapp.rules.board import CITY, START, Colour
from companion.games.zapp_zerapp.rules.model import BARRELS, Settings
from companion.games.zapp_zerapp.rules.moves import Moves, advanced, banished, fields_of
from companion.games.zapp_zerapp.rules.rounds import ROLL_ODDS, SUMS
from companion.games.zapp_zerapp.solution.table import (
    CAMPS,
    COUNT,
    HEAD,
    HOME,
    NUMBER,
    WON,
    Pairing,
    Table,
)
from rappelwacht_research.solve import head

Index = NDArray[np.intp]

PAWNS = 3
NUMBERS = 12  # that may work: the dice never show 13
SWEEPS = (CITY - 1) * NUMBERS + 1  # by step and number; the first one banishes nobody


@dataclass(frozen=True, slots=True)
class Ways:
    """How one side moves, and what that does to the other."""

    to: Index  # [number - 1, pawn, own camp] -> own camp; a pawn that cannot move does as another
    sweep: Index  # [number - 1, pawn, own camp] -> which fields it sweeps over
    banned: Index  # [sweep, other's camp] -> other's camp


def ways(settings: Settings, mover: Colour, other: Colour) -> Ways:
    """Return how a colour moves against another, by the rules themselves."""
    moves = Moves(settings)
    to = np.empty((NUMBERS, PAWNS, COUNT), np.intp)
    sweep = np.empty_like(to)
    for own, camp in enumerate(CAMPS):
        steps = [step for step in camp if step < CITY] or [CITY - 1]
        for pawn in range(PAWNS):
            step = camp[pawn] if camp[pawn] < CITY else steps[0]
            for number in range(1, NUMBERS + 1):
                at = number - 1, pawn, own
                if camp[0] == CITY:  # the match is over: nobody asks
                    to[at], sweep[at] = own, 0
                    continue
                to[at] = NUMBER[advanced(camp, step, number)]
                sweep[at] = 0 if step == START else (step - 1) * NUMBERS + number
    banned = np.tile(np.arange(COUNT, dtype=np.intp), (SWEEPS, 1))
    for step in range(START + 1, CITY):
        for number in range(1, NUMBERS + 1):
            swept = moves.banishing[mover][step][number]
            row = banned[(step - 1) * NUMBERS + number]
            for camp_number, camp in enumerate(CAMPS):
                if fields_of(camp, moves.exposed[other]) & swept:
                    row[camp_number] = NUMBER[banished(camp, moves.exposed[other], swept)]
    return Ways(to, sweep, banned)


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
        values = worth.ravel().take(at).reshape(NUMBERS, PAWNS, COUNT)
        values.min(axis=1, out=self._second_moves[camp])
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
        values = np.empty((NUMBERS, wide), np.float32)
        for number in range(1, NUMBERS):  # less by one: the other has one of as many lower numbers
            best = table[number + 1, 1 : number + 1]
            best[:] = 0
            for to, sweep in self._walks(camp, number):
                banned = self._first.banned[sweep, :wide]
                after = self._second_moves[to, :number]
                after.take(banned, axis=1, out=values[:number], mode="clip")
                np.maximum(best, values[:number], out=best)
        flat = self._first_moves.ravel()
        at = (self._second_at(camp)[:, :wide] * NUMBERS) * COUNT + self._seconds_to[:, :wide]
        for number in range(1, NUMBERS):
            for lower in range(number):
                after = flat[lower * COUNT :]
                best = table[lower + 1, number + 1]
                after.take(at[number * PAWNS], out=best, mode="clip")
                for pawn in range(1, PAWNS):
                    after.take(at[number * PAWNS + pawn], out=values[0], mode="clip")
                    np.minimum(best, values[0], out=best)

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


DEPTH = 10  # sweeps until it starts over


class Mixing:
    """Guesses, each with what a sweep made of it."""

    def __init__(self) -> None:
        self._guesses: list[Values] = []
        self._misses: list[Values] = []

    def __len__(self) -> int:
        """Return how many sweeps it remembers."""
        return len(self._guesses)

    def next(self, guess: Values, swept: Values) -> Values:
        """Return the guess from which least is missing, as far as one can tell."""
        self._guesses.append(guess)
        self._misses.append(swept - guess)
        last = self._misses[-1]
        if len(self) == 1:
            return swept
        apart = [last - miss for miss in self._misses[:-1]]
        products = np.array([[_product(a, b) for b in apart] for a in apart])
        shares, *_ = np.linalg.lstsq(products, np.array([_product(a, last) for a in apart]), 1e-10)
        mixed = swept.copy()
        for share, guessed, missed in zip(
            shares, self._guesses[:-1], self._misses[:-1], strict=True
        ):
            mixed += np.float32(share) * (guessed + missed - swept)
        if len(self) > DEPTH:
            self._guesses.clear()
            self._misses.clear()
        return mixed.clip(0, 1)


def _product(one: Values, other: Values) -> float:
    return float(np.einsum("ij,ij", one, other, dtype=np.float64, casting="same_kind"))


Values = NDArray[np.float32]  # how probably the first wins, by its camp and the second's
Progress = Callable[[int, float, float], None]  # which sweep, how much of it, how far off the last

AIM: Final = 2e-5
LEAD: Final = 12  # steps ahead that make e : 1, to begin with


@dataclass(frozen=True, slots=True)
class Solved:
    """What a pairing is worth."""

    pairing: Pairing
    values: Values
    residual: float  # what one more sweep would change at most

    def table(self) -> bytes:
        """Return it as a table holds it."""
        figures = rounded(self.values, symmetric=self.pairing.symmetric)
        return head(self.pairing, self.residual, figures) + figures


def solve(
    settings: Settings, kept: Path, progress: Progress, guess: Values | None = None
) -> Solved:
    """Solve the game of two seats; go on from what was kept, if it was broken off.

    It is kept where the mixing starts over, so that the result does not depend on it.
    """
    first, second = settings.seats
    sweep = Sweep(ways(settings, first, second), ways(settings, second, first))
    values = np.load(kept) if kept.exists() else begun() if guess is None else guess
    mixing, count, residual = Mixing(), 1, 1.0
    while True:
        at, off = count, residual
        swept = sweep(values, lambda part: progress(at, part, off))  # noqa: B023 - called at once
        residual = float(np.abs(swept - values).max())
        if residual <= AIM:
            kept.unlink(missing_ok=True)
            return Solved(Pairing.for_colours(settings.board, first, second), swept, residual)
        values = mixing.next(values, swept)
        count += 1
        if not len(mixing):
            _keep(kept, values)


def begun() -> Values:
    """Return a first guess: who is ahead will win."""
    steps = np.array([sum(camp) for camp in CAMPS], np.float32)
    values = 1 / (1 + np.exp((steps[None, :] - steps[:, None]) / np.float32(LEAD)))
    values[HOME], values[:, HOME] = 1, 0
    return np.asarray(values, np.float32)


def rounded(values: Values, *, symmetric: bool) -> bytes:
    """Return values as a table holds them."""
    figures = np.rint(values * WON).astype(np.uint8)
    if symmetric:
        figures = figures[np.tril_indices(COUNT, -1)]
    return figures.tobytes()


def unrounded(table: Table) -> Values:
    """Return what a table holds."""
    held = np.frombuffer(table.figures, np.uint8, offset=HEAD)
    figures = held.astype(np.float32) / np.float32(WON)
    if not table.symmetric:
        return figures.reshape(COUNT, COUNT)
    values = np.full((COUNT, COUNT), 0.5, np.float32)
    lower = np.tril_indices(COUNT, -1)
    values[lower] = figures
    values.T[lower] = 1 - figures
    values[HOME, HOME] = 0  # which never is
    return values


def _keep(file: Path, values: Values) -> None:
    new = file.with_suffix(".new.npy")
    np.save(new, values)
    new.replace(file)
