"""Caches earlier matches, and the awards of the last: each is read once, and one at a time.

What is read again is bounded, so that nobody waits for a long evening's past and the table always
has its turn; what cannot be read now is not kept as if there were nothing.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Final, TypeVar

from companion.journal import ListedMatch
from companion.present.awards import Award, awards
from companion.present.history import PastMatch, Retelling, read
from companion.referee.snapshot import Snapshot
from companion.system.errors import NoAnswer
from companion.web.ports import TablePort

T = TypeVar("T")
KEPT: Final = 400  # summaries, of a few kilobytes each…
OPENED: Final = 2  # …and matches with all their steps, of some megabytes each
READING_S: Final = 0.03  # for this long a request reads what was not read yet…
PATIENT: Final = 15  # …and that many times as long if somebody has something to look at meanwhile
WAIT_S: Final = 5.0  # for its turn
Shelf = OrderedDict[str, tuple[ListedMatch, T]]  # by the match's id; only what is newest of it


class MatchCache:
    """What was read of the journal; from any thread."""

    def __init__(self, room: TablePort, reading_s: float = READING_S) -> None:
        self._room, self.reading_s = room, reading_s
        self._reading = Lock()
        self._pasts: Shelf[PastMatch] = OrderedDict()
        self._opened: Shelf[Retelling] = OrderedDict()

    def find(self, name: str) -> ListedMatch | None:
        """Return the match with that id; None: there is none."""
        return next((match for match in self._room.matches() if match.id == name), None)

    def opened(self, match: ListedMatch) -> Retelling:
        with self._turn():
            retelling = _kept(self._opened, match) or self._read(match)
            _keep(self._opened, match, retelling, OPENED)
            return retelling

    def pasts(
        self, matches: Sequence[ListedMatch], *, patient: bool = False
    ) -> tuple[PastMatch, ...]:
        """Return what became of matches, as far as they are read after a while: ask again."""
        until_s = monotonic() + self.reading_s * (PATIENT if patient else 1)
        pasts = []
        for match in matches:
            past = _kept(self._pasts, match)
            if past is None and monotonic() < until_s:
                past = self._past(match)
            if past is not None:
                pasts.append(past)
        return tuple(pasts)

    def _past(self, match: ListedMatch) -> PastMatch:
        with self._turn():
            past = _kept(self._pasts, match)  # somebody else may have read it meanwhile
            return past or self._read(match).past

    def _read(self, match: ListedMatch) -> Retelling:
        retelling = read(match, self._room.entries(match.id))
        _keep(self._pasts, match, retelling.past, KEPT)
        return retelling

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._reading.acquire(timeout=WAIT_S):
            raise NoAnswer("Too many requests at once; try again in a moment.")
        try:
            yield
        finally:
            self._reading.release()


def _kept(shelf: Shelf[T], match: ListedMatch) -> T | None:
    there = shelf.get(match.id)
    return there[1] if there is not None and there[0] == match else None


def _keep(shelf: Shelf[T], match: ListedMatch, value: T, most: int) -> None:
    shelf[match.id] = match, value
    shelf.move_to_end(match.id)
    while len(shelf) > most:
        shelf.popitem(last=False)


class AwardCache:
    """What the last match that ended is honoured for."""

    def __init__(self, library: MatchCache) -> None:
        self._library = library
        self._kept: tuple[tuple[str, int], tuple[Award, ...]] | None = None

    def awards(self, now: Snapshot) -> tuple[Award, ...]:
        """Return the awards; none while it is played, nor where its journal cannot be read now."""
        if now.match is None or now.outcome is None:
            return ()
        key = now.match, now.version
        if self._kept is None or self._kept[0] != key:
            try:
                match = self._library.find(now.match)
                steps = self._library.opened(match).steps if match else ()
            except NoAnswer:
                return ()
            self._kept = key, awards(steps[-1].after) if steps else ()
        return self._kept[1]
