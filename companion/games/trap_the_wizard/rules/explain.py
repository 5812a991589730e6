"""What an action brings about, told step by step for people and lights.

It must not change a state: the effects are those that the game itself computes.
"""

from collections.abc import Iterator

from companion.core.game import Action, Event, Outcome
from companion.games.trap_the_wizard.rules import board, events, model
from companion.games.trap_the_wizard.rules.moves import Moves


def events_of(
    moves: Moves, state: model.State, action: Action, after: model.State, end: Outcome | None
) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    seat, happened = state.turn, list[Event]()
    match action:
        case model.Roll(number):
            happened.append(events.DieCast(seat, number))
            if after.phase is not model.Phase.MOVE:
                happened.append(events.NoWay(seat, number))
        case model.Leave():
            happened.append(events.PointsGivenUp(seat, state.points))
        case model.Pass():
            happened.append(events.TurnPassed(seat))
        case model.Move():
            happened += _returned(moves, state, action) if action.end == board.START else ()
            happened += _walked(moves, state, action) if action.end != board.START else ()
    if after.round > state.round or after.phase is model.Phase.OVER:
        happened += _round_over(moves.settings, state, after, end)
    elif isinstance(action, model.Move) and (rest := moves.left_over(state, action)):
        left = after.phase is model.Phase.REST
        happened.append(events.PointsLeftOver(seat, rest) if left else events.NoWay(seat, rest))
    if after.phase is model.Phase.ROLL and after.sixes:  # TW-6
        happened.append(events.AnotherTurn(seat))
    return tuple(happened)


def _walked(moves: Moves, state: model.State, move: model.Move) -> Iterator[Event]:
    seat, start, end = move.seat, move.start, move.end
    path = moves.path(state, move)
    if start == board.START:
        yield events.WizardSetOut(seat, end, path)
    else:
        yield events.WizardWalked(seat, start, end, path)
    if moves.takes_joker(state, move):
        yield events.JokerCaptured(seat, end)
    for robe, wizard in moves.caught(state, move):
        yield events.WizardCaptured(seat, robe, end)
        if wizard.load and moves.settings.hand_over:
            yield events.CaptivesHandedOver(seat, robe, wizard.load)
        elif wizard.load:
            yield events.CaptivesReleased(robe, wizard.load)


def _returned(moves: Moves, state: model.State, move: model.Move) -> Iterator[Event]:
    seat = move.seat
    yield events.WizardReturned(seat, move.start, moves.path(state, move)[:-1])
    yield events.CaptivesBroughtHome(seat, moves.brought(move))
    if own := move.load.count(seat):
        yield events.CaptivesFreed(seat, own)
    if board.Robe.JOKER in move.load and moves.settings.joker_returns:
        yield events.JokerWentBack(moves.settings.board.joker)
    elif board.Robe.JOKER in move.load:
        yield events.JokerLeft(seat)


def _round_over(
    settings: model.Settings, state: model.State, after: model.State, end: Outcome | None
) -> Iterator[Event]:
    yield events.TrapShut(state.round, state.turn)
    for seat in settings.seats:
        total = after.scores[seat]
        yield events.CatchCounted(seat, total - state.scores[seat], total)
    if end is not None:
        yield events.TrapWon(tuple(map(board.Robe, end.winners)))
