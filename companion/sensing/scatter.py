"""How far apart a cell's own set-downs lie: how much wider its errors are than expected.

It must not know what a cell should be like: that is `settings`, and counts for few set-downs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True, slots=True)
class Scatter:
    """Squared distances of set-downs from their mean, each as a multiple of its error.

    >>> Scatter(3.0, 2) + Scatter(1.0, 1)
    Scatter(squares=4.0, freedom=3)
    """

    squares: float = 0.0
    freedom: int = 0  # how many of them are free to vary: all but one for each mean

    def __add__(self, other: Scatter) -> Scatter:
        """Return what both say."""
        return Scatter(self.squares + other.squares, self.freedom + other.freedom)

    def wider(self, usual: float, worth: float) -> float:
        """Return by how much errors are wider, if `usual` is believed like so many set-downs.

        >>> Scatter().wider(1.0, 6.0), Scatter(54.0, 6).wider(1.0, 6.0)
        (1.0, 2.23606797749979)
        """
        return sqrt((worth * usual**2 + self.squares) / (worth + self.freedom))


def of_all(scatters: Iterable[Scatter], worth: float) -> float:
    """Return by how much the errors of all cells of a table are wider."""
    return sum(scatters, start=Scatter()).wider(1.0, worth)
