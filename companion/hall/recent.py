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
KEPT: Final = 24  # matches that somebody follows: reading one from its beginning takes a while


class Recent:
    """Matches as far as they were read; they only go on, but for what was put right."""

    def __init__(self, fold: Fold) -> None:
        self._fold, self._lock = fold, Lock()
        self._read: OrderedDict[tuple[str, str], tuple[Step, ...]] = OrderedDict()

    def told(self, table: str, match: str, reader: Reader) -> list[str]:
        """Return what happened last, the newest first."""
        found: list[str] = []
        for step in reversed(self._steps(table, match)[-LOOKED_BACK:]):
            found += reversed(sentences(step, reader))
            if len(found) >= TOLD:
                break
        return found[:TOLD]

    def _steps(self, table: str, match: str) -> tuple[Step, ...]:
        entries = self._fold.entries(table, match)
        with self._lock:
            known = self._read.pop((table, match), ())
            steps, _ = retold(entries, _still(known, entries))
            self._read[table, match] = steps
            while len(self._read) > KEPT:
                self._read.popitem(last=False)
        return steps


def _still(known: Sequence[Step], entries: Sequence[Entry]) -> Sequence[Step]:
    """Return what was read and is still so."""
    same = len(known) <= len(entries)
    return known if same and all(a.entry == b for a, b in zip(known, entries, strict=False)) else ()
