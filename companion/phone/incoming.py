"""What requests carry, strictly: JSON objects, numbers of a query, and boards of a bounded size.

It must not know what is asked for. What is wrong is said in a sentence that names the part.
"""

from __future__ import annotations

import json
from typing import Any, Final

from flask import request

from companion.errors import CompanionError, RulesError

PARTS: Final = 64  # of a ring, and of what belongs to it
LONGEST: Final = 40  # characters of one of them


class Refused(Exception):
    """A request that is answered with an error: a status, a code for programs, a sentence."""

    def __init__(
        self, status: int, code: str, why: CompanionError | RulesError, version: int | None = None
    ) -> None:
        super().__init__(str(why))
        self.status, self.code, self.why, self.version = status, code, why, version


def body() -> dict[str, Any]:
    """Return the object that a request carries; nothing that JSON does not know is taken for it."""
    try:
        data = json.loads(request.get_data(), parse_constant=_refuse_word)
    except (ValueError, RecursionError) as fault:
        raise _no_object() from fault
    if not isinstance(data, dict):
        raise _no_object()
    return data


def _refuse_word(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _no_object() -> Refused:
    return Refused(400, "malformed", CompanionError("The body of this request is no JSON object."))


def bound(data: object, where: str = "board") -> None:
    """Refuse a board of which every part would have to be told that it is wrong, at length."""
    longest = LONGEST * PARTS if where == "ring" else LONGEST  # a ring may be one text
    if isinstance(data, str) and len(data) > longest:
        raise Refused(
            400,
            "malformed",
            CompanionError(
                "'{where}' is longer than {count} characters.", where=where, count=longest
            ),
        )
    if isinstance(data, dict | list) and len(data) > PARTS:
        raise Refused(
            400,
            "malformed",
            CompanionError("'{where}' has more than {count} parts.", where=where, count=PARTS),
        )
    if isinstance(data, dict):
        for name, part in data.items():
            bound(part, name[:LONGEST])
    elif isinstance(data, list):
        for part in data:
            bound(part, "field")


def number(name: str, least: int, most: int, default: int) -> int:
    """Return a number of the query."""
    text = request.args.get(name, str(default))
    fits = text.isascii() and text.isdecimal() and len(text) < 10
    if not fits or not least <= int(text) <= most:
        why = CompanionError(
            "'{where}' must be a whole number from {least} to {most}.",
            where=name,
            least=least,
            most=most,
        )
        raise Refused(400, "malformed", why)
    return int(text)
