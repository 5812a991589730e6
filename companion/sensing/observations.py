"""The observations that come into sensing: messages of stoppers, pads, buttons, what people say.

Times are microseconds on the host's clock, which never goes back; a stopper is called by the number
that the host gave it, never by its barrel's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

EVENT_NUMBERS: Final = 1 << 16  # of a stopper; then they start over
LONG_AGO_US: Final = -(1 << 62)  # before anything happened
FOREVER_US: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class Observation:
    """One message of one stopper, when the host had it, and how loud it was."""

    at_us: int
    node: bytes
    name: str
    boot: int
    seq: int  # in this boot, from 1; a gap means packets that were missed
    sent_us: int  # on the stopper's clock
    hub_us: int  # when the hub had it, on the hub's
    rssi: int
    fields: dict[str, Any]
    gap: int = 0  # packets that are missing just before it
    resent: bool = False  # not an event's first try


@dataclass(frozen=True, slots=True)
class Refused:
    """What a stopper says is ignored: nobody understands it, or no working stopper says it."""

    stopper: int
    foreign: bool  # it speaks another version of the link; if not, it is nonsense
    at_us: int


@dataclass(frozen=True, slots=True)
class PadChanged:
    """A barrel was put on a seat's pad, or taken off."""

    colour: str
    occupied: bool
    at_us: int


@dataclass(frozen=True, slots=True)
class NameRead:
    """A barrel on a seat's pad said its name there by infrared: see `name_word`."""

    colour: str
    name: int
    stands: bool  # as its load cell says, or, without one, as it is upright and calm
    weighs: bool  # it has a load cell
    touch: int  # the last bits of the number of its newest SET
    at_us: int  # when the word was over
    stopper: int = 0  # whose name that is; 0: not known yet


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A seat's button was pressed; a long press is told while it is still held."""

    colour: str
    long: bool
    at_us: int  # when it went down
    held_us: int


@dataclass(frozen=True, slots=True)
class ButtonHeld:
    """What became of a long press: it was held on as nobody does by chance, or released."""

    colour: str
    on: bool
    at_us: int  # when it went down


@dataclass(frozen=True, slots=True)
class Settled:
    """People say which stopper stands at a seat; None: none does, -1: one that cannot be felt."""

    colour: str
    stopper: int | None
    at_us: int
    remembered: bool = False  # nobody says it now: it stood there before the power was cut
    mark: tuple[int, int] | None = None  # with it: its boot and newest event then, if known


@dataclass(frozen=True, slots=True)
class ChoosingBegan:
    """The magic number is known: these seats shake, choose and place; peeking is forbidden."""

    seats: tuple[str, ...]
    at_us: int


@dataclass(frozen=True, slots=True)
class ChoosingEnded:
    """All have placed, or the table goes on without them: from now on flipping is the game."""

    at_us: int


@dataclass(frozen=True, slots=True)
class MeasuredTime:
    """A time on the host's clock, and by how much it may be wrong either way."""

    at_us: int
    doubt_us: int

    def before(self, other: MeasuredTime) -> bool | None:
        """Return whether this came first; None is a tie, which nobody can decide.

        >>> MeasuredTime(0, 3_000).before(MeasuredTime(10_000, 3_000))
        True
        >>> MeasuredTime(0, 3_000).before(MeasuredTime(5_000, 3_000)) is None
        True
        """
        apart_us = other.at_us - self.at_us
        if abs(apart_us) <= self.doubt_us + other.doubt_us:
            return None
        return apart_us > 0


@dataclass(frozen=True, slots=True)
class StopperMessage:
    """A message of a stopper whose time is known: when what it tells happened."""

    stopper: int
    name: str  # as in wire.MESSAGES
    moment: MeasuredTime  # of `at_us`, if it has one, else of sending
    heard_us: int  # when the host had it
    boot: int
    gap: int  # packets of this stopper that are missing just before it
    fields: dict[str, Any]
    resent: bool = False  # not an event's first try
    on_the_way_us: int = 0  # how much longer than usual

    @property
    def unread(self) -> bool:
        """Whether its load cell has read nothing since the boot; no reading is so exactly nothing.

        >>> loads = dict.fromkeys(("load_mg", "load_min_mg", "load_max_mg"), 0)
        >>> StopperMessage(4, "FEATURES", MeasuredTime(0, 0), 0, 1, 0, loads).unread
        True
        """
        return not any(self.fields.get(f"load{end}_mg") for end in ("", "_min", "_max"))


Choosing = ChoosingBegan | ChoosingEnded
Seen = Observation | Refused | PadChanged | NameRead | ButtonPressed | Settled | Choosing


Noted = PadChanged | NameRead | ChoosingBegan | ChoosingEnded | Settled


def as_note(seen: object) -> dict[str, Any] | None:
    """Return what is noted of something; None: it is in the link, or nothing for a recording.

    >>> as_note(PadChanged("red", True, 5))
    {'kind': 'pad', 'seat': 'red', 'closed': True, 'at_us': 5}
    """
    match seen:
        case PadChanged(colour, occupied, at_us):
            return {"kind": "pad", "seat": colour, "closed": occupied, "at_us": at_us}
        case NameRead(colour, name, stands, weighs, touch, at_us, _):
            content = {"name": name, "stands": stands, "weighs": weighs, "touch": touch}
            return {"kind": "name", "seat": colour, **content, "at_us": at_us}
        case ChoosingBegan(seats, at_us):
            return {"kind": "choosing", "seats": list(seats), "at_us": at_us}
        case ChoosingEnded(at_us):
            return {"kind": "chosen", "at_us": at_us}
        case Settled(colour, stopper, at_us):
            return {"kind": "settled", "seat": colour, "stopper": stopper, "at_us": at_us}
    return None
