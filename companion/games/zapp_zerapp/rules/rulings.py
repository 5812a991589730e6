"""What people decide beside the rules: who sits out, whose barrel goes back, where pawns stand."""

from collections import Counter

from companion.core.game import Event, Ruling
from companion.games.zapp_zerapp.rules.board import CITY, START, Colour
from companion.games.zapp_zerapp.rules.model import (
    ALL_HOME,
    EMPTY,
    OUT,
    Barrels,
    Camp,
    Correct,
    Corrected,
    Order,
    Pawn,
    Phase,
    PutBack,
    RoundOver,
    SatOut,
    Settings,
    SitOut,
    State,
    WentBack,
)
from companion.system.errors import Illegal


def after(settings: Settings, state: State, ruling: Ruling) -> State:
    """Return the state after a ruling; raise Illegal where it makes no sense."""
    match ruling:
        case SitOut(player):
            _demand_player(settings, player)
            return _sit_out(state, player)
        case PutBack(player):
            _demand_player(settings, player)
            return _put_back(settings, state, player)
        case Correct(pawns):
            return _corrected(settings, state, pawns)
    raise Illegal("'{action}' is not an action of this game.", action=ruling)


def events(settings: Settings, state: State, ruling: Ruling, ruled: State) -> tuple[Event, ...]:
    happened: list[Event] = []
    match ruling:
        case SitOut(player):
            happened.append(SatOut(player))
        case PutBack(player):
            happened.append(WentBack(player, ruled.queue))
        case Correct():
            happened += [
                Corrected(seat, state.pawns[seat], ruled.pawns[seat])
                for seat in settings.seats
                if state.pawns[seat] != ruled.pawns[seat]
            ]
    if state.phase is Phase.SAY and ruled.phase is not Phase.SAY:
        happened.append(Order(ruled.queue))
    if ruled.round > state.round:
        happened.append(RoundOver(state.round, settings.shuffle, settings.roller(ruled.round)))
    return tuple(happened)


def _demand_player(settings: Settings, player: Colour) -> None:
    if player not in settings.seats:
        raise Illegal("{seat} does not play; {seats} do.", seat=player, seats=settings.seats)


def _sit_out(state: State, player: Colour) -> State:
    if state.phase in {Phase.ROLL, Phase.OVER}:
        raise Illegal("There is no round now for {player} to sit out.", player=player)
    if state.barrels[player] == OUT:
        raise Illegal("{player} is already sitting this round out.", player=player)
    if state.phase is Phase.MOVE and player not in state.queue:
        raise Illegal("{player} has no move left in this round.", player=player)
    queue = tuple(seat for seat in state.queue if seat != player)
    barrels = _with(state.barrels, player, OUT)
    standing = any(barrel not in {EMPTY, OUT} for barrel in barrels)
    if not queue and (state.phase is Phase.MOVE or not standing):
        return State(state.round + 1, Phase.ROLL, 0, (EMPTY,) * 4, (), state.pawns)
    phase = Phase.FLIP if state.phase is Phase.PLACE and not queue else state.phase
    return state._replace(phase=phase, barrels=barrels, queue=queue)


def _put_back(settings: Settings, state: State, player: Colour) -> State:
    if state.phase not in {Phase.PLACE, Phase.FLIP}:
        raise Illegal("A barrel goes back before the flip; now it is too late, or too early.")
    if state.barrels[player] in {EMPTY, OUT}:
        raise Illegal("{player} has not placed a barrel.", player=player)
    waiting = {*state.queue, player}
    queue = tuple(seat for seat in settings.seats if seat in waiting)
    barrels = _with(state.barrels, player, EMPTY)
    return state._replace(phase=Phase.PLACE, barrels=barrels, queue=queue)


def _corrected(settings: Settings, state: State, pawns: tuple[Pawn, ...]) -> State:
    if state.phase is Phase.OVER:
        raise Illegal("The game is over; take back its last move first.")
    camps: list[Camp] = list(state.pawns)
    for colour, count in Counter(pawn.colour for pawn in pawns).items():
        _demand_player(settings, colour)
        if count != len(camps[colour]):
            raise Illegal(
                "{colour} has three pawns; name where each of them stands, not {count}.",
                colour=colour,
                count=count,
            )
        steps = sorted(pawn.step for pawn in pawns if pawn.colour == colour)
        if steps[0] < START or steps[-1] > CITY:
            raise Illegal("A pawn stands at the start, on a step from 1 to 24, or in the city.")
        camps[colour] = steps[0], steps[1], steps[2]
    first, second, third, fourth = camps
    if ALL_HOME in camps:
        raise Illegal("That would end the game; the last pawn must come home by a move.")
    return state._replace(pawns=(first, second, third, fourth))


def _with(barrels: Barrels, player: Colour, barrel: int) -> Barrels:
    first, second, third, fourth = (
        barrel if seat == player else stands for seat, stands in enumerate(barrels)
    )
    return first, second, third, fourth
