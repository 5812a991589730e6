"""How much a load cell shows of what stands on it, found with a known mass.

Cheap cells differ by several percent, so without it the weights of two stoppers cannot be compared;
if a kitchen scale is off, it is off for all of them alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from companion.sensing.settings import Weighing
from companion.sensing.weighing import Mass


@dataclass(frozen=True, slots=True)
class Gain:
    """What a cell shows of each gram, and how it was found."""

    shows: float  # 1: all of it
    doubt: float  # by what share of it that may be wrong
    known_mg: float  # what was put in, as people weighed it
    at: str = ""  # when, by the host's clock
    temperature_cc: int = 0
    loaded: Mass | None = None  # what the barrel weighed with it


def of(empty: Mass, loaded: Mass, known_mg: float, settings: Weighing) -> Gain:
    """Return what follows from a barrel that was weighed empty, and with a known mass in it."""
    wider = (empty.scatter + loaded.scatter).wider(1.0, settings.believed)
    error_mg = wider * hypot(empty.sd_mg, loaded.sd_mg)
    doubt = hypot(settings.span, error_mg / known_mg)
    return Gain((loaded.mg - empty.mg) / known_mg, doubt, known_mg, loaded=loaded)
