"""Reads what is noted in a recording beside the link: pads, choosing, steps of measuring."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.maintenance.measurement import DoneStep, MeasuringStep, Task
from companion.sensing.observations import (
    ChoosingBegan,
    ChoosingEnded,
    NameRead,
    Noted,
    PadChanged,
    Settled,
)

HELD: Final = ("weigh", "carry", "hand_over")  # what only a phone is asked for, and is no look
BY_NAME: Final = {task.name.lower(): task for task in Task} | dict.fromkeys(HELD, Task.PLAY)


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
        case {
            "kind": "name",
            "seat": str(seat),
            "name": int(name),
            "stands": bool(stands),
            "weighs": bool(weighs),
            "touch": int(touch),
            "at_us": int(at_us),
        }:
            return NameRead(seat, name, stands, weighs, touch, at_us)
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


def from_notes(notes: Iterator[Mapping[str, Any]]) -> tuple[DoneStep, ...]:
    """Return the steps that count, of all that a recording notes; what is damaged is left out."""
    done: list[DoneStep] = []
    for note in notes:
        match note:
            case {"kind": "again"}:
                del done[-1:]
            case {
                "kind": "done",
                "task": str(task),
                "stopper": None | int() as stopper,
                "seat": None | str() as seat,
                "from_us": int(from_us),
                "to_us": int(to_us),
                "noticed": bool(noticed),
            } if task in BY_NAME:
                asked = BY_NAME[task]
                if asked is Task.PLACE and seat is None:  # a phone was laid down, on no pad
                    asked = Task.PLAY
                done.append(DoneStep(MeasuringStep(asked, stopper, seat), from_us, to_us, noticed))
    return tuple(done)
