"""Which phones have seen the hands of which seats, in the match that is played.

A phone that acts for a seat is taken to have seen what that seat holds; that it acts for another
one, or is let go, later, takes nothing back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.text import SEATS


@dataclass(slots=True)
class HandsSeen:
    """What was seen; whoever uses it sees to it that only one thread does.

    >>> seen = HandsSeen()
    >>> seen.note("m1", {"a": "red", "b": "blue", "c": "table"})
    >>> seen.note("m1", {"a": "blue"})
    >>> seen.by_several, seen.by_one
    (('blue',), (('red', 'blue'),))
    """

    match: str | None = None
    of: dict[str, tuple[str, ...]] = field(default_factory=dict)  # a phone's mark: the seats

    def note(self, match: str | None, roles: Mapping[str, str]) -> None:
        """Take who acts for which seat while hands are shown; None: they are not."""
        if match is None:
            return
        if match != self.match:
            self.match, self.of = match, {}
        for mark, role in roles.items():
            before = self.of.get(mark, ())
            if role in SEATS and role not in before:
                self.of[mark] = tuple(seat for seat in SEATS if seat in (*before, role))

    def rename(self, mark: str, newer: str) -> None:
        """Note that the same phone has another name now."""
        if mark in self.of:
            self.of[newer] = self.of.pop(mark)

    def clear(self) -> None:
        """Forget all: every phone is let go."""
        self.of = {}

    @property
    def by_several(self) -> tuple[str, ...]:
        """Return the seats whose hands several phones have seen, or one that joined again."""
        seen = [seat for seats in self.of.values() for seat in seats]
        return tuple(seat for seat in SEATS if seen.count(seat) > 1)

    @property
    def by_one(self) -> tuple[tuple[str, ...], ...]:
        """Return which hands one and the same phone has seen, where it is more than one."""
        return tuple(sorted({seats for seats in self.of.values() if len(seats) > 1}))
