"""What happened last at a table, in sentences, from what the hall has of its journal."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Final

from companion.hall.fold import Fold
from companion.present.past_story import sentences
from companion.present.reader import Reader
from companion.referee.entry import Entry
from companion.referee.match_steps import Step, retold

TOLD: Final = 8
LOOKED_BACK: Final = 60  # steps; many say nothing
KEPT: Final = 600  # matches that somebody follows: reading one from its beginning takes a while


class Recent:
    """The last steps of matches as far as they were read; they only go on, but for what differs."""

    def __init__(self, fold: Fold) -> None:
        self._fold, self._lock = fold, Lock()
        self._read: OrderedDict[tuple[str, str], tuple[Step, ...]] = OrderedDict()

    def told(self, table: str, match: str, reader: Reader) -> list[str]:
        """Return what happened last, the newest first."""
        found: list[str] = []
        for step in reversed(self._steps(table, match)):
            found += reversed(sentences(step, reader))
            if len(found) >= TOLD:
                break
        return found[:TOLD]

    def _steps(self, table: str, match: str) -> tuple[Step, ...]:
        with self._lock:
            known = self._read.pop((table, match), ())
        entries = self._fold.entries(table, match, known[0].entry.number if known else 0)
        if not _are_still(known, entries):
            known, entries = (), self._fold.entries(table, match)
        steps = retold(entries, known)[0][-LOOKED_BACK:]
        with self._lock:
            self._read[table, match] = steps
            while len(self._read) > KEPT:
                self._read.popitem(last=False)
        return steps


def _are_still(known: Sequence[Step], entries: Sequence[Entry]) -> bool:
    """Tell whether what was read is still so."""
    there = (step.entry == entry for step, entry in zip(known, entries, strict=False))
    return len(known) <= len(entries) and all(there)
