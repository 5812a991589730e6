"""Error messages: why an action is not legal, and what would be, one sentence for each case.

It must not decide legality: it is asked only after the game has refused.
"""

from typing import Final

from companion.core import Action, Illegal, Seat, Text
from companion.core.game import verb
from companion.games.trap_the_wizard.rules import model
from companion.games.trap_the_wizard.rules.board import START
from companion.games.trap_the_wizard.rules.moves import Moves
from companion.system.text import word


def refusal(moves: Moves, state: model.State, action: Action) -> Illegal:
    """Return the error that says why an action is not legal and what is."""
    if not isinstance(action, model.ACTIONS):
        return Illegal("'{action}' is not an action of this game.", action=action)
    match action, state.phase:
        case model.Roll(), model.Phase.ROLL:
            return Illegal(
                "One die cannot give {number}; roll 1 to {sides}.",
                number=action.number,
                sides=model.SIDES,
            )
        case ((model.Move() | model.Leave()), (model.Phase.MOVE | model.Phase.REST)) if (
            action.seat != state.turn
        ):
            return _not_yours(moves.settings, state, action.seat)
        case ((model.Again() | model.Pass()), model.Phase.AGAIN):
            return _not_yours(moves.settings, state, action.seat)
        case model.Move(), (model.Phase.MOVE | model.Phase.REST):
            return _move(moves, state, action)
    return _not_now(state, verb(type(action)))


NOT_NOW: Final = {  # what has to be done first
    model.Phase.ROLL: Text(
        "'{verb}' is not possible now: first the die has to be rolled for {seat:@{seat}|you}, with "
        "'roll 1' to 'roll 6'."
    ),
    model.Phase.MOVE: Text(
        "'{verb}' is not possible now: {seat:@{seat} has|you have} to move a wizard by {points}."
    ),
    model.Phase.REST: Text(
        "'{verb}' is not possible now: {seat:@{seat} has|you have} to move another wizard by the "
        "{points} left over, or give them up with 'leave'."
    ),
    model.Phase.AGAIN: Text(
        "'{verb}' is not possible now: {seat:@{seat} has|you have} rolled a six and may roll again "
        "with 'again', or not, with 'pass'."
    ),
    model.Phase.OVER: Text("'{verb}' is no longer possible: the game is over; begin a new one."),
}


def _not_now(state: model.State, verb: str) -> Illegal:
    values = {"verb": verb, "seat": state.turn, "points": state.points}
    return Illegal(NOT_NOW[state.phase].template, **values)


def _not_yours(settings: model.Settings, state: model.State, seat: Seat) -> Illegal:
    if seat not in settings.seats:
        return Illegal(
            "{seat:@{seat} does|You do} not play; {seats:and} do.", seat=seat, seats=settings.seats
        )
    if state.phase is model.Phase.AGAIN:
        return Illegal(
            "It is not {seat:@{seat}'s|your} turn; {mover} may roll again.",
            seat=seat,
            mover=state.turn,
        )
    return Illegal(
        "It is not {seat:@{seat}'s|your} turn; {mover} moves a wizard by {points}.",
        seat=seat,
        mover=state.turn,
        points=state.points,
    )


def _move(moves: Moves, state: model.State, move: model.Move) -> Illegal:
    wizard, camp = model.Wizard(move.start, move.load), state.wizards[move.seat]
    if wizard not in camp:
        return Illegal(
            "{seat:@{seat} has|You have} no wizard '{wizard}'; {seat:@its|your} wizards: {camp}.",
            seat=move.seat,
            wizard=wizard,
            camp=tuple(dict.fromkeys(camp)),
        )
    if state.phase is model.Phase.REST and move.start == START and camp.count(wizard) == 1:  # TW-5
        return Illegal(
            "The points left over are not for the wizard that came home; move another one."
        )
    if move.end == START and not {*move.load} & {*moves.settings.seats} - {move.seat}:  # TW-4
        return Illegal("A wizard comes home only with a captured opponent, and this one has none.")
    ends = moves.reach(state, move)
    if move.end in ends and move.spare:  # TW-7
        return Illegal(
            "'spare' names one opponent, alone on a special field, that the joker's holder could "
            "capture there, and only where that was agreed; leave it out."
        )
    if move.end in ends:  # TW-3
        return Illegal("Two wizards stand on field {field}; there is no room.", field=move.end)
    return Illegal(
        "The wizard '{wizard}' cannot end there; with {points} it can reach {ends}.",
        wizard=wizard,
        points=state.points,
        ends=tuple("start" if end == START else word(end) for end in sorted(ends)),
    )
