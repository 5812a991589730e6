"""What moves do to camps on one board, as arrays: where a mover comes to, and whom it banishes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.zapp_zerapp.rules.board import CITY, START, Colour
from companion.games.zapp_zerapp.rules.moves import Moves
from companion.games.zapp_zerapp.rules.state import Settings
from companion.games.zapp_zerapp.solved.camps import CAMPS, COUNT, NUMBER

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
                to[at] = NUMBER[moves.advanced[step][number][camp]]
                sweep[at] = 0 if step == START else (step - 1) * NUMBERS + number
    banned = np.tile(np.arange(COUNT, dtype=np.intp), (SWEEPS, 1))
    for step in range(START + 1, CITY):
        for number in range(1, NUMBERS + 1):
            swept = moves.banishing[mover][step][number]
            row = banned[(step - 1) * NUMBERS + number]
            for camp_number, camp in enumerate(CAMPS):
                if hit := moves.exposed[other][camp] & swept:
                    row[camp_number] = NUMBER[moves.banished[other][camp, hit]]
    return Ways(to, sweep, banned)
