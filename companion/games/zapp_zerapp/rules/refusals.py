"""Error messages: why an action is not legal, and what would be, one sentence for each case.

It must not decide legality: it is asked only after the game has refused. Before the flip nothing
here may be shown to somebody who did not send the number: it tells which barrels are taken.
"""

from collections import Counter

from companion.core import Action, Illegal, Seat
from companion.core.game import verb
from companion.games.zapp_zerapp.rules import board, model
from companion.games.zapp_zerapp.rules.moves import Moves


def refusal(moves: Moves, state: model.State, action: Action) -> Illegal:
    """Return the error that says why an action is not legal and what is."""
    match action, state.phase:
        case model.Roll(), model.Phase.ROLL:
            return Illegal(
                "Two dice cannot give {magic}; roll a sum of 2 to 12.", magic=action.magic
            )
        case model.Place(), model.Phase.PLACE:
            return _place(moves, state, action)
        case model.Say(), model.Phase.SAY:
            return _say(state, action)
        case model.Move(), model.Phase.MOVE:
            return _move(moves, state, action)
    if not isinstance(action, model.ACTIONS):
        return Illegal("'{action}' is not an action of this game.", action=action)
    return _not_now(state, verb(type(action)))


def _not_now(state: model.State, verb: str) -> Illegal:
    match state.phase:
        case model.Phase.ROLL:
            return Illegal(
                "'{verb}' is not possible now: first the dice have to be rolled, with 'roll 2' to "
                "'roll 12'.",
                verb=verb,
            )
        case model.Phase.PLACE:
            return Illegal(
                "'{verb}' is not possible now: first {waiting:@{waiting:and}|you} must place "
                "a barrel.",
                verb=verb,
                waiting=state.queue,
            )
        case model.Phase.FLIP:
            return Illegal(
                "'{verb}' is not possible now: first all barrels have to be flipped, with 'flip'.",
                verb=verb,
            )
        case model.Phase.SAY:
            return Illegal(
                "'{verb}' is not possible now: first {unread:@the numbers of {unread:and} "
                "have|your number has} to be read aloud.",
                verb=verb,
                unread=tuple(c for c in board.Colour if state.barrels[c] == model.UNREAD),
            )
        case model.Phase.MOVE:
            return Illegal(
                "'{verb}' is not possible now: it is {mover:@{mover}'s|your} turn to move a pawn "
                "by {number}.",
                verb=verb,
                mover=state.queue[0],
                number=state.barrels[state.queue[0]],
            )
        case model.Phase.OVER:
            return Illegal(
                "'{verb}' is no longer possible: the game is over; begin a new one.", verb=verb
            )


def _no_barrel(number: object) -> Illegal:
    return Illegal("There is no barrel {number}; they are numbered 1 to 13.", number=number)


def _is_barrel(number: object) -> bool:
    return type(number) is int and model.EMPTY < number <= model.BARRELS


def _place(moves: Moves, state: model.State, place: model.Place) -> Illegal:
    seat: Seat = place.seat
    if seat not in moves.seats:
        return Illegal(
            "{seat:@{seat} does|You do} not play; {seats:and} do.", seat=seat, seats=moves.seats
        )
    if place.seat not in state.queue:  # ZZ-7
        return Illegal(
            "{seat:@{seat} has|You have} already placed a barrel; now {waiting:and} must place "
            "one.",
            seat=seat,
            waiting=state.queue,
        )
    if place.barrel is None or not _is_barrel(place.barrel):
        return _no_barrel(place.barrel)
    return Illegal(
        "Barrel {number} belongs to another player in this round; take one from the plateau.",
        number=place.barrel,
    )


def _say(state: model.State, say: model.Say) -> Illegal:
    unread = tuple(colour for colour in board.Colour if state.barrels[colour] == model.UNREAD)
    if say.player not in unread:
        return Illegal(
            "{player:@{player}'s|Your} number is not missing; still to be read aloud: {unread}.",
            player=say.player,
            unread=unread,
        )
    if not _is_barrel(say.number):
        return _no_barrel(say.number)
    return Illegal(
        "Another barrel already shows {number}; read {player:@{player}'s|your} number again.",
        number=say.number,
        player=say.player,
    )


def _move(moves: Moves, state: model.State, move: model.Move) -> Illegal:
    mover = state.queue[0]
    number = state.barrels[mover]
    if move.seat != mover:
        return Illegal(
            "It is not {seat:@{seat}'s|your} turn; {mover} moves a pawn by {number}.",
            seat=move.seat,
            mover=mover,
            number=number,
        )
    pawn, camp = model.Pawn(mover, move.step), state.pawns[mover]
    if move.step == board.CITY and board.CITY in camp:
        return Illegal("{pawn} is home; move one of {pawns}.", pawn=pawn, pawns=_out(mover, camp))
    if move.step not in camp:
        return Illegal(
            "No pawn stands on {pawn}; move one of {pawns}.", pawn=pawn, pawns=_out(mover, camp)
        )
    takeable = moves.takeable(state.pawns, mover, move.step, number)
    if Counter(move.take) - Counter(takeable):
        return _cannot_take(move.take, takeable)
    if move.take != tuple(sorted(move.take)):
        return _out_of_order(move.take)
    return _banish(moves, state, move, number)


def _banish(moves: Moves, state: model.State, move: model.Move, number: int) -> Illegal:
    banishable = moves.banishable(state.pawns, move.seat, move.step, number)
    if not moves.overlook:
        return Illegal(
            "Nobody is named for banishing at this table, because every banishment happens; leave "
            "'banish' out."
        )
    if move.banish is None and not banishable:
        return Illegal(
            "At this table the mover names whom it banishes; this move banishes nobody, so add "
            "'banish none'."
        )
    if move.banish is None:  # ZZ-20
        return Illegal(
            "At this table the mover names whom it banishes; add 'banish none' or some of "
            "{banishable}.",
            banishable=banishable,
        )
    if Counter(move.banish) - Counter(banishable):
        return _cannot_banish(move.banish, banishable)
    return _out_of_order(move.banish)


def _cannot_take(named: tuple[model.Pawn, ...], takeable: tuple[model.Pawn, ...]) -> Illegal:
    if not takeable:
        return Illegal("This move takes nobody along; leave 'take' out.")
    return Illegal(
        "This move cannot take along {named}; it may take some of {takeable}, or none.",
        named=named,
        takeable=takeable,
    )


def _cannot_banish(named: tuple[model.Pawn, ...], banishable: tuple[model.Pawn, ...]) -> Illegal:
    if not banishable:
        return Illegal("This move banishes nobody; write 'banish none'.")
    return Illegal(
        "This move cannot banish {named}; it may banish some of {banishable}, or none.",
        named=named,
        banishable=banishable,
    )


def _out_of_order(pawns: tuple[model.Pawn, ...]) -> Illegal:
    return Illegal(
        "Name pawns by colour and step, in ascending order; write {right}.",
        right=tuple(sorted(pawns)),
    )


def _out(colour: board.Colour, camp: tuple[int, ...]) -> tuple[model.Pawn, ...]:
    return tuple(model.Pawn(colour, step) for step in sorted({*camp} - {board.CITY}))
