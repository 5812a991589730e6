"""What a saved match is called on a phone or a computer: its game, its day, and how it ended."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from companion.people.seating import NOBODY
from companion.present.past import Past, Result
from companion.present.reader import Reader

UNSAFE: Final = re.compile(r"[^\w-]+")  # some system takes it for a folder, a wildcard, an end
LONGEST: Final = 80


def match_file(past: Past, reader: Reader, end: str = ".jsonl") -> str:
    """Return a name that says which match it is, and that every system can keep."""
    reader = reader.as_all(NOBODY)  # who gets the file need not know who played
    said = " ".join((past.game or "match", _day(past.at_ms), _ended(past, reader)))
    return UNSAFE.sub(" ", said)[:LONGEST].strip() + end


def attached(name: str) -> str:
    r"""Return the header by which a browser saves an answer under a name.

    >>> attached("Grün gewinnt.jsonl")
    'attachment; filename="Grun gewinnt.jsonl"; filename*=UTF-8\'\'Gr%C3%BCn%20gewinnt.jsonl'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"


def _day(at_ms: int) -> str:
    try:
        return f"{datetime.fromtimestamp(at_ms / 1000, UTC).astimezone():%Y-%m-%d}"
    except (OverflowError, ValueError, OSError):  # no calendar has it
        return ""


def _ended(past: Past, reader: Reader) -> str:
    if past.result is Result.WON:
        return reader.say("{seats:@{seats:and} {seats:#wins|win}|You win}!", seats=past.winners)
    return reader.say("Given up") if past.result is Result.GIVEN_UP else ""
