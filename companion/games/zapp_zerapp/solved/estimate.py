"""An estimate for whatever is not solved: more players, the other versions, rings of one's own.

A round's start is judged by pairs: each of two against the other, as if they were alone. A round is
looked through to its end, move by move. Before the numbers are known, whoever is quicker takes the
higher one, from the magic number downwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final

from companion.games.zapp_zerapp.rules.board import CITY, Colour
from companion.games.zapp_zerapp.rules.moves import Moves
from companion.games.zapp_zerapp.rules.state import BARRELS, Barrels, Camps, Move, Settings
from companion.games.zapp_zerapp.solved.camps import NUMBER
from companion.games.zapp_zerapp.solved.table import WON

Values = tuple[float, ...]  # how probably each seat wins
Pair = Callable[[int, int], float]  # how probably the first of two wins, of WON
Taken = Mapping[Colour, int]  # who has which number

SHARP: Final = {2: 1.0, 3: 1.0, 4: 1.0}  # by players: how surely who is better wins
LEAST: Final = 0.5  # of WON: nobody is lost before the end


class Estimate:
    """Rounds of any game, looked through to their end."""

    def __init__(self, settings: Settings, pairs: Mapping[tuple[Colour, Colour], Pair]) -> None:
        self._settings, self._seats = settings, settings.seats
        self._moves = Moves(settings)
        self._pairs = [
            (settings.seats.index(one), settings.seats.index(other), value)
            for (one, other), value in pairs.items()
        ]
        self.start = lru_cache(4096)(self._start)

    def rolled(self, pawns: Camps, magic: int, out: Iterable[Colour]) -> Values:
        """Return what a board is worth after the roll, to whoever is not out."""
        return self._raced(pawns, magic, [s for s in self._seats if s not in out], {})

    def curve(self, pawns: Camps, magic: int, seat: Colour) -> Values:
        """Return what each number is worth for a seat, if the others take theirs around it."""
        others = [other for other in self._seats if other != seat]
        at = self._seats.index(seat)
        found = [
            self._raced(pawns, magic, others, {seat: number})[at] for number in range(1, magic + 1)
        ]
        failed = self._raced(pawns, magic, others, {})[at]
        return (*found, *[failed] * (BARRELS - magic))

    def moving(self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]) -> Values:
        """Return what a board is worth while some are to move, each as is best for itself."""
        if not queue or any(camp[0] == CITY for camp in pawns):
            return self.start(pawns)
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

    def _raced(self, pawns: Camps, magic: int, racing: list[Colour], taken: Taken) -> Values:
        """Return the mean over who is how quick; each then takes the highest number left."""
        left = [n for n in range(magic, 0, -1) if n not in taken.values()]
        found = []
        for turn in range(max(1, len(racing))):
            order = racing[turn:] + racing[:turn]
            numbers = {**taken, **dict(zip(order, left, strict=False))}
            queue = tuple(sorted(numbers, key=lambda seat: -numbers[seat]))
            barrels = tuple(numbers.get(seat, 0) for seat in Colour)
            found.append(self.moving(pawns, (*barrels,), queue))  # type: ignore[arg-type]
        return tuple(sum(values) / len(found) for values in zip(*found, strict=True))

    def _start(self, pawns: Camps) -> Values:
        count = len(self._seats)
        if any(won := [float(pawns[seat][0] == CITY) for seat in self._seats]):
            return tuple(won)
        camps = [NUMBER[pawns[seat]] for seat in self._seats]
        better = [0.0] * count
        for one, other, value in self._pairs:
            odds = min(max(value(camps[one], camps[other]), LEAST), WON - LEAST)
            lead = math.log(odds / (WON - odds)) * SHARP[count] / count
            better[one] += lead
            better[other] -= lead
        chances = [math.exp(lead) for lead in better]
        total = math.fsum(chances)
        return tuple(chance / total for chance in chances)
