"""The game told slowly, from the rulebook alone, with people who are asked and who watch.

It must not use the rules under test. Cards are pairs such as ("red", 7); the pile is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

Card = tuple[str, int]


class People(Protocol):
    """Those who sit there: they watch what happens, and choose."""

    def gets(self, player: int, card: Card) -> None:
        """See somebody get the top card of the pile."""

    def turned(self, card: Card) -> None:
        """See the first trump."""

    def plays(self, player: int, hand: list[Card]) -> Card:
        """Choose a card to play."""

    def lays(self, player: int, trick: list[Card]) -> Card | None:
        """Choose a card to change the trump with, or none."""

    def compare(self, table: Table) -> None:
        """Look at the whole table, before every trick and at the end."""


@dataclass
class Agreed:
    """What the table agreed on."""

    players: int
    starter: int
    descending: bool
    trump_fades: bool
    short_sit_last: bool
    late_change: bool
    last_change: bool


class Table:
    """A table of Blackmore."""

    def __init__(self, agreed: Agreed, pile: list[Card], people: People) -> None:
        self.agreed = agreed
        self.pile = pile
        self.people = people
        self.starter = agreed.starter
        self.hands: list[list[Card]] = [[] for _ in range(agreed.players)]
        self.won: list[list[Card]] = [[] for _ in range(agreed.players)]
        self.trump_pile: list[Card] = []
        self.trump: str | None = None
        self.wheel = list(range(9, 0, -1)) if agreed.descending else list(range(1, 10))

    def play(self) -> list[int]:
        """Play to the end; return everybody's points."""
        for _ in range(6):
            for player in self.clockwise():
                self.draw(player)
        self.trump_pile.append(self.pile.pop(0))
        self.people.turned(self.trump_pile[-1])
        self.look_at_trump_pile()
        while any(self.hands):
            self.people.compare(self)
            self.play_round()
        self.people.compare(self)
        return [sum(value for _, value in cards) for cards in self.won]

    def clockwise(self) -> list[int]:
        everybody = list(range(self.agreed.players))
        return everybody[self.starter :] + everybody[: self.starter]

    def draw(self, player: int) -> None:
        card = self.pile.pop(0)
        self.hands[player].append(card)
        self.people.gets(player, card)

    def look_at_trump_pile(self) -> None:
        if self.trump_pile:
            self.trump, value = self.trump_pile[-1]
            while self.wheel[0] != value:
                self.wheel.append(self.wheel.pop(0))
        elif self.agreed.trump_fades:
            self.trump = None

    def play_round(self) -> None:
        trick: list[tuple[int, Card]] = []
        for player in self.who_plays():
            card = self.people.plays(player, self.hands[player])
            self.hands[player].remove(card)
            trick.append((player, card))
        self.starter = self.winner(trick)
        cards = [card for _, card in trick]
        self.change_trump(cards)
        self.won[self.starter] += cards
        if self.pile:
            self.refill()

    def who_plays(self) -> list[int]:
        most = max(len(hand) for hand in self.hands)
        if self.agreed.short_sit_last:
            return [player for player in self.clockwise() if len(self.hands[player]) > 0]
        return [player for player in self.clockwise() if len(self.hands[player]) == most]

    def winner(self, trick: list[tuple[int, Card]]) -> int:
        """Go down the wheel: the first trump on it wins; without one, the first of the led suit."""
        led = trick[0][1][0]
        for suit in (self.trump, led):
            for value in self.wheel:
                for player, card in trick:
                    if card == (suit, value):
                        return player
        raise AssertionError(trick)

    def change_trump(self, trick: list[Card]) -> None:
        if not any(self.hands) and not self.agreed.last_change:
            return  # the game is over
        if not self.pile and not self.agreed.late_change:
            return
        laid = self.people.lays(self.starter, trick)
        if laid is not None:
            trick.remove(laid)
            self.trump_pile.append(laid)
            self.look_at_trump_pile()

    def refill(self) -> None:
        for player in self.clockwise():
            if self.pile:
                self.draw(player)
            elif self.trump_pile:
                self.hands[player].append(self.trump_pile.pop())
            self.look_at_trump_pile()  # the wheel is turned to each card that comes to lie on top
