"""The newest events of a table's match as sentences, from the hall's copy of its journal.

Five hundred matches are read at once, so only the end of each is kept, and those of one game and
the same settings share its rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import is_
from threading import Lock
from typing import Final

from companion.core.game import verb
from companion.hall.journal_replica import JournalReplica
from companion.journal import Entry
from companion.present.history import sentences
from companion.present.viewer import Viewer
from companion.referee import events, replay
from companion.referee.match import Match
from companion.referee.people.person import Seating

TOLD: Final = 8
BACK: Final = 8  # events that can be taken back without reading a match from its beginning again
BEGUN: Final = 20  # games by their settings; each remembers what it was asked…
RENEWED: Final = 50_000  # …so they are made again after this many events
GO_BACK: Final = (verb(events.UndoneTo), verb(events.ActionCorrected))


@dataclass(frozen=True, slots=True)
class _Known:
    """How far a match was read, and what is told of it by language, the newest first."""

    match: str
    seating: Seating  # whose names the sentences say
    sentences: Mapping[str, tuple[str, ...]]
    last: tuple[replay.ReplayStep, ...] = ()  # one, once there is any
    seals: int = 0  # their sum, of all entries so far
    whole: bool = True  # whether it is kept from its beginning

    @property
    def count(self) -> int:
        """Return how many entries were read."""
        return self.last[0].entry.number + 1 if self.last else 0

    def anew(self) -> _Known:
        """Return that nothing was read yet."""
        return _Known(self.match, self.seating, dict.fromkeys(self.sentences, ()))


class HallNews:
    """What was told last of matches; it only goes on, unless the journal was corrected."""

    def __init__(self, replica: JournalReplica) -> None:
        self._replica, self._lock = replica, Lock()
        self._read: dict[str, _Known] = {}  # by the table, of its newest match
        self._begun: dict[str, replay.ReplayStep] = {}  # by what was written down of that
        self._events = 0

    def sentences(self, table: str, match: str, reader: Viewer) -> list[str]:
        """Return what happened last, the newest first, with the names that the reader knows."""
        language, seating = reader.language, reader.seating
        with self._lock:
            known = self._read.get(table, _Known(match, seating, {}))
            if (known.match, known.seating) != (match, seating) or language not in known.sentences:
                known = _Known(match, seating, dict.fromkeys([*known.sentences, language], ()))
            if known.seals != self._replica.seals(table, match, known.count):
                known = known.anew()
            if fresh := self._replica.entries(table, match, known.count):
                if (gone_on := self._gone_on(known, fresh)) is None:
                    known = known.anew()
                    gone_on = self._gone_on(known, self._replica.entries(table, match))
                known = gone_on or known
                self._read[table] = known
            return [*known.sentences[language]]

    def _gone_on(self, known: _Known, fresh: Sequence[Entry]) -> _Known | None:
        """Return what is known then; None: something goes back further than what is kept."""
        entries = [*(step.entry for step in known.last), *fresh]
        steps, fault = replay.replay_steps(entries, known.last or self._first(fresh[0]))
        goes_back = fault is not None and entries[len(steps)].kind in GO_BACK
        if goes_back and not known.whole:
            return None
        new = steps[len(known.last) :]
        self._events += len(new)
        newest = {
            language: (*islice(_newest(new, known, language), TOLD), *before)[:TOLD]
            for language, before in known.sentences.items()
        }
        last = steps[-1:] if goes_back else tuple(map(_end, steps[-1:]))
        return replace(
            known,
            sentences=newest,
            last=last,
            seals=known.seals + sum(step.entry.seal for step in new),
            whole=known.whole and all(map(is_, last, steps[-1:])),
        )

    def _first(self, entry: Entry) -> tuple[replay.ReplayStep, ...]:
        """Return how a match begins, by rules that others like it share."""
        if self._events > RENEWED or len(self._begun) > BEGUN:
            self._events = 0
            self._begun.clear()
        if (match := self._begun.get(entry.text)) is not None:
            return (replace(match, entry=entry),)
        steps, _ = replay.replay_steps([entry])
        self._begun.update((entry.text, step) for step in steps)
        return steps


def _newest(steps: Sequence[replay.ReplayStep], known: _Known, language: str) -> Iterator[str]:
    reader = Viewer(language).as_all(known.seating)
    for step in reversed(steps):
        yield from reversed(sentences(step, reader, seen=True))


def _end(step: replay.ReplayStep) -> replay.ReplayStep:
    """Return a step whose match goes back only a few events; it is cut now and then."""
    kept = [*islice(_back(step.after), 2 * BACK + 1)]
    if len(kept) <= 2 * BACK:
        return step
    del kept[BACK:]
    gone = min(len(moment.log.actions) for moment in kept)
    match: Match | None = None
    for moment in reversed(kept):
        log = replace(
            moment.log, actions=moment.log.actions[gone:], states=moment.log.states[gone:]
        )
        match = replace(moment, log=log, acts=moment.acts[gone:], before=match)
    assert match is not None
    return replace(step, before=None, after=match)


def _back(match: Match | None) -> Iterator[Match]:
    while match is not None:
        yield match
        match = match.before
