"""Matches that were played, read from the journal as far as they lie open, and what all came to.

It must not know pages, nor tell which stopper stood where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from companion.core.declarations import is_blind
from companion.core.game import Event
from companion.journal import Entry
from companion.journal import Match as Listed
from companion.present.page import Tally, page_of
from companion.referee.deeds import Did, Raised, Stood
from companion.referee.match_steps import Step, of_newer_version, open_part, retold
from companion.text import SeatName


class Result(Enum):
    """How a match ended, or why it did not."""

    WON = "won"
    GIVEN_UP = "given up"
    UNFINISHED = "unfinished"
    NEWER = "of a newer version"
    DAMAGED = "unreadable"


@dataclass(frozen=True, slots=True)
class Past:
    """One match in the list of all."""

    id: str
    at_ms: int
    result: Result
    game: str = ""
    seats: tuple[SeatName, ...] = ()
    winners: tuple[SeatName, ...] = ()
    tally: Tally | None = None  # where its game has statistics
    coached: bool = False  # while it was played, so it says nothing of how good anybody is

    @property
    def counts(self) -> bool:
        """Whether statistics take it in: only what was played to its end."""
        return self.result is Result.WON and self.tally is not None


@dataclass(frozen=True, slots=True)
class Retelling:
    """One match, to be shown step by step."""

    past: Past
    steps: tuple[Step, ...]  # those that mean something to people
    sealed: bool  # whether there is more, which does not lie open yet


def read(listed: Listed, entries: Sequence[Entry]) -> Retelling:
    """Return a match as far as it lies open; entries that came after it was listed do not count."""
    steps, fault = retold(entries[: listed.count])
    known = steps if _told_openly(steps) else steps[: open_part(steps)]
    shown = tuple(step for step in known if _tells(step))
    broken = None
    if of_newer_version(fault):
        broken = Result.NEWER
    elif fault is not None or len(entries) < listed.count or not shown:
        broken = Result.DAMAGED
    return Retelling(_past(listed, shown, broken), shown, len(known) < len(steps))


def _told_openly(steps: Sequence[Step]) -> bool:
    """Tell whether nothing but hands is hidden: no step that is told, nor its view, shows those."""
    return bool(steps) and not any(map(is_blind, steps[0].after.game.actions))


def _tells(step: Step) -> bool:
    """Tell whether people learn anything: not where a stopper stands, nor a finding once more."""
    match step.deed:
        case Stood():
            return False
        case Did() if step.before is not None and (quiet := _quiet(step.after.game.name)):
            before, after = step.before.state, step.after
            events = after.game.explain(before, after.log.actions[-1], after.state)
            return not all(isinstance(event, quiet) for event in events)
        case Raised(foul=number, weight=weight) if step.before is not None:
            known = {(one.raised.foul, one.raised.weight) for one in step.before.fouls}
            return (number, weight) not in known
    return True


def _quiet(game: str) -> tuple[type[Event], ...]:
    page = page_of(game)
    return page.quiet if page else ()


def _past(listed: Listed, steps: Sequence[Step], broken: Result | None) -> Past:
    first = listed.first
    if not steps:
        return Past(first.match, first.at_ms, broken or Result.DAMAGED)
    last = steps[-1].after
    page = page_of(last.game.name)
    result = Result.UNFINISHED
    if broken is not None:
        result = broken
    elif last.ended:
        result = Result.GIVEN_UP
    elif last.over:
        result = Result.WON
    outcome = last.game.outcome(last.state)
    return Past(
        first.match,
        first.at_ms,
        result,
        last.game.name,
        tuple(map(SeatName, last.game.seats)),
        tuple(map(SeatName, outcome.winners)) if outcome else (),
        page.statistics.tally(last) if page and page.statistics else None,
        last.house.coached,
    )
