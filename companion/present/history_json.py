"""Earlier matches as the API tells them: in a list, step by step, and whole, to be kept.

Nobody is told which stopper stood where, because the same barrels are used again: whoever
knows them from the last match would know them in the next.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from companion.core.codec import pack
from companion.journal import Entry, ListedMatch
from companion.journal.entry import body_text
from companion.present.api_schema import Listed, MatchTold, StepOf
from companion.present.history import Retelling, sentences
from companion.present.viewer import Viewer
from companion.referee.barrel_game import BarrelRound, barrels_of, summary
from companion.referee.events import BarrelAssigned, MatchStarted, from_json
from companion.referee.replay import ReplayStep, count_unsealed, replay_steps
from companion.system.text import SEATS


def listed_record(match: ListedMatch) -> Listed:
    """Return a match in the list of all; what can no longer be read is left out."""
    game, seats = "", tuple[str, ...]()
    with suppress(ValueError, RecursionError, AttributeError, TypeError):
        deed = from_json(match.first.kind, match.first.body)
        if isinstance(deed, MatchStarted):
            game, named = deed.game, json.loads(deed.settings).get("seats")
            seats = tuple(seat for seat in named if seat in SEATS)
    return Listed(match.id, match.first.at_ms, game, seats, match.count, match.last.ends)


def match_record(match: ListedMatch, retelling: Retelling, reader: Viewer) -> MatchTold:
    """Return a match as far as it lies open, as a record."""
    last = retelling.steps[-1].after if retelling.steps else None
    return MatchTold(
        id=match.id,
        at_ms=match.first.at_ms,
        game=last.game.name if last else None,
        settings=pack(last.game.settings) if last else None,
        house=last.house if last else None,
        result=retelling.past.result,
        sealed=retelling.sealed,
        summary=summary(last) if last else None,
        steps=tuple(_step(step, reader) for step in retelling.steps),
    )


def _step(step: ReplayStep, reader: Viewer) -> StepOf:
    game = step.after.game
    barrels, view = barrels_of(game.name), game.view(step.after.state, None)
    round_ = barrels.at(view, game.settings) if barrels else BarrelRound()
    return StepOf(
        number=step.entry.number,
        at_ms=step.entry.at_ms,
        kind=step.entry.kind,
        sentences=sentences(step, reader),
        round=round_.round,
        phase=round_.phase,
        magic=round_.magic,
        placed=round_.placed,
        numbers=round_.numbers,
        pawns=round_.pawns,
    )


def open_entries(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the entries of a match that may leave this table, the stoppers in them left out."""
    return without_stoppers(replay_steps(entries)[0])


def without_stoppers(steps: Sequence[ReplayStep]) -> Iterator[Entry]:
    """Yield those of a match that was read already."""
    for step in steps[: count_unsealed(steps)]:
        if isinstance(step.deed, BarrelAssigned):
            unnamed = BarrelAssigned(
                step.deed.seat, None
            )  # nor what else would tell stoppers apart
            yield replace(step.entry, text=body_text(pack(unnamed)))
        else:
            yield step.entry
