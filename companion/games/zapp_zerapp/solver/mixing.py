"""Anderson mixing: the next guess of a fixed point, from the last ones and how far each was off.

A plain step after each sweep needs far more sweeps. It starts over now and then, so that
nothing but the last guess has to be kept for whoever goes on later.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float32]

DEPTH = 10  # sweeps until it starts over


class Mixing:
    """Guesses, each with what a sweep made of it."""

    def __init__(self) -> None:
        self._guesses: list[Values] = []
        self._misses: list[Values] = []

    def __len__(self) -> int:
        """Return how many sweeps it remembers."""
        return len(self._guesses)

    def next(self, guess: Values, swept: Values) -> Values:
        """Return the guess from which least is missing, as far as one can tell."""
        self._guesses.append(guess)
        self._misses.append(swept - guess)
        last = self._misses[-1]
        if len(self) == 1:
            return swept
        apart = [last - miss for miss in self._misses[:-1]]
        products = np.array([[_product(a, b) for b in apart] for a in apart])
        shares, *_ = np.linalg.lstsq(products, np.array([_product(a, last) for a in apart]), 1e-10)
        mixed = swept.copy()
        for share, guessed, missed in zip(
            shares, self._guesses[:-1], self._misses[:-1], strict=True
        ):
            mixed += np.float32(share) * (guessed + missed - swept)
        if len(self) > DEPTH:
            self._guesses.clear()
            self._misses.clear()
        return mixed.clip(0, 1)


def _product(one: Values, other: Values) -> float:
    return float(np.einsum("ij,ij", one, other, dtype=np.float64, casting="same_kind"))
