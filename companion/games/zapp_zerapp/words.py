"""Sentences of Zapp Zerapp: what to do now, what an action is called, which round it is, the rules.

It must not know pages, nor anything that is hidden.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from companion.core.game import Action, Event
from companion.games.zapp_zerapp import rules
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import SeatName, seat_word


def headline(now: Snapshot, reader: Viewer) -> str:
    view: rules.View = now.view
    match view.phase:
        case rules.Phase.PLACE if view.placed and reader.own not in _words(view.turns):
            return reader.say(
                "{seats:@{seats:and} {seats:#is|are}|You are} still shaking.",
                seats=_turns(view.turns),
            )
        case rules.Phase.PLACE:
            return reader.say(
                "Shake! Keep a barrel with at most {magic} {magic:#stone|stones}.", magic=view.magic
            )
        case rules.Phase.FLIP:
            return reader.say("Flip all barrels!")
        case rules.Phase.SAY:
            read = dict(view.numbers)
            unread = tuple(seat for seat in view.placed if seat not in read)
            return reader.say(
                "{seats:@Which number {seats:#does|do} {seats:and} show|Which number do you show}?",
                seats=unread,
            )
        case rules.Phase.MOVE:
            mover = rules.Colour(view.turns[0])
            steps = dict(view.numbers)[mover]
            return reader.say(
                "{seat:@{seat} moves|You move} by {steps} {steps:#field|fields}.",
                seat=mover,
                steps=steps,
            )
    return reader.say("{seat:@{seat}: roll|Your turn: roll} the dice.", seat=view.roller)


def _turns(seats: Iterable[int]) -> tuple[SeatName, ...]:
    return tuple(map(SeatName, seats))


def _words(seats: Iterable[int]) -> list[str | None]:
    return [seat_word(seat) for seat in seats]


def act(
    kind: type[Action], given: dict[str, Any], reader: Viewer, preview: Iterable[Event] = ()
) -> str:
    """Return what an action is, to be written on a button; `preview` says where a move ends."""
    if kind is rules.Roll:
        return reader.say("The dice show {magic}", magic=given.get("magic"))
    if kind is rules.Place:
        return reader.say(
            "{seat:@{seat} has placed a|You have placed your} barrel", seat=given.get("seat")
        )
    if kind is rules.PutBack:
        return reader.say("{seat:@{seat} takes|You take} the barrel back", seat=given.get("player"))
    if kind is rules.Flip:
        return reader.say("All barrels are flipped")
    if kind is rules.Say:
        return reader.say(
            "{seat:@{seat} shows|You show} {number}",
            seat=given.get("player"),
            number=given.get("number"),
        )
    if kind is rules.SitOut:
        return reader.say("{seat:@{seat} sits|You sit} this round out", seat=given.get("player"))
    if kind is rules.Correct:
        return reader.say("The pawns stand like this")
    return _move(given, reader, preview) if kind is rules.Move else ""


def _move(given: dict[str, Any], reader: Viewer, preview: Iterable[Event]) -> str:
    start = given.get("step")
    end = next((event.end for event in preview if isinstance(event, rules.Moved)), None)
    if end == rules.CITY:
        sentence = reader.say("Move the apprentice on field {start} into the city", start=start)
    elif end is None and start == rules.START:
        sentence = reader.say("Move an apprentice from the start")
    elif end is None:
        sentence = reader.say("Move the apprentice on field {start}", start=start)
    elif start == rules.START:
        sentence = reader.say("Move an apprentice from the start to field {end}", end=end)
    else:
        sentence = reader.say(
            "Move the apprentice from field {start} to field {end}", start=start, end=end
        )
    if taken := _of_pawns(given.get("take")):
        sentence = reader.say("{move}, taking {colours:and} along", move=sentence, colours=taken)
    if banished := _of_pawns(given.get("banish")):
        return reader.say("{move}, banishing {colours:and}", move=sentence, colours=banished)
    return reader.say("{move}, banishing nobody", move=sentence) if "banish" in given else sentence


def _of_pawns(pawns: Any) -> tuple[rules.Colour, ...]:
    return tuple(pawn.colour for pawn in pawns or ())


def began(settings: rules.Settings, reader: Viewer) -> Iterator[str]:
    """Yield by which rules people play, where those are not the usual ones."""
    if settings.profi:
        yield reader.say("Profi version: castle fields are take-along fields.")
    if settings.overlook:
        yield reader.say("An apprentice whose banishment is overlooked may stay.")
    if not settings.shuffle:
        yield reader.say("The barrels are not shuffled between rounds.")


def amended(wrong: Action, right: Action, reader: Viewer) -> str | None:
    """Return what was put right; None: it needs no sentence of its own."""
    match wrong, right:
        case rules.Roll(former), rules.Roll(now):
            return reader.say(
                "Corrected: the magic number was {now}, not {former}.", now=now, former=former
            )
        case rules.Say(seat, former), rules.Say(_, now):
            return reader.say(
                "Corrected: {seat} showed {now}, not {former}.", seat=seat, now=now, former=former
            )
    return None


def progress(view: rules.View, _: rules.Settings, reader: Viewer) -> str:
    """Return which round it is, and its magic number."""
    line = reader.say("Round {round}", round=view.round)
    if not view.magic:
        return line
    return f"{line}, {reader.say('magic number {magic}', magic=view.magic)}"
