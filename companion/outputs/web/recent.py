"""Remembers what happened last, so that each phone can show it one after another.

The table's thread tells of every snapshot, so nothing is made of it here: it is only kept.
"""

from __future__ import annotations

from threading import Lock

from companion.present.moments import Memory, Moment, moments, remembered
from companion.present.reader import Reader
from companion.referee.snapshot import Snapshot


class Recent:
    """The newest events of the match that is played."""

    def __init__(self) -> None:
        self._memory, self._lock = Memory(), Lock()

    def see(self, now: Snapshot) -> Memory:
        """Take note of a snapshot, by whichever thread first; an old one tells nothing new."""
        with self._lock:
            if now is not self._memory.seen:
                self._memory = remembered(self._memory, now)
            return self._memory

    def moments(self, now: Snapshot, reader: Reader) -> list[Moment]:
        """Return what a reader is shown of it."""
        return moments(self.see(now), now, reader)
