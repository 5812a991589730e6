"""Ports of the referee: the journal it writes, and what it asks and tells sensing."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from companion.journal import Entry, NewEntry
from companion.sensing.observations import Seen

NumberOf = Callable[[int], int | None]  # of a stopper, if it is certain


class JournalPort(Protocol):
    """What is asked of a journal: all is safe when it returns."""

    def start(self, *happened: NewEntry) -> str:
        """Begin a match with its first events; return its id."""

    def append(self, match: str, number: int, *happened: NewEntry) -> object:
        """Write the next events of a match, all or none; ValueError if they are not the next."""

    def events(self, match: str) -> Sequence[Entry]:
        """Return everything that was written of a match; nothing if it cannot be read now."""


@dataclass(frozen=True, slots=True)
class RefereePorts:
    """What the referee may ask about barrels, and whom it tells which phase it is."""

    number_of: NumberOf = lambda _: None
    sense: Callable[[Seen], None] = lambda _: None
    certain: float = 0.99
    stoppers: Callable[[], AbstractSet[int]] = frozenset  # all of this table
    hands_of: Callable[[str], str] = str  # who shakes and places for a seat
