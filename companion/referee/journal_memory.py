"""What a journal keeps in memory: matches being played, and where times and names come from."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.referee.entry import Entry
from companion.referee.journal_file import JournalFile


@dataclass(frozen=True, slots=True)
class Clocks:
    """Where times come from, and the names of matches: whatever is not the same each time."""

    wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1_000
    name: Callable[[], str] = lambda: secrets.token_hex(6)


@dataclass(slots=True)
class Kept:
    """A match in memory, and how many of its events are on the disk."""

    entries: list[Entry] = field(default_factory=list)
    written: int = 0

    @property
    def waiting(self) -> int:
        """Return how many events are not on the disk."""
        return len(self.entries) - self.written

    @property
    def settled(self) -> bool:
        """Whether it is over, and all of it on the disk."""
        return not self.waiting and self.entries[-1].ends

    def catch_up(self, match: str, file: JournalFile) -> bool:
        """Write what the file lacks, which may be all; False if it says something else."""
        self.written = 0
        there = file.events(match)
        if there != tuple(self.entries[: len(there)]):
            return False
        file.add(self.entries[len(there) :])
        self.written = len(self.entries)
        return True
