"""Earlier matches as the API tells them: in a list, step by step, and whole, to be kept.

It must not know Flask. Which stopper stood where is told to nobody, for the same barrels are played
with again: whoever knows them from the last match would know them in the next.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from companion.core.game import SEATS
from companion.core.packing import pack
from companion.games.zapp_zerapp.rules import View
from companion.present.now import numbers, pawns
from companion.present.past import Retelling
from companion.present.past_story import sentences
from companion.present.reader import Reader
from companion.present.shapes import Listed, StepOf, Told
from companion.referee.deeds import Began, Stood, from_json
from companion.referee.entry import Entry, Match, written
from companion.referee.retold import Step, open_part, retold


def listed(match: Match) -> Listed:
    """Return a match in the list of all; what cannot be read any more is left out."""
    game, seats = "", tuple[str, ...]()
    with suppress(ValueError, RecursionError, AttributeError, TypeError):
        deed = from_json(match.first.kind, match.first.body)
        if isinstance(deed, Began):
            game, named = deed.game, json.loads(deed.settings).get("seats")
            seats = tuple(seat for seat in named if seat in SEATS)
    return Listed(match.id, match.first.at_ms, game, seats, match.count, match.last.ends)


def told(match: Match, found: Retelling, reader: Reader) -> Told:
    """Return a match as far as it lies open."""
    last = found.steps[-1].after if found.steps else None
    return Told(
        id=match.id,
        at_ms=match.first.at_ms,
        game=last.game.name if last else None,
        settings=pack(last.game.settings) if last else None,
        house=last.house if last else None,
        result=found.past.result,
        sealed=found.sealed,
        summary=getattr(found.past.tally, "summary", None),
        steps=tuple(_step(step, reader) for step in found.steps),
    )


def _step(step: Step, reader: Reader) -> StepOf:
    game = step.after.game
    view = game.view(step.after.state, None)
    known = view if isinstance(view, View) else None
    return StepOf(
        number=step.entry.number,
        at_ms=step.entry.at_ms,
        kind=step.entry.kind,
        sentences=sentences(step, reader),
        round=known.round if known else 0,
        phase=known.phase if known else None,
        magic=known.magic if known else 0,
        placed=known.placed if known else (),
        numbers=numbers(known) if known else (),
        pawns=pawns(known, game.settings) if known else (),
    )


def open_entries(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the entries of a match that may leave this table, the stoppers in them left out."""
    steps, _ = retold(entries)
    for step in steps[: open_part(steps)]:
        if isinstance(step.deed, Stood):
            unnamed = replace(step.deed, stopper=None)
            yield replace(step.entry, text=written(pack(unnamed)))
        else:
            yield step.entry
