"""How warm a room is in the course of an evening: people and lamps heat it from 20 to 27 °C.

Everything that stands in one room on one evening shares it.
"""

from __future__ import annotations

from math import exp
from random import Random
from typing import Final

from companion.chance import wobble

USUAL_C: Final = 21.0
BEGINS_C, BEGINS_SPREAD_C = 20.0, 0.5
RISES_C, RISES_SPREAD_C = 7.0, 0.7
RISING_US: Final = 3600e6  # two thirds of it in the first hour


class Room:
    """One room on one evening, which begins at 0.

    >>> room = Room("1")
    >>> abs(room.above_usual_c(0) + 1) < 2, 4 < room.above_usual_c(5 * 3600_000_000) < 9
    (True, True)
    """

    def __init__(self, seed: str) -> None:
        rng = Random(f"room {seed}")  # noqa: S311 - chance in a game, no secret
        self.begins_c = BEGINS_C + BEGINS_SPREAD_C * wobble(rng)
        self.rises_c = RISES_C + RISES_SPREAD_C * wobble(rng)

    def above_usual_c(self, at_us: int) -> float:
        """Return how much warmer it is than rooms usually are."""
        return self.begins_c - USUAL_C + self.rises_c * (1.0 - exp(-at_us / RISING_US))
