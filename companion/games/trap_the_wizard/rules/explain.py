"""What an action brings about, told step by step for people and lights.

It must not change a state: the effects are those that the game itself computes.
"""

from collections.abc import Iterator

from companion.core.game import Action, Event, Outcome
from companion.games.trap_the_wizard.rules.board import START, Robe
from companion.games.trap_the_wizard.rules.events import (
    AnotherTurn,
    CaptivesBroughtHome,
    CaptivesFreed,
    CaptivesHandedOver,
    CaptivesReleased,
    CatchCounted,
    DieCast,
    JokerCaptured,
    JokerLeft,
    JokerWentBack,
    NoWay,
    PointsGivenUp,
    PointsLeftOver,
    TrapShut,
    TrapWon,
    TurnPassed,
    WizardCaptured,
    WizardReturned,
    WizardSetOut,
    WizardWalked,
)
from companion.games.trap_the_wizard.rules.model import (
    Leave,
    Move,
    Pass,
    Phase,
    Roll,
    Settings,
    State,
)
from companion.games.trap_the_wizard.rules.moves import Moves


def events(
    moves: Moves, state: State, action: Action, after: State, end: Outcome | None
) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    seat, happened = state.turn, list[Event]()
    match action:
        case Roll(number):
            happened.append(DieCast(seat, number))
            if after.phase is not Phase.MOVE:
                happened.append(NoWay(seat, number))
        case Leave():
            happened.append(PointsGivenUp(seat, state.points))
        case Pass():
            happened.append(TurnPassed(seat))
        case Move():
            happened += _returned(moves, state, action) if action.end == START else ()
            happened += _walked(moves, state, action) if action.end != START else ()
    if after.round > state.round or after.phase is Phase.OVER:
        happened += _round_over(moves.settings, state, after, end)
    elif isinstance(action, Move) and (rest := moves.left_over(state, action)):
        left = after.phase is Phase.REST
        happened.append(PointsLeftOver(seat, rest) if left else NoWay(seat, rest))
    if after.phase is Phase.ROLL and after.sixes:  # TW-6
        happened.append(AnotherTurn(seat))
    return tuple(happened)


def _walked(moves: Moves, state: State, move: Move) -> Iterator[Event]:
    seat, start, end = move.seat, move.start, move.end
    path = moves.path(state, move)
    if start == START:
        yield WizardSetOut(seat, end, path)
    else:
        yield WizardWalked(seat, start, end, path)
    if moves.takes_joker(state, move):
        yield JokerCaptured(seat, end)
    for robe, wizard in moves.caught(state, move):
        yield WizardCaptured(seat, robe, end)
        if wizard.load and moves.settings.hand_over:
            yield CaptivesHandedOver(seat, robe, wizard.load)
        elif wizard.load:
            yield CaptivesReleased(robe, wizard.load)


def _returned(moves: Moves, state: State, move: Move) -> Iterator[Event]:
    seat = move.seat
    yield WizardReturned(seat, move.start, moves.path(state, move)[:-1])
    yield CaptivesBroughtHome(seat, moves.brought(move))
    if own := move.load.count(seat):
        yield CaptivesFreed(seat, own)
    if Robe.JOKER in move.load and moves.settings.joker_returns:
        yield JokerWentBack(moves.settings.board.joker)
    elif Robe.JOKER in move.load:
        yield JokerLeft(seat)


def _round_over(
    settings: Settings, state: State, after: State, end: Outcome | None
) -> Iterator[Event]:
    yield TrapShut(state.round, state.turn)
    for seat in settings.seats:
        total = after.scores[seat]
        yield CatchCounted(seat, total - state.scores[seat], total)
    if end is not None:
        yield TrapWon(tuple(map(Robe, end.winners)))
