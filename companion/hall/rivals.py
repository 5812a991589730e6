"""Two computers that claim to be the same table: a code or a memory card was copied.

Each start of a table's program has a mark of its own. A program that ended never comes back, so if
a mark does after another one, both still run: then the one in between came second, and keeps away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

REFUSED_S: Final = 600.0  # then it may try again: perhaps the first one is gone
MOST: Final = 8  # marks of a table that are remembered


@dataclass(slots=True)
class _Marks:
    now: str
    before: list[str] = field(default_factory=list)
    refused: dict[str, float] = field(default_factory=dict)  # until when


class Rivals:
    """Who claims to be which table; only the link's two threads ask."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self._clock_s = clock_s
        self._marks: dict[str, _Marks] = {}

    def knows(self, table: str) -> bool:
        """Tell whether anybody has come as a table so far."""
        return table in self._marks

    def comes(self, table: str, mark: str) -> bool:
        """Note who comes; return whether another one is refused from now on."""
        marks = self._marks.setdefault(table, _Marks(mark))
        if mark == marks.now or mark in marks.refused:
            return False
        was, marks.now = marks.now, mark
        if mark not in marks.before:
            marks.before = [*marks.before, was][-MOST:]
            return False
        marks.before.remove(mark)
        marks.refused = dict([*marks.refused.items(), (was, self._clock_s() + REFUSED_S)][-MOST:])
        return True

    def refused(self, table: str) -> tuple[str, ...]:
        """Return the marks of those who have to keep away from a table's name."""
        marks = self._marks.get(table)
        return () if marks is None else (*marks.refused,)

    def forgiven(self) -> list[str]:
        """Return the tables as which somebody may try again from now on."""
        now_s, found = self._clock_s(), list[str]()
        for table, marks in [*self._marks.items()]:
            still = {mark: until_s for mark, until_s in marks.refused.items() if until_s > now_s}
            if len(still) < len(marks.refused):
                marks.refused = still
                found.append(table)
        return found
