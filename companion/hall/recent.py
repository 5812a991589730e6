"""What happened last at a table, in sentences, from what the hall has of its journal."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from threading import Lock
from typing import Final

from companion.hall.fold import Fold
from companion.present.past_story import sentences
from companion.present.reader import Reader
from companion.referee.entry import Entry
from companion.referee.match_steps import Step, retold

TOLD: Final = 8
LOOKED_BACK: Final = 60  # steps; many say nothing
KEPT: Final = 300  # tables, of some 150 kB each: reading a match from its beginning takes a while


class Recent:
    """The last steps of matches as far as they were read; they only go on, but for what differs."""

    def __init__(self, fold: Fold) -> None:
        self._fold, self._lock, self._chance = fold, Lock(), Random(1)  # noqa: S311 - no secret
        self._read: dict[str, tuple[Step, ...]] = {}  # by the table, of its newest match

    def told(self, table: str, match: str, reader: Reader) -> list[str]:
        """Return what happened last, the newest first."""
        found: list[str] = []
        for step in reversed(self._steps(table, match)):
            found += reversed(sentences(step, reader))
            if len(found) >= TOLD:
                break
        return found[:TOLD]

    def _steps(self, table: str, match: str) -> tuple[Step, ...]:
        known = self._read.get(table, ())
        entries = self._fold.entries(table, match, known[0].entry.number if known else 0)
        if not _are_still(known, entries):
            known, entries = (), self._fold.entries(table, match)
        steps = retold(entries, known)[0][-LOOKED_BACK:]
        with self._lock:
            self._read[table] = steps
            if len(self._read) > KEPT:  # any of them: all may be asked for in turn
                del self._read[self._chance.choice([*self._read])]
        return steps


def _are_still(known: Sequence[Step], entries: Sequence[Entry]) -> bool:
    """Tell whether what was read is still so."""
    there = (step.entry == entry for step, entry in zip(known, entries, strict=False))
    return len(known) <= len(entries) and all(there)
