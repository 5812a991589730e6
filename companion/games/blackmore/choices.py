"""What a phone can do in Blackmore: play from its hand, change the trump, tell what was played.

A seat's own view is used for the phones of that seat alone; where the cards are of paper, no view
holds anything that is hidden.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from companion.core.notation import write
from companion.games.blackmore import picture, rules
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import seat_word


@dataclass(frozen=True, slots=True)
class Way:
    """Something that can be chosen, and then confirmed."""

    id: str
    text: str  # in the game's notation
    witch: dict[str, Any] | None  # None: the trump is kept
    follows: str  # what it would come to
    wheel: Markup  # as it would stand, where that changes


def witch(card: rules.Card, reader: Viewer) -> dict[str, Any]:
    """Return a card as a page writes it: its suit is the class that tints it."""
    suit = rules.Suit(card.suit)
    tint, sign = picture.suit_class(suit), picture.suit_svg(suit)
    return {"suit": tint, "sign": sign, "word": reader.name(suit), "value": card.value}


def hand(now: Snapshot, reader: Viewer) -> tuple[dict[str, Any], ...]:
    """Return the hand of whoever reads, the strongest cards of each suit first."""
    view: rules.View = now.seen_by(reader.seat)
    if now.settings.by_hand:
        return ()  # at most the cards from the trump pile are known
    return tuple(witch(card, reader) for card in in_order(view.hand, view))


def in_order(cards: tuple[rules.Card, ...], view: rules.View) -> list[rules.Card]:
    """Return cards as one sorts them: trump first, and in each suit by rank."""
    return sorted(cards, key=lambda card: (card.suit != view.trump, card.suit, _rank(card, view)))


def _rank(card: rules.Card, view: rules.View) -> int:
    return view.ranking.index(card.value) if view.ranking else card.value


def waits_for(view: rules.View) -> str | None:
    """Return the seat that is to play a card or may change the trump."""
    return (
        seat_word(view.queue[0]) if view.phase in {rules.Phase.PLAY, rules.Phase.CHANGE} else None
    )


def plays(now: Snapshot, reader: Viewer) -> tuple[Way, ...]:
    """Return the cards that whoever reads can play from its hidden hand."""
    view: rules.View = now.seen_by(reader.seat)
    if view.phase is not rules.Phase.PLAY or now.over or now.settings.by_hand:
        return ()
    plays = {play.card: play for play in view.choices if isinstance(play, rules.Play)}
    return tuple(
        _way(now, plays[card], _of_playing(view, plays[card], reader), Markup(), reader)
        for card in in_order(tuple(plays), view)
    )


def _of_playing(view: rules.View, play: rules.Play, reader: Viewer) -> str:
    trick = (*view.trick, rules.Throw(play.seat, play.card))
    best = picture.leading(trick, view)
    if len(trick) == 1:
        return reader.say("You lead with it.")
    if best.card != play.card:
        return reader.say("It does not win: {seat:@{seat} stays|you stay} ahead.", seat=best.seat)
    if len(view.queue) > 1:
        return reader.say("It beats every card on the table.")
    worth = rules.points([throw.card for throw in trick])
    return reader.say("It wins you the trick: {points} points.", points=worth)


def changes(now: Snapshot, reader: Viewer) -> tuple[Way, ...]:
    """Return how the winner of the trick can leave or change the trump."""
    view: rules.View = now.view
    seat = waits_for(view)
    if (
        view.phase is not rules.Phase.CHANGE
        or now.over
        or seat is None
        or not reader.may_act_for(seat)
    ):
        return ()
    return tuple(_changes(now, view, reader))


def _changes(now: Snapshot, view: rules.View, reader: Viewer) -> Iterator[Way]:
    settings: rules.Settings = now.settings
    seat = view.queue[0]
    kept = picture.trump_told(view.trump, reader)
    yield _way(now, rules.Keep(seat), kept, picture.wheel_svg(view, reader), reader)
    for _, card in view.trick:
        ranks = rules.ranking(settings.side, card.value)
        turned = replace(view, trump=card.suit, ranking=ranks)
        trump = picture.trump_told(card.suit, reader)
        follows = reader.say("{trump} The card then no longer counts for you.", trump=trump)
        yield _way(
            now, rules.Change(seat, card), follows, picture.wheel_svg(turned, reader), reader
        )


def _way(
    now: Snapshot,
    action: rules.Play | rules.Change | rules.Keep,
    follows: str,
    wheel: Markup,
    reader: Viewer,
) -> Way:
    text = write(action)
    name = f"way{now.acted}-{text.replace(' ', '-').replace(':', '-')}"  # of this moment only
    card = None if isinstance(action, rules.Keep) else witch(action.card, reader)
    return Way(name, text, card, follows, wheel)


def typed(now: Snapshot, reader: Viewer) -> list[dict[str, Any]]:
    """Return all cards of paper that can have been turned up or played now, by their suits."""
    view: rules.View = now.view
    if now.over or not now.settings.by_hand or not reader.acts:
        return []
    if view.phase is rules.Phase.TURN:
        return [_typed(now, reader, suit, "turn", None) for suit in rules.Suit]
    seat = waits_for(view)
    if view.phase is not rules.Phase.PLAY or seat is None or not reader.may_act_for(seat):
        return []
    left = {play.card for play in now.seen_by(seat).choices if isinstance(play, rules.Play)}
    return [_typed(now, reader, suit, f"play {seat}", left) for suit in rules.Suit]


def _typed(
    now: Snapshot, reader: Viewer, suit: rules.Suit, verb: str, left: set[rules.Card] | None
) -> dict[str, Any]:
    """Return each card of a suit with the action that tells of it; None: it is gone."""
    cards = [rules.Card(suit, value) for value in range(1, rules.SUIT_SIZE + 1)]
    actions = [f"{verb} {card}" if left is None or card in left else None for card in cards]
    witches = [witch(card, reader) for card in cards]
    return {
        "id": f"suit{now.acted}-{suit.name.lower()}",
        "first": witches[0],
        "witches": [*zip(witches, actions, strict=True)],
    }
