"""Says what the table shows: what is to be done now, what can be wished for, what was seen.

It must not know Flask, nor more of the table than its snapshot: what it says is a pure function of
that and of the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from companion.core.game import SEATS, Action, Event, SeatName
from companion.games.pages import GAME_PAGES
from companion.games.zapp_zerapp.rules import (
    CITY,
    START,
    Colour,
    Correct,
    Flip,
    Move,
    Moved,
    Phase,
    Place,
    PutBack,
    Roll,
    Say,
    SitOut,
    View,
    ZappZerapp,
)
from companion.present.past_story import foul_word
from companion.present.reader import Reader
from companion.present.wishing import actions
from companion.referee.commands import (
    Act,
    Call,
    ChooseAnew,
    GiveUp,
    NewMatch,
    PutRight,
    RollForUs,
    Rule,
    Settle,
    TakeBack,
    Wish,
)
from companion.referee.match import Foul
from companion.referee.snapshot import Snapshot
from companion.referee.summary import FOUL
from companion.say import Text

ALONE: Final[dict[type[Wish], Text]] = {  # wishes that say all by being wished
    RollForUs: Text("Roll for us"),
    TakeBack: Text("Take back the last decision"),
    NewMatch: Text("Begin another match"),
    ChooseAnew: Text("Choose anew who plays"),
    GiveUp: Text("Give this match up"),
}


def headline(now: Snapshot, reader: Reader) -> str:
    """Return what is to be done now, in one sentence."""
    if now.match is None:
        if len(now.joining) < 2:
            return reader.say("Who plays? Press your seat's button, or begin from a phone.")
        return reader.say("{seats:and} play? Hold a button to begin.", seats=_colours(now.joining))
    if isinstance(now.view, View):
        return _headline(now, now.view, reader)
    if now.outcome is not None:
        winners = tuple(map(SeatName, now.outcome.winners))
        return reader.say("{seats:and} {seats:#wins|win}!", seats=winners)
    if now.over:
        return reader.say("This match was given up. Play another one?")
    return GAME_PAGES[str(now.game)].headline(now, reader)


def _headline(now: Snapshot, view: View, reader: Reader) -> str:
    if view.winner is not None:
        return reader.say("{seat} wins!", seat=view.winner)
    if now.over:
        return reader.say("This match was given up. Play another one?")
    match view.phase:
        case Phase.PLACE if view.placed:
            return reader.say(
                "{seats:and} {seats:#is|are} still shaking.", seats=_turns(view.turns)
            )
        case Phase.PLACE:
            return reader.say(
                "Shake! Keep a barrel with at most {magic} {magic:#stone|stones}.",
                magic=view.magic,
            )
        case Phase.FLIP:
            return reader.say("Flip all barrels!")
        case Phase.SAY:
            read = dict(view.numbers)
            unread = tuple(seat for seat in view.placed if seat not in read)
            return reader.say("Which number {seats:#does|do} {seats:and} show?", seats=unread)
        case Phase.MOVE:
            mover = Colour(view.turns[0])
            steps = dict(view.numbers)[mover]
            return reader.say(
                "{seat} moves by {steps} {steps:#field|fields}.", seat=mover, steps=steps
            )
    return reader.say("{seat}: roll the dice.", seat=view.roller)


def _colours(seats: Iterable[str]) -> tuple[SeatName, ...]:
    return tuple(SeatName[seat.upper()] for seat in seats)


def _turns(seats: Iterable[int]) -> tuple[SeatName, ...]:
    return tuple(map(SeatName, seats))


def label(
    wish: Wish, reader: Reader, preview: Iterable[Event] = (), game: str | None = None
) -> str:
    """Return what a wish is, to be written on a button; `preview` says where a move ends."""
    match wish:
        case Act(text):
            return _act(text, reader, preview, game or ZappZerapp.name)
        case PutRight(text=text):
            action = _act(text, reader, (), game or ZappZerapp.name)
            return reader.say("Put right: {action}", action=action)
        case Rule(upheld=upheld):
            said = Text("Stand by it: foul") if upheld else Text("Dismiss it: no foul")
            return reader.say(said)
        case Call(code, seat) if seat is None:
            return reader.say("Call a foul: {foul}", foul=foul_word(code, reader))
        case Call(code, seat):
            return reader.say("{seat}: call a foul, {foul}", **_whose(code, seat, reader))
        case Settle(seat, stopper) if stopper is None:
            return reader.say("{seat}: nobody knows which barrel", seat=reader.name(seat))
        case Settle(seat, stopper):
            return reader.say(
                "{seat}: it is stopper {stopper}", seat=reader.name(seat), stopper=stopper
            )
    return reader.say(ALONE[type(wish)])


def _act(text: str, reader: Reader, preview: Iterable[Event], game: str) -> str:
    """Return what an action of a game is; what cannot be read stays as it was written."""
    for kind, given in actions(text, game):
        if page := GAME_PAGES.get(game):
            return page.act(kind, given, reader) or text
        return _action(kind, given, reader, preview) or text
    return text


def _action(
    kind: type[Action], given: dict[str, Any], reader: Reader, preview: Iterable[Event]
) -> str:
    if kind is Roll:
        return reader.say("The dice show {magic}", magic=given.get("magic"))
    if kind is Place:
        return reader.say("{seat} has placed a barrel", seat=given.get("seat"))
    if kind is PutBack:
        return reader.say("{seat} takes the barrel back", seat=given.get("player"))
    if kind is Flip:
        return reader.say("All barrels are flipped")
    if kind is Say:
        return reader.say(
            "{seat} shows {number}", seat=given.get("player"), number=given.get("number")
        )
    if kind is SitOut:
        return reader.say("{seat} sits this round out", seat=given.get("player"))
    if kind is Correct:
        return reader.say("The pawns stand like this")
    return _move(given, reader, preview) if kind is Move else ""


def _move(given: dict[str, Any], reader: Reader, preview: Iterable[Event]) -> str:
    start = given.get("step")
    end = next((event.end for event in preview if isinstance(event, Moved)), None)
    if end == CITY:
        said = reader.say("Move the apprentice on field {start} into the city", start=start)
    elif end is None and start == START:
        said = reader.say("Move an apprentice from the start")
    elif end is None:
        said = reader.say("Move the apprentice on field {start}", start=start)
    elif start == START:
        said = reader.say("Move an apprentice from the start to field {end}", end=end)
    else:
        said = reader.say(
            "Move the apprentice from field {start} to field {end}", start=start, end=end
        )
    if taken := _of_pawns(given.get("take")):
        said = reader.say("{move}, taking {colours:and} along", move=said, colours=taken)
    if banished := _of_pawns(given.get("banish")):
        return reader.say("{move}, banishing {colours:and}", move=said, colours=banished)
    return reader.say("{move}, banishing nobody", move=said) if "banish" in given else said


def _of_pawns(pawns: Any) -> tuple[Colour, ...]:
    return tuple(pawn.colour for pawn in pawns or ())


def foul_sentence(foul: Foul, reader: Reader) -> str:
    """Return what was seen or called, how sure that is, and how the table ruled."""
    raised = foul.raised
    whose = _whose(raised.code, raised.seat, reader)
    if foul.upheld is not None:
        if foul.upheld:
            return reader.say("{seat} – {foul}: the table upholds it.", **whose)
        return reader.say("{seat} – {foul}: the table dismisses it.", **whose)
    if raised.weight == FOUL and raised.called:
        return reader.say("{seat} – {foul}?", **whose)
    if raised.weight == FOUL:
        return reader.say("{seat} – {foul}? {percent} % sure.", percent=raised.percent, **whose)
    if raised.weight == "withdrawn":
        return reader.say("{seat} – {foul}: withdrawn.", **whose)
    return reader.say("A barrel was tilted far for a moment.")


def _whose(code: str, seat: str | None, reader: Reader) -> dict[str, object]:
    known = seat if seat in SEATS else None
    whose = reader.say("Somebody") if known is None else reader.name(known)
    return {"seat": whose, "foul": foul_word(code, reader)}
