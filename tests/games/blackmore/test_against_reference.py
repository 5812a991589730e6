"""The core plays exactly as the reference does, which was written from the rulebook alone."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from companion.core import SeatName
from companion.core.game import TABLE, Action
from companion.games.blackmore import rules
from companion.games.blackmore.rules import DECK, Blackmore, Change, Deal, Keep, Play, Side, Turn
from tests.games.blackmore import reference
from tests.games.blackmore.reference import Agreed, Table

GAMES, IN_FULL = 3, 60  # for each of them
VARIANTS = [*product((2, 3, 4, 5, 6), *((False, True),) * 4)]


def told(card: rules.Card) -> reference.Card:
    """Return a card of the core as the reference has it."""
    return rules.Suit(card.suit).name.lower(), card.value


class Twins:
    """People who play the same at the core's table, and compare."""

    def __init__(self, game: Blackmore, rng: Random) -> None:
        self.game = game
        self.rng = rng
        self.state: rules.State = game.start()
        self.deck = {told(card): card for card in DECK}

    def do(self, seat: int, action: Action, legal: Sequence[Action] | None = None) -> None:
        allowed = self.game.legal(self.state, seat)
        assert self.game.turns(self.state) == (seat,)
        assert len(set(allowed)) == len(allowed)
        assert action in allowed
        assert legal is None or set(legal) == set(allowed)
        self.state = self.game.apply(self.state, action)

    def gets(self, player: int, card: reference.Card) -> None:
        """Deal the same card."""
        self.do(TABLE, Deal(SeatName(player), self.deck[card]))

    def turned(self, card: reference.Card) -> None:
        """Turn the same card."""
        self.do(TABLE, Turn(self.deck[card]))

    def plays(self, player: int, hand: list[reference.Card]) -> reference.Card:
        """Play any card."""
        chosen = self.rng.choice(hand)
        legal = [Play(SeatName(player), self.deck[card]) for card in hand]
        self.do(player, Play(SeatName(player), self.deck[chosen]), legal)
        return chosen

    def lays(self, player: int, trick: list[reference.Card]) -> reference.Card | None:
        """Change the trump, or not."""
        chair = SeatName(player)
        changes = {card: Change(chair, self.deck[card]) for card in trick}
        chosen = self.rng.choice([None, None, *trick])
        action = changes[chosen] if chosen else Keep(chair)
        self.do(player, action, [Keep(chair), *changes.values()])
        return chosen

    def compare(self, table: Table) -> None:
        """Find everything in its place."""
        state = self.state
        assert [sorted(map(told, hand)) for hand in state.hands] == [*map(sorted, table.hands)]
        assert [[*map(told, cards)] for cards in state.won] == table.won
        assert [*map(told, state.trumps)] == table.trump_pile
        assert (state.trump.name.lower() if state.trump is not None else None) == table.trump
        assert list(self.game.view(state, None).ranking) == table.wheel
        assert state.pile == len(table.pile)
        assert [*state.queue] == (table.who_plays() if any(table.hands) else [])


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_random_games_are_equal(
    variant: tuple[int, bool, bool, bool, bool], side: Side, full: bool
) -> None:
    players, fades, last, late, very_last = variant
    for seed in range(IN_FULL if full else GAMES):
        rng = Random(f"{variant} {seed}")
        settings = replace(
            rules.Settings(tuple(SeatName)[:players], SeatName(rng.randrange(players)), side),
            trump_fades=fades,
            short_sit_last=last,
            late_change=late,
            last_change=very_last,
        )
        twins = Twins(Blackmore(settings), rng)
        pile = [told(card) for card in rng.sample(DECK, len(DECK))]
        descending = side is Side.DESCENDING
        assert settings.starter is not None
        agreed = Agreed(players, settings.starter, descending, *variant[1:])
        scores = Table(agreed, pile, twins).play()
        outcome = twins.game.outcome(twins.state)
        assert outcome is not None
        assert [score for _, score in outcome.scores] == scores
        assert [*outcome.winners] == [p for p in range(players) if scores[p] == max(scores)]
