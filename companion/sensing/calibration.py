"""What is kept of each stopper from one evening to the next, as a value, and as JSON and back.

It must not know files: `companion.referee.shelf` keeps them. It holds the numbers of the barrels,
so nobody may see it before the game is over.

    {"rappelwacht-calibration": 1,      the version of this format; a greater one is not read
     "saved": "2026-11-21T20:15:00Z",   by the host's clock, for people to choose by
     "stone_mg": 372.1,                 mean of a stone, or null
     "stoppers": [
       {"stopper": 1,                   the host's number for it, 1 to 13
        "node": "7cdfa1000001",         the radio's address, which is what it is known by
        "empty": {"mg": 22013.2, "sd_mg": 26.1, "times": 3},    or null
        "barrel": 7,                    its number, 1 to 13, or null
        "sure": 0.9998,                 probability that this is right when it was enrolled
        "read": false,                  whether people have read the number
        "enrolled": "2026-11-21T20:14:02Z",                     or null
        "whole": {"mg": …, "sd_mg": …, "times": 1},             with its stones, or null
        "zeros": [{"at": "…", "raw": 8123, "temperature_cc": 2140}, …]}],   the newest last
     "check": "9f86d081884c7d65"}       start of SHA-256 over all else, as this module writes it
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from hashlib import sha256
from math import isfinite
from typing import Any, Final

from companion.sensing.enrolment import Enrolling, Next
from companion.sensing.settings import BARRELS, Settings
from companion.sensing.weighing import Mass, together

FORMAT: Final = 1
NAME: Final = "rappelwacht-calibration"
MOST_ZEROS: Final = 20  # an evening has hundreds of lifts, and the newest tell most


class Unusable(Enum):
    """Why a text is no calibration, as a sentence."""

    TORN = "This calibration is damaged, perhaps by a power cut."
    FOREIGN = "This is not a calibration of Rappelwacht."
    NEWER = "This calibration was saved by a newer Rappelwacht: update this one to use it."
    WRONG = "This calibration says what cannot be, as if it had been changed by hand."


@dataclass(frozen=True, slots=True)
class Zeroed:
    """A cell's zero at one time."""

    at: str
    raw: int
    temperature_cc: int


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one stopper."""

    stopper: int
    node: str
    empty: Mass | None = None
    barrel: int | None = None
    sure: float = 0.0
    read: bool = False
    enrolled: str | None = None
    whole: Mass | None = None
    zeros: tuple[Zeroed, ...] = ()

    def with_zero(self, zero: Zeroed) -> Kept:
        """Return it with one more zero; the oldest are forgotten."""
        return replace(self, zeros=(*self.zeros, zero)[-MOST_ZEROS:])


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is kept of all."""

    saved: str
    stoppers: tuple[Kept, ...] = ()
    stone_mg: float | None = None

    def of(self, node: str) -> Kept | None:
        """Return what is kept of a stopper by its radio's address."""
        return next((kept for kept in self.stoppers if kept.node == node), None)

    def numbers(self, certain: float) -> dict[int, int]:
        """Return the barrel's number of each stopper of which it is certain."""
        return {
            kept.stopper: kept.barrel
            for kept in self.stoppers
            if kept.barrel is not None and (kept.read or kept.sure >= certain)
        }

    def with_stoppers(self, saved: str, stoppers: Iterable[Kept]) -> Calibration:
        """Return it with these in the place of what was known of them."""
        all_of_them = {kept.node: kept for kept in (*self.stoppers, *stoppers)}
        in_order = sorted(all_of_them.values(), key=lambda kept: kept.stopper)
        return replace(self, saved=saved, stoppers=tuple(in_order))


def enrolled(
    before: Calibration, state: Enrolling, at: str, settings: Settings
) -> Calibration | None:
    """Return it with what an enrolment found out; None as long as that is not at its end."""
    verdict = state.verdict
    if verdict is None or verdict.next is not Next.DONE:
        return None
    found = []
    for kept in before.stoppers:
        if kept.stopper not in verdict.numbers:
            found.append(replace(kept, barrel=None, sure=0.0, read=False, whole=None))
            continue
        candidate, number = state.candidates[kept.stopper], verdict.numbers[kept.stopper]
        found.append(
            replace(
                kept,
                barrel=number,
                sure=verdict.sure[kept.stopper],
                read=candidate.read is not None,
                enrolled=at,
                whole=together(candidate.weights, settings),
            )
        )
    return replace(before.with_stoppers(at, found), stone_mg=verdict.stone_mg)


def write(calibration: Calibration) -> str:
    """Return it as JSON.

    >>> read(write(Calibration("2026-11-21T20:15:00Z")))
    Calibration(saved='2026-11-21T20:15:00Z', stoppers=(), stone_mg=None)
    """
    body = {
        NAME: FORMAT,
        "saved": calibration.saved,
        "stone_mg": calibration.stone_mg,
        "stoppers": [_packed(kept) for kept in calibration.stoppers],
    }
    return json.dumps(body | {"check": _check(body)}, indent=1, allow_nan=False) + "\n"


def read(text: str) -> Calibration | Unusable:
    """Return what was written, or why it cannot be used."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return Unusable.TORN
    if not isinstance(body, dict) or type(body.get(NAME)) is not int:
        return Unusable.FOREIGN
    if body[NAME] > FORMAT:
        return Unusable.NEWER
    if body.pop("check", None) != _check(body):
        return Unusable.TORN
    try:
        found = Calibration(
            _text(body["saved"]),
            tuple(_kept(one) for one in body["stoppers"]),
            None if body["stone_mg"] is None else _figure(body["stone_mg"], least=0.0),
        )
    except (KeyError, TypeError, ValueError):
        return Unusable.WRONG
    return found if _fits(found) else Unusable.WRONG


def _check(body: Mapping[str, Any]) -> str:
    return sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]


def _fits(found: Calibration) -> bool:
    """Tell whether no two stoppers are the same, nor hold the same number."""
    barrels = [kept.barrel for kept in found.stoppers if kept.barrel is not None]
    nodes = {kept.node for kept in found.stoppers}
    numbers = {kept.stopper for kept in found.stoppers}
    each_once = len(nodes) == len(numbers) == len(found.stoppers)
    return each_once and len(set(barrels)) == len(barrels)


def _packed(kept: Kept) -> dict[str, object]:
    return {
        "stopper": kept.stopper,
        "node": kept.node,
        "empty": _packed_mass(kept.empty),
        "barrel": kept.barrel,
        "sure": kept.sure,
        "read": kept.read,
        "enrolled": kept.enrolled,
        "whole": _packed_mass(kept.whole),
        "zeros": [
            {"at": zero.at, "raw": zero.raw, "temperature_cc": zero.temperature_cc}
            for zero in kept.zeros
        ],
    }


def _packed_mass(mass: Mass | None) -> dict[str, float] | None:
    return None if mass is None else {"mg": mass.mg, "sd_mg": mass.sd_mg, "times": mass.times}


def _kept(one: Mapping[str, Any]) -> Kept:
    node = _text(one["node"])
    if len(bytes.fromhex(node)) != 6:
        raise ValueError(node)
    if type(one["read"]) is not bool:
        raise TypeError(one["read"])
    return Kept(
        _whole(one["stopper"], 1, BARRELS),
        node,
        _mass(one["empty"]),
        None if one["barrel"] is None else _whole(one["barrel"], 1, BARRELS),
        _figure(one["sure"], least=0.0, most=1.0),
        one["read"],
        None if one["enrolled"] is None else _text(one["enrolled"]),
        _mass(one["whole"]),
        tuple(
            Zeroed(_text(zero["at"]), _whole(zero["raw"]), _whole(zero["temperature_cc"]))
            for zero in one["zeros"]
        ),
    )


def _mass(one: Mapping[str, Any] | None) -> Mass | None:
    if one is None:
        return None
    return Mass(_figure(one["mg"]), _figure(one["sd_mg"], least=0.0), _whole(one["times"], 1))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _whole(value: object, least: int = -(1 << 31), most: int = 1 << 31) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(value)
    return value


def _figure(value: object, least: float = -1e9, most: float = 1e9) -> float:
    if type(value) not in (int, float) or not isinstance(value, int | float):
        raise TypeError(value)
    if not isfinite(value) or not least <= value <= most:
        raise ValueError(value)
    return float(value)
