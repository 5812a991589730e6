"""How simulated people differ: who sits low, whose hands tremble, who looks how.

It must not know the rule by which anybody may notice. All of it is drawn from a chance of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import pi, radians
from random import Random
from typing import Final

from companion.simulator.hand_params import SHAKY, WRISTS, between
from companion.simulator.hands import Hand
from companion.system import chance, text


class Manner(Enum):
    """How somebody looks at a label on the sly."""

    PLAINLY = "calm"  # tilts it, holds it, and tilts it back
    LOW = "low"  # from so low that it just needs to be tilted: 60° to 69° for low eyes
    CREEPING = "creeping"  # takes seconds to tilt it
    UPSIDE_DOWN = "upside down"  # exactly, and for about half a second
    JIGGLING = "jiggled"  # moves it on purpose, so that it looks like shaking
    HANDED = "handed over"  # changes hands meanwhile
    SHAKING_OUT = "shaken"  # while the shake before it has not quite stopped


MANNERS: Final = (Manner.PLAINLY,) * 5 + tuple(Manner)  # half of all just look
LOW_EYES: Final = 0.3  # this many sit or bend so low…
LOW_EYES_DEG: Final = (15.0, 24.0)  # …that they read a label from 60° to 69° on
TREMBLE: Final = 0.2
SWIRLS: Final = 0.15  # of all who shake: they let the stones roll round
SWIRL_TURNS_S: Final = (1.0, 2.5)
CARRY_TILTED: Final = 0.5
CARRY_DEG: Final = (50.0, 58.0)


@dataclass(frozen=True, slots=True)
class People:
    rng: Random
    low_eyes_deg: Mapping[text.SeatName, float]
    shaky: frozenset[text.SeatName]

    @classmethod
    def at(cls, seats: Sequence[text.SeatName], stoppers: Mapping[int, int]) -> People:
        """Return who sits at a table, which is known by its stoppers.

        >>> one = People.at((text.SeatName.RED,), {1: 13})
        >>> one == replace(People.at((text.SeatName.RED,), {1: 13}), rng=one.rng)
        True
        """
        rng = Random(f"people {stoppers}")  # noqa: S311 - a game and no secret
        low = {seat: between(rng, *LOW_EYES_DEG) for seat in seats if rng.random() < LOW_EYES}
        return cls(rng, low, frozenset(seat for seat in seats if rng.random() < TREMBLE))

    def hand(self, hand: Hand, seat: text.SeatName | None) -> Hand:
        """Return somebody's hands, given those that everybody had before."""
        habits = SHAKY if seat in self.shaky else WRISTS
        return replace(hand, habits=habits)

    def manner(self, seat: text.SeatName | None) -> Manner:
        """Return how somebody looks this time."""
        manner = chance.pick(self.rng, MANNERS)
        low = manner is Manner.LOW and seat not in self.low_eyes_deg
        return Manner.PLAINLY if low else manner

    def called(self, manner: Manner, seat: text.SeatName | None) -> str:
        """Return under what name a look is counted."""
        return "shaky" if manner is Manner.PLAINLY and seat in self.shaky else manner.value

    def swirls(self) -> bool:
        """Return whether somebody swirls a barrel instead of shaking it."""
        return self.rng.random() < SWIRLS

    def carries_rad(self) -> float | None:
        """Return how far somebody tilts an upright barrel while carrying it, if at all."""
        rng = self.rng
        return radians(between(rng, *CARRY_DEG)) if rng.random() < CARRY_TILTED else None

    def turns(self, for_s: float) -> float:
        """Return how far a swirl goes round in a time, either way; whole turns."""
        way = 1 if self.rng.random() < 0.5 else -1
        return way * 2.0 * pi * max(1, round(for_s * between(self.rng, *SWIRL_TURNS_S) / 1.875))
