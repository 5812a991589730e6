"""What the page of the simulated table takes and sends: acts of a person's hands, and looks.

What `Felt` tells are perceptions of one person in that world: its stones and labels make them, and
the companion knows none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from companion.core.fields import members
from companion.present.simulated_hands import Knock, Peeked, Sight, Vigour
from companion.sensing.settings import BARRELS
from companion.system.errors import CompanionError
from companion.system.format_names import format_name
from companion.web.common.errors import malformed
from companion.web.validation import LONGEST

LEAST_S: Final = 0.1
MOST_S: Final = 3.0


class Deed(Enum):
    """What hands can do."""

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


NEEDS: Final[Mapping[Deed, tuple[str, ...]]] = {
    **dict.fromkeys((Deed.LIFT, Deed.PUT_BACK, Deed.PLACE, Deed.FLIP), ("barrel",)),
    Deed.SHAKE: ("barrel", "for_s", "vigour"),
    Deed.COMPARE: ("barrel", "other"),
    Deed.PEEK: ("barrel", "for_s"),
    Deed.PRESS: ("for_s",),
    Deed.SIT: (),
    Deed.LEAVE: (),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One act; what it does not need is as it is here."""

    deed: Deed
    barrel: int = 0
    other: int = 0
    for_s: float = LEAST_S
    vigour: Vigour = Vigour.AS_USUAL


@format_name("Look")
@dataclass(frozen=True, slots=True)
class Look:
    """The simulated table as everybody sees it, and who sits there, clockwise."""

    seats: tuple[str, ...]
    sight: Sight


@format_name("HeardOf")
@dataclass(frozen=True, slots=True)
class HeardOf:
    """What is heard of one barrel, in ms since the act was asked for."""

    barrel: int
    knocks: tuple[Knock, ...]


@format_name("Felt")
@dataclass(frozen=True, slots=True)
class Felt:
    """The result of an act: for how long the hands are busy, what is heard, and what is read."""

    lasts_ms: int = 0
    heard: tuple[HeardOf, ...] = ()
    read: Peeked | None = None


def asked(data: Mapping[str, Any]) -> Asked:
    """Return the act that JSON carried, strictly.

    >>> asked({"act": "shake", "barrel": 3, "for_s": 0.5, "vigour": "wildly"}).vigour
    <Vigour.WILDLY: 'wildly'>
    """
    deed = _word(data, "act", Deed)
    for name in data:
        if name not in ("act", *NEEDS[deed]):
            raise malformed(
                CompanionError("'{where}' has no place in this request.", where=name[:LONGEST])
            )
    given: dict[str, Any] = {}
    for name in NEEDS[deed]:
        match name:
            case "for_s":
                given[name] = _seconds(data, name)
            case "vigour":
                given[name] = _word(data, name, Vigour)
            case _:
                given[name] = _handle(data, name)
    return Asked(deed, **given)


def _word(data: Mapping[str, Any], name: str, kind: type[Enum]) -> Any:
    known, word = members(kind), data.get(name)
    if not isinstance(word, str) or word not in known:
        raise malformed(
            CompanionError("'{where}' must be one of {words}.", where=name, words=(*known,))
        )
    return known[word]


def _handle(data: Mapping[str, Any], name: str) -> int:
    handle = data.get(name)
    if type(handle) is not int or not 0 <= handle < BARRELS:
        raise malformed(
            CompanionError(
                "'{where}' must be a whole number from {least} to {most}.",
                where=name,
                least=0,
                most=BARRELS - 1,
            )
        )
    return handle


def _seconds(data: Mapping[str, Any], name: str) -> float:
    seconds = data.get(name)
    fits = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not fits or not LEAST_S <= (seconds or 0) <= MOST_S:
        raise malformed(
            CompanionError(
                "'{where}' must be a number from {least} to {most}.",
                where=name,
                least=LEAST_S,
                most=MOST_S,
            )
        )
    return float(seconds or 0)
