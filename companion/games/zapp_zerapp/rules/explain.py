"""What an action brings about, told step by step for people and lights.

It must not change a state: the effects are those that the game itself computes.
"""

from companion.core.game import Action, Event
from companion.games.zapp_zerapp.rules.board import CITY
from companion.games.zapp_zerapp.rules.model import (
    EMPTY,
    Banished,
    CameHome,
    Flip,
    MagicNumber,
    Move,
    Moved,
    Order,
    Phase,
    Place,
    Placed,
    Roll,
    RoundOver,
    Say,
    Settings,
    Shown,
    State,
    TakenAlong,
    Won,
)
from companion.games.zapp_zerapp.rules.moves import Moves, swept


def events(
    settings: Settings, moves: Moves, state: State, action: Action, after: State
) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    match action:
        case Roll():
            happened: list[Event] = [MagicNumber(state.round, action.magic)]
        case Place():
            happened = [Placed(action.seat, after.queue)]
        case Flip():
            shown = [seat for seat in settings.seats if state.barrels[seat] > EMPTY]
            happened = [Shown(s, n := state.barrels[s], n <= state.magic) for s in shown]
        case Say():
            works = action.number <= state.magic
            happened = [Shown(action.player, action.number, works)]
        case Move():
            happened = _moved(moves, state, action, after)
        case _:
            raise AssertionError(action)
    if state.phase in {Phase.FLIP, Phase.SAY} and after.phase not in {Phase.FLIP, Phase.SAY}:
        happened.append(Order(after.queue))
    if after.phase is Phase.ROLL:
        roller = settings.roller(after.round)
        happened.append(RoundOver(state.round, settings.shuffle, roller))  # ZZ-10
    return tuple(happened)


def _moved(moves: Moves, state: State, move: Move, after: State) -> list[Event]:
    seat, board = move.seat, moves.board
    number = state.barrels[seat]
    end = moves.end(move.step, number)
    ring = range(move.step + 1, min(end + 1, CITY))
    happened: list[Event] = [
        Moved(seat, move.step, end, tuple(board.field(seat, step) for step in ring))
    ]
    banished = move.banish
    if banished is None:
        banished = moves.banishable(state.pawns, seat, move.step, number)
    fields = [board.field(seat, step) for step in swept(move.step, number)]
    met = [(board.field(pawn.colour, pawn.step), pawn) for pawn in banished]
    for index, pawn in sorted(met, key=lambda item: fields.index(item[0])):
        happened.append(Banished(seat, pawn, index))
    for pawn in move.take:
        to = moves.taken_to(move, number, pawn.colour)
        happened.append(TakenAlong(seat, pawn, board.field(pawn.colour, pawn.step), to))
    home = after.pawns[seat].count(CITY)
    if home > state.pawns[seat].count(CITY):
        happened.append(CameHome(seat, home))
    if after.phase is Phase.OVER:
        happened.append(Won(seat))
    return happened
