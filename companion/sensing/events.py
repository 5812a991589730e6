"""The events of sensing: what happened at the table, each with its time and confidence.

It must not say a barrel's number or anything that reveals it, such as a load; weighing keeps those.
A finding has a number, and is told again in full whenever more is known about it.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.sensing.observations import MeasuredTime
from companion.system.format_names import format_name


@format_name("Doing")
class BarrelMotion(Enum):
    """What a barrel does, as far as anybody can know."""

    UNKNOWN = "unknown"  # nothing was heard of it yet
    STANDING = "standing"
    LIFTED = "lifted"
    SHAKEN = "shaken"
    TILTED = "tilted"  # nearly still, and its label could be read
    FLIPPED = "flipped"
    LYING = "lying"  # on its side, in nobody's hand
    LOST = "lost"  # it was heard once, and is silent for too long

    @property
    def said(self) -> str:
        """Return it in English, as people are told it."""
        return _DOING[self]


_DOING: Final = {
    BarrelMotion.UNKNOWN: "unknown",
    BarrelMotion.STANDING: "stands",
    BarrelMotion.LIFTED: "in the hand",
    BarrelMotion.SHAKEN: "is shaken",
    BarrelMotion.TILTED: "is tilted",
    BarrelMotion.FLIPPED: "flipped",
    BarrelMotion.LYING: "lies on its side",
    BarrelMotion.LOST: "fallen silent",
}


@dataclass(frozen=True, slots=True)
class BarrelMoved:
    """A barrel does something else than before."""

    stopper: int
    doing: BarrelMotion
    moment: MeasuredTime
    sure: bool  # False: it follows from what was missed, or from silence


@dataclass(frozen=True, slots=True)
class ChartSample:
    """One point of an evidence chart; the load only as whether the foot carries the barrel."""

    at_us: int
    tilt_deg: float
    deviation_g: float  # of |a| from 1 g: 0 is quite still
    stands: bool | None  # None: the load cell cannot be believed


@dataclass(frozen=True, slots=True)
class Count:
    """How many barrels were in the air and at seats, from a moment on; not which."""

    at_us: int
    in_air: int
    at_seats: int


@format_name("Foul")
class FoulCode(Enum):
    """What the shaking law forbids. Sensing reports these, and people can call any of them.

    A new one also needs its sentence below, and a paragraph in `manual_fouls.html`: then it can be
    called on phones and in the API; `./run words` asks for its translation, and `./run test
    tests/formats --rewrite-golden` notes its code. What sensors notice of it is in `fouls.py`.
    """

    SNATCHED = "snatched"  # from pads it is known only for a barrel that was placed
    PEEK = "peek"
    TOO_MANY_IN_HAND = "too-many-in-hand"
    PLACED_BACK = "placed-back"
    STILL_SHAKING = "still-shaking"
    SECOND_PLACED = "second-placed"
    EARLY_FLIP = "early-flip"

    @property
    def said(self) -> str:
        """Return it in English, as people are told it."""
        return _FOUL[self]


_FOUL: Final = {
    FoulCode.SNATCHED: "snatched a barrel",
    FoulCode.PEEK: "peeked",
    FoulCode.TOO_MANY_IN_HAND: "too many barrels in hand",
    FoulCode.PLACED_BACK: "put a chosen barrel back",
    FoulCode.STILL_SHAKING: "went on shaking after choosing",
    FoulCode.SECOND_PLACED: "chose a second barrel",
    FoulCode.EARLY_FLIP: "flipped too early",
}


@format_name("Weight")
class Weight(Enum):
    """How much a finding means."""

    WARNING = "warning"  # a gentle light at no one in particular, noted
    FOUL = "foul"  # shown with its evidence; the table decides
    WITHDRAWN = "withdrawn"  # what came later speaks against it

    @property
    def said(self) -> str:
        """Return it in English, as people are told it."""
        return self.value


@dataclass(frozen=True, slots=True)
class FoulFinding:
    """A foul or a warning, as far as it is known now; the same number replaces it."""

    number: int
    foul: FoulCode
    weight: Weight
    from_us: int
    to_us: int  # until now, if it still goes on
    stoppers: tuple[int, ...]
    seat: str | None
    confidence: float  # 0 to 1
    evidence: tuple[ChartSample, ...] = ()
    counts: tuple[Count, ...] = ()  # evidence, if hands were counted
    listening: bool = False  # held so, a barrel may be at an ear: nothing tells that from a look


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """A stopper is to send what it keeps of a time, for evidence; this is told to nobody else."""

    stopper: int
    start_us: int  # on the stopper's own clock, as RAW_REQUEST has it
    length_ms: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A barrel stands at a seat. Told again when it becomes surer, or turns out otherwise."""

    seat: str
    stopper: int | None  # the best guess; None: a barrel that cannot be felt
    moment: MeasuredTime
    confidence: float
    candidates: tuple[int, ...]  # more than one: people have to settle it
    mark: tuple[int, int] | None = None  # its boot and newest event; None: not known
    remembered: bool = False  # only the journal says so: sensing has not seen it since the start


@dataclass(frozen=True, slots=True)
class SecondPlaced:
    """A second barrel stands on a pad beside the first; both say their names there.

    Only other parts of sensing hear of it: a foul may come of it.
    """

    seat: str
    first: int
    second: int
    moment: MeasuredTime


@dataclass(frozen=True, slots=True)
class Stayed:
    """A remembered barrel surely stood at a seat until now: none of its events can be missing."""

    seat: str
    stopper: int


@dataclass(frozen=True, slots=True)
class Taken:
    """What stood at a seat no longer stands there."""

    seat: str
    stopper: int | None
    moment: MeasuredTime


@dataclass(frozen=True, slots=True)
class FaultsChanged:
    """What is wrong with a stopper now, all of it, as words of `ailments`; empty: it is well."""

    stopper: int
    ailments: frozenset[Enum]
    at_us: int


SensingEvent = BarrelMoved | FoulFinding | Placed | Stayed | Taken | FaultsChanged
