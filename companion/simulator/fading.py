"""Spells in which a radio is not heard and hears nothing: hands close around it, rooms are full.

How often that is, nobody has measured at a table: a spell lasts 0.2 to 2 s, and how many there are
is drawn for each radio, four times as many while it is in a hand.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log
from random import Random
from typing import Final

APART_S: Final = (10.0, 40.0)  # in a hand, on average; for one radio, and for the luckiest
OPEN: Final = 0.25  # the share of the spells that occur without a hand
LASTS_S: Final = (0.2, 2.0)  # the longer they are, the rarer


class Fading:
    """The spells of one radio, one after the other; asked for times that never go back."""

    def __init__(self, rng: Random, in_hand: Callable[[int], bool] = lambda _: False) -> None:
        self._rng, self._in_hand = rng, in_hand
        least, most = APART_S
        self._apart_us = 1e6 * (least + (most - least) * rng.random())
        self._until_us = 0
        self._next_us = self._drawn_us(0)

    def covers(self, at_us: int) -> bool:
        """Return whether a packet that is on the air at a time is lost."""
        while self._next_us <= at_us:
            begin_us = self._next_us
            near = self._in_hand(begin_us)
            if self._rng.random() < (1.0 if near else OPEN):
                least, most = LASTS_S
                self._until_us = begin_us + round(
                    1e6 * least * (most / least) ** self._rng.random()
                )
            self._next_us = self._drawn_us(max(begin_us, self._until_us))
        return at_us < self._until_us

    def _drawn_us(self, from_us: int) -> int:
        return from_us + 1 + round(-self._apart_us * log(1.0 - self._rng.random()))
