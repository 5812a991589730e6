"""What a position is worth to each seat: exactly where the game is solved, else an estimate.

    worth(settings).of(state)

Whatever happens is worth the difference between after and before, and all differences add up.
"""

import logging
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import combinations
from typing import Final

from companion.games.zapp_zerapp.rules.board import Colour
from companion.games.zapp_zerapp.rules.model import Barrels, Camps, Move, Settings
from companion.games.zapp_zerapp.rules.moves import Moves
from companion.games.zapp_zerapp.solution.estimate import Estimate, Pair, Values, Worth, guess
from companion.games.zapp_zerapp.solution.exact import Exact
from companion.games.zapp_zerapp.solution.table import NUMBER, WON, Pairing, find_table, folder
from companion.i18n.translate import Translatable
from companion.system import errors, text

__all__ = ["Values", "Worth", "folder", "value_of", "worth"]
LOG: Final = logging.getLogger(__name__)
# How many points an estimate is off beside matches played to their end: `./run bench coach`
OFF_FOR_TWO, OFF, OFF_UNSOLVED = 1, 3, 10


class _Exact(Worth):
    """The solved game."""

    why = None

    def __init__(self, settings: Settings, seats: tuple[Colour, Colour], value: Pair) -> None:
        self._round = Exact(settings, seats, value)
        self._moves = Moves(settings)
        self._first, self._second = seats
        self._swapped = settings.seats != seats

    def start(self, pawns: Camps) -> Values:
        return self._both(self._round.value(*self._camps(pawns)))

    def rolled(self, pawns: Camps, magic: int, out: Collection[Colour] = ()) -> Values:
        gone = self._first in out, self._second in out
        return self._both(self._round.rolled(*self._camps(pawns), magic, gone))

    def moving(self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]) -> Values:
        return self._both(self._round.moving(*self._camps(pawns), self._queue(barrels, queue)))

    def moves(
        self, pawns: Camps, barrels: Barrels, queue: tuple[Colour, ...]
    ) -> dict[Move, Values]:
        (side, number), *rest = self._queue(barrels, queue)
        camps, after_each = self._camps(pawns), {}
        for move in self._moves.legal(pawns, queue[0], number):
            walk = self._round.sides[side].walk(move.step, camps[side], number)
            after = self._round.moved(*camps, side, walk)
            after_each[move] = self._both(self._round.moving(*after, tuple(rest)))
        return after_each

    def curve(self, pawns: Camps, magic: int, seat: Colour, out: Collection[Colour] = ()) -> Values:
        side = int(seat == self._second)
        alone = (self._first if side else self._second) in out
        worth = self._round.curve(*self._camps(pawns), magic, side, alone=alone)
        return tuple([(WON - value if side else value) / WON for value in worth])

    def _camps(self, pawns: Camps) -> tuple[int, int]:
        return NUMBER[pawns[self._first]], NUMBER[pawns[self._second]]

    def _queue(self, barrels: Barrels, queue: Iterable[Colour]) -> tuple[tuple[int, int], ...]:
        return tuple((int(seat == self._second), barrels[seat]) for seat in queue)

    def _both(self, worth: float) -> Values:
        first = worth / WON
        return (1 - first, first) if self._swapped else (first, 1 - first)


@lru_cache(maxsize=2)
def worth(settings: Settings) -> Worth:
    """Return what moments of such matches are worth; a file that is unsound is done without."""
    if why := _unsolved(settings):
        return _estimated(settings, why)
    first, second = settings.seats
    try:
        for seats in ((first, second), (second, first)):
            if value := value_of(Pairing.for_colours(settings.board, *seats)):
                return _Exact(settings, seats, value)
    except errors.CompanionError as error:
        LOG.warning("%s", error)
        return _estimated(settings, error)
    return _estimated(
        settings,
        text.Text(
            "Nobody has solved this ring for these seats yet. Compared with matches played to the "
            "end, the chances are off by about {off} {off:#point|points}.",
            off=OFF_UNSOLVED,
        ),
    )


def _estimated(settings: Settings, why: Translatable) -> Worth:
    pairs = {pair: _pair(settings, *pair) for pair in combinations(settings.seats, 2)}
    return Estimate(settings, pairs, why)


def _unsolved(settings: Settings) -> text.Text | None:
    if len(settings.seats) > 2:
        return text.Text(
            "The game is solved for two players, not for more. Compared with matches played to the "
            "end, the chances are off by about {off} {off:#point|points}.",
            off=_off(settings),
        )
    if settings.profi or settings.overlook or not settings.shuffle:
        return text.Text(
            "Only the base game is solved. Compared with matches played to the end, the chances "
            "are off by about {off} {off:#point|points}.",
            off=_off(settings),
        )
    return None


def _off(settings: Settings) -> int:
    pairs = combinations(settings.seats, 2)
    if not all(_value(settings, *pair) or _value(settings, *pair[::-1]) for pair in pairs):
        return OFF_UNSOLVED
    return OFF_FOR_TWO if len(settings.seats) == 2 else OFF


def _value(settings: Settings, first: Colour, second: Colour) -> Pair | None:
    try:
        return value_of(Pairing.for_colours(settings.board, first, second))
    except errors.CompanionError:
        return None


def _pair(settings: Settings, own: Colour, other: Colour) -> Pair:
    try:
        if value := value_of(Pairing.for_colours(settings.board, own, other)):
            return value
        if turned := value_of(Pairing.for_colours(settings.board, other, own)):
            return lambda first, second: WON - turned(second, first)
    except errors.CompanionError as error:
        LOG.warning("%s", error)
    return guess(Pairing.for_colours(settings.board, own, other))


@lru_cache(maxsize=8)
def value_of(pairing: Pairing) -> Pair | None:
    """Return what two camps of a pairing are worth for the first; None: nobody has solved it."""
    table = find_table(pairing)
    return None if table is None else table.value()
