"""Tables for the tests: cards by name, hands as one likes, the last rounds of a game.

It must not hold tests.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from companion.core import SeatName
from companion.core.game import Action
from companion.core.notation import read
from companion.games.blackmore.rules import (
    DECK,
    Blackmore,
    Card,
    Deal,
    Phase,
    Settings,
    Side,
    State,
    Suit,
    Turn,
)

RED, GREEN, BLUE, YELLOW, VIOLET, WHITE = SeatName
VIEWERS = (*SeatName, -1, None)


def card(text: str) -> Card:
    """Return a card by its name."""
    suit, value = text.split(":")
    return Card(Suit[suit.upper()], int(value))


def cards(text: str) -> tuple[Card, ...]:
    """Return cards by their names."""
    return tuple(card(word) for word in text.split())


def game(players: int = 4, **settings: Any) -> Blackmore:
    """Return a match."""
    return Blackmore(replace(Settings(), seats=tuple(SeatName)[:players], **settings))


def deal(table: Blackmore, turned: str, *hands: str) -> State:
    """Deal these cards, filled up to six with the lowest that nobody is named for."""
    named = {card(word) for hand in (*hands, turned) for word in hand.split()}
    spare = [one for one in DECK if one not in named]
    left = {seat: list(cards(hand)) for seat, hand in zip(table.seats, hands, strict=False)}
    state = table.start()
    while state.phase is Phase.DEAL:
        player = state.queue[0]
        own = left.get(player)
        state = table.apply(state, Deal(player, own.pop(0) if own else spare.pop(0)))
    return table.apply(state, Turn(card(turned)))


def do(table: Blackmore, state: State, *lines: str) -> State:
    """Do what the lines say, one after the other."""
    for line in lines:
        state = table.apply(state, read(table, state, line))
    return state


def refill(table: Blackmore, state: State, *drawn: str) -> State:
    """Deal these cards first, and then the lowest there are, until somebody may play."""
    wished = list(cards(" ".join(drawn)))
    while state.phase is Phase.DEAL:
        legal = table.legal(state, -1)
        wish = Deal(state.queue[0], wished.pop(0)) if wished else legal[0]
        state = table.apply(state, wish)
    return state


def last_refill(table: Blackmore, trumps: str, pile: str) -> State:
    """Return the moment when Red, having won, and then the others draw the last cards of the pile.

    Each holds five cards, and all that are nowhere else have been won by Green.
    """
    laid, left = cards(trumps), cards(pile)
    rest = [one for one in DECK if one not in (*laid, *left)]
    hands = tuple(tuple(rest[seat * 5 : seat * 5 + 5]) for seat in table.seats)
    won: list[tuple[Card, ...]] = [() for _ in table.seats]
    won[GREEN] = tuple(rest[len(hands) * 5 :])
    return table.start()._replace(
        queue=table.seats,
        leader=RED,
        pile=len(left),
        unseen=tuple(one in left for one in DECK),
        hands=hands,
        won=tuple(won),
        trumps=laid,
        trump=laid[-1].suit,
        wheel=laid[-1].value,
    )


def random_settings(rng: Random) -> Settings:
    """Return any table."""
    seats = tuple(sorted(rng.sample(list(SeatName), rng.randint(2, 6))))
    return Settings(
        seats, rng.choice([None, *seats]), rng.choice(list(Side)), *rng.choices((False, True), k=6)
    )


def random_action(rng: Random, table: Blackmore, state: State) -> Action:
    """Return something that may be done now."""
    return rng.choice(table.legal(state, table.turns(state)[0]))


def random_game(rng: Random, table: Blackmore) -> Iterator[tuple[State, Action]]:
    """Play a whole game; yield every state but the last, and what is done in it."""
    state = table.start()
    while table.turns(state):
        action = random_action(rng, table, state)
        yield state, action
        state = table.apply(state, action)
