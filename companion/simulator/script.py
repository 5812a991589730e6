"""What is done at the simulated table, as data: acts of people, and faults; it carries nothing out.

Barrels are called by the number on their label. A script lasts at most six hours.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.simulator.hand_params import ScriptVigour
from companion.system.text import SeatName

LONGEST_S: Final = 6 * 3600.0  # of table time; Ctrl-C ends it sooner


class Verb(Enum):
    LIFT = "lifts"
    SHAKE = "shakes"
    COMPARE = "compares"
    HAND_OVER = "hands"
    PUT_BACK = "puts"
    PLACE = "places"
    PEEK = "peeks"
    TIP = "tips"
    FLIP = "flips"
    CARRY = "carries"
    DROP = "drops"
    TOPPLE = "topples"
    LAY = "lays"
    PUSH = "pushes"
    ROCK = "rocks"
    TRUNDLE = "trundles"
    PRESS = "presses"
    ROLL = "rolls"
    KICK = "kick"
    FLIP_ALL = "all"
    MIX = "all mix"


@dataclass(frozen=True, slots=True)
class ScriptAct:
    """What people do; only what the verb needs is given."""

    verb: Verb
    seat: SeatName | None = None
    barrels: tuple[int, ...] = ()
    to: SeatName | None = None
    vigour: ScriptVigour = ScriptVigour.AS_USUAL
    for_s: float | None = None
    to_deg: float | None = None
    from_cm: float | None = None
    magic: int | None = None


@dataclass(frozen=True, slots=True)
class ScriptFault:
    """What breaks: its name, and what of barrel, part, amount (a share, ppm or bytes) and time."""

    name: str
    barrel: int | None = None
    part: str | None = None
    amount: float | None = None
    for_s: float | None = None


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line: at a time, or that long after the line before; with neither, when all is done."""

    number: int
    what: ScriptAct | ScriptFault
    at_s: float | None = None
    later_s: float | None = None
