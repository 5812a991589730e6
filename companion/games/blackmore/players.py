"""Who can be seated at Blackmore, the best first."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from companion.core import Action, Options, Seat
from companion.core.players.levels import EXPERT, GOOD, levels
from companion.core.players.monte_carlo import SearchBudget, searching
from companion.games.blackmore import rules
from companion.games.blackmore.search_model import FORESIGHT, experienced

AVERAGE = 5  # points of a card that is not seen yet
TRICK_WORTH = 0.75  # of the average trick, for a strong card kept for later


def choose(view: rules.View, choices: Sequence[Action]) -> Action:
    """Return what promises most; of equal choices the first."""
    if len(choices) == 1:
        return choices[0]
    return max(choices, key=lambda action: _promise(view, action))


def _promise(view: rules.View, action: Action) -> float:
    match action:
        case rules.Play(card=card):
            return _of_playing(view, card)
        case rules.Change(card=card):
            turn = view.ranking.index(card.value)
            ranking = view.ranking[turn:] + view.ranking[:turn]  # as the wheel would stand
            return _of_hand(view, card.suit, ranking) - card.value
    return _of_hand(view, view.trump, view.ranking)


def _of_playing(view: rules.View, card: rules.Card) -> float:
    """Return what is won, or else given away, and what the card would be worth later."""
    trick = [*(throw.card for throw in view.trick), card]
    after = len(view.queue) - 1
    holds = 0.0
    if rules.winning(trick, view.trump, view.ranking) == len(trick) - 1:
        holds = _power(card, view.trump, view.ranking, led=trick[0].suit) ** after
    spent = _power(card, view.trump, view.ranking, led=None) * _trick(view) * TRICK_WORTH
    return holds * (rules.points(trick) + after * AVERAGE) - (1 - holds) * card.value - spent


def _of_hand(view: rules.View, trump: rules.Suit | None, ranking: tuple[int, ...]) -> float:
    return sum(_power(card, trump, ranking, led=None) for card in view.hand) * _trick(view)


def _trick(view: rules.View) -> int:
    return AVERAGE * len(view.held)


def _power(
    card: rules.Card, trump: rules.Suit | None, ranking: tuple[int, ...], led: rules.Suit | None
) -> float:
    """Return about how surely a card beats one more card."""
    height = 1 - ranking.index(card.value) / len(ranking)
    if card.suit == trump:
        return 0.85 + 0.15 * height
    if card.suit == led or led is None:
        return (0.85 if led is not None else 0.3) * (0.8 + 0.2 * height)
    return 0.0


def casual(_settings: Any, view: Any, _seat: Seat, options: Options, _chance: Random) -> Action:
    """Choose what promises most at the moment."""
    return choose(view, options)


EFFORT: Final = SearchBudget(playouts=200, rests=2)  # this trick, and the next one
PLAYERS: Final = levels(
    casual, {EXPERT: searching(rules.Blackmore, FORESIGHT, EFFORT), GOOD: experienced}
)
