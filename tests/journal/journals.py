"""A table with a journal, for its tests: what happens at it, and clocks that a test sets."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.journal import Entry, Journal, JournalState, NewEntry, TimeAndIds
from companion.system.status import Condition, Status

LATER_US = 60_000_000
BEGUN = NewEntry("begun", {"seats": ["red", "blue"]})
WON = NewEntry("won", {"seat": "red"}, ends=True)


@dataclass
class Table:
    """A journal with clocks that a test sets."""

    path: Path
    wall_ms: int = 1_700_000_000_000
    now_us: int = 0
    made: int = 0
    heard: list[Condition] = field(default_factory=list)

    def open(self) -> Journal:
        """Start."""
        clocks = TimeAndIds(lambda: self.wall_ms, lambda: self.now_us, self.name)
        return Journal(self.path, self.heard.append, clocks=clocks)

    def name(self) -> str:
        """Return a new name of a match."""
        self.made += 1
        return f"match-{self.made}"

    def play(self, journal: Journal, count: int) -> str:
        """Begin a match of so many events."""
        match = journal.start(BEGUN)
        for number in range(1, count):
            journal.append(match, number, moved(number))
        return match

    def file(self, match: str) -> Path:
        """Return the file of a match."""
        return next(self.path.glob(f"*-{match}.jsonl"))

    def events(self, match: str) -> tuple[Entry, ...]:
        """Return what a later start finds."""
        journal = self.open()
        assert state(journal) is JournalState.WRITING
        events = journal.events(match)
        journal.close()
        return events


def state(journal: Journal) -> Status:
    """Return how a journal is."""
    return journal.condition.state


def kill(journal: Journal) -> None:
    """Let go of its lock alone, as the system does for a program that is killed."""
    journal._unlock()


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """Yield a folder in memory, where there is such a thing: real syncing takes its time."""
    memory = Path("/dev/shm")  # noqa: S108 - the folder in it is only ours
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


def moved(number: int) -> NewEntry:
    """Return an event with some weight."""
    return NewEntry("moved", {"number": number, "note": "x" * 120}, request=f"c-{number}")
