"""What an action brought about, told in events: nothing that only some of the players may know.

It must not decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game import Action, Event, Outcome
from companion.games.blackmore.rules.cards import Card, points
from companion.games.blackmore.rules.state import (
    Chair,
    Change,
    Deal,
    Keep,
    Phase,
    Play,
    State,
    Throw,
)


@dataclass(frozen=True, slots=True)
class HandsFilled(Event):
    """Everybody has drawn and holds six cards; `left` are in the pile."""

    left: int


@dataclass(frozen=True, slots=True)
class WheelTurned(Event):
    """Another card lies on top of the trump pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class TrumpGone(Event):
    """The trump pile is empty: there is no trump, and the wheel stays."""

    wheel: int


@dataclass(frozen=True, slots=True)
class CardLed(Event):
    """A player has started a trick."""

    seat: Chair
    card: Card


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A player has added a card to the trick."""

    seat: Chair
    card: Card


@dataclass(frozen=True, slots=True)
class TrickWon(Event):
    """A player takes all cards of the trick, which are worth `points` together."""

    seat: Chair
    card: Card
    points: int
    trick: tuple[Throw, ...]


@dataclass(frozen=True, slots=True)
class TrumpLaid(Event):
    """The winner of a trick gives one of its cards away to change the trump."""

    seat: Chair
    card: Card


@dataclass(frozen=True, slots=True)
class TrumpKept(Event):
    """The winner of a trick has not changed the trump."""

    seat: Chair


@dataclass(frozen=True, slots=True)
class PileEmptied(Event):
    """The last card of the pile is drawn; the end phase begins."""


@dataclass(frozen=True, slots=True)
class TrumpDrawn(Event):
    """A player has taken the top card of the trump pile, which all have seen."""

    seat: Chair
    card: Card


@dataclass(frozen=True, slots=True)
class WentWithout(Event):
    """There was no card left for a player."""

    seat: Chair


@dataclass(frozen=True, slots=True)
class WheelControlled(Event):
    """The game is over; who has won it, and with how many points."""

    winners: tuple[Chair, ...]
    points: int


def events(
    state: State, action: Action, after: State, outcome: Outcome | None
) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    happened: list[Event] = []
    match action:
        case Deal():
            happened += _drawn(state, after)
        case Play():
            happened += _played(state, action, after)
        case Change():
            happened.append(TrumpLaid(action.seat, action.card))
        case Keep():
            happened.append(TrumpKept(action.seat))
    if after.trumps != state.trumps:
        if after.trumps:
            happened.append(WheelTurned(after.trumps[-1]))
        elif after.trump is None:
            happened.append(TrumpGone(after.wheel))
    if outcome:
        winners = tuple(map(Chair, outcome.winners))
        happened.append(WheelControlled(winners, max(score for _, score in outcome.scores)))
    return tuple(happened)


def _drawn(state: State, after: State) -> list[Event]:
    if after.phase is Phase.DEAL:
        return []  # nobody sees what a player draws, so only the end of the drawing is told
    if after.pile > 0:
        return [HandsFilled(after.pile)]
    left = list(state.trumps)
    return [
        PileEmptied(),
        *(TrumpDrawn(seat, left.pop()) if left else WentWithout(seat) for seat in state.queue[1:]),
    ]


def _played(state: State, play: Play, after: State) -> list[Event]:
    if not state.trick:
        happened: list[Event] = [CardLed(play.seat, play.card)]
    else:
        happened = [CardPlayed(play.seat, play.card)]
    if len(state.queue) == 1:
        trick = (*state.trick, Throw(play.seat, play.card))
        worth = points([throw.card for throw in trick])
        best = next(throw.card for throw in trick if throw.seat == after.leader)
        happened.append(TrickWon(after.leader, best, worth, trick))
    return happened
