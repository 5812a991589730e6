"""What a phone keeps for us: a name that nobody can guess, and its language. No time is in it.

A Pi without a battery for its clock wakes up in 1970, and jumps once it finds a network. So nothing
here asks what time it is: the phone alone counts how long it keeps what it got (`Max-Age`). Never
`Expires`, which werkzeug would add: counted from our clock, it could have passed already.
"""

from __future__ import annotations

from typing import Final

from flask import Response
from werkzeug.http import dump_cookie

KEPT_S: Final = 400 * 24 * 3600  # longer than browsers allow


def give(answer: Response, name: str, value: str) -> Response:
    """Have a phone keep something, out of reach of scripts and of other sites."""
    return _set(answer, name, value, KEPT_S)


def take(answer: Response, name: str) -> Response:
    """Have a phone keep it no longer."""
    return _set(answer, name, "", 0)


def _set(answer: Response, name: str, value: str, for_s: int) -> Response:
    written = dump_cookie(
        name, value, max_age=for_s, sync_expires=False, httponly=True, samesite="Strict"
    )
    answer.headers.add("Set-Cookie", written)
    return answer
