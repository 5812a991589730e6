"""Asks a table that runs on this computer what its doctor found; nothing of it is disturbed.

The answer is what the Workshop page shows, in the same language.
"""

from __future__ import annotations

from http.client import HTTPConnection, HTTPException
from typing import Final

from companion.doctor.finding import Told
from companion.safe_json import load_json

ANSWER_S: Final = 10.0
PATH: Final = "/workshop/doctor.json"
HERE: Final = "127.0.0.1"
LONGEST: Final = 1 << 20


def asked(port: int, language: str) -> tuple[Told, ...] | None:
    """Return what the table at a port says of itself; None: nobody there is such a table."""
    line = HTTPConnection(HERE, port, timeout=ANSWER_S)
    try:
        line.request("GET", PATH, headers={"Accept-Language": language})
        answer = line.getresponse()
        found = load_json(answer.read(LONGEST)) if answer.status == 200 else {}
        return tuple(Told(**one) for one in found["findings"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        line.close()
