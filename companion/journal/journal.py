"""The journal of all matches: what happened is on the disk before anybody hears of it.

`append` returns when the event is on the disk, as far as a disk tells the truth. If the disk fails,
play goes on in memory, which `condition` says, and `tick` writes what is missing as soon as the
disk works again. The matches that were begun or resumed since the start are therefore kept in
memory, until they are over and on the disk: whoever plays one needs no disk to go on.

The journal is a folder with a file for each match, numbered as they were begun. Only one program
may use it at a time: the lock beside the files ends with the program. What is damaged is kept
aside, and replaced by what could be read of it; one file that cannot be used costs only its match.

    journal/.lock
    journal/.000001-5f0c7be81a24.count
    journal/000001-5f0c7be81a24.jsonl
    journal/000001-5f0c7be81a24.jsonl.damaged-1

At the start, `MatchResumer` of the referee goes on with the match that was cut off last. Taking
back is an event of the caller's like any other; nothing is ever changed or removed. Events
are ordered by their numbers, and matches as they were begun; the clock is for people.
"""

import errno
import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fcntl import LOCK_EX, LOCK_NB, flock
from itertools import count
from pathlib import Path
from typing import Final

from companion.journal.entry import NAMED, Entry, ListedMatch, NewEntry
from companion.journal.match_file import Content, MatchFile, count_file, edges, read
from companion.journal.status import READABLE, Damaged, JournalFault, JournalState, journal_fault
from companion.system import paths, private_files
from companion.system.errors import CompanionError, NoAnswer
from companion.system.small_files import NO_FILE, keep_aside
from companion.system.status import Backoff, Condition, Report, StatusReporter

News = tuple[JournalState, dict[str, object]]
LOG: Final = logging.getLogger(__name__)
LOCK: Final = ".lock"
FILE: Final = re.compile(rf"(\d{{6,9}})-({NAMED.pattern})\.jsonl")
NUMBER: Final = re.compile(r"\d{6,9}(?=-)")  # at the beginning of a name; none is used twice
UNREAD: Final = {errno.EACCES, errno.EPERM, errno.EIO}  # what may ail one file alone


@dataclass(frozen=True, slots=True)
class TimeAndIds:
    """Where times come from, and the names of matches: whatever is not the same each time."""

    wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1_000
    name: Callable[[], str] = lambda: secrets.token_hex(6)


@dataclass(slots=True)
class _OpenMatch:
    """A match in memory, its file if it has one, and how many events are in it for certain."""

    entries: list[Entry] = field(default_factory=list)
    file: MatchFile | None = None
    written: int = 0

    @property
    def waiting(self) -> int:
        return len(self.entries) - self.written

    @property
    def settled(self) -> bool:
        return not self.waiting and self.entries[-1].ends

    @property
    def listed(self) -> ListedMatch:
        return ListedMatch(self.entries[0], self.entries[-1])


class Journal:
    """All matches, written by one thread at a time. No fault of a disk is ever raised.

    `matches` and `entries` may be called from any thread: what they return never changes.
    """

    def __init__(
        self,
        path: Path,
        report: Report = lambda _: None,
        *,
        clocks: TimeAndIds = TimeAndIds(),
        mend: bool = True,  # otherwise nothing that is damaged or old is replaced
    ) -> None:
        self._path, self._clocks, self._mend = path, clocks, mend
        self._lock: int | None = None
        self._writable = False
        self._looked = False  # whether it is known which files there are
        self._files: dict[str, Path] = {}  # by match, as they were begun
        self._last = 0  # the greatest number that a file had
        self._listed: tuple[ListedMatch, ...] = ()
        self._kept: dict[str, _OpenMatch] = {}
        self._doubted: set[str] = set()  # matches in whose file a reader found damage
        self.backoff = Backoff(first_us=1_000_000, limit_us=30_000_000)
        self._watched, self._report = StatusReporter(JournalState.CLOSED, report, file=path), report
        self._recover()

    # --- from any thread ----------------------------------------------------------------------

    def matches(self) -> tuple[ListedMatch, ...]:
        """Return all matches, the one that was begun last first; NoAnswer: nobody knows now."""
        if not self._listed and not self._looked:
            raise _unreadable()
        return self._listed

    def entries(self, match: str) -> tuple[Entry, ...]:
        """Return the events of a match in order; none, if there is no such match."""
        listed = next((known for known in self.matches() if known.id == match), None)
        if listed is None:
            return ()
        if (kept := self._kept.get(match)) is not None:
            return tuple(kept.entries)
        try:
            content = read(self._files[match])
        except (OSError, JournalFault, KeyError) as fault:
            if isinstance(fault, FileNotFoundError):
                self._doubted.add(match)
            raise _unreadable() from fault
        if content.damaged:
            self._doubted.add(match)
        if len(content.entries) < listed.count:
            raise _unreadable()
        return content.entries

    # --- from the table's thread --------------------------------------------------------------

    @property
    def condition(self) -> Condition:
        return self._watched.condition

    @property
    def writable(self) -> bool:
        """Whether the disk works: what is in the journal can be read, and more can be written."""
        return self._writable

    @property
    def waiting(self) -> int:
        """Return how many events are in memory only."""
        return sum(kept.waiting for kept in self._kept.values())

    @property
    def listed(self) -> tuple[ListedMatch, ...]:
        """Return the matches that are known, the one that was begun last first."""
        return self._listed

    def unfinished(self) -> tuple[ListedMatch, ...]:
        """Return the matches that are not over, the latest first."""
        return tuple(match for match in self._listed if not match.last.ends)

    def start(self, *happened: NewEntry) -> str:
        """Begin a match with its first events; return its name."""
        match = self._clocks.name()
        entries = self._entries(match, 0, happened)
        self._kept = {other: kept for other, kept in self._kept.items() if not kept.settled}
        self._kept[match] = _OpenMatch()
        self._add(match, entries)
        return match

    def resume(self, match: str) -> tuple[Entry, ...]:
        """Return the events of a match that goes on; none if they cannot be read.

        From now on they are kept in memory: the disk may fail at once, and the match still goes on.
        """
        if match not in self._kept and (entries := self.events(match)):
            kept = _OpenMatch([*entries], MatchFile(self._files[match]), len(entries))
            self._kept[match] = kept
            if self._writable:
                self._guarded(lambda: self._catch_up(match, kept))
        return self.events(match)

    def append(self, match: str, number: int, *happened: NewEntry) -> tuple[Entry, ...]:
        """Add the next events of a match, all or none; `number` is that of the first.

        The same once more is not added again; ValueError if they are not the next.
        """
        known = self.resume(match)
        if not known:
            raise ValueError(f"there is no match {match}")
        entries = self._entries(match, number, happened)
        there = known[number : number + len(entries)]
        if len(there) == len(entries) and all(map(Entry.is_same, there, entries)):
            return tuple(there)
        if number != len(known):
            raise ValueError(f"event {number} of match {match} does not follow {len(known) - 1}")
        self._add(match, entries)
        return tuple(entries)

    def events(self, match: str) -> tuple[Entry, ...]:
        """Return the events of a match in order; none, if it is not known or cannot be read."""
        if match in self._kept:
            return tuple(self._kept[match].entries)
        try:
            content = read(self._files[match])
        except (KeyError, FileNotFoundError):
            return ()
        except (OSError, JournalFault) as fault:
            self._go_on_in_memory(fault)
            return ()
        if content.damaged and self._writable:
            self._doubted.add(match)
            self._recover()
        return content.entries

    def import_match(self, entries: Sequence[Entry]) -> int:
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
            file = MatchFile(self._files.get(match) or self._new_file(match))
            if not self._writable or not self._guarded(lambda: file.write(entries)):
                raise CompanionError(
                    "Match {match} was not imported: the journal cannot be written.", match=match
                )
            self._files[match] = file.path
            self._list(ListedMatch(entries[0], entries[-1]))
        return len(new)

    def tick(self) -> None:
        """Try the disk again if it has failed and it is time to, or if a file needs it."""
        if self._writable:
            if self._doubted or self._moved():
                self._recover()
        elif self._clocks.now_us() >= self.backoff.due_us:
            self._recover()

    def close(self) -> None:
        """Write what is missing, if possible, and let other programs have the journal."""
        if self._moved() if self._writable else self.waiting:
            self._recover()
        self._unlock()
        self._writable = False
        self.backoff.due_us = 2**63
        self._watched.becomes(JournalState.CLOSED, self._clocks.now_us(), file=self._path)

    # --- writing ------------------------------------------------------------------------------

    def _entries(self, match: str, number: int, happened: Sequence[NewEntry]) -> list[Entry]:
        if not happened:
            raise ValueError("nothing happened")
        at_ms = self._clocks.wall_ms()
        return [what.entry(match, n, at_ms) for n, what in enumerate(happened, number)]

    def _add(self, match: str, entries: Sequence[Entry]) -> None:
        kept = self._kept[match]
        kept.entries += entries
        self._list(kept.listed)
        if self._writable and self._guarded(lambda: self._write(match, kept, entries)):
            kept.written = len(kept.entries)

    def _write(self, match: str, kept: _OpenMatch, entries: Sequence[Entry]) -> None:
        if kept.file is not None:
            kept.file.append(entries)
            return
        kept.file = MatchFile(self._new_file(match))
        self._files[match] = kept.file.path
        kept.file.write(entries)

    def _new_file(self, match: str) -> Path:
        self._last += 1
        return self._path / f"{self._last:06}-{match}.jsonl"

    def _list(self, match: ListedMatch) -> None:
        """Put a match into the list, or what is newer of it."""
        listed, newer = {known.id: known for known in self._listed}, {match.id: match}
        listed = listed | newer if match.id in listed else newer | listed
        self._listed = tuple(listed.values())

    def _guarded(self, write: Callable[[], object]) -> bool:
        """Write something; return whether it is on the disk."""
        try:
            write()
        except Damaged:
            self._recover()
            return self._writable
        except (OSError, JournalFault) as fault:
            self._go_on_in_memory(fault)
            return False
        return True

    # --- the disk -----------------------------------------------------------------------------

    def _recover(self) -> None:
        """Use the folder, and write what is missing in it."""
        first = self.condition.state is JournalState.CLOSED
        self._writable = False
        try:
            self._take_lock()
            news = self._scan(mend=self._mend)
            if self._mend:
                news = self._import() or news
            for match, kept in self._kept.items():
                if kept.written and match not in self._files:
                    count = sum(len(each.entries) for each in self._kept.values())
                    news = JournalState.MADE_AGAIN, {"file": self._path, "count": count}
                news = self._catch_up(match, kept) or news
        except (OSError, JournalFault) as fault:
            self._go_on_in_memory(fault)
            return
        self._writable = self._looked = True
        self.backoff.worked()
        usual = JournalState.WRITING if first else JournalState.CAUGHT_UP
        state, values = news or (usual, {"file": self._path})
        self._watched.becomes(state, self._clocks.now_us(), **values)

    def _go_on_in_memory(self, fault: OSError | JournalFault) -> None:
        """Go on in memory; what is on the disk may still be read."""
        self._writable = False
        fault = journal_fault(fault) if isinstance(fault, OSError) else fault
        now_us = self._clocks.now_us()
        self.backoff.failed(now_us)
        if fault.state in READABLE and not self._looked:
            with suppress(OSError, JournalFault):
                self._scan(mend=False)
        named = {"reason": fault.reason} if "{reason}" in fault.state.template else {}
        self._watched.becomes(fault.state, now_us, file=fault.file or self._path, **named)

    def _take_lock(self) -> None:
        """Lock the folder against other programs."""
        try:
            self._path.mkdir(private_files.FOLDER)
            private_files.sync_folder(self._path)
        except FileExistsError:
            if not self._path.is_dir():
                raise JournalFault(JournalState.NOT_A_FOLDER) from None
        if self._lock is not None:
            if self._is_locked():
                return
            self._unlock()  # another disk is here now
        path = self._path / LOCK
        lock = os.open(
            path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, private_files.FILE
        )
        try:
            private_files.demand_ordinary(os.fstat(lock).st_mode, path)
            flock(lock, LOCK_EX | LOCK_NB)
        except BaseException:
            os.close(lock)
            raise
        self._lock = lock

    def _is_locked(self) -> bool:
        with suppress(FileNotFoundError, NotADirectoryError):
            there = (self._path / LOCK).stat()
            return self._lock is not None and os.path.samestat(os.fstat(self._lock), there)
        return False

    def _unlock(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            with suppress(OSError):
                os.close(lock)

    def _moved(self) -> bool:
        """Tell whether a file that was written is gone, or another one is in its place."""
        files = [kept.file for kept in self._kept.values() if kept.file is not None]
        try:
            return not (self._is_locked() and all(file.as_left for file in files))
        except OSError:  # whoever writes next hears of it
            return False

    def _scan(self, *, mend: bool) -> News | None:
        """Look which matches there are; where that is wanted, replace what is damaged."""
        news = None
        files, scanned = dict[str, Path](), list[ListedMatch]()
        unread = dict[Path, OSError]()
        there = sorted(self._path.iterdir())
        for path in there:
            if number := NUMBER.match(path.name):
                self._last = max(self._last, int(number[0]))
            if (name := FILE.fullmatch(path.name)) is None:
                continue
            try:
                ends = None if name[2] in self._doubted else edges(path)
                content = read(path) if ends is None else Content(ends)
            except OSError as fault:
                if not self._ails_alone(path, name[2], fault):
                    raise
                unread[path] = fault
                continue
            if mend and content.damaged:
                news = self._restore(path, content)
            if content.entries and content.entries[0].match not in files:  # or a copy by hand
                files[content.entries[0].match] = path
                scanned.append(ListedMatch(content.entries[0], content.entries[-1]))
        if mend:
            self._clear_up(there)
            self._go_on_without(unread, alone=not scanned)
            self._doubted.clear()
        listed = {match.id: match for match in reversed(scanned)}
        kept = {match: kept.listed for match, kept in self._kept.items()}
        new = [kept[match] for match in reversed(kept) if match not in listed]
        self._files = files
        self._looked = not (unread or self._path.with_name(paths.OLD_JOURNAL).exists())
        self._listed = (*new, *(kept.get(match.id, match) for match in listed.values()))
        return news

    def _ails_alone(self, path: Path, match: str, fault: OSError) -> bool:
        """Tell whether a file cannot be read for a reason that leaves the others alone."""
        if fault.errno == errno.ENOENT:
            return path.is_symlink()
        return fault.errno in (NO_FILE if match in self._kept else NO_FILE | UNREAD)

    def _go_on_without(self, unread: Mapping[Path, OSError], *, alone: bool) -> None:
        """Keep what is no file of ours aside, and say what cannot be read; the rest goes on.

        OSError: nothing at all can be read, so it is the disk or the whole folder.
        """
        for path, fault in unread.items():
            if alone and fault.errno in UNREAD:
                raise fault
            condition = keep_aside(path, fault.strerror or fault, fault)
            LOG.warning("%s", condition)
            self._report(condition)

    def _clear_up(self, there: Sequence[Path]) -> None:
        """Remove what a power cut left of a write, and counts of files that are not there."""
        counted = {count_file(path) for path in there}
        for path in there:
            stale = path.name.endswith(".count") and path not in counted
            if path.name.startswith(".") and (stale or path.name.endswith(".jsonl.new")):
                path.unlink()

    def _import(self) -> News | None:
        """Import what an earlier version kept in SQLite; its file stays beside."""
        database = self._path.with_name(paths.OLD_JOURNAL)
        if not database.exists():
            return None
        from companion.journal import sqlite_import  # noqa: PLC0415 - hardly anybody needs it

        if (old := sqlite_import.read(database)) is None:
            return None
        damaged = old.damaged
        for entries in old.matches:
            match = entries[0].match
            path = self._files.get(match) or self._new_file(match)
            there = read(path).entries if match in self._files else ()
            both = min(len(there), len(entries))
            damaged |= there[:both] != entries[:both]
            if there == entries[: len(there)] and len(there) < len(entries):
                MatchFile(path).write(entries)
                if read(path).entries != entries:
                    raise JournalFault(JournalState.FAILING, "it does not give back what it took")
            self._files[match] = path
        aside = sqlite_import.put_away(database)
        self._scan(mend=False)
        return _restored(database, sum(map(len, old.matches)), aside) if damaged else None

    def _restore(self, path: Path, content: Content) -> News:
        """Keep a damaged file aside, and put what could be read of it in its place."""
        for number in count(1):
            aside = path.with_name(f"{path.name}.damaged-{number}")
            if not os.path.lexists(aside):
                private_files.write(aside, content.data)
                break
            if aside.is_file() and aside.read_bytes() == content.data:  # the power was cut here
                break
        if content.entries:
            MatchFile(path).write(content.entries)
        else:
            path.unlink()
            count_file(path).unlink(missing_ok=True)
        return _restored(path, len(content.entries), aside)

    def _catch_up(self, match: str, kept: _OpenMatch) -> News | None:
        """Write a match anew with all that was played; what is there must be its beginning."""
        news = None
        path = self._files.get(match) or (kept.file.path if kept.file else self._new_file(match))
        with suppress(FileNotFoundError):
            content = read(path)
            if content.entries != tuple(kept.entries[: len(content.entries)]):
                raise JournalFault(JournalState.PARTED)
            news = self._restore(path, content) if content.damaged else None
        self._files[match] = path
        kept.file = MatchFile(path)
        kept.file.write(kept.entries)
        kept.written = len(kept.entries)
        return news


def _restored(path: Path, count: int, aside: Path) -> News:
    LOG.warning("%s was damaged; %s events could be read; it is kept as %s.", path, count, aside)
    return JournalState.RESTORED, {"file": path, "count": count, "aside": aside}


def _unreadable() -> NoAnswer:
    return NoAnswer("The journal cannot be read just now; ask again in a moment.")
