"""The history of a match, replayed from its journal as far as it lies open.

It must not know pages, nor tell which stopper stood where.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from companion.core.game import Event, is_blind
from companion.journal import Entry, ListedMatch
from companion.present import animations, fouls, viewer
from companion.present.page import GameTally, Story, page_of
from companion.referee import events, snapshot
from companion.referee.match import Match
from companion.referee.replay import ReplayStep, count_unsealed, of_newer_version, replay_steps
from companion.system.text import SEATS, SeatName


class Result(Enum):
    """How a match ended, or why it did not."""

    WON = "won"
    GIVEN_UP = "given up"
    UNFINISHED = "unfinished"
    NEWER = "of a newer version"
    DAMAGED = "unreadable"


@dataclass(frozen=True, slots=True)
class PastMatch:
    id: str
    at_ms: int
    result: Result
    game: str = ""
    seats: tuple[SeatName, ...] = ()
    winners: tuple[SeatName, ...] = ()
    tally: GameTally | None = None  # where its game has statistics
    coached: bool = False  # while it was played, so it says nothing of how good anybody is

    @property
    def counts(self) -> bool:
        """Whether statistics take it in: only what was played to its end."""
        return self.result is Result.WON and self.tally is not None


@dataclass(frozen=True, slots=True)
class Retelling:
    past: PastMatch
    steps: tuple[ReplayStep, ...]  # those that mean something to people
    sealed: bool  # whether there is more, which does not lie open yet


def retell(listed: ListedMatch, entries: Sequence[Entry]) -> Retelling:
    """Return a match as far as it lies open; entries that came after it was listed do not count."""
    steps, fault = replay_steps(entries[: listed.count])
    known = steps if _told_openly(steps) else steps[: count_unsealed(steps)]
    shown = tuple(step for step in known if _tells(step))
    broken = None
    if of_newer_version(fault):
        broken = Result.NEWER
    elif fault is not None or len(entries) < listed.count or not shown:
        broken = Result.DAMAGED
    return Retelling(_past(listed, shown, broken), shown, len(known) < len(steps))


def _told_openly(steps: Sequence[ReplayStep]) -> bool:
    """Tell whether nothing but hands is hidden: no step that is told, nor its view, shows those."""
    return bool(steps) and not any(map(is_blind, steps[0].after.game.actions))


def _tells(step: ReplayStep) -> bool:
    """Tell whether people learn anything: not where a stopper stands, nor a finding once more."""
    match step.event:
        case events.BarrelAssigned():
            return False
        case events.ActionDone() if step.before is not None and (
            quiet := _quiet(step.after.game.name)
        ):
            before, after = step.before.state, step.after
            happened = after.game.explain(before, after.log.actions[-1], after.state)
            return not all(isinstance(event, quiet) for event in happened)
        case events.FoulRaised(foul=number, weight=weight) if step.before is not None:
            known = {(foul.raised.foul, foul.raised.weight) for foul in step.before.fouls}
            return (number, weight) not in known
    return True


def _quiet(game: str) -> tuple[type[Event], ...]:
    page = page_of(game)
    return page.quiet if page else ()


def _past(listed: ListedMatch, steps: Sequence[ReplayStep], broken: Result | None) -> PastMatch:
    first = listed.first
    if not steps:
        return PastMatch(first.match, first.at_ms, broken or Result.DAMAGED)
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
    return PastMatch(
        first.match,
        first.at_ms,
        result,
        last.game.name,
        tuple(map(SeatName, last.game.seats)),
        tuple(map(SeatName, outcome.winners)) if outcome else (),
        page.statistics.tally(last) if page and page.statistics else None,
        last.house.coached,
    )


MOST_MS: Final = 4000  # nobody waits longer for what is long over
MOVES: Final = frozenset(
    {
        animations.AnimationKind.MOVE,
        animations.AnimationKind.BANISH,
        animations.AnimationKind.CARD,
        animations.AnimationKind.TRICK,
        animations.AnimationKind.WIN,
    }
)


@dataclass(frozen=True, slots=True)
class ReplayPace:
    """How a step is played again."""

    ms: int
    moves: bool  # something on the table is no longer where it was


def pace(step: ReplayStep) -> ReplayPace:
    """Return how a step is played again."""
    pictures = list(_pictures(step))
    shown_ms = (
        sum(map(animations.least_ms, pictures))
        or animations.LEAST_MS[animations.AnimationKind.PLAIN]
    )
    return ReplayPace(min(shown_ms, MOST_MS), any(picture.kind in MOVES for picture in pictures))


def _pictures(step: ReplayStep) -> Iterator[animations.EventPicture]:
    before, after = step.before, step.after
    if isinstance(step.event, events.FoulRaised):
        yield animations.EventPicture(animations.AnimationKind.FOUL)
    if not isinstance(step.event, events.ActionDone) or before is None:
        return
    game = after.game
    now = snapshot.Snapshot(step.entry.number, game=game.name, settings=game.settings)
    view = before.game.view(before.state, None)
    for event in game.explain(before.state, after.log.actions[-1], after.state):
        yield animations.pictured(event, view, now, viewer.Viewer())


def sentences(step: ReplayStep, reader: viewer.Viewer, *, seen: bool = False) -> tuple[str, ...]:
    """Return what an event did; nothing, if nobody may read it, or if only what is `seen`."""
    before, after = step.before, step.after
    match step.event:
        case events.MatchStarted():
            return tuple(_began(after, reader))
        case events.ActionDone(by=by) if before is not None:
            happened = after.game.explain(before.state, after.log.actions[-1], after.state)
            lines = tuple(reader.say(event) for event in happened)
            lines += tuple(
                fouls.insisted(dispute, reader)
                for dispute in after.insisted
                if dispute.entry == after.number
            )
            if lines or seen:
                return lines
            return (reader.say("{by} made an entry.", by=_who(by, reader)),)
        case events.UndoneTo(by=by) if before is not None:
            gone = len(before.log.actions) - len(after.log.actions)
            return (
                reader.say(
                    "Taken back ({by}): {count} {count:#action|actions}.",
                    by=_who(by, reader),
                    count=gone,
                ),
            )
        case events.ActionCorrected() if before is not None:
            return tuple(_amended(before, after, step.event, reader))
        case events.FoulRaised(foul=number) | events.FoulRuled(foul=number):
            foul = next(foul for foul in after.fouls if foul.raised.foul == number)
            if isinstance(step.event, events.FoulRaised):
                foul = replace(foul, upheld=None, named=None)
            return (fouls.foul_sentence(foul, reader),)
        case events.MatchAbandoned(by=by):
            return (reader.say("The match was given up ({by}).", by=_who(by, reader)),)
    return ()


def _began(match: Match, reader: viewer.Viewer) -> Iterator[str]:
    settings = match.game.settings
    yield reader.say(
        "{seats:and} {seats:#plays|play}.", seats=tuple(map(SeatName, match.game.seats))
    )
    if story := _story(match):
        yield from story.began(settings, reader)


def _story(match: Match) -> Story | None:
    page = page_of(match.game.name)
    return page.story if page else None


def _amended(
    before: Match, after: Match, event: events.ActionCorrected, reader: viewer.Viewer
) -> Iterator[str]:
    right, wrong = event.action, before.log.actions[before.acts.index(event.deed)]
    story = _story(after)
    sentence = story.amended(wrong, right, reader) if story else None
    yield sentence or reader.say(
        "An earlier entry was corrected ({by}).", by=_who(event.by, reader)
    )
    if dropped := len(before.log.actions) - len(after.log.actions):
        yield reader.say(
            "{count} later {count:#action|actions} no longer {count:#fits|fit} and "
            "{count:#is|are} left out.",
            count=dropped,
        )


def _who(by: str | None, reader: viewer.Viewer) -> object:
    """Return who entered something: a seat by its colour, anybody else by name."""
    if by == viewer.TABLE:
        return reader.say("the table")
    return SeatName[by.upper()] if by in SEATS and by is not None else by
