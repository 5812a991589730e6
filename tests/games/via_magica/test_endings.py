"""Every game ends, and nothing is lost or made on the way."""

import random
from collections import Counter

from companion.games.via_magica.rules import PORTALS, WORTH, Phase, Power, Reward, State, ViaMagica
from companion.games.via_magica.rules.portals import COPIES, COUNTED, TRIPLES
from tests.games.via_magica.games import random_game, random_settings

GAMES, IN_FULL = 10, 2000
MOST_ROUNDS = 3000


def test_vm_6_random_games_end_with_the_right_sums(full: bool) -> None:
    """VM-1, VM-5: 80 portals and all crystals stay in play; a reward is awarded once only."""
    for seed in range(IN_FULL if full else GAMES):
        rng = random.Random(f"ends {seed}")
        game = ViaMagica(random_settings(rng))
        for state, action in random_game(rng, game, skill=rng.choice((0.0, 0.5, 1.0))):
            assert state.round <= MOST_ROUNDS
            after = game.apply(state, action)
            if state.round != after.round:
                check(game, after)
        check(game, after)
        assert after.phase is Phase.OVER
        assert max(len(one.opened) for one in after.players) >= 7
        ended = game.outcome(after)
        assert ended
        assert set(ended.winners) <= {
            seat for seat, score in ended.scores if score == max(s for _, s in ended.scores)
        }


def check(game: ViaMagica, state: State) -> None:
    """Count everything that lies anywhere."""
    portals = Counter({n: state.stack[n - 1] + state.discards[n - 1] for n in PORTALS})
    portals.update((*state.display, *state.drawn, *state.opening))
    for one in state.players:
        own = (*one.opened, *(building.portal for building in one.building))
        assert len(set(own)) == len(own)  # VM-3
        portals.update((*own, *one.hand))
        gained = sum(PORTALS[n].count for n in one.opened if PORTALS[n].power is Power.GAIN)
        crystals = one.supply + sum(sum(building.covered) for building in one.building)
        assert crystals in {0, 7 + gained}
        for building in one.building:
            pairs = zip(building.covered, PORTALS[building.portal].fields, strict=True)
            assert all(0 <= there <= most for there, most in pairs)
        numbers = sum(reward in COUNTED.values() for reward in one.rewards)
        assert numbers <= (game.settings.numbers or len(COUNTED))
    assert all(count == COPIES for count in portals.values())
    awarded = Counter(reward for one in state.players for reward in one.rewards)
    assert all(awarded[reward] <= 1 for reward in (*TRIPLES, Reward.EVERY))
    assert sum(WORTH[reward] for reward in TRIPLES) == 22
    assert len([one for one in state.players if one.supply or one.building]) == len(game.seats)
