"""What experience tells of the witches' cards: how likely something hidden beats a card.

It counts the cards that it cannot see. The weights were found by playing against itself.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final

from companion.core.game import Action, Seat
from companion.core.kit import Options
from companion.games.blackmore.rules import DECK, Card, Change, Play, Suit, points
from companion.games.blackmore.rules.cards import strengths

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
    """Choose by experience."""
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
        case Play(card=card):
            return _of_playing(view, card, hidden)
        case Change(card=card):
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
    """Return what a hand promises."""
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
    order = strengths(led, trump, ranking)
    return {card: frozenset(c for c in DECK if order[c] > order[card]) for card in DECK}
