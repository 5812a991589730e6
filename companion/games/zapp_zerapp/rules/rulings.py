"""Rulings of people beside the rules: who sits out, whose barrel goes back, where pawns stand."""

from collections import Counter

from companion.core import Illegal, Ruling
from companion.games.zapp_zerapp.rules import board, model


def after(settings: model.Settings, state: model.State, ruling: Ruling) -> model.State:
    """Return the state after a ruling; raise Illegal where it makes no sense."""
    match ruling:
        case model.SitOut(player):
            _demand_player(settings, player)
            return _sit_out(state, player)
        case model.PutBack(player):
            _demand_player(settings, player)
            return _put_back(settings, state, player)
        case model.Correct(pawns):
            return _corrected(settings, state, pawns)
    raise Illegal("'{action}' is not an action of this game.", action=ruling)


def _demand_player(settings: model.Settings, player: board.Colour) -> None:
    if player not in settings.seats:
        raise Illegal("{seat} does not play; {seats} do.", seat=player, seats=settings.seats)


def _sit_out(state: model.State, player: board.Colour) -> model.State:
    if state.phase in {model.Phase.ROLL, model.Phase.OVER}:
        raise Illegal("There is no round now for {player} to sit out.", player=player)
    if state.barrels[player] == model.OUT:
        raise Illegal("{player} is already sitting this round out.", player=player)
    if state.phase is model.Phase.MOVE and player not in state.queue:
        raise Illegal("{player} has no move left in this round.", player=player)
    queue = tuple(seat for seat in state.queue if seat != player)
    barrels = model.with_barrel(state.barrels, player, model.OUT)
    standing = any(barrel not in {model.EMPTY, model.OUT} for barrel in barrels)
    if not queue and (state.phase is model.Phase.MOVE or not standing):
        return model.State(
            state.round + 1, model.Phase.ROLL, 0, (model.EMPTY,) * 4, (), state.pawns
        )
    phase = model.Phase.FLIP if state.phase is model.Phase.PLACE and not queue else state.phase
    return state._replace(phase=phase, barrels=barrels, queue=queue)


def _put_back(settings: model.Settings, state: model.State, player: board.Colour) -> model.State:
    if state.phase not in {model.Phase.PLACE, model.Phase.FLIP}:
        raise Illegal("A barrel goes back before the flip; now it is too late, or too early.")
    if not state.stands(player):
        raise Illegal("{player} has not placed a barrel.", player=player)
    waiting = {*state.queue, player}
    queue = tuple(seat for seat in settings.seats if seat in waiting)
    barrels = model.with_barrel(state.barrels, player, model.EMPTY)
    return state._replace(phase=model.Phase.PLACE, barrels=barrels, queue=queue)


def _corrected(
    settings: model.Settings, state: model.State, pawns: tuple[model.Pawn, ...]
) -> model.State:
    if state.phase is model.Phase.OVER:
        raise Illegal("The game is over; take back its last move first.")
    camps: list[model.Camp] = list(state.pawns)
    for colour, count in Counter(pawn.colour for pawn in pawns).items():
        _demand_player(settings, colour)
        if count != len(camps[colour]):
            raise Illegal(
                "{colour} has three pawns; name where each of them stands, not {count}.",
                colour=colour,
                count=count,
            )
        steps = sorted(pawn.step for pawn in pawns if pawn.colour == colour)
        if steps[0] < board.START or steps[-1] > board.CITY:
            raise Illegal("A pawn stands at the start, on a step from 1 to 24, or in the city.")
        camps[colour] = steps[0], steps[1], steps[2]
    first, second, third, fourth = camps
    if model.ALL_HOME in camps:
        raise Illegal("That would end the game; the last pawn must come home by a move.")
    return state._replace(pawns=(first, second, third, fourth))
