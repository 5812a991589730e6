"""What happened with one deed of a match, in sentences. It must not know pages nor the journal.

It never says which stopper stood where, nor a number before its flip.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from companion.core.game import SEATS, SeatName
from companion.core.packing import unpack_action
from companion.games.zapp_zerapp.rules import Roll, Say, Settings
from companion.present.reader import TABLE, Reader
from companion.referee.deeds import Amended, Began, Did, Ended, Raised, Ruled, Undone
from companion.referee.match import Foul, Match
from companion.referee.retold import Step
from companion.referee.summary import FOUL
from companion.sensing import told

CODES: Final = frozenset(foul.value for foul in told.Foul)


def sentences(step: Step, reader: Reader) -> tuple[str, ...]:
    """Return what a deed did; nothing, if it is nobody's to read."""
    before, after = step.before, step.after
    match step.deed:
        case Began():
            return tuple(_began(after, reader))
        case Did(by=by) if before is not None:
            events = after.game.explain(before.state, after.log.actions[-1])
            said = tuple(reader.say(event) for event in events)
            return said or (reader.say("{by} has made an entry.", by=_who(by, reader)),)
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
            return (_foul(_found(after, foul), reader, ruled=isinstance(step.deed, Ruled)),)
        case Ended(by=by):
            return (reader.say("The match is given up ({by}).", by=_who(by, reader)),)
    return ()


def _began(match: Match, reader: Reader) -> Iterator[str]:
    settings = match.game.settings
    yield reader.say(
        "{seats:and} {seats:#plays|play}.", seats=tuple(map(SeatName, match.game.seats))
    )
    if isinstance(settings, Settings):
        if settings.profi:
            yield reader.say("Profi version: castle fields are take-along fields.")
        if settings.overlook:
            yield reader.say("Who overlooks a banishment lets that apprentice stay.")
        if not settings.shuffle:
            yield reader.say("The barrels are not mixed between rounds.")


def _amended(before: Match, after: Match, deed: Amended, reader: Reader) -> Iterator[str]:
    right = unpack_action(after.game, json.loads(deed.action))
    wrong = before.log.actions[before.acts.index(deed.deed)]
    match wrong, right:
        case Roll(former), Roll(now):
            yield reader.say(
                "Put right: the magic number was {now}, not {former}.", now=now, former=former
            )
        case Say(seat, former), Say(_, now):
            yield reader.say(
                "Put right: {seat} showed {now}, not {former}.", seat=seat, now=now, former=former
            )
        case _:
            yield reader.say("An earlier entry is put right ({by}).", by=_who(deed.by, reader))
    if dropped := len(before.log.actions) - len(after.log.actions):
        yield reader.say(
            "{count} {count:#action|actions} after it {count:#does|do} not fit any more and "
            "{count:#is|are} left out.",
            count=dropped,
        )


def _found(match: Match, number: int) -> Foul:
    return next(foul for foul in match.fouls if foul.raised.foul == number)


def _foul(found: Foul, reader: Reader, *, ruled: bool) -> str:
    raised = found.raised
    whose = {
        "seat": _who(raised.seat, reader) if raised.seat in SEATS else reader.say("Somebody"),
        "foul": foul_word(raised.code, reader),
    }
    if ruled:
        if found.upheld:
            return reader.say("{seat} – {foul}: the table upholds it.", **whose)
        return reader.say("{seat} – {foul}: the table dismisses it.", **whose)
    if raised.weight == FOUL and raised.called:
        return reader.say("{seat} – {foul}?", **whose)
    if raised.weight == FOUL:
        return reader.say("{seat} – {foul}? {percent} % sure.", percent=raised.percent, **whose)
    if raised.weight == told.Weight.WARNING.value:
        return reader.say("A barrel was tilted far for a moment.")
    return reader.say("{seat} – {foul}: withdrawn.", **whose)


def foul_word(code: str, reader: Reader) -> str:
    """Return what people call a foul; a code of another version stays as it is."""
    if code == "snatched":  # no sensor finds it: people call it
        return reader.say("snatched a barrel")
    return reader.name(told.Foul(code)) if code in CODES else code


def _who(by: str | None, reader: Reader) -> object:
    """Return who entered something: a seat by its colour, anybody else by name."""
    if by == TABLE:
        return reader.say("the table")
    return SeatName[by.upper()] if by in SEATS and by is not None else by
