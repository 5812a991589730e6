"""For how long each step of a past match is shown when it is played again, and which are moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.present.moments import LEAST_MS, Kind, Picture, least_ms, pictured
from companion.present.reader import Reader
from companion.referee.deeds import Did, Raised
from companion.referee.match_steps import Step
from companion.referee.snapshot import Snapshot

MOST_MS: Final = 4000  # nobody waits longer for what is long over
MOVES: Final = frozenset({Kind.MOVE, Kind.BANISH, Kind.CARD, Kind.TRICK, Kind.WIN})


@dataclass(frozen=True, slots=True)
class Pace:
    """How a step is played again."""

    ms: int
    moves: bool  # something on the table is no longer where it was


def pace(step: Step) -> Pace:
    """Return how a step is played again."""
    pictures = list(_pictures(step))
    shown_ms = sum(map(least_ms, pictures)) or LEAST_MS[Kind.PLAIN]
    return Pace(min(shown_ms, MOST_MS), any(one.kind in MOVES for one in pictures))


def _pictures(step: Step) -> Iterator[Picture]:
    before, after = step.before, step.after
    if isinstance(step.deed, Raised):
        yield Picture(Kind.FOUL)
    if not isinstance(step.deed, Did) or before is None:
        return
    game = after.game
    now = Snapshot(step.entry.number, game=game.name, settings=game.settings)
    view = before.game.view(before.state, None)
    for event in game.explain(before.state, after.log.actions[-1], after.state):
        yield pictured(event, view, now, Reader())
