"""A judge of Zapp Zerapp: what each number would be worth to a seat, and which move is best.

It knows the open board and the magic number, as everybody does, and no number before the flip.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Final

from companion.games.zapp_zerapp.rules import (
    BARRELS,
    EMPTY,
    Colour,
    Move,
    Settings,
    View,
)
from companion.games.zapp_zerapp.rules.state import ALL_AT_START, Barrels, Camps
from companion.games.zapp_zerapp.solved import Values, Worth, worth

LOUD, TOO_LOUD = 2, 0.45  # how much rather people keep what is high, and what is too much
SEVERAL = 6  # this many cases of what several others show


class Judge:
    """Somebody who knows what every moment is worth: from a table, or by an estimate.

    Others hear as people do, so what they will show is not sure: all of it is weighed.
    """

    def __init__(self, settings: Settings) -> None:
        self._seats = settings.seats
        self._worth: Worth = worth(settings)

    def curve(self, view: View, seat: Colour) -> tuple[float, ...]:
        """Return the seat's chances to win."""
        pawns, at = camps(view), self._seats.index(seat)
        others = [other for other in self._seats if other != seat and other not in view.out]
        shown = _shown(len(others), view.magic)

        def chance(number: int) -> float:
            """Return what it is to have a number, whatever the others show."""
            found = total = 0.0
            for numbers, odds in shown:
                theirs = zip(others, _beside(number, numbers), strict=True)
                found += odds * self._moving(pawns, {seat: number, **dict(theirs)}, view.magic)[at]
                total += odds
            return found / total

        works = [chance(number) for number in range(1, view.magic + 1)]
        return (*works, *[chance(EMPTY)] * (BARRELS - view.magic))

    def _moving(self, pawns: Camps, has: Mapping[Colour, int], magic: int) -> Values:
        queue = [seat for seat, number in has.items() if EMPTY < number <= magic]
        queue.sort(key=lambda seat: -has[seat])
        red, green, blue, yellow = (has.get(seat, EMPTY) for seat in Colour)
        return self._worth.moving(pawns, (red, green, blue, yellow), tuple(queue))

    def best(self, view: View) -> Move:
        """Return what wins most often."""
        mover = view.order[0]
        at = self._seats.index(mover)
        found = self._worth.moves(camps(view), barrels(view), view.order)
        return max(_offered(view), key=lambda move: found[move][at])


@lru_cache(maxsize=64)
def _shown(others: int, magic: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return what so many others may show, each with its odds: of one all, of several some."""
    weights = [
        number**LOUD if number <= magic else magic**LOUD * TOO_LOUD ** (number - magic)
        for number in range(1, BARRELS + 1)
    ]
    if others == 1:
        return tuple(((number,), odds) for number, odds in enumerate(weights, 1))
    found: list[tuple[tuple[int, ...], float]] = []
    chance = Random(magic)  # noqa: S311 - a game and no secret
    while len(found) < SEVERAL:
        numbers = tuple(chance.choices(range(1, BARRELS + 1), weights, k=others))
        if len({*numbers}) == others:
            found.append((numbers, 1.0))
    return tuple(found)


def _beside(mine: int, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return what others show where one of them cannot have what I have, but the next lower.

    >>> _beside(7, (3, 7)), _beside(7, (6, 7)), _beside(1, (1,))
    ((3, 6), (6, 5), (0,))
    """
    if mine not in numbers:
        return numbers
    lower = next(n for n in range(mine - 1, EMPTY - 1, -1) if n not in numbers)
    return tuple(lower if number == mine else number for number in numbers)


def camps(view: View) -> Camps:
    """Return all pawns as the rules write them."""
    known = dict(view.pawns)
    red, green, blue, yellow = (known.get(seat, ALL_AT_START) for seat in Colour)
    return red, green, blue, yellow


def barrels(view: View) -> Barrels:
    """Return the numbers that lie open, as the rules write them."""
    known = dict(view.numbers)
    red, green, blue, yellow = (known.get(seat, EMPTY) for seat in Colour)
    return red, green, blue, yellow


def _offered(view: View) -> list[Move]:
    return [choice for choice in view.choices if isinstance(choice, Move)]


judge: Final = lru_cache(maxsize=8)(Judge)
