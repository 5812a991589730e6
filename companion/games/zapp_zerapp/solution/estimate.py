"""Estimates positions that are not solved: more players, other versions, rings of one's own.

A round's start is judged by pairs: each of two against the other, as if they were alone. A round is
looked through to its end, move by move. Before the numbers are known, some draws of barrels stand
for all of them: each number comes to each seat as often, and for two all pairs of numbers.

Beside matches played to their end by the same eyes, 150 from each of 24 boards, a seat's chance is
0.01 off (root of the mean square) for three and 0.03 for four, 0.03 with four in the Profi version,
0.01 with two, and 0.08 on a ring that nobody has solved: `./run bench coach` measures it.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

from companion.games.zapp_zerapp.rules.board import CITY, START, Colour
from companion.games.zapp_zerapp.rules.model import (
    BARRELS,
    EMPTY,
    OUT,
    Barrels,
    Camps,
    Move,
    Phase,
    Settings,
    State,
)
from companion.games.zapp_zerapp.rules.moves import Moves
from companion.games.zapp_zerapp.solution.table import CAMPS, HOME, NUMBER, WON, Pairing
from companion.i18n.translate import Translatable

Values = tuple[float, ...]  # how probably each seat wins
Pair = Callable[[int, int], float]  # how probably the first of two wins, of WON
Taken = Mapping[Colour, int]  # who has which number

LEAST: Final = 0.5  # of WON: nobody is lost before the end
STRIDES: Final = {2: range(1, BARRELS), 3: (1, 5), 4: (1, 5)}  # by players: from seat to seat


@lru_cache(maxsize=64)
def _draws(seats: tuple[Colour, ...]) -> tuple[Taken, ...]:
    """Return draws of barrels by seats, no number twice in one of them.

    >>> len(_draws((Colour.RED, Colour.BLUE))) == 13 * 12
    True
    """
    return tuple(
        {seat: (begin + place * stride) % BARRELS + 1 for place, seat in enumerate(seats)}
        for stride in STRIDES.get(len(seats), (1,))
        for begin in range(BARRELS)
    )


def _mean(outcomes: Iterable[Values]) -> Values:
    every = tuple(outcomes)
    return tuple(math.fsum(values) / len(every) for values in zip(*every, strict=True))


class Worth(ABC):
    """How probably each seat wins, in the order of the seats; the sum is 1."""

    why: Translatable | None  # it is only an estimate; None: it is exact

    def of(self, state: State) -> Values:
        """Return what a state is worth; what nobody can know before the flip changes nothing."""
        match state.phase:
            case Phase.ROLL | Phase.OVER:
                return self.start(state.pawns)
            case Phase.MOVE:
                return self.moving(state.pawns, state.barrels, state.queue)
            case _:
                out = [seat for seat in Colour if state.barrels[seat] == OUT]
                return self.rolled(state.pawns, state.magic, out)

    @abstractmethod
    def start(self, pawns: Camps) -> Values:
        """Return what a board is worth before a roll."""

    @abstractmethod
    def rolled(self, pawns: Camps, magic: int, out: Collection[Colour] = ()) -> Values:
        """Return what it is worth after the roll; some may be out of this round."""

    @abstractmethod
    def moving(self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]) -> Values:
        """Return what it is worth when all numbers are known and a queue is to move."""

    @abstractmethod
    def moves(
        self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]
    ) -> dict[Move, Values]:
        """Return what each move of the first in the queue leads to."""

    @abstractmethod
    def curve(self, pawns: Camps, magic: int, seat: Colour, out: Collection[Colour] = ()) -> Values:
        """Return what each number, from 1, would be worth to a seat, if the others draw blindly."""


class Estimate(Worth):
    """Rounds of any game, looked through to their end."""

    def __init__(
        self, settings: Settings, pairs: Mapping[tuple[Colour, Colour], Pair], why: Translatable
    ) -> None:
        self._settings, self._seats, self.why = settings, settings.seats, why
        self._moves = Moves(settings)
        self._pairs = [
            (settings.seats.index(first), settings.seats.index(second), value)
            for (first, second), value in pairs.items()
        ]
        self._known = lru_cache(4096)(self._start)
        self._looked = lru_cache(1024)(self._look)

    def start(self, pawns: Camps) -> Values:
        return self._known(pawns)

    def rolled(self, pawns: Camps, magic: int, out: Collection[Colour] = ()) -> Values:
        """Return what a board is worth after the roll, to whoever is not out."""
        racing = tuple(seat for seat in self._seats if seat not in out)
        return _mean(self._drawn(pawns, magic, numbers) for numbers in _draws(racing))

    def curve(self, pawns: Camps, magic: int, seat: Colour, out: Collection[Colour] = ()) -> Values:
        """Return what each number is worth for a seat, whatever the others have."""
        at = self._seats.index(seat)
        shares: dict[int, list[float]] = {number: [] for number in range(1, BARRELS + 1)}
        for numbers in _draws(
            tuple(other for other in self._seats if other == seat or other not in out)
        ):
            shares[min(numbers[seat], magic + 1)].append(self._drawn(pawns, magic, numbers)[at])
        figures = [math.fsum(some) / len(some) for some in shares.values() if some]
        return (*figures, *[figures[-1]] * (BARRELS - len(figures)))

    def moving(self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]) -> Values:
        """Return what a board is worth while some are to move, each as is best for itself."""
        if not queue or any(camp[0] == CITY for camp in pawns):
            return self._known(pawns)
        at, number = self._seats.index(queue[0]), barrels[queue[0]]
        after = (
            self._moves.after(pawns, number, move) for move in self._sensible(pawns, queue, number)
        )
        return max((self.moving(p, barrels, queue[1:]) for p in after), key=lambda v: v[at])

    def moves(
        self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]
    ) -> dict[Move, Values]:
        """Return what each legal move of the first in the queue leads to."""
        number = barrels[queue[0]]
        return {
            move: self.moving(self._moves.after(pawns, number, move), barrels, queue[1:])
            for move in self._moves.legal(pawns, queue[0], number)
        }

    def _sensible(self, pawns: Camps, queue: tuple[Colour, ...], number: int) -> Iterable[Move]:
        """Return the legal moves but for those that overlook what they could banish."""
        legal = self._moves.legal(pawns, queue[0], number)
        if not self._settings.overlook:
            return legal
        most: dict[object, Move] = {}
        for move in legal:
            seen = most.setdefault((move.step, move.take), move)
            if len(move.banish or ()) > len(seen.banish or ()):
                most[move.step, move.take] = move
        return most.values()

    def _drawn(self, pawns: Camps, magic: int, numbers: Taken) -> Values:
        """Return what it is worth if these numbers have been drawn."""
        works = {seat: number for seat, number in numbers.items() if number <= magic}
        queue = tuple(sorted(works, key=lambda seat: -works[seat]))
        red, green, blue, yellow = (works.get(seat, EMPTY) for seat in Colour)
        return self._looked(pawns, (red, green, blue, yellow), queue)

    def _look(self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]) -> Values:
        if len(self._seats) == 2:
            return self.moving(pawns, barrels, queue)
        return self._soon(pawns, barrels, queue)

    def _soon(self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]) -> Values:
        """Return what a board is worth if each makes the move that looks best at once."""
        for seat in queue:
            at = self._seats.index(seat)
            number = barrels[seat]
            after = [
                self._moves.after(pawns, number, move)
                for move in self._sensible(pawns, (seat,), number)
            ]
            pawns = max(after, key=lambda p: self._known(p)[at])
            if pawns[seat][0] == CITY:
                break
        return self._known(pawns)

    def _start(self, pawns: Camps) -> Values:
        count = len(self._seats)
        if any(won := [float(pawns[seat][0] == CITY) for seat in self._seats]):
            return tuple(won)
        camps = [NUMBER[pawns[seat]] for seat in self._seats]
        better = [0.0] * count
        for first, second, value in self._pairs:
            odds = min(max(value(camps[first], camps[second]), LEAST), WON - LEAST)
            lead = math.log(odds / (WON - odds)) / count
            better[first] += lead
            better[second] -= lead
        chances = [math.exp(lead) for lead in better]
        total = math.fsum(chances)
        return tuple(chance / total for chance in chances)


STEP: Final = 0.024  # what a field is worth, as the logarithm of odds
RISK: Final = 0.0075  # what is lost of it where the pawn can be banished
IN_CITY: Final = 0.31


def guess(pairing: Pairing) -> Callable[[int, int], float]:
    """Return a function as a table has it."""
    ours = lru_cache(512)(lambda camp: _camp(camp, pairing.first))
    theirs = lru_cache(512)(lambda camp: _camp(camp, pairing.second))

    def value(first: int, second: int) -> float:
        if HOME in (first, second):
            return WON * (first == HOME)
        return WON / (1 + math.exp(theirs(second) - ours(first)))

    return value


def _camp(camp: int, safe: tuple[int, ...]) -> float:
    return sum(_pawn(step, safe) for step in CAMPS[camp])


def _pawn(step: int, safe: tuple[int, ...]) -> float:
    if step == CITY:
        return STEP * CITY + IN_CITY
    return (STEP - RISK * (step != START and step not in safe)) * step
