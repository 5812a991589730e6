"""The headline, which says what to do now, and the labels of buttons.

What it says is a pure function of its snapshot and of the reader's language.
"""

from collections.abc import Iterable
from typing import Final

from companion.core.game import Event
from companion.present import command_json, fouls, viewer
from companion.present.page import page_of
from companion.referee import commands, snapshot
from companion.system.text import SeatName, Text

ALONE: Final[dict[type[commands.CommandBody], Text]] = {  # wishes that say all by being wished
    commands.RollForUs: Text("Roll for us"),
    commands.Undo: Text("Take back the last decision"),
    commands.NewMatch: Text("Begin another match"),
    commands.ClearTable: Text("Choose again who plays"),
    commands.GiveUp: Text("Give up this match"),
    commands.WithdrawDisputed: Text("No, not yet"),
    commands.Accept: Text("Play that"),
    commands.Decline: Text("Not that"),
}


def headline(now: snapshot.Snapshot, reader: viewer.Viewer) -> str:
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
    wish: commands.CommandBody,
    reader: viewer.Viewer,
    preview: Iterable[Event] = (),
    game: str | None = None,
) -> str:
    """Return what a wish is, to be written on a button; `preview` says where a move ends."""
    match wish:
        case commands.DoAction(text) | commands.ConfirmDisputed(text):
            return _act(text, reader, preview, game)
        case commands.CorrectAction(text=text):
            action = _act(text, reader, (), game)
            return reader.say("Correct: {action}", action=action)
        case commands.Rule(upheld=upheld):
            ruling = Text("Stand by it: foul") if upheld else Text("Dismiss it: no foul")
            return reader.say(ruling)
        case commands.Call(code, seat) if seat is None:
            return reader.say("Call a foul: {foul}", foul=fouls.foul_word(code, reader))
        case commands.Call(code, seat):
            word = fouls.foul_word(code, reader)
            return reader.say("{seat}: call a foul, {foul}", seat=reader.name(seat), foul=word)
        case commands.AssignBarrel(seat, stopper) if stopper is None:
            return reader.say("{seat}: nobody knows which barrel", seat=reader.name(seat))
        case commands.AssignBarrel(seat, stopper):
            return reader.say(
                "{seat}: it is stopper {stopper}", seat=reader.name(seat), stopper=stopper
            )
    return reader.say(ALONE[type(wish)])


def _act(text: str, reader: viewer.Viewer, preview: Iterable[Event], game: str | None) -> str:
    """Return what an action of a game is; what cannot be read stays as it was written."""
    page = page_of(game)
    if page is not None:
        for kind, given in command_json.actions(text, game):
            return page.act(kind, given, reader, preview) or text
    return text
