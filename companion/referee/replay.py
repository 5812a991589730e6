"""Replays a match from its journal entries step by step, as far as they are sound."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from companion import core, journal
from companion.core.log import not_json
from companion.referee import events
from companion.referee.match import Foul, Match, apply, start_match
from companion.system import errors, format_names, signals

FOUL: Final = "foul"  # the weight of what somebody was told; not warnings, nor what was withdrawn
REMINDER: Final = "reminder"  # … of the first one in a match that may have been listening


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One event, and the match before and after it; the first one has nothing before it."""

    entry: journal.Entry
    event: events.MatchEvent
    before: Match | None
    after: Match


def replay_steps(
    entries: Sequence[journal.Entry], known: Sequence[ReplayStep] = ()
) -> tuple[tuple[ReplayStep, ...], errors.RulesError | None]:
    """Return the steps of a match as far as they are sound, and what is wrong after that.

    `known` are its first ones, from whoever has read so far already.
    """
    steps = [*known]
    for entry in entries[len(steps) :]:
        signals.check()
        before = steps[-1].after if steps else None
        try:
            event = events.from_json(entry.kind, entry.body, before.game if before else None)
            after = start_match(event, core.GAMES) if before is None else apply(before, event)
        except (ValueError, RecursionError) as error:
            fault = error if isinstance(error, errors.RulesError) else not_json(entry.text)
            return tuple(steps), errors.Unreadable(
                "Match {match}, entry {number}: {fault}",
                match=entry.match,
                number=entry.number,
                fault=fault,
            )
        steps.append(ReplayStep(entry, event, before, after))
    return tuple(steps), None


def of_newer_version(fault: errors.RulesError | None) -> bool:
    """Tell whether an entry is not known here: its seal is whole, so a newer version wrote it so.

    What is clear, but cannot be, no version wrote: that is damage.
    """
    return fault is not None and isinstance(fault.values.get("fault"), errors.Unreadable)


def count_unsealed(steps: Sequence[ReplayStep]) -> int:
    """Return how many entries of a match hold nothing that is still sealed at the table.

    Which stopper stands at a seat is as good as its number: earlier rounds tell that. A match that
    was given up can be taken up again: what was not opened until then stays sealed.
    """
    last = steps[-1].after if steps else None
    if last is None or last.game.outcome(last.state) is not None:
        return len(steps)
    openers = {kind.sealed.opened_by for kind in steps[0].after.game.actions if kind.sealed}
    hidden, later = len(steps), set[object]()
    for number in reversed(range(len(steps))):
        action = _action(steps[number])
        sealed = None if action is None else action.sealed
        closed = sealed is not None and sealed.opened_by not in later
        if last.over:  # what was never known stays so
            closed = closed and action is not None and action != action.hidden()
        elif isinstance(steps[number].event, events.BarrelAssigned):
            closed = not later & openers
        if closed:
            hidden = number
        later.add(type(action))
    return hidden


def _action(step: ReplayStep) -> core.Action | None:
    """Return the action that an event did, or that it should have been."""
    if isinstance(step.event, events.ActionDone | events.ActionCorrected):
        return step.event.action
    return None


@format_names.record("Fouls")
class FoulCount:
    """Fouls of one kind at one seat; what is neither upheld nor dismissed was left open."""

    code: str
    seat: str | None  # None: nobody knows whose
    raised: int
    upheld: int
    dismissed: int


def foul_counts(fouls: Iterable[Foul]) -> tuple[FoulCount, ...]:
    """Return how the table ruled, by code and seat, in the order of raising."""
    kinds: dict[tuple[str, str | None], list[Foul]] = {}
    for foul in fouls:
        if foul.raised.weight == FOUL or foul.upheld is not None:
            kinds.setdefault((foul.raised.code, foul.seat), []).append(foul)
    return tuple(
        FoulCount(
            code,
            seat,
            len(counted),
            sum(foul.upheld is True for foul in counted),
            sum(foul.upheld is False for foul in counted),
        )
        for (code, seat), counted in kinds.items()
    )
