"""What the journal holds, for those who only read: phones' threads never wait for the table's.

The table's thread writes through it, so that the list of all matches is always in memory and never
read again; a list that was handed out never changes. Events are read in small bites, between which
the table may write. What cannot be read now is not nothing: then `NoAnswer` is raised.

    archive = Archive(journal, inbox.look_up)
    archive.matches(), archive.entries(match)       # from any thread
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.errors import NoAnswer
from companion.referee.entry import Entry, Happened, Match
from companion.referee.journal import Journal

Ask = Callable[[Callable[[], tuple[Entry, ...]]], tuple[Entry, ...]]


class Archive:
    """The matches of one table."""

    def __init__(self, journal: Journal, ask: Ask) -> None:
        self._journal, self._ask = journal, ask
        self._listed: tuple[Match, ...] = ()
        self._look()

    # --- from the table's thread --------------------------------------------------------------

    def begin(self, *happened: Happened) -> str:
        """Begin a match with its first events; return its name."""
        match = self._journal.begin(*happened)
        entries = self._journal.events(match)
        self._listed = Match(entries[0], entries[-1]), *self._listed
        return match

    def append(self, match: str, number: int, *happened: Happened) -> None:
        """Add the next events of a match, all or none; ValueError if they are not the next."""
        last = self._journal.append(match, number, *happened)[-1]
        for place, listed in enumerate(self._listed):  # nearly always the first
            if listed.id == match:
                newer = replace(listed, last=max(listed.last, last, key=lambda one: one.number))
                self._listed = *self._listed[:place], newer, *self._listed[place + 1 :]
                break

    def events(self, match: str) -> Sequence[Entry]:
        """Return the events of a match; none if it is not known or cannot be read."""
        return self._journal.events(match)

    def tend(self) -> None:
        """Have the journal try its disk again if it is time to; if it did, look again."""
        self._journal.tend()
        if self._journal.condition is not self._seen:
            self._look()

    def to_go_on(self) -> tuple[Match, ...]:
        """Return what to go on with: the match that is not over, then the newest."""
        going = next((match for match in self._listed if not match.last.ends), None)
        newest = self._listed[:1]
        return newest if going is None or going in newest else (going, *newest)

    # --- from any thread ----------------------------------------------------------------------

    def matches(self) -> tuple[Match, ...]:
        """Return all matches, the latest first."""
        if not self._listed and not self._journal.writable:
            raise _unreadable()
        return self._listed

    def entries(self, match: str) -> tuple[Entry, ...]:
        """Return the events of a match in order; none, if there is no such match."""
        listed = next((one for one in self.matches() if one.id == match), None)
        if listed is None:
            return ()
        found = self._journal.glance(match)
        if found is None:  # the table's thread decides what to do then
            found = self._ask(lambda: self._journal.events(match))
        if len(found) < listed.count:
            raise _unreadable()
        return found

    def _look(self) -> None:
        """Look at what there is: the journal's file may be another one now."""
        self._seen, found = self._journal.condition, self._journal.matches()
        if not self._journal.writable:  # what is not found may still be there
            known = {match.id for match in found}
            found += tuple(match for match in self._listed if match.id not in known)
        self._listed = found


def _unreadable() -> NoAnswer:
    return NoAnswer("The journal cannot be read just now; ask again in a moment.")
