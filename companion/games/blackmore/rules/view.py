"""What one viewer may know of a state; a list of what is shown, so that nothing slips through."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game import Action, Game, Seat, choices
from companion.games.blackmore.rules.cards import Card, Suit
from companion.games.blackmore.rules.state import Cards, Chair, Phase, State, Throw, held_by


@dataclass(frozen=True, slots=True)
class View:
    """All that one viewer may know of a state: what lies open, counts, and the own hand."""

    phase: Phase
    turns: tuple[int, ...]
    leader: Chair
    queue: tuple[Chair, ...]
    pile: int
    trump: Suit | None
    ranking: tuple[int, ...]  # the values from the highest rank to the lowest; empty at first
    trumps: int  # how many cards lie on the trump pile
    top: Card | None  # of the trump pile
    trick: tuple[Throw, ...]
    held: tuple[int, ...]  # how many cards each seat holds, clockwise
    won: tuple[int, ...]  # how many cards each seat has won, clockwise: they lie face down
    hand: Cards  # the viewer's own
    choices: tuple[Action, ...]
    scores: tuple[int, ...]  # at the end, clockwise
    winners: tuple[Chair, ...]


def seen(game: Game[State], state: State, viewer: Seat | None, ranking: tuple[int, ...]) -> View:
    """Return what lies open in a state, and the viewer's own hand."""
    outcome, held = game.outcome(state), held_by(state)
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
        winners=tuple(map(Chair, outcome.winners)) if outcome else (),
    )
