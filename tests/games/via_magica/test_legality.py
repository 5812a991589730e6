"""What is listed as legal is exactly what is accepted, of all actions that can be named."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from companion.core import SeatName
from companion.core.game import Action
from companion.games.via_magica import rules
from companion.games.via_magica.rules import PORTALS, Animus, Call, Catch, Phase, State, ViaMagica
from companion.system.errors import Illegal
from tests.games.via_magica.games import GREEN, RED, VIOLET, WHITE, random_game

GAMES = tuple(
    ViaMagica(rules.Settings((RED, GREEN, VIOLET), chain=chain, triples=triples))
    for chain, triples in ((True, 0), (False, 1))
)
ENOUGH = 8  # states of each phase
COMMON = (Phase.DEAL, Phase.CATCH, Phase.CRYSTALLIZE)


def nameable(state: State, seat: int) -> Iterator[Action]:
    """Return what the table or a seat could say, right or wrong, and then another seat."""
    yield from (rules.Turn(), rules.Unveil(), *map(Catch, Animus), *map(Call, (None, *SeatName)))
    for number in (0, *PORTALS, 41):
        yield from (rules.Draw(number), *(rules.Deal(mage, number) for mage in SeatName))
    for mage in {SeatName(max(seat, RED)), WHITE}:
        yield from (rules.Waive(mage), *(rules.Claim(mage, reward) for reward in rules.Reward))
        yield from (
            kind(mage, number) for kind in (rules.Open, rules.Take) for number in (0, *PORTALS, 41)
        )
        built = {33, *(building.portal for building in state.players[mage].building)}
        fields = [rules.Field(*named) for named in product(sorted(built), Animus)]
        yield from (rules.Crystallize(mage, *way) for way in product(fields, (*fields, None)))


def is_accepted(game: ViaMagica, state: State, action: Action) -> bool:
    """Tell whether the game does it."""
    try:
        game.apply(state, action)
    except Illegal:
        return False
    return True


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_listed_as_legal_is_all_that_is_accepted(game: ViaMagica) -> None:
    rng = random.Random(8)
    left = dict.fromkeys(Phase, ENOUGH)
    left |= {Phase.KEEP: 0, Phase.UNVEIL: 1, Phase.CALL: 1, Phase.OVER: 0}
    for _ in range(12):
        for state, _ in random_game(rng, game):
            if left[state.phase] and (state.phase not in COMMON or rng.random() < 0.1):
                left[state.phase] -= 1
                seat = rng.choice(game.turns(state))
                named = nameable(state, seat)
                assert {one for one in named if is_accepted(game, state, one)} == {
                    *game.legal(state, seat)
                }
    assert not any(left.values()), left
