"""Validates request parameters: numbers of a query, and boards of a bounded size.

What is wrong is said in a sentence that names the part.
"""

from collections.abc import Iterator
from typing import Any, Final

from flask import request

from companion.web.common.errors import Malformed

PARTS: Final = 64  # of a ring, and of what belongs to it
LONGEST: Final = 40  # characters of one of them, and of its name
RING: Final = LONGEST * PARTS  # characters of a ring that is one text
BOARD_DEEPEST: Final = 3  # levels of lists and objects in it, itself among them
DIGITS: Final = 9  # of a number in a query


def bound(data: dict[str, Any]) -> None:
    """Refuse a board of which every part would have to be told that it is wrong, at length."""
    for name, part in _parts(data, "board"):
        most = RING if name == "ring" else LONGEST  # a ring may be one text
        _bound(part, name, most, BOARD_DEEPEST - 1)


def _bound(part: object, where: str, most: int, deeper: int) -> None:
    if isinstance(part, str) and len(part) > most:
        raise Malformed("'{where}' is longer than {count} characters.", where=where, count=most)
    if not isinstance(part, dict | list):
        return
    if not deeper:
        raise Malformed("'{where}' is nested too deeply.", where=where)
    for name, inner in _parts(part, where):
        _bound(inner, name, LONGEST, deeper - 1)


def _parts(data: dict[str, Any] | list[Any], where: str) -> Iterator[tuple[str, Any]]:
    if len(data) > PARTS:
        raise Malformed("'{where}' has more than {count} parts.", where=where, count=PARTS)
    if isinstance(data, list):
        yield from (("field", part) for part in data)
        return
    for name, part in data.items():
        if len(name) > LONGEST:
            raise Malformed(
                "'{where}' is longer than {count} characters.", where=name[:LONGEST], count=LONGEST
            )
        yield name, part


def not_between(name: str, least: int, most: int) -> Malformed:
    return Malformed(
        "'{where}' must be a whole number from {least} to {most}.",
        where=name,
        least=least,
        most=most,
    )


def number(name: str, least: int, most: int, default: int) -> int:
    given = request.args.getlist(name)
    text = given[0] if given else str(default)
    fits = text.isascii() and text.isdecimal() and len(text) <= DIGITS
    if len(given) > 1 or not fits or not least <= int(text) <= most:
        raise not_between(name, least, most)
    return int(text)
