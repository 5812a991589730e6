"""Caches the coach's reports of matches that are over: each is worked out once for all phones.

Nothing is told of a match that is still played, nor of one that was given up: it can go on.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar

from companion.coach.evaluator import UNTOLD, Coach
from companion.coach.history import PlayedSeat, played
from companion.coach.report import Report, coach_of, report
from companion.core.log import Log
from companion.core.plugin import PLUGINS
from companion.journal import ListedMatch
from companion.present.history import PastMatch, Result
from companion.referee.snapshot import Snapshot
from companion.web.match_cache import MatchCache

T = TypeVar("T")
OPENED: Final = 2  # reports with all their figures…
KEPT: Final = 400  # … and what matches came to
READING_S: Final = 1.0  # for this long a request works out what was not asked for before


@dataclass(frozen=True, slots=True)
class Coached:
    past: PastMatch
    log: Log[Any]
    coach: Coach
    report: Report


class CoachReports:
    """What the coach has told; from any thread."""

    def __init__(self, library: MatchCache) -> None:
        self._library, self._lock = library, Lock()
        self._opened: OrderedDict[ListedMatch, Coached] = OrderedDict()
        self._played: OrderedDict[ListedMatch, Mapping[int, PlayedSeat]] = OrderedDict()

    def report_on(self, match: ListedMatch) -> Coached | None:
        """Return what is told of a match; None: nothing, or not yet."""
        if (known := self._opened.get(match)) is not None:
            return known
        with self._lock:  # on a Pi it may take seconds: whoever asks meanwhile waits for it
            return self._opened.get(match) or self._worked_out(match)

    def _worked_out(self, match: ListedMatch) -> Coached | None:
        retelling = self._library.opened(match)
        if retelling.past.result is not Result.WON:
            return None
        log = retelling.steps[-1].after.log
        coach, judged = coach_of(log.game), report(log)
        if coach is None or judged is None:
            return None
        coached = Coached(retelling.past, log, coach, judged)
        _keep(self._opened, match, coached, OPENED)
        _keep(self._played, match, played(judged), KEPT)
        return coached

    def played(
        self, matches: Mapping[ListedMatch, PastMatch]
    ) -> tuple[dict[ListedMatch, Mapping[int, PlayedSeat]], int]:
        """Return what each seat did in matches, and how many are still to be judged: ask again."""
        until_s, judged, left = (
            monotonic() + READING_S,
            dict[ListedMatch, Mapping[int, PlayedSeat]](),
            0,
        )
        for match, past in matches.items():
            if past.result is not Result.WON or not _adds_up(past.game):
                continue
            if match not in self._played and monotonic() < until_s:
                self.report_on(match)
            if (known := self._played.get(match)) is not None:
                judged[match] = known
            else:
                left += 1
        return judged, left


def _keep(shelf: OrderedDict[ListedMatch, T], match: ListedMatch, value: T, most: int) -> None:
    shelf[match] = value
    while len(shelf) > most:
        shelf.popitem(last=False)


def has_coach(game: str | None) -> bool:
    """Tell whether a game brings along how it is judged."""
    return game in PLUGINS and PLUGINS[str(game)].part(Coach) is not None


def _adds_up(game: str | None) -> bool:
    """Tell whether figures of a game are good enough to be put together over evenings."""
    coach = PLUGINS[str(game)].part(Coach) if game in PLUGINS else None
    return coach is not None and all(source.name != UNTOLD for source in coach.sources)


def offers(now: Snapshot) -> bool:
    """Tell whether the coach can be asked of what the table shows: only when it is won."""
    return now.outcome is not None and has_coach(now.game)
