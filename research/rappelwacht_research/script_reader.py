"""Reads scripts for the simulated table: lines that people can write, as data.

    2.5 blue lifts 7                      2.5 s after the beginning
    +0.4 blue shakes 7 gently for 1.2     0.4 s after the line before began, or once hands are free
    blue peeks 7 for 0.6                  when all before is done
    +1 fault loss 30%                     # what follows a hash is a remark

Barrels are called by the number on their label. The words are those of WORDS and FAULTS, and
every number has its BOUNDS. A script has at most 5000 lines, lasts at most six hours.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.sensing.settings import BARRELS
from companion.simulator.hand_params import ScriptVigour
from companion.simulator.script import ScriptAct, Verb
from companion.system import config, errors
from companion.system.text import SeatName
from rappelwacht_research.faults import ScriptFault
from rappelwacht_research.mishaps import Mishap
from rappelwacht_research.scene import LONGEST_S, SceneLine


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
WORDS: Final[Mapping[Verb | Mishap, tuple[str, str]]] = {
    Verb.LIFT: (ONE, "lifts 7"),
    Verb.SHAKE: (f"{ONE}(?: (?P<vigour>gently|firmly|wildly))?{FOR}", "shakes 7 gently for 1.2"),
    Verb.COMPARE: (f"{ONE} {NUMBER.format('two')}{FOR}", "compares 3 5 for 1.5"),
    Verb.HAND_OVER: (f"{ONE} to (?P<to>[a-z]+)", "hands 7 to green"),
    Verb.PUT_BACK: (f"back {ONE}", "puts back 7"),
    Verb.PLACE: (f"{ONE}(?: at (?P<to>[a-z]+))?", "places 7, or places 7 at green"),
    Verb.PEEK: (f"{ONE}{DEG}{FOR}", "peeks 7 to 90° for 0.6"),
    Mishap.TIP: (f"{ONE}{DEG}{FOR}", "tips 7 to 30° for 0.6"),
    Verb.FLIP: (ONE, "flips 7"),
    Verb.CARRY: (f"{ONE}{FOR}", "carries 7 for 2"),
    Verb.DROP: (f"{ONE}(?: from (?P<from_cm>[0-9]+) ?cm)?", "drops 7 from 30 cm"),
    Mishap.TOPPLE: (ONE, "topples 7"),  # knocks it over; the others lay it down before
    Mishap.LAY: (ONE, "lays 7"),
    Mishap.PUSH: (ONE, "pushes 7"),
    Mishap.ROCK: (ONE, "rocks 7"),
    Mishap.TRUNDLE: (f"{ONE}{FOR}", "trundles 7 for 2"),
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


LONGEST_LINE: Final = 200  # characters
MOST_LINES: Final = 5_000
TIME: Final = re.compile(rf"(?P<plus>\+)?(?P<time>{FIGURE})(?: |$)")
SHOWN: Final = 40  # characters of what was written, when it is quoted


def read(text: str) -> tuple[SceneLine, ...]:
    """Return a script's lines, or raise what is wrong with the first bad one.

    >>> read("2.5 blue lifts 7")[0].what.barrels
    (7,)
    >>> read("blue lifts 14")
    Traceback (most recent call last):
    companion.system.errors.BadScript: line 1: there is no barrel 14; barrels are 1 to 13.
    """
    lines, before = list[SceneLine](), 0.0
    for number, raw in enumerate(text.splitlines(), 1):
        words = _words(number, raw)
        if not words:
            continue
        line = _line(number, words)
        if line.at_s is not None:
            if line.at_s < before:
                raise errors.BadScript(
                    "line {line}: {at} s is before {before} s; write a later time, or +{at}.",
                    line=number,
                    at=line.at_s,
                    before=before,
                )
            before = line.at_s
        lines.append(line)
        if len(lines) > MOST_LINES:
            raise errors.BadScript(
                "line {line}: a script has at most {most} lines; split it in two.",
                line=number,
                most=MOST_LINES,
            )
    return tuple(lines)


def _words(number: int, raw: str) -> str:
    """Return what a line says, without its remark."""
    words = raw.partition("#")[0]
    if len(words) > LONGEST_LINE:
        raise errors.BadScript(
            "line {line}: this line is too long; write at most {most} characters.",
            line=number,
            most=LONGEST_LINE,
        )
    return " ".join(words.lower().split())


def _line(number: int, words: str) -> SceneLine:
    at_s = later_s = None
    if stamp := TIME.match(words):
        words = words[stamp.end() :]
        time_s = _figure(number, stamp["time"], "time")
        if stamp["plus"]:
            later_s = time_s
        else:
            at_s = time_s
    what = _fault(number, words) if words.startswith("fault") else _act(number, words)
    return SceneLine(number, what, at_s, later_s)


def _act(number: int, words: str) -> ScriptAct:
    if words in BY_NOBODY:
        return ScriptAct(BY_NOBODY[words])
    who, _, rest = words.partition(" ")
    seat = _colour(number, who)
    does, _, rest = rest.partition(" ")
    verb = next((verb for verb in WORDS if verb.value == does), None)
    if verb is None:
        raise errors.BadScript(
            "line {line}: '{word}' is not something to do; write one of {words}.",
            line=number,
            word=_short(does),
            words=", ".join(verb.value for verb in WORDS),
        )
    pattern, example = WORDS[verb]
    groups = _found(number, pattern, rest, f"{who} {example}")
    barrels = tuple(_barrel(number, groups[name]) for name in ("one", "two") if groups.get(name))
    if len(set(barrels)) != len(barrels):  # nobody compares a barrel with itself
        raise _misfit(number, rest, f"{who} {example}")
    return ScriptAct(
        verb,
        seat,
        barrels,
        _colour(number, to) if (to := groups.get("to")) else None,
        ScriptVigour[groups["vigour"].upper()] if groups.get("vigour") else ScriptVigour.AS_USUAL,
        _figure(number, groups.get("for_s"), "for_s"),
        _figure(number, groups.get("to_deg"), "to_deg"),
        _figure(number, groups.get("from_cm"), "from_cm"),
        int(groups["magic"]) if groups.get("magic") else None,
    )


def _fault(number: int, words: str) -> ScriptFault:
    name, _, rest = words.removeprefix("fault").strip().partition(" ")
    if name not in FAULTS:
        raise errors.BadScript(
            "line {line}: there is no fault '{word}'; write one of {words}.",
            line=number,
            word=_short(name),
            words=", ".join(FAULTS),
        )
    pattern, example = FAULTS[name]
    groups = _found(number, pattern, rest, example)
    amount = _figure(number, groups.get("amount"), groups.get("unit", ""))
    if amount is not None and name in SHARES:
        amount /= 100.0
    barrel = _barrel(number, groups["barrel"]) if groups.get("barrel") else None
    for_s = _figure(number, groups.get("for_s"), "fault_s")
    return ScriptFault(name, barrel, groups.get("part"), amount, for_s)


def _found(number: int, pattern: str, rest: str, example: str) -> dict[str, str]:
    match = re.fullmatch(pattern, rest) or re.fullmatch(pattern, f" {rest}")
    if match is None:
        raise _misfit(number, rest, example)
    return {name: value for name, value in match.groupdict().items() if value}


def _misfit(number: int, rest: str, example: str) -> errors.BadScript:
    return errors.BadScript(
        "line {line}: '{text}' does not belong here; write, for example: {example}",
        line=number,
        text=_short(rest),
        example=example,
    )


def _barrel(number: int, word: str) -> int:
    if not 1 <= float(word) <= BARRELS:
        raise errors.BadScript(
            "line {line}: there is no barrel {barrel}; barrels are 1 to {last}.",
            line=number,
            barrel=_short(word),
            last=BARRELS,
        )
    return int(float(word))


def _colour(number: int, word: str) -> SeatName:
    for colour in config.SEATS:
        if colour.name.lower() == word:
            return colour
    raise errors.BadScript(
        "line {line}: '{word}' is not a seat; begin with {colours}, kick, all flip, all mix or "
        "fault.",
        line=number,
        word=_short(word),
        colours=", ".join(colour.name.lower() for colour in config.SEATS),
    )


def _figure(number: int, word: str | None, name: str) -> float | None:
    """Return a number within its bounds; a figure of any length becomes a float."""
    if word is None:
        return None
    bounds, figure = BOUNDS[name], float(word)
    if not bounds.least <= figure <= bounds.most:
        raise errors.BadScript(
            "line {line}: {figure} is too small or too large; write {least} to {most}{unit}.",
            line=number,
            figure=_short(word),
            least=f"{bounds.least:g}",
            most=f"{bounds.most:g}",
            unit=bounds.unit,
        )
    return figure


def _short(text: str) -> str:
    """Return what somebody wrote, so that it does not fill a screen.

    >>> _short("9" * 400)
    '9999999999999999999999999999999999999999…'
    """
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
