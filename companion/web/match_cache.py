"""Caches earlier matches, the awards of the last, and what the coach reports: each is read once.

What is read again is bounded, so that nobody waits for a long evening's past and the table always
has its turn; what cannot be read now is not kept as if there were nothing.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any, Final, Generic, TypeVar

from companion.coach.evaluator import UNTOLD, Coach
from companion.coach.history import PlayedSeat, played
from companion.coach.report import Report, coach_of, report
from companion.core.log import Log
from companion.core.plugin import PLUGINS
from companion.journal import ListedMatch
from companion.present.awards import Award, awards
from companion.present.history import PastMatch, Result, Retelling, retell
from companion.referee.snapshot import Snapshot
from companion.system.errors import NoAnswer
from companion.web.ports import TablePort

T = TypeVar("T")
KEPT: Final = 400  # summaries, of a few kilobytes each…
OPENED: Final = 2  # …and matches with all their steps, of some megabytes each
COACHED: Final = 2  # reports with all their figures…
COACHING_S: Final = 1.0  # …and for this long a request works out what was not asked for before
READING_S: Final = 0.03  # for this long a request reads what was not read yet…
PATIENT: Final = 15  # …and that many times as long if somebody has something to look at meanwhile
WAIT_S: Final = 5.0  # for its turn


class Shelf(Generic[T]):
    """What was made of matches: only of what is newest of each, and of those used last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, tuple[ListedMatch, T]] = OrderedDict()

    def get(self, match: ListedMatch) -> T | None:
        there = self._kept.get(match.id)
        return there[1] if there is not None and there[0] == match else None

    def keep(self, match: ListedMatch, value: T) -> None:
        self._kept[match.id] = match, value
        self._kept.move_to_end(match.id)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Coached:
    past: PastMatch
    log: Log[Any]
    coach: Coach
    report: Report


class MatchCache:
    """What was read of the journal, and what is told of it, once for all phones; from any thread.

    The coach says nothing of a match that is still played, nor of one that was given up: it can
    go on.
    """

    def __init__(self, room: TablePort, reading_s: float = READING_S) -> None:
        self._room, self.reading_s = room, reading_s
        self._reading, self._coaching = Lock(), Lock()
        self._pasts = Shelf[PastMatch](KEPT)
        self._opened = Shelf[Retelling](OPENED)
        self._awards: tuple[tuple[str, int], tuple[Award, ...]] | None = None  # of the last match
        self._coached = Shelf[Coached](COACHED)
        self._played = Shelf[Mapping[int, PlayedSeat]](KEPT)

    def find(self, name: str) -> ListedMatch | None:
        """Return the match with that id; None: there is none."""
        return next((match for match in self._room.matches() if match.id == name), None)

    def opened(self, match: ListedMatch) -> Retelling:
        with self._turn():
            retelling = self._opened.get(match) or self._read(match)
            self._opened.keep(match, retelling)
            return retelling

    def pasts(
        self, matches: Sequence[ListedMatch], *, patient: bool = False
    ) -> tuple[PastMatch, ...]:
        """Return what became of matches, as far as they are read after a while: ask again."""
        until_s = monotonic() + self.reading_s * (PATIENT if patient else 1)
        pasts = []
        for match in matches:
            past = self._pasts.get(match)
            if past is None and monotonic() < until_s:
                past = self._past(match)
            if past is not None:
                pasts.append(past)
        return tuple(pasts)

    def _past(self, match: ListedMatch) -> PastMatch:
        with self._turn():
            past = self._pasts.get(match)  # somebody else may have read it meanwhile
            return past or self._read(match).past

    def _read(self, match: ListedMatch) -> Retelling:
        retelling = retell(match, self._room.entries(match.id))
        self._pasts.keep(match, retelling.past)
        return retelling

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._reading.acquire(timeout=WAIT_S):
            raise NoAnswer("Too many requests at once; try again in a moment.")
        try:
            yield
        finally:
            self._reading.release()

    # --- what is told of them -----------------------------------------------------------------

    def awards(self, now: Snapshot) -> tuple[Award, ...]:
        """Return the awards; none while it is played, nor where its journal cannot be read now."""
        if now.match is None or now.outcome is None:
            return ()
        key = now.match, now.version
        if self._awards is None or self._awards[0] != key:
            try:
                match = self.find(now.match)
                steps = self.opened(match).steps if match else ()
            except NoAnswer:
                return ()
            self._awards = key, awards(steps[-1].after) if steps else ()
        return self._awards[1]

    def report_on(self, match: ListedMatch) -> Coached | None:
        """Return what is told of a match; None: nothing, or not yet."""
        if (known := self._coached.get(match)) is not None:
            return known
        with self._coaching:  # on a Pi it may take seconds: whoever asks meanwhile waits for it
            return self._coached.get(match) or self._worked_out(match)

    def _worked_out(self, match: ListedMatch) -> Coached | None:
        retelling = self.opened(match)
        if retelling.past.result is not Result.WON:
            return None
        log = retelling.steps[-1].after.log
        coach, judged = coach_of(log.game), report(log)
        if coach is None or judged is None:
            return None
        coached = Coached(retelling.past, log, coach, judged)
        self._coached.keep(match, coached)
        self._played.keep(match, played(judged))
        return coached

    def played(
        self, matches: Mapping[ListedMatch, PastMatch]
    ) -> tuple[dict[ListedMatch, Mapping[int, PlayedSeat]], int]:
        """Return what each seat did in matches, and how many are still to be judged: ask again."""
        judged, left = dict[ListedMatch, Mapping[int, PlayedSeat]](), 0
        until_s = monotonic() + COACHING_S
        for match, past in matches.items():
            if past.result is not Result.WON or not _adds_up(past.game):
                continue
            if self._played.get(match) is None and monotonic() < until_s:
                self.report_on(match)
            if (known := self._played.get(match)) is not None:
                judged[match] = known
            else:
                left += 1
        return judged, left


def has_coach(game: str | None) -> bool:
    """Tell whether a game brings along how it is judged."""
    return game in PLUGINS and PLUGINS[str(game)].part(Coach) is not None


def _adds_up(game: str | None) -> bool:
    """Tell whether figures of a game are good enough to be put together over evenings."""
    coach = PLUGINS[str(game)].part(Coach) if game in PLUGINS else None
    return coach is not None and all(source.name != UNTOLD for source in coach.sources)


def coach_offers(now: Snapshot) -> bool:
    """Tell whether the coach can be asked of what the table shows: only when it is won."""
    return now.outcome is not None and has_coach(now.game)
