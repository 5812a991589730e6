"""What phones ask of an evening, read strictly: known keys, each of its type."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from flask import request

from companion.errors import CompanionError
from companion.frame.faults import Refused

LONGEST = 256


def asked(known: Container[str]) -> dict[str, Any]:
    """Return the request's body: an object that has no other keys than these."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise _malformed(CompanionError("The companion does not understand this request."))
    for name in body:
        if name not in known:
            raise _malformed(
                CompanionError("'{where}' has no place in this request.", where=name[:40])
            )
    return body


def text(body: dict[str, Any], name: str) -> str:
    """Return a text of it; what is not said is empty."""
    value = body.get(name, "")
    if not isinstance(value, str) or len(value) > LONGEST:
        raise _malformed(CompanionError("'{where}' must be a text.", where=name))
    return value


def number(body: dict[str, Any], name: str) -> int:
    """Return a whole number of it."""
    value = body.get(name)
    if type(value) is not int:
        raise _malformed(CompanionError("'{where}' must be a whole number.", where=name))
    return value


def _malformed(why: CompanionError) -> Refused:
    return Refused(400, "unreadable", why)
