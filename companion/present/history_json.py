"""Earlier matches as the API tells them: in a list, step by step, and whole, to be kept.

Nobody is told which stopper stood where, because the same barrels are used again: whoever
knows them from the last match would know them in the next.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from companion import core, journal
from companion.journal.entry import body_text
from companion.present import api_schema, history, viewer
from companion.referee import barrel_game, events, replay
from companion.system.text import SEATS


def listed_record(match: journal.ListedMatch) -> api_schema.Listed:
    """Return a match in the list of all; what can no longer be read is left out."""
    game, seats = "", tuple[str, ...]()
    with suppress(ValueError, RecursionError, AttributeError, TypeError):
        event = events.from_json(match.first.kind, match.first.body)
        if isinstance(event, events.MatchStarted):
            game, named = event.game, json.loads(event.settings).get("seats")
            seats = tuple(seat for seat in named if seat in SEATS)
    return api_schema.Listed(match.id, match.first.at_ms, game, seats, match.count, match.last.ends)


def match_record(
    match: journal.ListedMatch, retelling: history.Retelling, reader: viewer.Viewer
) -> api_schema.MatchTold:
    """Return a match as far as it lies open, as a record."""
    last = retelling.steps[-1].after if retelling.steps else None
    return api_schema.MatchTold(
        id=match.id,
        at_ms=match.first.at_ms,
        game=last.game.name if last else None,
        settings=core.pack(last.game.settings) if last else None,
        house=last.house if last else None,
        result=retelling.past.result,
        sealed=retelling.sealed,
        summary=barrel_game.summary(last) if last else None,
        steps=tuple(_step(step, reader) for step in retelling.steps),
    )


def _step(step: replay.ReplayStep, reader: viewer.Viewer) -> api_schema.StepOf:
    game = step.after.game
    barrels, view = barrel_game.barrels_of(game.name), game.view(step.after.state, None)
    round_ = barrels.at(view, game.settings) if barrels else barrel_game.BarrelRound()
    return api_schema.StepOf(
        number=step.entry.number,
        at_ms=step.entry.at_ms,
        kind=step.entry.kind,
        sentences=history.sentences(step, reader),
        round=round_.round,
        phase=round_.phase,
        magic=round_.magic,
        placed=round_.placed,
        numbers=round_.numbers,
        pawns=round_.pawns,
    )


def open_entries(entries: Sequence[journal.Entry]) -> Iterator[journal.Entry]:
    """Yield the entries of a match that may leave this table, the stoppers in them left out."""
    return without_stoppers(replay.replay_steps(entries)[0])


def without_stoppers(steps: Sequence[replay.ReplayStep]) -> Iterator[journal.Entry]:
    """Yield the open entries of a match that was read, without which stopper stood where."""
    for step in steps[: replay.count_unsealed(steps)]:
        if isinstance(step.event, events.BarrelAssigned):
            unnamed = events.BarrelAssigned(
                step.event.seat, None
            )  # nor what else would tell stoppers apart
            yield replace(step.entry, text=body_text(core.pack(unnamed)))
        else:
            yield step.entry
