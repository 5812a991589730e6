"""What the hall lacks of the journal's open part: the journal is the only queue that there is.

batch = journal.after(have, snapshot, untold)     # None: it has all that may be told
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from companion.hall_link.payloads import BATCH, BATCH_BYTES, Deed, Events, Have
from companion.journal import Entry, Match
from companion.present.public import deeds_of, entry_of
from companion.referee.match_steps import Step, retold
from companion.referee.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Journal:
    """How the journal is read; from any thread. NoAnswer: that cannot be now."""

    matches: Callable[[], Sequence[Match]]  # the newest first
    entries: Callable[[str], Sequence[Entry]]


class OpenJournal:
    """Reads what may leave the table; what it read last of a match it does not read again."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._match, self._steps = "", tuple[Step, ...]()
        self._known: dict[str, Have] = {}  # what the hall said that it has, by match

    def after(self, have: Have, now: Snapshot, untold: Collection[str] = ()) -> Events | None:
        """Return what follows what a hall has, as far as a snapshot tells; None: nothing.

        Matches follow each other as they were begun, so nobody skips one; only the one that is
        played may be older than one that was taken in from a file.
        """
        if have.match is None or any(one.hall != have.hall for one in self._known.values()):
            self._known.clear()
        if have.match is not None:
            self._known[have.match] = have
        order = [*self._order(now, untold)]
        begins = order.index(have.match) if have.match in order else 0
        for match in (*order[begins:], *(one for one in order[:begins] if one == now.match)):
            if found := self._rest(self._known.get(match, Have(have.hall, match)), now):
                return found
        return None

    def _order(self, now: Snapshot, untold: Collection[str]) -> Iterator[str]:
        """Yield the matches, those that were begun first first, up to what may not be told yet."""
        later = set(untold) - {now.match}
        for match in reversed(self._journal.matches()):
            if match.id in later:
                return
            yield match.id
            if later and match.id == now.match:
                return  # there may be more of it than is shown

    def _rest(self, have: Have, now: Snapshot) -> Events | None:
        """Return what follows in a match; all of it, if what the hall has there is not so."""
        match = have.match or ""
        deeds = self._deeds(match, now)
        begins = have.next
        if 0 < begins <= len(deeds) and entry_of(match, deeds[begins - 1]).seal != have.seal:
            begins = 0
        batch = [*_batch(deeds[begins:])]
        return Events(match, begins, tuple(batch), have.hall) if batch else None

    def _deeds(self, match: str, now: Snapshot) -> list[Deed]:
        """Return what may be told of a match; of the one that is shown nothing that is newer."""
        entries = self._journal.entries(match)
        if match == now.match:
            entries = entries[: now.version + 1]
        known = self._steps if match == self._match else ()
        if [step.entry for step in known] != [*entries[: len(known)]]:
            known = ()  # the journal was restored
        steps, _ = retold(entries, known)
        self._match, self._steps = match, steps
        return [*deeds_of(steps)]


def _batch(deeds: Sequence[Deed]) -> Iterator[Deed]:
    """Yield as many as are sent at once."""
    length = 0
    for deed in deeds[:BATCH]:
        length += len(str(deed.body)) + 100
        if length > BATCH_BYTES and deed is not deeds[0]:
            return
        yield deed
