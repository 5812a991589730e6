"""How pawns move: who may go where, whom that banishes and who can be taken along.

The theory. The ring is 24 bits. Before a match its board is compiled into small tables: which
fields a move sweeps over (by colour, step and number), and on which field a pawn stands open to
banishment or ready to be taken along (by colour and step). Then a banishment is one `&` of two
masks. What follows from a camp, the three steps of a colour's pawns, is worked out each time:
a table of all camps would be larger than a processor's cache, and slower than the working out.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Generic, TypeVar

from companion.games.zapp_zerapp.rules.board import CITY, FIELDS, START, Board, Colour
from companion.games.zapp_zerapp.rules.model import BARRELS, Camp, Camps, Move, Pawn, Settings

K = TypeVar("K")
V = TypeVar("V")
Bits = tuple[int, ...]  # by step: the field of the ring that it is, as a bit; 0: it is none
Masks = tuple[tuple[tuple[int, ...], ...], ...]


class Lookup(dict[K, V], Generic[K, V]):
    """A pure function that remembers its answers; for small domains only."""

    def __init__(self, answer: Callable[[K], V]) -> None:
        super().__init__()
        self.answer = answer

    def __missing__(self, key: K) -> V:
        """Answer a question that was never asked before."""
        value = self[key] = self.answer(key)
        return value


class Moves:
    """The moves on one board under one set of rules."""

    def __init__(self, settings: Settings) -> None:
        board = settings.board
        self.board = board
        self.seats = settings.seats
        self.overlook = settings.overlook
        self.passed, self.banishing = _masks(board, passed), _masks(board, swept)
        self.step_on = tuple(tuple(board.step(c, i) for i in range(FIELDS)) for c in Colour)
        safe = [board.protected(c) for c in Colour]  # ZZ-16
        havens = [board.castles(c) if settings.profi else () for c in Colour]
        self.exposed = tuple(  # ZZ-21: Profi, the own castle fields protect too
            _bits(board, c, set(range(FIELDS)) - {*safe[c], *havens[c]}) for c in Colour
        )
        self.waiting = tuple(_bits(board, c, {*havens[c]}) for c in Colour)
        self.rivals = tuple(
            tuple((other, self.exposed[other]) for other in settings.seats if other != seat)
            for seat in Colour
        )
        self.plain = tuple(
            tuple(Move(c, step, (), () if settings.overlook else None) for step in range(CITY))
            for c in Colour
        )
        self.walkers = tuple(Lookup(self._walkers_of(c)) for c in Colour)
        self.varied = lru_cache(maxsize=1024)(self._varied)  # legal, then apply: the same question
        self.simple = not (settings.profi or settings.overlook)

    def legal(self, camps: Camps, seat: Colour, number: int) -> Sequence[Move]:
        """Return every different move of a seat whose barrel bears this number."""
        walkers = self.walkers[seat][camps[seat]]
        if self.simple:
            return walkers
        if not self.overlook:
            waiting = 0
            for other in self.seats:
                waiting |= fields_of(camps[other], self.waiting[other])
            passed = self.passed[seat]
            if not any(waiting & passed[move.step][number] for move in walkers):
                return walkers
        return self.varied(camps, seat, number)

    def allows(self, camps: Camps, seat: Colour, number: int, move: Move) -> bool:
        """Tell whether a move is among the legal ones, without listing them if possible."""
        if self.simple:
            camp, step = camps[seat], move.step
            plain = move.seat == seat and move.take == () and move.banish is None
            return plain and step in camp and step < CITY
        return move in self.legal(camps, seat, number)

    def after(self, camps: Camps, number: int, move: Move) -> Camps:
        """Return where all pawns stand after a legal move."""
        seat, step = move.seat, move.step
        new = [*camps]
        new[seat] = advanced(camps[seat], step, number)
        if move.banish is not None:
            for pawn in move.banish:  # ZZ-20
                new[pawn.colour] = _replace(new[pawn.colour], pawn.step, START)
        elif sweep := self.banishing[seat][step][number]:
            for other, bits in self.rivals[seat]:
                first, second, third = camp = camps[other]
                if (bits[first] | bits[second] | bits[third]) & sweep:
                    new[other] = banished(camp, bits, sweep)
        for pawn in move.take:
            end = self.taken_to(move, number, pawn.colour)
            new[pawn.colour] = _replace(new[pawn.colour], pawn.step, end)
        red, green, blue, yellow = new
        return red, green, blue, yellow

    def end(self, step: int, number: int) -> int:
        """Return the step on which a pawn ends; what is left over at the city lapses (ZZ-12)."""
        return min(step + number, CITY)

    def taken_to(self, move: Move, number: int, colour: Colour) -> int:
        """Return the step, as that colour counts, to which the mover brings its companions."""
        end = self.end(move.step, number)
        if end < CITY:
            return self.step_on[colour][self.board.field(move.seat, end)]  # ZZ-24, ZZ-25
        if colour == move.seat:
            return CITY
        return self.step_on[colour][self.board.gates[move.seat]]  # ZZ-24

    def banishable(self, camps: Camps, seat: Colour, step: int, number: int) -> tuple[Pawn, ...]:
        """Return the pawns that this move may banish, sorted."""
        sweep = self.banishing[seat][step][number]
        return tuple(
            Pawn(other, at)
            for other, bits in self.rivals[seat]
            for at in camps[other]
            if bits[at] & sweep
        )

    def takeable(self, camps: Camps, seat: Colour, step: int, number: int) -> tuple[Pawn, ...]:
        """Return the pawns that this move may take along, sorted."""
        over = self.passed[seat][step][number]
        return tuple(
            Pawn(colour, at)
            for colour in self.seats
            for at in camps[colour]
            if self.waiting[colour][at] & over
        )

    def _walkers_of(self, colour: Colour) -> Callable[[Camp], tuple[Move, ...]]:
        moves = self.plain[colour]
        return lambda camp: tuple(moves[s] for s in sorted({*camp} - {CITY}))  # ZZ-14

    def _varied(self, camps: Camps, seat: Colour, number: int) -> tuple[Move, ...]:
        """Spell out whom each walker takes along (ZZ-22) and, if asked, whom it names (ZZ-20)."""
        moves: list[Move] = []
        for walker in self.walkers[seat][camps[seat]]:
            takes = choices_of(self.takeable(camps, seat, walker.step, number))
            named: Iterable[tuple[Pawn, ...] | None] = (None,)
            if self.overlook:
                named = choices_of(self.banishable(camps, seat, walker.step, number))
            moves += (
                Move(seat, walker.step, take, banish) if take or banish else walker
                for take, banish in product(takes, named)
            )
        return tuple(moves)


def passed(step: int, number: int) -> range:
    """Return the own steps strictly between the two ends of a move (ZZ-22)."""
    return range(step + 1, min(step + number, CITY))


def swept(step: int, number: int) -> range:
    """Return the own steps on which a move banishes: those passed and, on the ring, its end."""
    if step == START:  # ZZ-18
        return range(0)
    return range(step + 1, min(step + number + 1, CITY))  # ZZ-16, ZZ-17, ZZ-19


def choices_of(pawns: tuple[Pawn, ...]) -> list[tuple[Pawn, ...]]:
    """Return every different selection from sorted pawns, none and all included.

    >>> red = Pawn(Colour.RED, 4)
    >>> [len(some) for some in choices_of((red, red))]
    [0, 1, 2]
    """
    chosen: list[tuple[Pawn, ...]] = [()]
    for pawn in dict.fromkeys(pawns):
        many = range(pawns.count(pawn) + 1)
        chosen = [(*some, *(pawn,) * count) for some in chosen for count in many]
    return chosen


@lru_cache(maxsize=16)  # every match, and every game read from a file, asks for its board's
def _masks(board: Board, way: Callable[[int, int], range]) -> Masks:
    """Return by colour, step and number which fields lie on a way, as bits of the ring."""
    ways = [[way(step, number) for number in range(BARRELS + 1)] for step in range(CITY)]
    own = ([1 << board.field(colour, step) for step in range(CITY)] for colour in Colour)
    return tuple(
        tuple(tuple(sum(bits[span.start : span.stop]) for span in row) for row in ways)
        for bits in own
    )


def _bits(board: Board, colour: Colour, kept: set[int]) -> Bits:
    """Return which of the kept fields each of a colour's steps is."""
    fields = [board.field(colour, step) for step in range(START + 1, CITY)]
    return (0, *[1 << field if field in kept else 0 for field in fields], 0)


def _replace(camp: Camp, old: int, new: int) -> Camp:
    steps = list(camp)
    steps[steps.index(old)] = new
    first, second, third = sorted(steps)
    return first, second, third


def advanced(camp: Camp, step: int, number: int) -> Camp:
    """Return a camp after a pawn that stands on a step has gone on.

    >>> advanced((0, 3, 3), 3, 4), advanced((0, 3, 5), 0, 4)
    ((0, 3, 7), (3, 4, 5))
    """
    first, second, third = camp
    end = step + number
    if end > CITY:  # noqa: PLR1730 - a call would cost as much as all else
        end = CITY
    if step == third:
        return first, second, end
    if step == second:
        return (first, end, third) if end < third else (first, third, end)
    if end < second:
        return end, second, third
    return (second, end, third) if end < third else (second, third, end)


def banished(camp: Camp, bits: Bits, sweep: int) -> Camp:
    """Return a camp after those of its pawns that are swept over went back to the start."""
    first, second, third = sorted([START if bits[step] & sweep else step for step in camp])
    return first, second, third


def fields_of(camp: Camp, bits: Bits) -> int:
    """Return on which fields, out of those that a table of steps has, its pawns stand."""
    first, second, third = camp
    return bits[first] | bits[second] | bits[third]
