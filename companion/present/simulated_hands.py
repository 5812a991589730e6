"""The contract of hands at a seat of a simulated table: what they can do, feel, see and hear.

Whoever fulfils `Hands` may be called from any thread.

Secrecy: until the last barrel is placed, `table` tells the same at two tables that differ only in
which barrel holds which number - unless somebody turns one over too early, which all eyes see. What
`RattleHeard` and `Peeked` tell are perceptions of this one person: they come from the stones and
labels themselves, as at a real table, and belong to nobody but whoever plays at this seat.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from companion.system.format_names import record

LEAST_S: Final = 0.1  # that a shake, a look or a press takes


class ShakeVigour(Enum):
    GENTLY = "gently"
    AS_USUAL = "as usual"
    FIRMLY = "firmly"
    WILDLY = "wildly"


class Where(Enum):
    """Where a barrel is."""

    PLATEAU = "plateau"  # on the place of its handle
    HAND = "hand"
    PAD = "pad"
    ASIDE = "aside"  # on the table, where no barrel belongs: it fell, or it is a second one


class SittingPlayer(Enum):
    GUEST = "guest"
    NEXT_ROUND = "next round"  # a guest, until this round is over
    YOU = "you"


@record("SeenBarrel")
class SeenBarrel:
    """One barrel as the eye sees it.

    Its handle is the place where it belongs until the barrels are mixed: 0 in the middle, 1 to 6
    around it, 7 to 12 twice as far out and half a step on, both anticlockwise from the right.
    """

    handle: int
    where: Where
    seat: str | None = None  # whose hand or pad
    tilt_deg: int = 0  # to about 15°; 180: on its head
    shaken: bool = False
    sliding: bool = False  # it is being mixed with the others
    flipped: bool = False  # it stands on its head, and its label is open to all
    number: int | None = None  # what all can read there


@record("Sight")
class SightOfTable:
    """The table as the person sees it now."""

    seat: str
    sitting: SittingPlayer
    busy_ms: int  # for how long your hands are still busy
    barrels: tuple[SeenBarrel, ...]  # all thirteen, by handle


@record("Knock")
class HeardKnock:
    """One stone against the wall of its barrel."""

    at_ms: int  # since the call
    strength: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class RattleHeard:
    """What the ear hears of one barrel."""

    lasts_ms: int  # since the call: then the hands are free again
    knocks: tuple[HeardKnock, ...] = ()  # by time


@record("Peeked")
class Peeked:
    """What the eye reads; all times are since the call."""

    lasts_ms: int
    number: int | None = None  # None: the label was never in sight, or too briefly to be read
    from_ms: int = 0  # when it comes in sight …
    until_ms: int = 0  # … and when it is out of sight again


Felt3 = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class PhoneSamples:
    """What a phone in a hand felt, in its own axes and units, and by its own clock.

    What it feels lying flat says how to read that: with its screen on the table, and with it up.
    """

    phone: str  # which one
    down: Felt3
    up: Felt3
    at_ms: tuple[float, ...]  # rising
    felt: tuple[Felt3, ...]
    flips: bool = False  # whoever takes it up now turns the barrel over, and does not read the page


class PhonePose(Enum):
    """How a phone is a barrel just now."""

    WAITING = "its screen was not yet towards the table"
    MOVING = "it is the barrel"
    STANDING = "it was laid down, and stands"
    LEFT = "it was laid down, and left there"
    TURNED = "it is on its head"


@record("PhoneFelt")
class PhoneFelt:
    """What comes of a phone's motion."""

    pose: PhonePose
    knocks: tuple[HeardKnock, ...] = ()
    number: int | None = None  # what is read underneath, by a look that nobody could deny


class HandAct(Enum):
    LIFT = "take a barrel in hand"
    PUT_BACK = "stand it on its place again"
    SHAKE = "shake it"
    COMPARE = "weigh and shake two"
    PLACE = "stand it on the own pad"
    PEEK = "look underneath"
    FLIP = "turn it over"
    PRESS = "press the seat's button"
    SIT = "take the seat"
    LEAVE = "let a guest play on"


@dataclass(frozen=True, slots=True)
class HandActRequest:
    """One act; what it does not need is as it is here."""

    act: HandAct
    barrel: int = 0  # its handle
    other: int = 0
    for_s: float = LEAST_S
    vigour: ShakeVigour = ShakeVigour.AS_USUAL


@record("HeardOf")
class HeardOf:
    """What is heard of one barrel, in ms since the act was asked for."""

    barrel: int
    knocks: tuple[HeardKnock, ...]


@record("Felt")
class HandActResult:
    """The result of an act: for how long the hands are busy, what is heard, and what is read."""

    lasts_ms: int = 0
    heard: tuple[HeardOf, ...] = ()
    read: Peeked | None = None


class Hands(Protocol):
    """A person at one seat; whatever cannot be done raises a CompanionError that says why.

    Whoever touches a barrel takes the seat. Two barrels in hands are the most. What is not in hand
    yet is lifted first; only what stands on the plateau or at the own seat can be reached.
    """

    def table(self) -> SightOfTable:
        """Look at the table; that alone does not take the seat, and anybody may."""

    def stay(self) -> None:
        """Note that whoever sits there is still here, or a guest would play on some time."""

    def do(self, asked: HandActRequest) -> HandActResult:
        """Do something with the hands: shake for up to 0.8 s at once, peek or press for up to 3."""

    def follow(self, handle: int, samples: PhoneSamples) -> PhoneFelt:
        """Move a barrel in hand, or before the seat, as a phone is moved."""
