"""Random numbers that are the same for a seed on every Python: dice, picks and shuffles.

Python promises the same sequence of `random()` for a seed in every version, but not the same
shuffles, nor the same `sum` of floats; so one seed is one game, wherever and whenever it is played.
"""

from collections.abc import Sequence
from math import fsum
from random import Random
from typing import TypeVar

T = TypeVar("T")


def below(rng: Random, count: int) -> int:
    """Return one of 0, 1, … count - 1."""
    return int(rng.random() * count)


def die(rng: Random) -> int:
    return below(rng, 6) + 1


def pick(rng: Random, things: Sequence[T]) -> T:
    return things[below(rng, len(things))]


def mixed(rng: Random, things: Sequence[T]) -> list[T]:
    """Return all things in another order.

    >>> mixed(Random(1), "ABCD")
    ['A', 'D', 'C', 'B']
    """
    rest = list(things)
    return [rest.pop(below(rng, len(rest))) for _ in things]


def wobble(rng: Random) -> float:
    """Return an error around 0 with deviation 1, nearly normal; only additions, so portable."""
    return fsum(rng.random() for _ in range(12)) - 6
