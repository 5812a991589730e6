"""Journal entries: one event of a match, with a checksum."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from zlib import crc32

LARGEST: Final = 2**63 - 1  # other programs may not know greater numbers
LONGEST_BODY: Final = 1_000_000  # characters; a whole match takes fewer
NAMED: Final = re.compile(r"[A-Za-z0-9-]{1,40}")  # a match: its pages and files are called so
LONGEST_WORD: Final = 200  # characters of a match's id, a request's id or a kind


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of a match; its number is its place, and `at_ms` is only for people to read.

    >>> entry = Entry("a1", 0, 1_700_000_000_000, "begun", body_text({"seats": ["red", "blue"]}))
    >>> entry.body["seats"], entry.ends, hex(entry.seal)
    (['red', 'blue'], False, '0xab831783')
    """

    match: str
    number: int  # from 0, without gaps
    at_ms: int  # the wall clock, which may jump: nothing is ordered by it
    kind: str
    text: str  # the body, as JSON in ASCII
    request: str | None = None  # the id of the command that led to it
    ends: bool = False  # whether the match ends with it; a later event may open it again

    def is_same(self, other: Entry) -> bool:
        """Tell whether another is this same event again; its time does not matter."""
        return replace(other, at_ms=self.at_ms) == self

    def check(self) -> None:
        """Raise ValueError if the journal could not give this back as it is."""
        if not NAMED.fullmatch(self.match):
            raise ValueError(f"{self.match!r} cannot be the name of a match")
        for word in (self.kind, self.request):
            if word is not None and not _is_word(word):
                raise ValueError(f"{word!r} is not a word in printable ASCII")
        if not (0 <= self.number <= LARGEST and -LARGEST <= self.at_ms <= LARGEST):
            raise ValueError(f"number {self.number} or time {self.at_ms} is out of range")

    @property
    def body(self) -> dict[str, Any]:
        """Return what happened, a new copy each time: nobody can change what is kept."""
        body: dict[str, Any] = json.loads(self.text)
        return body

    @property
    def seal(self) -> int:
        """Return a checksum of all of it: a card may not give back the same bytes that it took."""
        parts = [self.match, self.number, self.at_ms, self.kind, self.text, self.request, self.ends]
        return crc32(json.dumps(parts).encode("ascii"))


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What to add to a match: the caller's part of an event."""

    kind: str
    body: Mapping[str, Any]
    request: str | None = None
    ends: bool = False

    def entry(self, match: str, number: int, at_ms: int) -> Entry:
        """Return the event; ValueError if the journal could not give it back as it is."""
        body = body_text(self.body)
        entry = Entry(match, number, at_ms, self.kind, body, self.request, self.ends)
        entry.check()
        return entry


@dataclass(frozen=True, slots=True)
class ListedMatch:
    first: Entry
    last: Entry

    @property
    def id(self) -> str:
        """Return the name of the match, the same in every journal."""
        return self.first.match

    @property
    def count(self) -> int:
        return self.last.number + 1


def body_text(body: Mapping[str, Any]) -> str:
    """Return a body as JSON in ASCII, which every disk, file and terminal takes."""
    if not isinstance(body, Mapping):
        raise ValueError("a body must be an object")  # noqa: TRY004 - one error for every bad body
    text = compact(body)
    if len(text) > LONGEST_BODY or compact(json.loads(text)) != text:  # such as 1 and "1" as keys
        raise ValueError("this body would not be read back as it is")
    return text


def _is_word(word: str) -> bool:
    return word.isascii() and word.isprintable() and 0 < len(word) <= LONGEST_WORD


def compact(thing: object) -> str:
    """Return JSON in ASCII, without spaces."""
    return json.dumps(thing, separators=(",", ":"), allow_nan=False)
