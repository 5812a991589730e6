"""A match read from its entries again: step by step, as far as it is sound, and what is sealed.

It must not know files nor screens.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import RulesError
from companion.referee.deeds import Amended, Deed, Did, Stood, from_json
from companion.referee.entry import Entry
from companion.referee.match import Match, begin, take
from companion.rules import GAMES
from companion.rules.game import Action, Unreadable
from companion.rules.packing import unpack_action


@dataclass(frozen=True, slots=True)
class Step:
    """One deed, and the match before and after it; the first one has nothing before it."""

    entry: Entry
    deed: Deed
    before: Match | None
    after: Match


def retold(entries: Sequence[Entry]) -> tuple[tuple[Step, ...], RulesError | None]:
    """Return the steps of a match as far as they are sound, and what is wrong after that."""
    steps: list[Step] = []
    for entry in entries:
        before = steps[-1].after if steps else None
        try:
            deed = from_json(entry.kind, entry.body)
            after = begin(deed, GAMES) if before is None else take(before, deed)
        except (ValueError, RecursionError) as found:
            fault = found if isinstance(found, RulesError) else _unreadable(entry)
            return tuple(steps), Unreadable(
                "Match {match}, entry {number}: {fault}",
                match=entry.match,
                number=entry.number,
                fault=fault,
            )
        steps.append(Step(entry, deed, before, after))
    return tuple(steps), None


def open_part(steps: Sequence[Step]) -> int:
    """Return how many entries of a match hold nothing that is still sealed at the table.

    Which stopper stands at a seat is as good as its number: earlier rounds tell that.
    """
    if not steps or steps[-1].after.over:
        return len(steps)
    actions = [_action(step) for step in steps]
    openers = {kind.sealed.opened_by for kind in steps[0].after.game.actions if kind.sealed}
    opened = max((n for n, action in enumerate(actions) if type(action) in openers), default=0)
    for number in range(opened, len(steps)):
        action = actions[number]
        sealed = action is not None and action.sealed is not None
        if sealed or isinstance(steps[number].deed, Stood):
            return number
    return len(steps)


def _action(step: Step) -> Action | None:
    """Return the action that a deed did, or that it should have been."""
    if not isinstance(step.deed, Did | Amended):
        return None
    return unpack_action(step.after.game, json.loads(step.deed.action))


def _unreadable(entry: Entry) -> Unreadable:
    return Unreadable(
        "'{line}' is no JSON; every line of a log is one JSON object.", line=entry.text[:40]
    )
