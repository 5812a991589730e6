"""What of a table may be told by now: the newest, or what was so before the public delay."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import Final

from companion.referee.snapshot import Snapshot

STEPS: Final = 50  # this many snapshots stand for a delay; those between are left out
MOST: Final = 500  # however fast matches follow each other


class Late:
    """The newest snapshot that is old enough; one thread gives, another takes."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._waiting: deque[tuple[float, Snapshot]] = deque(maxlen=MOST)
        self._turn = Lock()  # for as long as it takes to append

    def give(self, snapshot: Snapshot, at_s: float) -> None:
        """Take what is so now; it may take the place of what was to be told just before."""
        with self._turn:
            if self._waiting and not self._counts(snapshot, at_s):
                self._waiting.pop()
            self._waiting.append((at_s, snapshot))

    def _counts(self, snapshot: Snapshot, at_s: float) -> bool:
        """Tell whether what waits last is to be told for itself."""
        if not self._delay_s:
            return False
        before_s = self._waiting[-2][0] if len(self._waiting) > 1 else float("-inf")
        other = self._waiting[-1][1].match != snapshot.match
        return other or at_s - before_s >= self._delay_s / STEPS

    def due_s(self) -> float | None:
        """Return when something new may be told; None: nothing waits."""
        with self._turn:
            return self._waiting[0][0] + self._delay_s if self._waiting else None

    def take(self, now_s: float) -> Snapshot | None:
        """Return the newest that may be told by now; None: nothing new."""
        found = None
        with self._turn:
            while self._waiting and self._waiting[0][0] + self._delay_s <= now_s:
                _, found = self._waiting.popleft()
        return found

    def untold(self) -> frozenset[str]:
        """Return the matches of which something still waits."""
        with self._turn:
            return frozenset(one.match for _, one in self._waiting if one.match is not None)
