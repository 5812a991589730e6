"""What an action brings about, told step by step for people and lights.

It must not change a state: the effects are those that the game itself computes.
"""

from companion.core.game import Action, Event
from companion.games.zapp_zerapp.rules import board, model
from companion.games.zapp_zerapp.rules.board import CITY
from companion.games.zapp_zerapp.rules.moves import Moves, swept


def events_of(
    settings: model.Settings, moves: Moves, state: model.State, action: Action, after: model.State
) -> tuple[Event, ...]:
    """Return what a legal action or a ruling brought about, in the order in which it happened."""
    match action:
        case model.Roll():
            happened: list[Event] = [model.MagicNumber(state.round, action.magic)]
        case model.Place():
            happened = [model.Placed(action.seat, after.queue)]
        case model.Flip():
            shown = [seat for seat in settings.seats if state.barrels[seat] > model.EMPTY]
            happened = [model.Shown(s, n := state.barrels[s], n <= state.magic) for s in shown]
        case model.Say():
            works = action.number <= state.magic
            happened = [model.Shown(action.player, action.number, works)]
        case model.Move():
            happened = _moved(moves, state, action, after)
        case model.SitOut():
            happened = [model.SatOut(action.player)]
        case model.PutBack():
            happened = [model.WentBack(action.player, after.queue)]
        case _:
            pairs = zip(board.Colour, state.pawns, after.pawns, strict=True)
            happened = [model.Corrected(seat, old, new) for seat, old, new in pairs if old != new]
    read = isinstance(action, model.Flip) or state.phase is model.Phase.SAY
    if read and after.phase is not model.Phase.SAY:  # all numbers are known
        happened.append(model.Order(after.queue))
    if after.round > state.round:
        roller = settings.roller(after.round)
        happened.append(model.RoundOver(state.round, settings.shuffle, roller))  # ZZ-10
    return tuple(happened)


def _moved(moves: Moves, state: model.State, move: model.Move, after: model.State) -> list[Event]:
    seat, board = move.seat, moves.board
    number = state.barrels[seat]
    end = moves.end(move.step, number)
    ring = range(move.step + 1, min(end + 1, CITY))
    happened: list[Event] = [
        model.Moved(seat, move.step, end, tuple(board.field(seat, step) for step in ring))
    ]
    banished = move.banish
    if banished is None:
        banished = moves.banishable(state.pawns, seat, move.step, number)
    fields = [board.field(seat, step) for step in swept(move.step, number)]
    met = [(board.field(pawn.colour, pawn.step), pawn) for pawn in banished]
    for index, pawn in sorted(met, key=lambda item: fields.index(item[0])):
        happened.append(model.Banished(seat, pawn, index))
    for pawn in move.take:
        to = moves.taken_to(move, number, pawn.colour)
        happened.append(model.TakenAlong(seat, pawn, board.field(pawn.colour, pawn.step), to))
    home = after.pawns[seat].count(CITY)
    if home > state.pawns[seat].count(CITY):
        happened.append(model.CameHome(seat, home))
    if after.phase is model.Phase.OVER:
        happened.append(model.Won(seat))
    return happened
