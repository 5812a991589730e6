"""What phones ask of an evening, read strictly: known keys, each of its type."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from companion.errors import CompanionError
from companion.frame.faults import malformed
from companion.frame.gate import body

LONGEST = 256


def asked(known: Container[str]) -> dict[str, Any]:
    """Return the request's body: an object that has no other keys than these."""
    data = body()
    for name in data:
        if name not in known:
            raise malformed(
                CompanionError("'{where}' has no place in this request.", where=name[:40])
            )
    return data


def text(data: dict[str, Any], name: str) -> str:
    """Return a text of it; what is not said is empty."""
    value = data.get(name, "")
    if not isinstance(value, str) or len(value) > LONGEST:
        raise malformed(CompanionError("'{where}' must be a text.", where=name))
    return value


def number(data: dict[str, Any], name: str) -> int:
    """Return a whole number of it."""
    value = data.get(name)
    if type(value) is not int:
        raise malformed(CompanionError("'{where}' must be a whole number.", where=name))
    return value
