"""What an action brought about, told in events: nothing that only some of the players may know.

It must not decide anything.
"""

from dataclasses import dataclass

from companion.core import SeatName
from companion.core.game import Action, Event, Outcome
from companion.games.blackmore.rules import model
from companion.games.blackmore.rules.model import Card, points


@dataclass(frozen=True, slots=True)
class HandsFilled(Event):
    sentence = "All hold six cards; {left} {left:#is|are} left in the pile."

    left: int


@dataclass(frozen=True, slots=True)
class WheelTurned(Event):
    """Another card lies on top of the trump pile."""

    sentence = "The {card.value} of {card.suit} turns the wheel: {card.suit} are trump."

    card: Card


@dataclass(frozen=True, slots=True)
class TrumpGone(Event):
    sentence = "The trump pile is empty: no trump; the wheel stays at {wheel}."

    wheel: int


@dataclass(frozen=True, slots=True)
class CardLed(Event):
    sentence = "{seat:@{seat} leads|you lead} the {card.value} of {card.suit}."

    seat: SeatName
    card: Card


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A player has added a card to the trick."""

    sentence = "{seat:@{seat} plays|you play} the {card.value} of {card.suit}."

    seat: SeatName
    card: Card


@dataclass(frozen=True, slots=True)
class TrickWon(Event):
    """A player takes all cards of the trick, which are worth `points` together."""

    sentence = (
        "{seat:@{seat} wins|you win} the trick with the {card.value} of {card.suit}: "
        "{points} points."
    )

    seat: SeatName
    card: Card
    points: int
    trick: tuple[model.Throw, ...]


@dataclass(frozen=True, slots=True)
class TrumpLaid(Event):
    """The winner of a trick gives one of its cards away to change the trump."""

    sentence = "{seat:@{seat} gives|you give} the {card.value} of {card.suit} away for a new trump."

    seat: SeatName
    card: Card


@dataclass(frozen=True, slots=True)
class TrumpKept(Event):
    sentence = "{seat:@{seat} leaves|you leave} the trump as it is."

    seat: SeatName


@dataclass(frozen=True, slots=True)
class PileEmptied(Event):
    sentence = "The pile is empty: the end phase begins."


@dataclass(frozen=True, slots=True)
class TrumpDrawn(Event):
    """A player has taken the top card of the trump pile, which all have seen."""

    sentence = "{seat:@{seat} takes|you take} the {card.value} of {card.suit} from the trump pile."

    seat: SeatName
    card: Card


@dataclass(frozen=True, slots=True)
class WentWithout(Event):
    sentence = "There is no card left for {seat:@{seat}|you}."

    seat: SeatName


@dataclass(frozen=True, slots=True)
class WheelControlled(Event):
    """The game is over; who has won it, and with how many points."""

    sentence = (
        "{winners:@{winners:and} {winners:#controls|control}|you control} the witch wheel with "
        "{points} points!"
    )

    winners: tuple[SeatName, ...]
    points: int


def events_of(
    state: model.State, action: Action, after: model.State, outcome: Outcome | None
) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    happened: list[Event] = []
    match action:
        case model.Deal():
            happened += _drawn(state, after)
        case model.Play():
            happened += _played(state, action, after)
        case model.Change():
            happened.append(TrumpLaid(action.seat, action.card))
        case model.Keep():
            happened.append(TrumpKept(action.seat))
    if after.trumps != state.trumps:
        if after.trumps:
            happened.append(WheelTurned(after.trumps[-1]))
        elif after.trump is None:
            happened.append(TrumpGone(after.wheel))
    if outcome:
        winners = tuple(map(SeatName, outcome.winners))
        happened.append(WheelControlled(winners, max(score for _, score in outcome.scores)))
    return tuple(happened)


def _drawn(state: model.State, after: model.State) -> list[Event]:
    if after.phase is model.Phase.DEAL:
        return []  # nobody sees what a player draws, so only the end of the drawing is told
    if after.pile > 0:
        return [HandsFilled(after.pile)]
    left = list(state.trumps)
    return [
        PileEmptied(),
        *(TrumpDrawn(seat, left.pop()) if left else WentWithout(seat) for seat in state.queue[1:]),
    ]


def _played(state: model.State, play: model.Play, after: model.State) -> list[Event]:
    if not state.trick:
        happened: list[Event] = [CardLed(play.seat, play.card)]
    else:
        happened = [CardPlayed(play.seat, play.card)]
    if len(state.queue) == 1:
        trick = (*state.trick, model.Throw(play.seat, play.card))
        worth = points([throw.card for throw in trick])
        best = next(throw.card for throw in trick if throw.seat == after.leader)
        happened.append(TrickWon(after.leader, best, worth, trick))
    return happened
