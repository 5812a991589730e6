"""The sensible player of Via Magica beats chance by far, and knows no more than it may."""

import random
from statistics import mean

from companion.core import SeatName
from companion.core.game import TABLE, choices
from companion.core.notation import write
from companion.games.via_magica.players import experienced
from companion.games.via_magica.rules import Phase, Settings, ViaMagica
from tests.games.via_magica.games import GREEN, RED, before_catch, player


def test_the_sensible_player_beats_chance_and_soon() -> None:
    game = ViaMagica(Settings((SeatName.RED, SeatName.GREEN)))
    rounds, margins = [], []
    for seed in range(4):
        rng, state = random.Random(seed), game.start()
        sensible = game.seats[seed % 2]
        while turns := game.turns(state):
            seat, options = turns[0], game.legal(state, turns[0])
            if seat == sensible:
                view, options = game.view(state, seat), choices(game, state, seat)
                action = experienced(game.settings, view, seat, options, rng)
            else:
                weights = game.odds(state) if seat == TABLE else None
                action = rng.choices(options, weights)[0]
            state = game.apply(state, action)
        ended = game.outcome(state)
        assert ended
        assert ended.winners == (sensible,)
        scores = dict(ended.scores)
        margins.append(2 * scores[sensible] - sum(scores.values()))
        rounds.append(state.round)
    assert mean(margins) >= 30
    assert mean(rounds) <= 80


def test_it_keeps_its_only_reward_for_a_number_but_takes_each_of_several() -> None:
    for numbers, taken in ((1, "waive red"), (0, "claim red two")):
        game = ViaMagica(Settings((RED, GREEN), numbers=numbers))
        state = before_catch(game, player(opened=(33, 11)), player())
        state = state._replace(phase=Phase.REWARD, queue=(RED,))
        view = game.view(state, RED)
        action = experienced(game.settings, view, RED, game.legal(state, RED), random.Random(1))
        assert write(action) == taken
