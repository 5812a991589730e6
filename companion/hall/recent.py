"""What happened last at a table, in sentences, from what the hall has of its journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from threading import Lock
from typing import Final

from companion.hall.fold import Fold
from companion.present.past_story import sentences
from companion.present.reader import Reader
from companion.referee.entry import Entry
from companion.referee.match_steps import Step, retold

TOLD: Final = 8
KEPT: Final = 8_000  # entries, of some 7 kB each: reading a match from its beginning takes a while


@dataclass(frozen=True, slots=True)
class _Known:
    """How far a match was read, and what is told of it by language, the newest first."""

    match: str
    told: Mapping[str, tuple[str, ...]]
    last: tuple[Step, ...] = ()  # one, once there is any
    seals: int = 0  # their sum, of all entries so far

    @property
    def count(self) -> int:
        """Return how many entries were read."""
        return self.last[0].entry.number + 1 if self.last else 0


class Recent:
    """What was told last of matches; it only goes on, unless the journal was put right."""

    def __init__(self, fold: Fold) -> None:
        self._fold, self._lock, self._chance = fold, Lock(), Random(1)  # noqa: S311 - no secret
        self._read: dict[str, _Known] = {}  # by the table, of its newest match

    def told(self, table: str, match: str, reader: Reader) -> list[str]:
        """Return what happened last, the newest first."""
        known = self._read.get(table, _Known(match, {}))
        there = known.match == match and reader.language in known.told
        if not there or known.seals != self._fold.seals(table, match, known.count):
            known = _Known(match, dict.fromkeys([*known.told, reader.language], ()))
        if fresh := self._fold.entries(table, match, known.count):
            known = _gone_on(known, fresh)
            with self._lock:
                self._read[table] = known
                while self._kept() > KEPT and len(self._read) > 1:
                    del self._read[
                        self._chance.choice([*self._read])
                    ]  # all may be asked for in turn
        return [*known.told[reader.language]]

    def _kept(self) -> int:
        return sum(known.count for known in self._read.values())


def _gone_on(known: _Known, fresh: Sequence[Entry]) -> _Known:
    entries = [*(step.entry for step in known.last), *fresh]
    steps = retold(entries, known.last)[0][len(known.last) :]
    told = {
        language: (*islice(_newest(steps, Reader(language)), TOLD), *before)[:TOLD]
        for language, before in known.told.items()
    }
    seals = known.seals + sum(step.entry.seal for step in steps)
    return _Known(known.match, told, steps[-1:] or known.last, seals)


def _newest(steps: Sequence[Step], reader: Reader) -> Iterator[str]:
    for step in reversed(steps):
        yield from reversed(sentences(step, reader, seen=True))
