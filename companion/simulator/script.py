"""Scripts for the simulated table: lines that people can read, as data; it carries nothing out.

    2.5 blue lifts 7                      2.5 s after the beginning
    +0.4 blue shakes 7 gently for 1.2     0.4 s after the line before began, or once hands are free
    blue peeks 7 for 0.6                  when all before is done
    +1 fault loss 30%                     # what follows a hash is a remark

Barrels are called by the number on their label. The words are those of WORDS and FAULTS.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.errors import CompanionError
from companion.rules.zapp_zerapp import BARRELS, Colour
from companion.simulator.habits import Vigour


class BadScript(CompanionError, ValueError):
    """A line of a script that says nothing; it names the line and what would be right."""


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


@dataclass(frozen=True, slots=True)
class Act:
    """What people do; only what the verb needs is given."""

    verb: Verb
    seat: Colour | None = None
    barrels: tuple[int, ...] = ()
    to: Colour | None = None
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
    """One line: at a time, or so long after the line before; with neither, when all is done."""

    number: int
    what: Act | Fault
    at_s: float | None = None
    later_s: float | None = None


NUMBER = r"(?P<{}>\d+)"
FOR = r"(?: for (?P<for_s>\d+(?:\.\d+)?))?"
ONE = NUMBER.format("one")
WORDS: Final = {
    Verb.LIFT: (ONE, "lifts 7"),
    Verb.SHAKE: (f"{ONE}(?: (?P<vigour>gently|firmly|wildly))?{FOR}", "shakes 7 gently for 1.2"),
    Verb.COMPARE: (f"{ONE} {NUMBER.format('two')}{FOR}", "compares 3 5 for 1.5"),
    Verb.HAND_OVER: (f"{ONE} to (?P<to>[a-z]+)", "hands 7 to green"),
    Verb.PUT_BACK: (f"back {ONE}", "puts back 7"),
    Verb.PLACE: (f"{ONE}(?: at (?P<to>[a-z]+))?", "places 7, or places 7 at green"),
    Verb.PEEK: (rf"{ONE}(?: to (?P<to_deg>\d+)°?)?{FOR}", "peeks 7 to 90° for 0.6"),
    Verb.TIP: (rf"{ONE}(?: to (?P<to_deg>\d+)°?)?{FOR}", "tips 7 to 30° for 0.6"),
    Verb.FLIP: (ONE, "flips 7"),
    Verb.CARRY: (f"{ONE}{FOR}", "carries 7 for 2"),
    Verb.DROP: (rf"{ONE}(?: from (?P<from_cm>\d+) ?cm)?", "drops 7 from 30 cm"),
    Verb.PRESS: (FOR, "presses for 0.8"),
    Verb.ROLL: (r"(?P<magic>[2-9]|1[0-2])", "rolls 9"),
}
BY_NOBODY: Final = {"kick": Verb.KICK, "all flip": Verb.FLIP_ALL}
BARREL, SHARE = NUMBER.format("barrel"), r"(?P<amount>\d+(?:\.\d+)?) ?%"
CHIP = "(?P<part>accelerometer|cell)"
FAULTS: Final = {
    "loss": (SHARE, "fault loss 30%"),
    "duplicate": (SHARE, "fault duplicate 5%"),
    "reorder": (SHARE, "fault reorder 5%"),
    "reboot": (BARREL, "fault reboot 7"),
    "flat": (BARREL, "fault flat 4"),
    "stuck": (f"{BARREL} {CHIP}", "fault stuck 5 accelerometer"),
    "saturated": (f"{BARREL} {CHIP}", "fault saturated 5 cell"),
    "bus": (f"{BARREL}(?: {CHIP})?{FOR}", "fault bus 5 cell for 2"),
    "drift": (rf"{BARREL} (?P<amount>-?\d+) ?ppm", "fault drift 5 200 ppm"),
    "unplug": (FOR, "fault unplug for 3"),
    "silent": (FOR, "fault silent for 5"),
    "garbage": (r"(?:(?P<amount>\d+) ?bytes)?", "fault garbage 200 bytes"),
    "absent": ("(?P<part>lights|hub|pads)", "fault absent lights"),
    "clear": ("", "fault clear"),
}
TIME = re.compile(r"(?P<plus>\+)?(?P<time>\d+(?:\.\d+)?)(?: |$)")


def read(text: str) -> tuple[Line, ...]:
    """Return a script's lines, or raise what is wrong with the first bad one.

    >>> read("2.5 blue lifts 7")[0].what.barrels
    (7,)
    >>> read("blue lifts 14")
    Traceback (most recent call last):
    companion.simulator.script.BadScript: line 1: there is no barrel 14; barrels are 1 to 13.
    """
    lines, before = [], 0.0
    for number, raw in enumerate(text.splitlines(), 1):
        words = " ".join(raw.partition("#")[0].lower().split())
        if not words:
            continue
        line = _line(number, words)
        if line.at_s is not None:
            if line.at_s < before:
                raise BadScript(
                    "line {line}: {at} s lies before {before} s; write a later time, or +{at}.",
                    line=number,
                    at=line.at_s,
                    before=before,
                )
            before = line.at_s
        lines.append(line)
    return tuple(lines)


def _line(number: int, words: str) -> Line:
    at_s = later_s = None
    if stamp := TIME.match(words):
        words = words[stamp.end() :]
        if stamp["plus"]:
            later_s = float(stamp["time"])
        else:
            at_s = float(stamp["time"])
    what = _fault(number, words) if words.startswith("fault") else _act(number, words)
    return Line(number, what, at_s, later_s)


def _act(number: int, words: str) -> Act:
    if words in BY_NOBODY:
        return Act(BY_NOBODY[words])
    who, _, rest = words.partition(" ")
    seat = _colour(number, who)
    does, _, rest = rest.partition(" ")
    verb = next((verb for verb in WORDS if verb.value == does), None)
    if verb is None:
        raise BadScript(
            "line {line}: nobody can '{word}'; write one of {words}.",
            line=number,
            word=does,
            words=", ".join(verb.value for verb in WORDS),
        )
    pattern, example = WORDS[verb]
    found = _found(number, pattern, rest, f"{who} {example}")
    barrels = tuple(_barrel(number, found[name]) for name in ("one", "two") if found.get(name))
    return Act(
        verb,
        seat,
        barrels,
        _colour(number, to) if (to := found.get("to")) else None,
        Vigour[found["vigour"].upper()] if found.get("vigour") else Vigour.AS_USUAL,
        _figure(found.get("for_s")),
        _figure(found.get("to_deg")),
        _figure(found.get("from_cm")),
        int(found["magic"]) if found.get("magic") else None,
    )


def _fault(number: int, words: str) -> Fault:
    name, _, rest = words.removeprefix("fault").strip().partition(" ")
    if name not in FAULTS:
        raise BadScript(
            "line {line}: there is no fault '{word}'; write one of {words}.",
            line=number,
            word=name,
            words=", ".join(FAULTS),
        )
    pattern, example = FAULTS[name]
    found = _found(number, pattern, rest, example)
    amount = _figure(found.get("amount"))
    if amount is not None and "%" in pattern:
        amount /= 100.0
    barrel = _barrel(number, found["barrel"]) if found.get("barrel") else None
    return Fault(name, barrel, found.get("part"), amount, _figure(found.get("for_s")))


def _found(number: int, pattern: str, rest: str, example: str) -> dict[str, str]:
    match = re.fullmatch(pattern, rest) or re.fullmatch(pattern, f" {rest}")
    if match is None:
        raise BadScript(
            "line {line}: '{text}' does not fit here; write for example: {example}",
            line=number,
            text=rest,
            example=example,
        )
    return {name: value for name, value in match.groupdict().items() if value}


def _barrel(number: int, word: str) -> int:
    if not 1 <= int(word) <= BARRELS:
        raise BadScript(
            "line {line}: there is no barrel {barrel}; barrels are 1 to {last}.",
            line=number,
            barrel=int(word),
            last=BARRELS,
        )
    return int(word)


def _colour(number: int, word: str) -> Colour:
    for colour in Colour:
        if colour.name.lower() == word:
            return colour
    raise BadScript(
        "line {line}: '{word}' is no seat; begin with {colours}, kick, all flip or fault.",
        line=number,
        word=word,
        colours=", ".join(colour.name.lower() for colour in Colour),
    )


def _figure(word: str | None) -> float | None:
    return None if word is None else float(word)
