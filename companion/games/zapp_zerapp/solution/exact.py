"""Exact values of a two-player round, from those of the next rounds (dynamic programming).

Barrels are worth what they are on average: any of the thirteen to either, as if nobody could hear.
Pawns move as is best for who moves them. Figures are those of a table: for the first of the
pairing, 0 to 255.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from companion.games.zapp_zerapp.rules import BARRELS, CITY, Colour, Settings
from companion.games.zapp_zerapp.rules.moves import Moves, advanced, banished, fields_of
from companion.games.zapp_zerapp.solution.table import CAMPS, HOME, NUMBER, WON

NUMBERS: Final = range(1, BARRELS)  # that may work: the dice never show 13
KEPT: Final = 512  # camps whose moves are remembered; a match has fewer

Walk = tuple[int, int]  # the camp after it, and the ring's fields that it sweeps over
Matrix = list[list[float]]  # by the first's number and the second's; 0: a barrel that does not work


class Side:
    """How one colour moves, and what it suffers, by numbers of camps."""

    def __init__(self, moves: Moves, colour: Colour) -> None:
        self._bits, self._sweeps = moves.exposed[colour], moves.banishing[colour]
        self.walks = lru_cache(KEPT)(self._walks)
        self.open = [fields_of(camp, self._bits) for camp in CAMPS]
        self.banished = lru_cache(KEPT)(self._banished)

    def walk(self, step: int, camp: int, number: int) -> Walk:
        """Return what becomes of a camp if the pawn on this step moves."""
        return NUMBER[advanced(CAMPS[camp], step, number)], self._sweeps[step][number]

    def _walks(self, camp: int) -> tuple[tuple[Walk, ...], ...]:
        """Return what a camp can become, by number, the first one of which nobody has."""
        steps = sorted({*CAMPS[camp]} - {CITY})
        ways = [[self.walk(step, camp, number) for step in steps] for number in NUMBERS]
        return ((), *map(tuple, ways))

    def _banished(self, camp: int, hit: int) -> int:
        return NUMBER[banished(CAMPS[camp], self._bits, hit)]


class Exact:
    """Rounds of one pairing."""

    def __init__(
        self, settings: Settings, seats: tuple[Colour, Colour], value: Callable[[int, int], float]
    ) -> None:
        moves = Moves(settings)
        self.sides = Side(moves, seats[0]), Side(moves, seats[1])
        self.value = value
        self._matrix = lru_cache(16)(self._fill)
        self.curve = lru_cache(16)(self._curve)

    def rolled(self, first: int, second: int, magic: int, out: tuple[bool, bool]) -> float:
        """Return what camps are worth after the roll, to whichever of both is not out."""
        if all(out):
            return self.value(first, second)
        if any(out):
            return sum(self.curve(first, second, magic, int(out[0]), alone=True)) / BARRELS
        return sum(self.curve(first, second, magic, 0)) / BARRELS

    def _curve(
        self, first: int, second: int, magic: int, side: int, *, alone: bool = False
    ) -> list[float]:
        """Return what each number is worth if this side has it, and the other any other or none."""
        table = self._matrix(first, second, magic)
        fails = BARRELS - magic
        rows = [list(column) for column in zip(*table, strict=True)] if side else table
        if alone:
            return [*(row[0] for row in rows[1:]), *[rows[0][0]] * fails]
        others = BARRELS - 1
        works = [
            (sum(row) - row[number] + (fails - 1) * row[0]) / others
            for number, row in enumerate(rows)
            if number
        ]
        failed = (sum(rows[0]) + (fails - 2) * rows[0][0]) / others
        return [*works, *[failed] * fails]

    def moved(self, first: int, second: int, side: int, walk: Walk) -> tuple[int, int]:
        """Return both camps after a walk."""
        to, sweep = walk
        camps = [first, second]
        other = self.sides[1 - side]
        if hit := sweep and other.open[camps[1 - side]] & sweep:
            camps[1 - side] = other.banished(camps[1 - side], hit)
        camps[side] = to
        return camps[0], camps[1]

    def moving(self, first: int, second: int, queue: tuple[tuple[int, int], ...]) -> float:
        """Return what camps are worth while sides with numbers are still to move, in order."""
        if not queue or HOME in (first, second):
            return self.value(first, second)
        (side, number), *rest = queue
        walks = self.sides[side].walks((first, second)[side])[number]
        outcomes = (self.moving(*self.moved(first, second, side, w), tuple(rest)) for w in walks)
        return min(outcomes) if side else max(outcomes)

    def _fill(self, first: int, second: int, magic: int) -> Matrix:
        """Return what each pair of numbers is worth."""
        value, (ours, theirs) = self.value, self.sides
        table: Matrix = [[value(first, second)] * (magic + 1) for _ in range(magic + 1)]
        numbers = range(1, magic + 1)
        table[0][1:] = self._seconds(first, second, magic)
        for number, worth in zip(numbers, self._firsts(first, second, magic), strict=True):
            table[number][0] = worth
        for number in numbers:
            best = [-1.0] * (number - 1)
            for to, other in self._after(ours.walks(first)[number], theirs, second):
                values = [float(WON)] * (number - 1) if to == HOME else None
                best = list(map(max, best, values or self._seconds(to, other, number - 1)))
            table[number][1:number] = best
            best = [WON + 1.0] * (number - 1)
            for to, other in self._after(theirs.walks(second)[number], ours, first):
                values = [0.0] * (number - 1) if to == HOME else None
                best = list(map(min, best, values or self._firsts(other, to, number - 1)))
            for lower, worth in enumerate(best, 1):
                table[lower][number] = worth
        return table

    def _seconds(self, first: int, second: int, most: int) -> list[float]:
        """Return what the second makes of it if it alone moves, by numbers up to one."""
        value, banished, open_ = self.value, self.sides[0].banished, self.sides[0].open[first]
        values = []
        for walks in self.sides[1].walks(second)[1 : most + 1]:
            best = WON + 1.0
            for to, sweep in walks:  # a loop: of all that reports do, most is done here
                hit = sweep & open_
                worth = value(banished(first, hit) if hit else first, to)
                if worth < best:  # noqa: PLR1730 - a call would cost as much as all else
                    best = worth
            values.append(best)
        return values

    def _firsts(self, first: int, second: int, most: int) -> list[float]:
        value, banished, open_ = self.value, self.sides[1].banished, self.sides[1].open[second]
        values = []
        for walks in self.sides[0].walks(first)[1 : most + 1]:
            best = -1.0
            for to, sweep in walks:
                hit = sweep & open_
                worth = value(to, banished(second, hit) if hit else second)
                if worth > best:  # noqa: PLR1730 - as above
                    best = worth
            values.append(best)
        return values

    @staticmethod
    def _after(walks: tuple[Walk, ...], other: Side, camp: int) -> Iterator[Walk]:
        """Yield what a walk makes of the mover's camp and of the other's."""
        open_ = other.open[camp]
        for to, sweep in walks:
            hit = sweep & open_
            yield to, other.banished(camp, hit) if hit else camp
