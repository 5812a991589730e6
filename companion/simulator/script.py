"""Scripts for the simulated table: lines that people can read, as data; it carries nothing out.

    2.5 blue lifts 7                      2.5 s after the beginning
    +0.4 blue shakes 7 gently for 1.2     0.4 s after the line before began, or once hands are free
    blue peeks 7 for 0.6                  when all before is done
    +1 fault loss 30%                     # what follows a hash is a remark

Barrels are called by the number on their label. The words are those of wording.WORDS and
FAULTS, and every number has its BOUNDS. A script has at most 5000 lines, lasts at most six hours.
"""

from __future__ import annotations

import re
from typing import Final

from companion.config import SEATS
from companion.errors import BadScript
from companion.sensing.settings import BARRELS
from companion.simulator.habits import Vigour
from companion.simulator.script_words import (
    BOUNDS,
    BY_NOBODY,
    FAULTS,
    FIGURE,
    SHARES,
    WORDS,
    Act,
    Fault,
    Line,
    Verb,
)
from companion.text import SeatName

__all__ = ["Act", "Fault", "Line", "Verb", "read"]

LONGEST_LINE: Final = 200  # characters
MOST_LINES: Final = 5_000
TIME: Final = re.compile(rf"(?P<plus>\+)?(?P<time>{FIGURE})(?: |$)")
SHOWN: Final = 40  # characters of what was written, when it is quoted


def read(text: str) -> tuple[Line, ...]:
    """Return a script's lines, or raise what is wrong with the first bad one.

    >>> read("2.5 blue lifts 7")[0].what.barrels
    (7,)
    >>> read("blue lifts 14")
    Traceback (most recent call last):
    companion.errors.BadScript: line 1: there is no barrel 14; barrels are 1 to 13.
    """
    lines, before = list[Line](), 0.0
    for number, raw in enumerate(text.splitlines(), 1):
        words = _words(number, raw)
        if not words:
            continue
        line = _line(number, words)
        if line.at_s is not None:
            if line.at_s < before:
                raise BadScript(
                    "line {line}: {at} s is before {before} s; write a later time, or +{at}.",
                    line=number,
                    at=line.at_s,
                    before=before,
                )
            before = line.at_s
        lines.append(line)
        if len(lines) > MOST_LINES:
            raise BadScript(
                "line {line}: a script has at most {most} lines; split it in two.",
                line=number,
                most=MOST_LINES,
            )
    return tuple(lines)


def _words(number: int, raw: str) -> str:
    """Return what a line says, without its remark."""
    said = raw.partition("#")[0]
    if len(said) > LONGEST_LINE:
        raise BadScript(
            "line {line}: this line is too long; write at most {most} characters.",
            line=number,
            most=LONGEST_LINE,
        )
    return " ".join(said.lower().split())


def _line(number: int, words: str) -> Line:
    at_s = later_s = None
    if stamp := TIME.match(words):
        words = words[stamp.end() :]
        time_s = _figure(number, stamp["time"], "time")
        if stamp["plus"]:
            later_s = time_s
        else:
            at_s = time_s
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
            "line {line}: '{word}' is not something to do; write one of {words}.",
            line=number,
            word=_short(does),
            words=", ".join(verb.value for verb in WORDS),
        )
    pattern, example = WORDS[verb]
    found = _found(number, pattern, rest, f"{who} {example}")
    barrels = tuple(_barrel(number, found[name]) for name in ("one", "two") if found.get(name))
    if len(set(barrels)) != len(barrels):  # nobody compares a barrel with itself
        raise _misfit(number, rest, f"{who} {example}")
    return Act(
        verb,
        seat,
        barrels,
        _colour(number, to) if (to := found.get("to")) else None,
        Vigour[found["vigour"].upper()] if found.get("vigour") else Vigour.AS_USUAL,
        _figure(number, found.get("for_s"), "for_s"),
        _figure(number, found.get("to_deg"), "to_deg"),
        _figure(number, found.get("from_cm"), "from_cm"),
        int(found["magic"]) if found.get("magic") else None,
    )


def _fault(number: int, words: str) -> Fault:
    name, _, rest = words.removeprefix("fault").strip().partition(" ")
    if name not in FAULTS:
        raise BadScript(
            "line {line}: there is no fault '{word}'; write one of {words}.",
            line=number,
            word=_short(name),
            words=", ".join(FAULTS),
        )
    pattern, example = FAULTS[name]
    found = _found(number, pattern, rest, example)
    amount = _figure(number, found.get("amount"), found.get("unit", ""))
    if amount is not None and name in SHARES:
        amount /= 100.0
    barrel = _barrel(number, found["barrel"]) if found.get("barrel") else None
    for_s = _figure(number, found.get("for_s"), "fault_s")
    return Fault(name, barrel, found.get("part"), amount, for_s)


def _found(number: int, pattern: str, rest: str, example: str) -> dict[str, str]:
    match = re.fullmatch(pattern, rest) or re.fullmatch(pattern, f" {rest}")
    if match is None:
        raise _misfit(number, rest, example)
    return {name: value for name, value in match.groupdict().items() if value}


def _misfit(number: int, rest: str, example: str) -> BadScript:
    return BadScript(
        "line {line}: '{text}' does not belong here; write, for example: {example}",
        line=number,
        text=_short(rest),
        example=example,
    )


def _barrel(number: int, word: str) -> int:
    if not 1 <= float(word) <= BARRELS:
        raise BadScript(
            "line {line}: there is no barrel {barrel}; barrels are 1 to {last}.",
            line=number,
            barrel=_short(word),
            last=BARRELS,
        )
    return int(float(word))


def _colour(number: int, word: str) -> SeatName:
    for colour in SEATS:
        if colour.name.lower() == word:
            return colour
    raise BadScript(
        "line {line}: '{word}' is not a seat; begin with {colours}, kick, all flip, all mix or "
        "fault.",
        line=number,
        word=_short(word),
        colours=", ".join(colour.name.lower() for colour in SEATS),
    )


def _figure(number: int, word: str | None, name: str) -> float | None:
    """Return a number within its bounds; a figure of any length becomes a float."""
    if word is None:
        return None
    bounds, figure = BOUNDS[name], float(word)
    if not bounds.least <= figure <= bounds.most:
        raise BadScript(
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
