"""What came in beside the link, as a recording keeps it, strictly there and back.

Each is a line:

    {"kind":"pad","seat":"red","closed":true,"at_us":15200}
    {"kind":"choosing","seats":["red","blue"],"at_us":20000}      all of these shake and place
    {"kind":"chosen","at_us":90000}                               from now on flipping is the game
    {"kind":"settled","seat":"red","stopper":4,"at_us":30000}     people say so
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.sensing.observations import ChoosingBegan, ChoosingEnded, PadChanged, Settled

Noted = PadChanged | ChoosingBegan | ChoosingEnded | Settled


def as_note(seen: object) -> dict[str, Any] | None:
    """Return what is noted of something; None: it is in the link, or nothing for a recording.

    >>> as_note(PadChanged("red", True, 5))
    {'kind': 'pad', 'seat': 'red', 'closed': True, 'at_us': 5}
    """
    match seen:
        case PadChanged(colour, occupied, at_us):
            return {"kind": "pad", "seat": colour, "closed": occupied, "at_us": at_us}
        case ChoosingBegan(seats, at_us):
            return {"kind": "choosing", "seats": list(seats), "at_us": at_us}
        case ChoosingEnded(at_us):
            return {"kind": "chosen", "at_us": at_us}
        case Settled(colour, stopper, at_us):
            return {"kind": "settled", "seat": colour, "stopper": stopper, "at_us": at_us}
    return None


def from_note(note: Mapping[str, Any]) -> Noted | None:
    """Return what was noted; None: something else, or it is damaged.

    >>> from_note({"kind": "pad", "seat": "red", "closed": True, "at_us": 5})
    PadChanged(colour='red', occupied=True, at_us=5)
    >>> from_note({"kind": "pad", "seat": "red"}) is None
    True
    """
    match note:
        case {"kind": "pad", "seat": str(seat), "closed": bool(closed), "at_us": int(at_us)}:
            return PadChanged(seat, closed, at_us)
        case {"kind": "choosing", "seats": [*seats], "at_us": int(at_us)}:
            return ChoosingBegan(tuple(map(str, seats)), at_us)
        case {"kind": "chosen", "at_us": int(at_us)}:
            return ChoosingEnded(at_us)
        case {
            "kind": "settled",
            "seat": str(seat),
            "stopper": None | int() as stopper,
            "at_us": int(at_us),
        }:
            return Settled(seat, stopper, at_us)
    return None
