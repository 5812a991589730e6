"""What could be in a game of Blackmore, what people would do then, and what a trick comes to.

Nobody remembers tricks here: what a seat does not see may be anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from companion.chance import mixed
from companion.core.game import Action, Seat
from companion.core.kit import Options
from companion.games.blackmore.experience import hidden_from, of_hand, promise
from companion.games.blackmore.rules import (
    DECK,
    Blackmore,
    Card,
    Phase,
    Play,
    State,
    Suit,
    Throw,
    View,
    points,
    ranking,
)


class Sight(NamedTuple):
    """What somebody sees in a world, as far as experience asks for it."""

    trick: tuple[Throw, ...]
    trump: Suit | None
    ranking: tuple[int, ...]
    queue: tuple[int, ...]
    pile: int
    held: tuple[int, ...]
    hand: tuple[Card, ...]
    top: Card | None


class Foresight:
    """What a search has to know."""

    def world(self, game: Blackmore, view: View, seat: Seat, chance: Random) -> State:
        """Return a possible state; what is won counts from now on, because it lies face down."""
        hidden = mixed(chance, sorted(hidden_from(view)))
        chairs = game.seats[-1] + 1
        hands: list[tuple[Card, ...]] = [()] * chairs
        for chair, count in zip(game.seats, view.held, strict=True):
            if chair == seat:
                hands[chair] = view.hand
            else:
                hands[chair] = tuple(sorted(hidden[:count]))
                del hidden[:count]
        below = tuple(hidden[: max(0, view.trumps - 1)])
        pile = {*hidden[len(below) : len(below) + view.pile]}
        return State(
            phase=view.phase,
            queue=view.queue,
            leader=view.leader,
            pile=view.pile,
            unseen=tuple([card in pile for card in DECK]),
            hands=tuple(hands),
            blind=(0,) * chairs,
            trick=view.trick,
            won=((),) * chairs,
            trumps=below if view.top is None else (*below, view.top),
            trump=view.trump,
            wheel=view.ranking[0],
        )

    def candidates(self, game: Blackmore, view: View, seat: Seat, options: Options) -> Options:  # noqa: ARG002 - the contract has it
        """Return the cards that promise most; what to do with the trump is not searched."""
        hidden = hidden_from(view)
        best = sorted(options, key=lambda action: -promise(view, action, hidden))
        return best[: WORTHY if isinstance(options[0], Play) else 1]

    def policy(
        self,
        game: Blackmore,
        state: State,
        options: Sequence[Action],
        chance: Random,  # noqa: ARG002 - the contract has it
    ) -> Action:
        """Return what somebody of experience would do."""
        sight = _sight(game, state, state.queue[0])
        hidden = hidden_from(sight)
        return max(options, key=lambda action: promise(sight, action, hidden))

    def rests(self, state: State, seat: Seat) -> bool:  # noqa: ARG002 - the contract
        """Tell whether a trick is over, and all have drawn."""
        return state.phase is Phase.PLAY and not state.trick

    def worth(self, game: Blackmore, state: State, seat: Seat) -> float:
        """Return by how much more a seat won than the others, and what is left in its hand."""
        won = [points(state.won[chair]) for chair in game.seats]
        mine = points(state.won[seat])
        others = (sum(won) - mine) / (len(won) - 1)
        sight = _sight(game, state, seat)
        return mine - others + KEPT * of_hand(sight, sight.trump, sight.ranking, hidden_from(sight))


WORTHY: Final = 4  # cards that are worth a search
KEPT: Final = 0.4  # how the hand counts that is left
FORESIGHT: Final = Foresight()


def _sight(game: Blackmore, state: State, seat: Seat) -> Sight:
    ranks = _ranking(game.settings.side, state.wheel)
    top = state.trumps[-1] if state.trumps else None
    held = state.blind
    return Sight(
        state.trick, state.trump, ranks, state.queue, state.pile, held, state.hands[seat], top
    )


_ranking = lru_cache(maxsize=32)(ranking)
