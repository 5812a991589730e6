"""What can happen in Trap the Wizard, as people are told it, and what an action brings about.

It must not change a state: the effects are those that the game itself computes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.game import Action, Event, Outcome
from companion.games.trap_the_wizard.rules import board, model
from companion.games.trap_the_wizard.rules.board import Robe
from companion.games.trap_the_wizard.rules.moves import Moves


@dataclass(frozen=True, slots=True)
class DieCast(Event):
    sentence = "{seat:@{seat} rolls|you roll} {number}."

    seat: Robe
    number: int


@dataclass(frozen=True, slots=True)
class NoWay(Event):
    sentence = "{seat:@No wizard of {seat}|None of your wizards} can use the {points}: it is lost."

    seat: Robe
    points: int


@dataclass(frozen=True, slots=True)
class WizardSetOut(Event):
    """A wizard left its start; `path` are the fields it came to."""

    sentence = (
        "{seat:@{seat} leaves the start and comes|you leave the start and come} to field {end}."
    )

    seat: Robe
    end: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WizardWalked(Event):
    """A wizard went from field to field; `path` are the fields it came to."""

    sentence = "{seat:@{seat} walks|you walk} from field {start} to field {end}."

    seat: Robe
    start: int
    end: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WizardReturned(Event):
    """A wizard came back to its start with what it held; `path` are the fields before that."""

    sentence = (
        "{seat:@{seat} comes home from field {start} with its|you come home from field {start} "
        "with your} captives."
    )

    seat: Robe
    start: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WizardCaptured(Event):
    """A wizard was captured and rides under its captor from now on."""

    sentence = (
        "Trapped: {seat:@{seat} captures|you capture} {victim:@a wizard of {victim}|one of your "
        "wizards} on field {field}."
    )

    seat: Robe
    victim: Robe
    field: int


@dataclass(frozen=True, slots=True)
class CaptivesHandedOver(Event):
    sentence = (
        "{seat:@{seat} takes|you take} over what {victim:@{victim}|you} held: {captives:and}."
    )

    seat: Robe
    victim: Robe
    captives: tuple[Robe, ...]


@dataclass(frozen=True, slots=True)
class CaptivesReleased(Event):
    """What a captured captor held is free: wizards on their starts, the joker on its field."""

    sentence = "{victim:@{victim}|You} held {captives:and}: free again."

    victim: Robe
    captives: tuple[Robe, ...]


@dataclass(frozen=True, slots=True)
class JokerCaptured(Event):
    sentence = "{seat:@{seat} captures|you capture} the joker on field {field}."

    seat: Robe
    field: int


@dataclass(frozen=True, slots=True)
class CaptivesBroughtHome(Event):
    """Captured opponents left the game; they score for their captor."""

    sentence = "{seat:@{seat} takes|you take} out of the game: {captives}."

    seat: Robe
    captives: tuple[Robe, ...]


@dataclass(frozen=True, slots=True)
class CaptivesFreed(Event):
    sentence = "Freed: {wizards} of {seat:@{seat}'s|your} own wizards, back at the start."

    seat: Robe
    wizards: int


@dataclass(frozen=True, slots=True)
class JokerWentBack(Event):
    sentence = "The joker goes back to field {field}."

    field: int


@dataclass(frozen=True, slots=True)
class JokerLeft(Event):
    sentence = "{seat:@{seat}'s|Your} joker is out until the next round."

    seat: Robe


@dataclass(frozen=True, slots=True)
class PointsLeftOver(Event):
    sentence = (
        "{points} {points:#point is|points are} left over; another of {seat:@{seat}'s|your} "
        "wizards may use {points:#it|them}."
    )

    seat: Robe
    points: int


@dataclass(frozen=True, slots=True)
class PointsGivenUp(Event):
    sentence = "{seat:@{seat} leaves|you leave} {points} unused."

    seat: Robe
    points: int


@dataclass(frozen=True, slots=True)
class AnotherTurn(Event):
    sentence = "A six: {seat:@{seat} rolls|you roll} again."

    seat: Robe


@dataclass(frozen=True, slots=True)
class TurnPassed(Event):
    """The player passes up the other turn that a six gives."""

    sentence = "{seat:@{seat} does|you do} not roll again."

    seat: Robe


@dataclass(frozen=True, slots=True)
class TrapShut(Event):
    """All wizards of all players but one are captured: the round is over."""

    sentence = (
        "Round {round} is over: only {seat:@{seat} still has wizards of its|you still have "
        "wizards of your} own."
    )

    round: int
    seat: Robe


@dataclass(frozen=True, slots=True)
class CatchCounted(Event):
    sentence = "{seat:@{seat} scores|you score} {points} {points:#point|points}: {total} in all."

    seat: Robe
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class TrapWon(Event):
    """The last round is over; nobody has more points than these."""

    sentence = "{seats:@{seats:and} {seats:#wins|win}|You win} the game!"

    seats: tuple[Robe, ...]


def events_of(
    moves: Moves, state: model.State, action: Action, after: model.State, end: Outcome | None
) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    seat, happened = state.turn, list[Event]()
    match action:
        case model.Roll(number):
            happened.append(DieCast(seat, number))
            if after.phase is not model.Phase.MOVE:
                happened.append(NoWay(seat, number))
        case model.Leave():
            happened.append(PointsGivenUp(seat, state.points))
        case model.Pass():
            happened.append(TurnPassed(seat))
        case model.Move():
            happened += _returned(moves, state, action) if action.end == board.START else ()
            happened += _walked(moves, state, action) if action.end != board.START else ()
    if after.round > state.round or after.phase is model.Phase.OVER:
        happened += _round_over(moves.settings, state, after, end)
    elif isinstance(action, model.Move) and (rest := moves.left_over(state, action)):
        left = after.phase is model.Phase.REST
        happened.append(PointsLeftOver(seat, rest) if left else NoWay(seat, rest))
    if after.phase is model.Phase.ROLL and after.sixes:  # TW-6
        happened.append(AnotherTurn(seat))
    return tuple(happened)


def _walked(moves: Moves, state: model.State, move: model.Move) -> Iterator[Event]:
    seat, start, end = move.seat, move.start, move.end
    path = moves.path(state, move)
    if start == board.START:
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


def _returned(moves: Moves, state: model.State, move: model.Move) -> Iterator[Event]:
    seat = move.seat
    yield WizardReturned(seat, move.start, moves.path(state, move)[:-1])
    yield CaptivesBroughtHome(seat, moves.brought(move))
    if own := move.load.count(seat):
        yield CaptivesFreed(seat, own)
    if board.Robe.JOKER in move.load and moves.settings.joker_returns:
        yield JokerWentBack(moves.settings.board.joker)
    elif board.Robe.JOKER in move.load:
        yield JokerLeft(seat)


def _round_over(
    settings: model.Settings, state: model.State, after: model.State, end: Outcome | None
) -> Iterator[Event]:
    yield TrapShut(state.round, state.turn)
    for seat in settings.seats:
        total = after.scores[seat]
        yield CatchCounted(seat, total - state.scores[seat], total)
    if end is not None:
        yield TrapWon(tuple(map(board.Robe, end.winners)))
