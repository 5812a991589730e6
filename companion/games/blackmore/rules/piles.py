"""Cards that leave the pile, and the trump pile when that is empty."""

from dataclasses import dataclass
from typing import Any

from companion.core import SeatName
from companion.core.game import Action, Game, Seat, choices
from companion.games.blackmore.rules import model


def dealt(state: model.State, deal: model.Deal, by_hand: bool) -> model.State | None:
    """Return the state with the top card of the pile in a hand; None, if that cannot be."""
    phase, queue, leader, pile, unseen, hands, blind, trick, won, trumps, trump, wheel = state
    player, card = queue[0], deal.card
    if deal.player != player:
        return None
    if by_hand:
        if card is not None:
            return None
        blind = changed(blind, player, blind[player] + 1)
    else:
        place = model.PLACES.get(card)
        if place is None or not unseen[place]:
            return None
        unseen = changed(unseen, place, False)
        hands = changed(hands, player, _with(hands[player], model.DECK[place]))
    queue, pile = queue[1:], pile - 1
    return model.new(
        model.State,
        (phase, queue, leader, pile, unseen, hands, blind, trick, won, trumps, trump, wheel),
    )


def turned(state: model.State, turn: model.Turn) -> model.State | None:
    """Return the state with the first trump turned up; None, if that cannot be (WB-1)."""
    place = model.PLACES.get(turn.card)
    if place is None or not state.unseen[place]:
        return None
    unseen, card = changed(state.unseen, place, False), model.DECK[place]
    state = state._replace(pile=state.pile - 1, unseen=unseen)
    return state._replace(trumps=(card,), trump=card.suit, wheel=card.value)


def drawn(state: model.State, trump_fades: bool) -> model.State:
    """Give the trump pile, from its top, to those for whom the pile had no card (WB-6)."""
    if not state.queue:
        return state
    hands, trumps = state.hands, state.trumps
    for player in state.queue[: len(trumps)]:
        hands = changed(hands, player, _with(hands[player], trumps[-1]))
        trumps = trumps[:-1]
    top = trumps[-1] if trumps else state.trumps[0]  # the last that lay there turned the wheel, too
    trump = None if trump_fades and not trumps else top.suit  # WB-7
    return state._replace(hands=hands, trumps=trumps, trump=trump, wheel=top.value)


def changed(items: tuple[Any, ...], index: int, item: object) -> tuple[Any, ...]:
    listed = list(items)
    listed[index] = item
    return tuple(listed)


def _with(hand: model.Cards, card: model.Card) -> model.Cards:
    return tuple(sorted((*hand, card)))


@dataclass(frozen=True, slots=True)
class View:
    """All that one viewer may know of a state: what lies open, counts, and the own hand."""

    phase: model.Phase
    turns: tuple[int, ...]
    leader: SeatName
    queue: tuple[SeatName, ...]
    pile: int
    trump: model.Suit | None
    ranking: tuple[int, ...]  # the values from the highest rank to the lowest; empty at first
    trumps: int  # how many cards lie on the trump pile
    top: model.Card | None  # of the trump pile
    trick: tuple[model.Throw, ...]
    held: tuple[int, ...]  # how many cards each seat holds, clockwise
    won: tuple[int, ...]  # how many cards each seat has won, clockwise: they lie face down
    hand: model.Cards  # the viewer's own
    choices: tuple[Action, ...]
    scores: tuple[int, ...]  # at the end, clockwise
    winners: tuple[SeatName, ...]


def seen(
    game: Game[model.State], state: model.State, viewer: Seat | None, ranking: tuple[int, ...]
) -> View:
    """Return what lies open in a state, and the viewer's own hand."""
    outcome, held = game.outcome(state), model.held_by(state)
    return View(
        phase=state.phase,
        turns=game.turns(state),
        leader=state.leader,
        queue=state.queue,
        pile=state.pile,
        trump=state.trump,
        ranking=ranking,
        trumps=len(state.trumps),
        top=state.trumps[-1] if state.trumps else None,
        trick=state.trick,
        held=tuple(held[seat] for seat in game.seats),
        won=tuple(len(state.won[seat]) for seat in game.seats),
        hand=state.hands[viewer] if viewer in game.seats else (),
        # What the table may turn up tells what is in the pile, so the table is shown none of it.
        choices=choices(game, state, viewer) if viewer in game.seats else (),
        scores=tuple(points for _, points in outcome.scores) if outcome else (),
        winners=tuple(map(SeatName, outcome.winners)) if outcome else (),
    )
