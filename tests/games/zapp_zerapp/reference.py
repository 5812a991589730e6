"""Zapp Zerapp played slowly from its rulebook: the oracle that the companion is tested against.

It must not know the companion: it imports nothing of it and shares no idea with it. A pawn walks
one field at a time along the ring and looks at whoever stands there; nothing is remembered that
can be worked out again.

A place is counted in a colour's own steps: 0 is its start, 1 its entry field, 24 its gate field,
25 its city. An action is a tuple that begins with its verb:

    ("roll", magic)   ("place", colour, number or None)   ("flip",)   ("say", colour, number)
    ("move", colour, step, take, banish)

``None`` is a barrel that nobody has read yet. ``take`` and ``banish`` are sorted tuples of
(colour, step), one for each pawn; ``banish`` is ``None`` where the rules banish by themselves.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Self

Action = tuple[Any, ...]
Pawn = tuple[str, int]

CLOCKWISE = ["red", "green", "blue", "yellow"]
TABLE = "table"
START, CITY = 0, 25


class Reference:
    """One game at one table; ``legal`` says what may happen now, ``do`` makes it happen."""

    def __init__(
        self,
        seats: Sequence[str],
        ring: Sequence[str],
        entries: Mapping[str, int],
        *,
        profi: bool = False,
        overlook: bool = False,
    ) -> None:
        """Set the table for the first roll."""
        assert len(ring) == 24, "ZZ-2: the ring has 24 fields"
        assert 2 <= len(set(seats)) == len(seats), "ZZ-1: two to four different colours"
        assert set(seats) <= set(CLOCKWISE), "ZZ-1: only the colours of the box"
        self.seats = sorted(seats, key=CLOCKWISE.index)
        self.ring = list(ring)
        self.entries = dict(entries)
        self.profi = profi
        self.overlook = overlook
        self.phase = "roll"
        self.round = 1
        self.magic = 0
        self.pawns = {colour: [START, START, START] for colour in self.seats}  # ZZ-1
        self.barrels: dict[str, int | None] = {}
        self.order: list[str] = []
        self.winner: str | None = None

    @classmethod
    def position(
        cls,
        seats: Sequence[str],
        ring: Sequence[str],
        entries: Mapping[str, int],
        *,
        pawns: Mapping[str, Sequence[int]],
        magic: int,
        numbers: Mapping[str, int],
        profi: bool = False,
        overlook: bool = False,
    ) -> Self:
        """Set up a table where every barrel has just been read.

        A seat without an entry in ``pawns`` has all three on its start; one without an entry in
        ``numbers`` sits the round out.
        """
        table = cls(seats, ring, entries, profi=profi, overlook=overlook)
        assert set(pawns) | set(numbers) <= set(table.seats), "somebody here does not play"
        assert len(set(numbers.values())) == len(numbers), "ZZ-9: there is one barrel of a number"
        for colour, steps in pawns.items():
            assert len(steps) == 3, f"{colour} has three pawns"
            assert START <= min(steps) < CITY >= max(steps), f"{colour} cannot stand on {steps}"
            table.pawns[colour] = sorted(steps)
        table.magic = magic
        table.barrels = dict(numbers)
        table.begin_moving()
        return table

    # Who may do what.

    def turns(self) -> list[str]:
        """Name those who may act now."""
        if self.phase == "over":
            return []
        if self.phase == "place":
            return [seat for seat in self.seats if seat not in self.barrels]
        if self.phase == "move":
            return [self.order[0]]
        return [TABLE]

    def legal(self, who: str) -> set[Action]:
        """Return everything that ``who`` may do now."""
        if who not in self.turns():
            return set()
        match self.phase:
            case "roll":
                return {("roll", one + other) for one in range(1, 7) for other in range(1, 7)}
            case "place":
                return {("place", who, number) for number in [*self._unseen_numbers(), None]}
            case "flip":
                return {("flip",)}
            case "say":
                unseen = self._unseen_numbers()
                return {("say", seat, number) for seat in self._unread() for number in unseen}
            case _:
                return self._moves(who)

    def do(self, action: Action) -> None:
        """Carry out a legal action."""
        who = action[1] if action[0] in {"place", "move"} else TABLE
        assert action in self.legal(who), f"{action} is not legal in {self.phase}"
        match action:
            case ("roll", magic):  # ZZ-6
                self.magic = magic
                self.phase = "place"
            case ("place", colour, number):
                self.barrels[colour] = number
                if len(self.barrels) == len(self.seats):  # ZZ-7
                    self.phase = "flip"
            case ("flip",):
                self._flip()
            case ("say", colour, number):
                self.barrels[colour] = number
                self._flip()
            case ("move", colour, step, take, banish):
                self._move(colour, step, take, banish)

    # The barrels.

    def _unseen_numbers(self) -> list[int]:
        return [number for number in range(1, 14) if number not in self.barrels.values()]  # ZZ-7

    def _unread(self) -> list[str]:
        return [seat for seat, number in self.barrels.items() if number is None]

    def _flip(self) -> None:
        self.phase = "say"
        if not self._unread():
            self.begin_moving()

    def begin_moving(self) -> None:
        self.order = []
        for number in range(13, 0, -1):  # ZZ-9
            for seat in self.seats:
                if self.barrels.get(seat) == number and number <= self.magic:  # ZZ-8
                    self.order.append(seat)
        self.phase = "move"
        if not self.order:
            self._next_round()

    def _next_round(self) -> None:
        self.phase = "roll"
        self.round += 1
        self.magic = 0
        self.barrels = {}  # ZZ-10

    # The ring.

    def _route(self, colour: str) -> list[int]:
        """List the ring's fields in the order in which ``colour`` walks them."""  # ZZ-3
        entry = self.entries[colour]
        clockwise = list(range(24))
        return clockwise[entry:] + clockwise[:entry]

    def _pawns_on(self, field: int) -> list[Pawn]:
        """Name every pawn on one field of the ring."""
        found = []
        for colour in self.seats:
            step = self._route(colour).index(field) + 1
            found += [(colour, step) for place in self.pawns[colour] if place == step]  # ZZ-13
        return found

    # The moves.

    def _moves(self, colour: str) -> set[Action]:
        actions: set[Action] = set()
        for step in self.pawns[colour]:
            if step == CITY:  # ZZ-14
                continue
            _, takeable, banishable = self.walk(colour, step)
            for take in _choices(takeable):  # ZZ-22
                if self.overlook:  # ZZ-20
                    actions |= {("move", colour, step, take, some) for some in _choices(banishable)}
                else:
                    actions.add(("move", colour, step, take, None))
        return actions

    def walk(self, colour: str, step: int) -> tuple[int, list[Pawn], list[Pawn]]:
        """Walk field by field: where it ends, whom it may take along, whom it may banish."""
        number = self.barrels[colour]
        assert number is not None
        takeable: list[Pawn] = []
        banishable: list[Pawn] = []
        here = step  # whoever stands on the first field is never looked at: ZZ-17, ZZ-23
        for point in range(1, number + 1):
            here += 1
            if here == CITY:  # ZZ-12: the surplus is forfeited
                break
            field = self._route(colour)[here - 1]
            for pawn in self._pawns_on(field):
                if self._rides_from(field, pawn):  # ZZ-21
                    if point < number:  # ZZ-22: overtaken, not caught up with
                        takeable.append(pawn)
                elif self._is_banishable(field, pawn, colour, step):
                    banishable.append(pawn)
        return here, takeable, banishable

    def _rides_from(self, field: int, pawn: Pawn) -> bool:
        if not self.profi:
            return False
        castles = self.ring[field]
        return len(castles) == 2 and _letter(pawn[0]) in castles

    def _is_banishable(self, field: int, pawn: Pawn, mover: str, mover_from: int) -> bool:
        if mover_from == START:  # ZZ-18
            return False
        if pawn[0] == mover:  # ZZ-17
            return False
        return self.ring[field] != _letter(pawn[0])  # ZZ-16

    def _move(self, colour: str, step: int, take: Sequence[Pawn], named: Any) -> None:
        end, _, banishable = self.walk(colour, step)
        last_field = self._route(colour)[min(end, 24) - 1]  # ZZ-24: the gate field before a city
        self._put((colour, step), end)
        for pawn in take:
            if pawn[0] == colour:  # ZZ-24: own pawns come all the way, into the city too
                self._put(pawn, end)
            else:  # ZZ-25: carried past its city, it counts on from there
                self._put(pawn, self._route(pawn[0]).index(last_field) + 1)
        for pawn in (
            banishable if named is None else named
        ):  # ZZ-16, ZZ-20; never one of those: ZZ-26
            self._put(pawn, START)
        if self.pawns[colour] == [CITY, CITY, CITY]:  # ZZ-15
            self.phase = "over"
            self.winner = colour
            self.order = []
            return
        self.order.remove(colour)
        if not self.order:
            self._next_round()

    def _put(self, pawn: Pawn, place: int) -> None:
        colour, step = pawn
        self.pawns[colour].remove(step)
        self.pawns[colour].append(place)
        self.pawns[colour].sort()


def _letter(colour: str) -> str:
    return colour[0].upper()


def _choices(pawns: list[Pawn]) -> set[tuple[Pawn, ...]]:
    """Return none, some and all of the pawns; equal ones are one choice."""
    pawns = sorted(pawns)
    return {some for size in range(len(pawns) + 1) for some in combinations(pawns, size)}
