"""Scripts: what people do at the simulated table, as data; it carries nothing out.

Barrels are called by the number on their label.
"""

from dataclasses import dataclass
from enum import Enum

from companion.simulator.hand_params import ScriptVigour
from companion.system.text import SeatName


class Verb(Enum):
    LIFT = "lifts"
    SHAKE = "shakes"
    COMPARE = "compares"
    HAND_OVER = "hands"
    PUT_BACK = "puts"
    PLACE = "places"
    PEEK = "peeks"
    FLIP = "flips"
    CARRY = "carries"
    DROP = "drops"
    PRESS = "presses"
    ROLL = "rolls"
    KICK = "kick"
    FLIP_ALL = "all"
    MIX = "all mix"


@dataclass(frozen=True, slots=True)
class ScriptAct:
    """What people do; only what the verb needs is given."""

    verb: Enum  # a Verb, where nobody knows of more
    seat: SeatName | None = None
    barrels: tuple[int, ...] = ()
    to: SeatName | None = None
    vigour: ScriptVigour = ScriptVigour.AS_USUAL
    for_s: float | None = None
    to_deg: float | None = None
    from_cm: float | None = None
    magic: int | None = None


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line: what is done at a time; without one, as soon as all before is done."""

    number: int
    what: ScriptAct
    at_s: float | None = None
