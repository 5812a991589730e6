"""What the page of the simulated table takes and sends: acts of a person's hands, and looks.

What `HandActResult` tells are perceptions of one person in that world: its stones and labels make
them, and the companion knows none of them.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from companion.present import simulated_hands
from companion.present.simulated_hands import LEAST_S, HandAct, HandActRequest
from companion.sensing.settings import BARRELS
from companion.system import codec, format_names
from companion.web.common.errors import Malformed
from companion.web.validation import LONGEST, not_between

MOST_S: Final = 3.0
SAMPLES: Final = 64  # of a phone's motion, at once: half a second of the quickest sensor
LARGEST_FELT: Final = 1e10  # a clock's milliseconds since the page was opened, or any force


NEEDS: Final[Mapping[HandAct, tuple[str, ...]]] = {
    **dict.fromkeys((HandAct.LIFT, HandAct.PUT_BACK, HandAct.PLACE, HandAct.FLIP), ("barrel",)),
    HandAct.SHAKE: ("barrel", "for_s", "vigour"),
    HandAct.COMPARE: ("barrel", "other"),
    HandAct.PEEK: ("barrel", "for_s"),
    HandAct.PRESS: ("for_s",),
    HandAct.SIT: (),
    HandAct.LEAVE: (),
}


@format_names.record("Look")
class SimulatedTableView:
    """The simulated table as everybody sees it, and who sits there, clockwise."""

    seats: tuple[str, ...]
    sight: simulated_hands.SightOfTable


def asked(data: Mapping[str, Any]) -> HandActRequest:
    """Return the act that JSON carried, strictly.

    >>> asked({"act": "shake", "barrel": 3, "for_s": 0.5, "vigour": "wildly"}).vigour
    <ShakeVigour.WILDLY: 'wildly'>
    """
    act = _word(data, "act", HandAct)
    for name in data:
        if name not in ("act", *NEEDS[act]):
            raise Malformed("'{where}' has no place in this request.", where=name[:LONGEST])
    given: dict[str, Any] = {}
    for name in NEEDS[act]:
        match name:
            case "for_s":
                given[name] = _seconds(data, name)
            case "vigour":
                given[name] = _word(data, name, simulated_hands.ShakeVigour)
            case _:
                given[name] = _handle(data, name)
    return HandActRequest(act, **given)


def moved(data: Mapping[str, Any], phone: str) -> tuple[int, simulated_hands.PhoneSamples]:
    """Return the barrel that a phone moves, and its samples, strictly.

    >>> lying = {"down": [0, 0, -9.8], "up": [0, 0, 9.8]}
    >>> moved({"barrel": 3, "felt": [[12.5, 0, 0, -9.8]], "flips": False, **lying}, "p")[1].at_ms
    (12.5,)
    """
    for name in data:
        if name not in ("barrel", "down", "up", "felt", "flips"):
            raise Malformed("'{where}' has no place in this request.", where=name[:LONGEST])
    rows = data.get("felt")
    if not isinstance(rows, list) or not 1 <= len(rows) <= SAMPLES:
        raise Malformed("'{where}' must have 1 to {most} parts.", where="felt", most=SAMPLES)
    flips = data.get("flips")
    if not isinstance(flips, bool):
        raise Malformed("'{where}' must be true or false.", where="flips")
    handle, felt = _handle(data, "barrel"), [_numbers(row, "felt", 4) for row in rows]
    down, up = (_numbers(data.get(name), name, 3) for name in ("down", "up"))
    return handle, simulated_hands.PhoneSamples(
        phone,
        (down[0], down[1], down[2]),
        (up[0], up[1], up[2]),
        tuple(row[0] for row in felt),
        tuple((row[1], row[2], row[3]) for row in felt),
        flips,
    )


def _numbers(row: object, name: str, count: int) -> list[float]:
    if isinstance(row, list) and len(row) == count and all(map(_fits, row)):
        return [float(number) for number in row]
    raise Malformed("'{where}' must be {count} numbers.", where=name, count=count)


def _fits(number: object) -> bool:
    return type(number) in {int, float} and abs(number) <= LARGEST_FELT  # type: ignore[arg-type]


def _word(data: Mapping[str, Any], name: str, kind: type[Enum]) -> Any:
    known, word = codec.members(kind), data.get(name)
    if not isinstance(word, str) or word not in known:
        raise Malformed("'{where}' must be one of {words}.", where=name, words=(*known,))
    return known[word]


def _handle(data: Mapping[str, Any], name: str) -> int:
    handle = data.get(name)
    if type(handle) is not int or not 0 <= handle < BARRELS:
        raise not_between(name, 0, BARRELS - 1)
    return handle


def _seconds(data: Mapping[str, Any], name: str) -> float:
    seconds = data.get(name)
    fits = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not fits or not LEAST_S <= (seconds or 0) <= MOST_S:
        raise Malformed(
            "'{where}' must be a number from {least} to {most}.",
            where=name,
            least=LEAST_S,
            most=MOST_S,
        )
    return float(seconds or 0)
