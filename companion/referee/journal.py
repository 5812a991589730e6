"""The journal of all matches: what happened is on the disk before anybody hears of it.

`append` returns when the event is on the disk, as far as a disk tells the truth (see
`journal_file`). If the disk fails, play goes on in memory, which `condition` says, and `tend`
writes what is missing as soon as the disk works again. The matches that were begun or resumed since
the start are therefore kept in memory, until they are over and on the disk: whoever plays one needs
no disk to go on.

    journal = Journal(Path("journal.sqlite3"), report)
    match = journal.begin(Happened("begun", {"seats": ["red", "blue"]}))
    journal.append(match, 1, Happened("rolled", {"magic": 7}, request="c4-17"))
    journal.append(match, 2, Happened("won", {"seat": "red"}, ends=True))
    journal.resume(earlier)                  # a match of an earlier start: it goes on
    journal.tend()                           # now and then: tries a failed disk again
    journal.close()

Taking back is an event of the caller's like any other; nothing is ever changed or removed. Events
are ordered by their numbers, and matches as they were begun; the clock is for people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.condition import Condition, Patience, Report, Watched
from companion.errors import CompanionError
from companion.referee.entry import Entry, Happened, Match
from companion.referee.journal_file import Connect, JournalFile, connect
from companion.referee.journal_memory import Clocks, Kept
from companion.referee.journal_place import Place
from companion.referee.journal_state import READABLE, Damaged, JournalFault, JournalState

T = TypeVar("T")


class Journal:
    """All matches, used by one thread at a time. No fault of a disk is ever raised."""

    def __init__(
        self,
        path: Path,
        report: Report = lambda _: None,
        *,
        clocks: Clocks = Clocks(),  # noqa: B008 - it is frozen, so sharing it is safe
        connect: Connect = connect,
    ) -> None:
        self._path = path
        self._clocks = clocks
        self._place = Place(path, connect)
        self._file: JournalFile | None = None  # to read from, even if it cannot be written
        self._writable = False
        self._rescued = False  # what an open file held, when it was taken away
        self._kept: dict[str, Kept] = {}
        self.patience = Patience(first_us=1_000_000, limit_us=30_000_000)
        self._watched = Watched(JournalState.CLOSED, report, file=path)
        self._try()

    @property
    def condition(self) -> Condition:
        """Return how the journal is."""
        return self._watched.condition

    @property
    def writable(self) -> bool:
        """Whether the disk works: what is in the journal can be read, and more can be written."""
        return self._writable

    @property
    def waiting(self) -> int:
        """Return how many events are in memory only."""
        return sum(kept.waiting for kept in self._kept.values())

    def begin(self, *happened: Happened) -> str:
        """Begin a match with its first events; return its name."""
        match = self._clocks.name()
        entries = self._entries(match, 0, happened)
        self._kept = {other: kept for other, kept in self._kept.items() if not kept.settled}
        self._kept[match] = Kept()
        self._take(match, entries)
        return match

    def resume(self, match: str) -> tuple[Entry, ...]:
        """Return the events of a match that goes on; none if they cannot be read.

        From now on they are kept in memory: the disk may fail at once, and the match still goes on.
        """
        if match not in self._kept and (entries := self.events(match)):
            self._kept[match] = Kept(list(entries), len(entries))
        return self.events(match)

    def append(self, match: str, number: int, *happened: Happened) -> tuple[Entry, ...]:
        """Add the next events of a match, all or none; `number` is that of the first.

        The same once more is not added again; ValueError if they are not the next.
        """
        known = self.resume(match)
        if not known:
            raise ValueError(f"there is no match {match}")
        entries = self._entries(match, number, happened)
        there = known[number : number + len(entries)]
        if len(there) == len(entries) and all(map(Entry.same, there, entries)):
            return tuple(there)
        if number != len(known):
            raise ValueError(f"event {number} of match {match} does not follow {len(known) - 1}")
        self._take(match, entries)
        return tuple(entries)

    def events(self, match: str) -> tuple[Entry, ...]:
        """Return the events of a match in order; none, if it is not known or cannot be read."""
        if match in self._kept:
            return tuple(self._kept[match].entries)
        return self._read(lambda file: file.events(match), ())

    def glance(self, match: str) -> tuple[Entry, ...] | None:
        """Return the events of a match to another thread; None: only the journal's own can tell."""
        if (kept := self._kept.get(match)) is not None:
            return tuple(kept.entries)
        try:
            return None if self._file is None else self._file.events(match)
        except (JournalFault, Damaged):
            return None

    def matches(self) -> tuple[Match, ...]:
        """Return all matches, the one that was begun last first."""
        nothing: tuple[Match, ...] = ()
        there = {match.id: match for match in self._read(JournalFile.matches, nothing)}
        kept = {m: Match(kept.entries[0], kept.entries[-1]) for m, kept in self._kept.items()}
        new = [match for match in reversed(kept.values()) if match.id not in there]
        return (*new, *(kept.get(match.id, match) for match in there.values()))

    def unfinished(self) -> tuple[Match, ...]:
        """Return the matches that are not over, the latest first."""
        return tuple(found for found in self.matches() if not found.last.ends)

    def adopt(self, entries: Sequence[Entry]) -> int:
        """Import a whole match from elsewhere; return how many of its events were new.

        What is here is never changed: CompanionError, if it says otherwise, or is being played.
        """
        match = entries[0].match
        there = self.events(match)
        both = min(len(there), len(entries))
        if tuple(entries[:both]) != there[:both]:
            raise CompanionError("Match {match} is in the journal with other events.", match=match)
        if new := entries[both:]:
            if match in self._kept:
                raise CompanionError("Match {match} is being played; it was skipped.", match=match)
            if not self._writable or not self._write(new):
                raise CompanionError(
                    "Match {match} was not imported: the journal cannot be written.", match=match
                )
        return len(new)

    def tend(self) -> None:
        """Try the disk again if it has failed and it is time to, or if the file is gone."""
        if self._writable:
            if self._place.moved():
                self._try()
        elif self._clocks.now_us() >= self.patience.due_us:
            self._try()

    def close(self) -> None:
        """Write what is missing, if possible, and let go of the file."""
        if self._place.moved() if self._writable else self.waiting:
            self._try()
        if (copy := self._let_go()) is not None:
            copy.close()
        self._place.leave()
        self._writable = False
        self.patience.due_us = 2**63
        self._watched.becomes(JournalState.CLOSED, self._clocks.now_us(), file=self._path)

    def _entries(self, match: str, number: int, happened: Sequence[Happened]) -> list[Entry]:
        if not happened:
            raise ValueError("nothing happened")
        at_ms = self._clocks.wall_ms()
        return [what.at(match, n, at_ms) for n, what in enumerate(happened, number)]

    def _take(self, match: str, entries: Sequence[Entry]) -> None:
        kept = self._kept[match]
        kept.entries += entries
        if self._writable and self._write(entries):
            kept.written = len(kept.entries)

    def _write(self, entries: Sequence[Entry]) -> bool:
        """Return whether the events are on the disk."""
        assert self._file is not None
        try:
            self._file.add(entries)
            if entries[-1].ends:
                self._file.settle()  # nobody waits for anything after a match
        except JournalFault as fault:
            self._lose(fault)
            return False
        except Damaged:
            self._try(damaged=True)
            return False
        return True

    def _read(self, ask: Callable[[JournalFile], T], nothing: T) -> T:
        """Ask the file; if it is damaged, ask the one that replaces it."""
        for _ in range(3):
            if self._file is None:
                break
            try:
                return ask(self._file)
            except Damaged:
                self._try(damaged=True)
            except JournalFault as fault:
                self._lose(fault)
                self._file = self._let_go() or self._place.copy()
        return nothing

    def _try(self, *, damaged: bool = False) -> None:
        """Open the file and write what is missing in it."""
        first = self.condition.state is JournalState.CLOSED
        self._writable = False
        self._rescue()
        former = self._let_go()
        try:
            opened = self._place.open(damaged=damaged)
        except JournalFault as fault:
            self._file = former or (self._place.copy() if fault.state in READABLE else None)
            self._lose(fault)
            return
        if former is not None:
            former.close()
        self._file = opened.file
        try:
            self._catch_up(opened.file)
        except (JournalFault, Damaged) as fault:
            self._lose(fault)
            return
        self._writable = True
        self.patience.worked()
        news, values = opened.news, dict(opened.values)
        if self._rescued and opened.new:
            news = JournalState.MADE_AGAIN
            values["count"] = sum(len(kept.entries) for kept in self._kept.values())
        elif news is not JournalState.RESTORED and not first:
            news = JournalState.CAUGHT_UP
        self._rescued = False
        self._watched.becomes(news, self._clocks.now_us(), **values)

    def _rescue(self) -> None:
        """Take all that an open file holds into memory, if no later start would find it."""
        file = self._file
        if file is None or file.in_memory or not self._place.moved():
            return
        found: dict[str, Kept] = {}
        with suppress(JournalFault, Damaged):
            for match in reversed(file.matches()):
                with suppress(JournalFault, Damaged):
                    found[match.id] = Kept(list(file.events(match.id)))
        self._kept = found | self._kept  # in the order in which they were begun
        for kept in self._kept.values():
            kept.written = 0
        self._rescued = True

    def _catch_up(self, file: JournalFile) -> None:
        """Write what was played in memory after what is there, and wait until all is settled."""
        agreed = [kept.catch_up(match, file) for match, kept in self._kept.items()]
        file.settle()  # also what an earlier start wrote and never learned whether it was synced
        if not all(agreed):
            raise JournalFault(JournalState.PARTED)

    def _lose(self, fault: JournalFault | Damaged) -> None:
        """Go on in memory."""
        self._writable = False
        now_us = self._clocks.now_us()
        self.patience.failed(now_us)
        if isinstance(fault, Damaged):
            fault = JournalFault(JournalState.FAILING, fault)
        named = {"reason": fault.reason} if "{reason}" in fault.state.template else {}
        self._watched.becomes(fault.state, now_us, file=fault.file or self._path, **named)

    def _let_go(self) -> JournalFile | None:
        """Close the file; return it if it is a copy in memory, which can still be read."""
        file, self._file = self._file, None
        if file is None or file.in_memory:
            return file
        file.close()
        return None
