"""What happened with one deed of a match, in sentences.

It never says which stopper stood where, nor a number before its flip.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.present import claims
from companion.present.fouls import foul_sentence
from companion.present.page import Story, page_of
from companion.present.reader import TABLE, Reader
from companion.referee.deeds import Amended, Began, Did, Ended, Raised, Ruled, Undone
from companion.referee.match import Foul, Match
from companion.referee.match_steps import Step
from companion.text import SEATS, SeatName


def sentences(step: Step, reader: Reader, *, seen: bool = False) -> tuple[str, ...]:
    """Return what a deed did; nothing, if it is nobody's to read, or if only what is `seen` is."""
    before, after = step.before, step.after
    match step.deed:
        case Began():
            return tuple(_began(after, reader))
        case Did(by=by) if before is not None:
            events = after.game.explain(before.state, after.log.actions[-1], after.state)
            said = tuple(reader.say(event) for event in events)
            said += tuple(
                claims.insisted(one, reader) for one in after.insisted if one.deed == after.number
            )
            if said or seen:
                return said
            return (reader.say("{by} made an entry.", by=_who(by, reader)),)
        case Undone(by=by) if before is not None:
            gone = len(before.log.actions) - len(after.log.actions)
            return (
                reader.say(
                    "Taken back ({by}): {count} {count:#action|actions}.",
                    by=_who(by, reader),
                    count=gone,
                ),
            )
        case Amended() if before is not None:
            return tuple(_amended(before, after, step.deed, reader))
        case Raised(foul=foul) | Ruled(foul=foul):
            found = _found(after, foul)
            if isinstance(step.deed, Raised):
                found = replace(found, upheld=None, named=None)
            return (foul_sentence(found, reader),)
        case Ended(by=by):
            return (reader.say("The match was given up ({by}).", by=_who(by, reader)),)
    return ()


def _began(match: Match, reader: Reader) -> Iterator[str]:
    settings = match.game.settings
    yield reader.say(
        "{seats:and} {seats:#plays|play}.", seats=tuple(map(SeatName, match.game.seats))
    )
    if story := _story(match):
        yield from story.began(settings, reader)


def _story(match: Match) -> Story | None:
    page = page_of(match.game.name)
    return page.story if page else None


def _amended(before: Match, after: Match, deed: Amended, reader: Reader) -> Iterator[str]:
    right, wrong = deed.action, before.log.actions[before.acts.index(deed.deed)]
    story = _story(after)
    said = story.amended(wrong, right, reader) if story else None
    yield said or reader.say("An earlier entry was corrected ({by}).", by=_who(deed.by, reader))
    if dropped := len(before.log.actions) - len(after.log.actions):
        yield reader.say(
            "{count} later {count:#action|actions} no longer {count:#fits|fit} and "
            "{count:#is|are} left out.",
            count=dropped,
        )


def _found(match: Match, number: int) -> Foul:
    return next(foul for foul in match.fouls if foul.raised.foul == number)


def _who(by: str | None, reader: Reader) -> object:
    """Return who entered something: a seat by its colour, anybody else by name."""
    if by == TABLE:
        return reader.say("the table")
    return SeatName[by.upper()] if by in SEATS and by is not None else by
