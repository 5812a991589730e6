"""What a script can say, as data: acts, faults, how each is written, what its numbers may be."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.simulator.habits import Vigour
from companion.text import SeatName

LONGEST_S: Final = 6 * 3600.0  # of table time; Ctrl-C ends it sooner


class Verb(Enum):
    """What somebody can do."""

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
    PRESS = "presses"
    ROLL = "rolls"
    KICK = "kick"
    FLIP_ALL = "all"
    MIX = "all mix"


@dataclass(frozen=True, slots=True)
class Act:
    """What people do; only what the verb needs is given."""

    verb: Verb
    seat: SeatName | None = None
    barrels: tuple[int, ...] = ()
    to: SeatName | None = None
    vigour: Vigour = Vigour.AS_USUAL
    for_s: float | None = None
    to_deg: float | None = None
    from_cm: float | None = None
    magic: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What breaks: its name, and what of barrel, part, amount (a share, ppm or bytes) and time."""

    name: str
    barrel: int | None = None
    part: str | None = None
    amount: float | None = None
    for_s: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line: at a time, or that long after the line before; with neither, when all is done."""

    number: int
    what: Act | Fault
    at_s: float | None = None
    later_s: float | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a number may be, both ends included, and its unit as one writes it."""

    least: float
    most: float
    unit: str = ""


BOUNDS: Final = {
    "time": Bounds(0, LONGEST_S, " s"),
    "for_s": Bounds(0.05, 300, " s"),  # of what people do
    "fault_s": Bounds(0, 3600, " s"),
    "to_deg": Bounds(0, 180, "°"),
    "from_cm": Bounds(1, 200, " cm"),
    "%": Bounds(0, 100, " %"),
    "ppm": Bounds(-20_000, 20_000, " ppm"),
    "bytes": Bounds(1, 100_000, " bytes"),
}
FIGURE = r"[0-9]+(?:\.[0-9]+)?"
NUMBER = "(?P<{}>[0-9]+)"
FOR = f"(?: for (?P<for_s>{FIGURE})(?: ?s)?)?"
DEG = r"(?: to (?P<to_deg>[0-9]+)(?: ?(?:°|deg))?)?"
ONE = NUMBER.format("one")
WORDS: Final = {
    Verb.LIFT: (ONE, "lifts 7"),
    Verb.SHAKE: (f"{ONE}(?: (?P<vigour>gently|firmly|wildly))?{FOR}", "shakes 7 gently for 1.2"),
    Verb.COMPARE: (f"{ONE} {NUMBER.format('two')}{FOR}", "compares 3 5 for 1.5"),
    Verb.HAND_OVER: (f"{ONE} to (?P<to>[a-z]+)", "hands 7 to green"),
    Verb.PUT_BACK: (f"back {ONE}", "puts back 7"),
    Verb.PLACE: (f"{ONE}(?: at (?P<to>[a-z]+))?", "places 7, or places 7 at green"),
    Verb.PEEK: (f"{ONE}{DEG}{FOR}", "peeks 7 to 90° for 0.6"),
    Verb.TIP: (f"{ONE}{DEG}{FOR}", "tips 7 to 30° for 0.6"),
    Verb.FLIP: (ONE, "flips 7"),
    Verb.CARRY: (f"{ONE}{FOR}", "carries 7 for 2"),
    Verb.DROP: (f"{ONE}(?: from (?P<from_cm>[0-9]+) ?cm)?", "drops 7 from 30 cm"),
    Verb.PRESS: (FOR, "presses for 0.8"),
    Verb.ROLL: (r"(?P<magic>[2-9]|1[0-2])", "rolls 9"),
}
BY_NOBODY: Final = {"kick": Verb.KICK, "all flip": Verb.FLIP_ALL, "all mix": Verb.MIX}
BARREL, SHARE = NUMBER.format("barrel"), f"(?P<amount>{FIGURE}) ?(?P<unit>%)"
CHIP = "(?P<part>accelerometer|cell)"
FAULTS: Final = {
    "loss": (SHARE, "fault loss 30%"),
    "duplicate": (SHARE, "fault duplicate 5%"),
    "reorder": (SHARE, "fault reorder 5%"),
    "reboot": (BARREL, "fault reboot 7"),
    "flat": (BARREL, "fault flat 4"),
    "box": (f"{BARREL}{FOR}", "fault box 4 for 60"),
    "stuck": (f"{BARREL} {CHIP}", "fault stuck 5 accelerometer"),
    "saturated": (f"{BARREL} {CHIP}", "fault saturated 5 cell"),
    "bus": (f"{BARREL}(?: {CHIP})?{FOR}", "fault bus 5 cell for 2"),
    "drift": (f"{BARREL} (?P<amount>-?[0-9]+) ?(?P<unit>ppm)", "fault drift 5 200 ppm"),
    "unplug": (FOR, "fault unplug for 3"),
    "silent": (FOR, "fault silent for 5"),
    "garbage": ("(?:(?P<amount>[0-9]+) ?(?P<unit>bytes))?", "fault garbage 200 bytes"),
    "absent": ("(?P<part>lights|hub|pads)", "fault absent lights"),
    "clear": ("", "fault clear"),
}
SHARES: Final = ("loss", "duplicate", "reorder")
