"""What happened last at a table, in sentences, from what the hall has of its journal."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from threading import Lock
from typing import Final

from companion.hall.fold import Fold
from companion.present.past_story import sentences
from companion.present.reader import Reader
from companion.referee.match_steps import Step, retold

TOLD: Final = 8
LOOKED_BACK: Final = 60  # steps; many say nothing
KEPT: Final = 300  # tables, of some 150 kB each: reading a match from its beginning takes a while


@dataclass(frozen=True, slots=True)
class _Known:
    """What was read of a match; what a step says is said once in a language."""

    match: str
    steps: tuple[Step, ...] = ()
    seals: int = 0  # their sum, of all entries so far
    said: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Return how many entries were read."""
        return self.steps[-1].entry.number + 1 if self.steps else 0


class Recent:
    """The last steps of matches as far as they were read; they only go on, but for what differs."""

    def __init__(self, fold: Fold) -> None:
        self._fold, self._lock, self._chance = fold, Lock(), Random(1)  # noqa: S311 - no secret
        self._read: dict[str, _Known] = {}  # by the table, of its newest match

    def told(self, table: str, match: str, reader: Reader) -> list[str]:
        """Return what happened last, the newest first."""
        found: list[str] = []
        known = self._newest(table, match)
        for step in reversed(known.steps):
            key = reader.language, step.entry.number
            if key not in known.said:
                known.said[key] = sentences(step, reader)
            found += reversed(known.said[key])
            if len(found) >= TOLD:
                break
        return found[:TOLD]

    def _newest(self, table: str, match: str) -> _Known:
        known = self._read.get(table, _Known(match))
        if known.match != match or known.seals != self._fold.seals(table, match, known.count):
            known = _Known(match)  # another one, or the journal was put right
        fresh = self._fold.entries(table, match, known.count)
        if not fresh:
            return known
        entries = [*(step.entry for step in known.steps), *fresh]
        steps = retold(entries, known.steps)[0]
        added = sum(step.entry.seal for step in steps[len(known.steps) :])
        steps = steps[-LOOKED_BACK:]
        first = steps[0].entry.number if steps else 0
        said = {key: one for key, one in [*known.said.items()] if key[1] >= first}
        known = _Known(match, steps, known.seals + added, said)
        with self._lock:
            self._read[table] = known
            if len(self._read) > KEPT:  # any of them: all may be asked for in turn
                del self._read[self._chance.choice([*self._read])]
        return known
