"""Matches that were played, read from the journal as far as they lie open, and what all came to.

It must not know pages, nor tell which stopper stood where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Final

from companion.core.game import SeatName
from companion.games.pages import GAME_PAGES
from companion.games.zapp_zerapp.rules import Colour, MagicNumber, Shown, State
from companion.games.zapp_zerapp.summary import Player, Summary, best
from companion.referee.deeds import Did, Raised, Stood
from companion.referee.entry import Entry
from companion.referee.entry import Match as Listed
from companion.referee.match import Match
from companion.referee.retold import Step, of_newer_version, open_part, retold
from companion.referee.summary import summary

COUNTED: Final = tuple(part.name for part in fields(Player) if part.name != "seat")


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
    total: Summary | None = None  # of Zapp Zerapp
    off: tuple[tuple[tuple[Colour, int], int], ...] = ()  # how often a barrel missed by how much

    @property
    def counts(self) -> bool:
        """Whether statistics take it in: only what was played to its end."""
        return self.result is Result.WON and self.total is not None


@dataclass(frozen=True, slots=True)
class Retelling:
    """One match, to be shown step by step."""

    past: Past
    steps: tuple[Step, ...]  # those that mean something to people
    sealed: bool  # whether there is more, which does not lie open yet


@dataclass(frozen=True, slots=True)
class Statistics:
    """What all finished matches came to together."""

    lengths: tuple[int, ...]  # rounds of each, the oldest first
    players: tuple[Player, ...]  # by colour, of all matches together
    best: tuple[Colour, ...]
    off: dict[Colour, Counter[int]]  # how often a barrel missed the magic number by how much

    @property
    def mean_rounds(self) -> float:
        """Return how long a match takes."""
        return sum(self.lengths) / len(self.lengths) if self.lengths else 0.0


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


def statistics(matches: Iterable[Past]) -> Statistics:
    """Return what matches came to together; they come with the newest first."""
    finished = [match for match in matches if match.counts][::-1]
    totals = [match.total for match in finished if match.total is not None]
    players = tuple(_together(colour, totals) for colour in Colour)
    off: dict[Colour, Counter[int]] = {colour: Counter() for colour in Colour}
    for match in finished:
        for (seat, missed), times in match.off:
            off[seat][missed] += times
    return Statistics(tuple(total.rounds for total in totals), players, best(players), off)


def _told_openly(steps: Sequence[Step]) -> bool:
    """Tell whether nothing but hands is hidden: no step that is told, nor its view, shows those."""
    return bool(steps) and not isinstance(steps[0].after.state, State)


def _tells(step: Step) -> bool:
    """Tell whether people learn anything: not where a stopper stands, nor a finding once more."""
    match step.deed:
        case Stood():
            return False
        case Did() if step.before is not None and step.after.game.name in GAME_PAGES:
            events = step.after.game.explain(step.before.state, step.after.log.actions[-1])
            quiet = GAME_PAGES[step.after.game.name].quiet
            return not all(isinstance(event, quiet) for event in events)
        case Raised(foul=number, weight=weight) if step.before is not None:
            known = {(one.raised.foul, one.raised.weight) for one in step.before.fouls}
            return (number, weight) not in known
    return True


def _past(listed: Listed, steps: Sequence[Step], broken: Result | None) -> Past:
    first = listed.first
    if not steps:
        return Past(first.match, first.at_ms, broken or Result.DAMAGED)
    last = steps[-1].after
    total = summary(last)
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
        total,
        tuple(Counter(_off(last)).items()),
    )


def _off(match: Match) -> Iterable[tuple[Colour, int]]:
    """Yield whose barrel missed the magic number by how much; below it is less than nothing."""
    magic = 0
    if not isinstance(match.state, State):
        return
    for before, action in zip(match.log.states, match.log.actions, strict=False):
        for event in match.game.explain(before, action):
            match event:
                case MagicNumber():
                    magic = event.magic
                case Shown():
                    yield event.seat, event.number - magic
                case _:
                    pass


def _together(colour: Colour, totals: Iterable[Summary]) -> Player:
    counts: Counter[str] = Counter()
    for total in totals:
        for player in total.players:
            if player.seat == colour:
                counts.update({part: getattr(player, part) for part in COUNTED})
    return Player(colour, **counts)
