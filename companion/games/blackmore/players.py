"""Bots for Blackmore: play by what a card promises, and search what could be in others' hands.

Nobody remembers tricks here: what a seat does not see may be anywhere.
"""

from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from companion.core import Action, Options, Seat
from companion.core.players.levels import EXPERT, GOOD, careless, levels
from companion.core.players.monte_carlo import SearchBudget, searching
from companion.games.blackmore import rules
from companion.games.blackmore.rules import DECK, Blackmore, Card, State, Suit, points, ranking
from companion.system.chance import mixed

DEFENDED: Final = 2.24  # others hold several cards each, so one that beats this is near
AVERAGE: Final = 3.73  # points of a card that is not seen yet
PLAIN: Final = 0.56  # what a card is good for later that is not a trump
GIVEN: Final = 1.25  # how one's own points count that another wins
LATER: Final = 0.47  # of a trick: what a strong card is worth that is kept
AT_THE_END: Final = 0.4  # … when nobody draws any more
LAID: Final = 0.58  # how points count that change the trump
HAND: Final = 1.12  # how the hand counts when the trump is changed

Hidden = frozenset[Card]
ALL: Final = frozenset(DECK)


def experienced(
    _settings: Any, view: Any, _seat: Seat, options: Options, _chance: Random
) -> Action:
    if len(options) == 1:
        return options[0]
    hidden = hidden_from(view)
    return max(options, key=lambda action: promise(view, action, hidden))


def hidden_from(view: Any) -> Hidden:
    """Return the cards that somebody cannot see; what was won lies face down."""
    return ALL.difference(view.hand, [card for _, card in view.trick], (view.top,))


def promise(view: Any, action: Action, hidden: Hidden) -> float:
    """Return what a choice promises, in points."""
    match action:
        case rules.Play(card=card):
            return _of_playing(view, card, hidden)
        case rules.Change(card=card):
            turn = view.ranking.index(card.value)
            ranking = view.ranking[turn:] + view.ranking[:turn]  # as the wheel would stand
            return of_hand(view, card.suit, ranking, hidden) - LAID * card.value
    return of_hand(view, view.trump, view.ranking, hidden)


def _of_playing(view: Any, card: Card, hidden: Hidden) -> float:
    """Return what is won, or else given away, and what the card would be worth later."""
    trick = [*(throw.card for throw in view.trick), card]
    after = len(view.queue) - 1
    beat = beating(trick[0].suit, view.trump, view.ranking)[card]
    holds = 0.0
    if beat.isdisjoint(trick):
        holds = (1 - _share(beat, hidden)) ** (DEFENDED * after)
    later = LATER if view.pile else AT_THE_END
    spent = _good_for(card, view.trump, view.ranking, hidden) * _trick(view) * later
    return holds * (points(trick) + after * AVERAGE) - (1 - holds) * card.value * GIVEN - spent


def of_hand(view: Any, trump: Suit | None, ranking: tuple[int, ...], hidden: Hidden) -> float:
    good = sum(_good_for(card, trump, ranking, hidden) for card in view.hand)
    return good * _trick(view) * HAND


def _trick(view: Any) -> float:
    return AVERAGE * len(view.held)


def _good_for(card: Card, trump: Suit | None, ranking: tuple[int, ...], hidden: Hidden) -> float:
    """Return how surely a card beats one more card if it is led."""
    beats = 1 - _share(beating(card.suit, trump, ranking)[card], hidden)
    return beats if card.suit == trump else PLAIN * beats


def _share(cards: Hidden, hidden: Hidden) -> float:
    return len(cards & hidden) / max(1, len(hidden))


@lru_cache(maxsize=1024)
def beating(led: Suit, trump: Suit | None, ranking: tuple[int, ...]) -> dict[Card, Hidden]:
    """Return which cards beat each card, by what is led."""
    order = rules.strengths(led, trump, ranking)
    return {card: frozenset(c for c in DECK if order[c] > order[card]) for card in DECK}


class Sight(NamedTuple):
    """What somebody sees in a world, as far as experience asks for it."""

    trick: tuple[rules.Throw, ...]
    trump: Suit | None
    ranking: tuple[int, ...]
    queue: tuple[int, ...]
    pile: int
    held: tuple[int, ...]
    hand: tuple[Card, ...]
    top: Card | None


class Foresight:
    def world(self, game: Blackmore, view: rules.View, seat: Seat, chance: Random) -> State:
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

    def candidates(self, game: Blackmore, view: Any, seat: Seat, options: Options) -> Options:  # noqa: ARG002 - the contract has it
        """Return the cards that promise most; what to do with the trump is not searched."""
        hidden = hidden_from(view)
        best = sorted(options, key=lambda action: -promise(view, action, hidden))
        return best[: WORTHY if isinstance(options[0], rules.Play) else 1]

    def policy(self, game: Blackmore, state: State, options: Options) -> Action:
        sight = _sight(game, state, state.queue[0])
        hidden = hidden_from(sight)
        return max(options, key=lambda action: promise(sight, action, hidden))

    def rests(self, state: State, seat: Seat) -> bool:  # noqa: ARG002 - the contract
        """Tell whether a trick is over, and all have drawn."""
        return state.phase is rules.Phase.PLAY and not state.trick

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


EFFORT: Final = SearchBudget(playouts=200, rests=2)  # this trick, and the next one
PLAYERS: Final = levels(
    careless(experienced), {EXPERT: searching(Blackmore, FORESIGHT, EFFORT), GOOD: experienced}
)
