"""What requests carry, strictly: JSON objects, numbers of a query, and boards of a bounded size.

What is wrong is said in a sentence that names the part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from flask import request

from companion.errors import CompanionError
from companion.frame.faults import Refused

PARTS: Final = 64  # of a ring, and of what belongs to it
LONGEST: Final = 40  # characters of one of them, and of its name
RING: Final = LONGEST * PARTS  # characters of a ring that is one text
BOARD_DEEPEST: Final = 3  # levels of lists and objects in it, itself among them
DEEPEST: Final = 16  # levels in any request
LARGEST: Final = 2**53 - 1  # of a number: what every program that reads JSON can carry
DIGITS: Final = 9  # of a number in a query


def body() -> dict[str, Any]:
    """Return the object that a request carries; nothing that JSON does not know is taken for it."""
    try:
        data = json.loads(request.get_data(), parse_constant=_refuse_word, parse_float=_number)
    except (ValueError, RecursionError) as fault:
        raise _no_object() from fault
    if not isinstance(data, dict):
        raise _no_object()
    _look_through(data)
    return data


def _refuse_word(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _number(text: str) -> float:
    """Return a number of JSON, for which 1.0 and 1e0 are as whole as 1.

    >>> _number("1.0"), _number("1e400"), _number("0.5")
    (1, inf, 0.5)
    """
    value = float(text)
    return int(value) if value.is_integer() else value


def _no_object() -> Refused:
    return malformed(CompanionError("The body of this request is not a JSON object."))


def _look_through(data: dict[str, Any]) -> None:
    """Refuse what is nested too deeply to be anything, and numbers that JSON cannot carry safely.

    Level by level: what is nested deeper than Python's own stack is refused in the same words.
    """
    level: list[Any] = [data]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if any(isinstance(one, int | float) and abs(one) > LARGEST for one in level):
            raise malformed(CompanionError("A number in this request is too large."))
    if any(isinstance(one, dict | list) for one in level):
        raise malformed(CompanionError("The body of this request is nested too deeply."))


def _inside(value: object) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def bound(data: dict[str, Any]) -> None:
    """Refuse a board of which every part would have to be told that it is wrong, at length."""
    for name, part in _parts(data, "board"):
        most = RING if name == "ring" else LONGEST  # a ring may be one text
        _bound(part, name, most, BOARD_DEEPEST - 1)


def _bound(part: object, where: str, most: int, deeper: int) -> None:
    if isinstance(part, str) and len(part) > most:
        raise malformed(
            CompanionError("'{where}' is longer than {count} characters.", where=where, count=most)
        )
    if not isinstance(part, dict | list):
        return
    if not deeper:
        raise malformed(CompanionError("'{where}' is nested too deeply.", where=where))
    for name, inner in _parts(part, where):
        _bound(inner, name, LONGEST, deeper - 1)


def _parts(data: dict[str, Any] | list[Any], where: str) -> Iterator[tuple[str, Any]]:
    if len(data) > PARTS:
        raise malformed(
            CompanionError("'{where}' has more than {count} parts.", where=where, count=PARTS)
        )
    if isinstance(data, list):
        yield from (("field", part) for part in data)
        return
    for name, part in data.items():
        if len(name) > LONGEST:
            raise malformed(
                CompanionError(
                    "'{where}' is longer than {count} characters.",
                    where=name[:LONGEST],
                    count=LONGEST,
                )
            )
        yield name, part


def number(name: str, least: int, most: int, default: int) -> int:
    """Return a number of the query."""
    given = request.args.getlist(name)
    text = given[0] if given else str(default)
    fits = text.isascii() and text.isdecimal() and len(text) <= DIGITS
    if len(given) > 1 or not fits or not least <= int(text) <= most:
        raise malformed(
            CompanionError(
                "'{where}' must be a whole number from {least} to {most}.",
                where=name,
                least=least,
                most=most,
            )
        )
    return int(text)


def malformed(why: CompanionError) -> Refused:
    """Return what answers a request that is not as it must be."""
    return Refused(400, "malformed", why)
