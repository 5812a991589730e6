"""What kinds of guests there are, from gentle to wild: figures, as data; it decides nothing.

The chances hold for every occasion; a guest has about ten of them in a round. 0 switches one off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.simulator.habits import Vigour


@dataclass(frozen=True, slots=True)
class Temperament:
    """How somebody plays, and what may come over one with a barrel in hand."""

    vigours: tuple[Vigour, ...]
    pause_s: tuple[float, float]
    shake_s: tuple[float, float]
    compares: float
    peeks: float = 0.0
    hands_on: float = 0.0
    drops: float = 0.0
    kicks: float = 0.0


GENTLE: Final = Temperament((Vigour.GENTLY,), (0.8, 2.4), (1.2, 2.2), 0.6, hands_on=0.02)
SLY: Final = Temperament((Vigour.GENTLY, Vigour.AS_USUAL), (0.6, 1.8), (0.8, 1.6), 0.4, peeks=0.05)
CALM: Final = Temperament((Vigour.AS_USUAL,), (0.6, 1.8), (0.9, 1.8), 0.5, hands_on=0.01)
LIVELY: Final = Temperament(
    (Vigour.AS_USUAL, Vigour.FIRMLY), (0.3, 1.2), (0.7, 1.5), 0.3, 0.005, 0.03, 0.005, 0.005
)
WILD: Final = Temperament(
    (Vigour.FIRMLY, Vigour.WILDLY), (0.2, 0.8), (0.6, 1.4), 0.2, 0.01, 0.01, 0.02, 0.02
)
TEMPERAMENTS: Final = (GENTLE, SLY, CALM, LIVELY, WILD)
