"""Says what the table shows: what to do now, what can be wished for, what was seen.

What it says is a pure function of its snapshot and of the reader's language.
"""

from collections.abc import Iterable
from typing import Final

from companion.core.game import Event
from companion.present.command_json import actions
from companion.present.fouls import foul_word
from companion.present.page import page_of
from companion.present.viewer import Viewer
from companion.referee.commands import (
    Accept,
    AssignBarrel,
    Call,
    ClearTable,
    CommandBody,
    ConfirmDisputed,
    CorrectAction,
    Decline,
    DoAction,
    GiveUp,
    NewMatch,
    RollForUs,
    Rule,
    Undo,
    WithdrawDisputed,
)
from companion.referee.snapshot import Snapshot
from companion.system.text import SeatName, Text

ALONE: Final[dict[type[CommandBody], Text]] = {  # wishes that say all by being wished
    RollForUs: Text("Roll for us"),
    Undo: Text("Take back the last decision"),
    NewMatch: Text("Begin another match"),
    ClearTable: Text("Choose again who plays"),
    GiveUp: Text("Give up this match"),
    WithdrawDisputed: Text("No, not yet"),
    Accept: Text("Play that"),
    Decline: Text("Not that"),
}


def headline(now: Snapshot, reader: Viewer) -> str:
    """Return what to do now, in one sentence."""
    if now.match is None:
        if "buttons" not in now.parts:
            return reader.say("Who plays? Begin from a phone.")
        if len(now.joining) < 2:
            return reader.say("Who plays? Press your seat's button, or begin from a phone.")
        return reader.say("{seats:and} play? Hold a button to begin.", seats=_colours(now.joining))
    if now.outcome is not None:
        winners = tuple(map(SeatName, now.outcome.winners))
        return reader.say("{seats:@{seats:and} {seats:#wins|win}|You win}!", seats=winners)
    if now.over:
        return reader.say("This match was given up. Play another one?")
    if now.held:
        return reader.say("First decide: was it a foul?")
    page = page_of(now.game)
    return "" if page is None else page.headline(now, reader)


def _colours(seats: Iterable[str]) -> tuple[SeatName, ...]:
    return tuple(SeatName[seat.upper()] for seat in seats)


def label(
    wish: CommandBody, reader: Viewer, preview: Iterable[Event] = (), game: str | None = None
) -> str:
    """Return what a wish is, to be written on a button; `preview` says where a move ends."""
    match wish:
        case DoAction(text) | ConfirmDisputed(text):
            return _act(text, reader, preview, game)
        case CorrectAction(text=text):
            action = _act(text, reader, (), game)
            return reader.say("Correct: {action}", action=action)
        case Rule(upheld=upheld):
            ruling = Text("Stand by it: foul") if upheld else Text("Dismiss it: no foul")
            return reader.say(ruling)
        case Call(code, seat) if seat is None:
            return reader.say("Call a foul: {foul}", foul=foul_word(code, reader))
        case Call(code, seat):
            word = foul_word(code, reader)
            return reader.say("{seat}: call a foul, {foul}", seat=reader.name(seat), foul=word)
        case AssignBarrel(seat, stopper) if stopper is None:
            return reader.say("{seat}: nobody knows which barrel", seat=reader.name(seat))
        case AssignBarrel(seat, stopper):
            return reader.say(
                "{seat}: it is stopper {stopper}", seat=reader.name(seat), stopper=stopper
            )
    return reader.say(ALONE[type(wish)])


def _act(text: str, reader: Viewer, preview: Iterable[Event], game: str | None) -> str:
    """Return what an action of a game is; what cannot be read stays as it was written."""
    page = page_of(game)
    if page is not None:
        for kind, given in actions(text, game):
            return page.act(kind, given, reader, preview) or text
    return text
