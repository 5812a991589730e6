"""Whoever searches at Via Magica thinks of what could be, and of nothing that it cannot know."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.core.game import TABLE
from companion.core.notation import write
from companion.core.players.monte_carlo import SearchBudget, searching
from companion.core.plugin import players
from companion.games.via_magica.players import FORESIGHT, experienced
from companion.games.via_magica.rules import Phase, Settings, State, ViaMagica, View
from companion.games.via_magica.rules.portals import COPIES, NUMBERS
from tests.games.via_magica.games import (
    GREEN,
    RED,
    before_catch,
    player,
    random_game,
    random_settings,
)

FEW = SearchBudget(playouts=6, rests=1)


def moments(seed: int, *, by_hand: bool = False) -> Iterator[tuple[ViaMagica, State, int, View]]:
    """Yield states of a random match in which somebody may choose, after the set-up."""
    rng = Random(seed)
    game = ViaMagica(replace(random_settings(rng), by_hand=by_hand))
    for state, _ in random_game(rng, game):
        for seat in game.turns(state):
            view = game.view(state, seat)
            if seat != TABLE and len(view.choices) > 1:
                yield game, state, seat, view


def is_searched(game: ViaMagica, view: View, seat: int) -> bool:
    return len(FORESIGHT.candidates(game, view, seat, view.choices)) > 1


@pytest.mark.parametrize("seed", range(4))
def test_a_seat_cannot_tell_the_worlds_of_a_search_from_the_true_one(seed: int) -> None:
    chance, kinds = Random(2), Counter[Phase]()
    for game, state, seat, view in moments(seed):
        if not is_searched(game, view, seat):
            continue
        worlds = [FORESIGHT.world(game, view, seat, chance) for _ in range(2)]
        for world in worlds:
            assert game.view(world, seat) == view
            assert [*game.legal(world, seat)] == [*game.legal(state, seat)]
            assert counts(world) == [COPIES] * len(NUMBERS)
        assert worlds[0].stack != worlds[1].stack or not any(state.discards)
        kinds[state.phase] += 1
    assert {Phase.CRYSTALLIZE, Phase.TAKE} <= kinds.keys()


def counts(state: State) -> list[int]:
    """Return how often each portal is anywhere."""
    lie = [*state.display, *state.opening, *state.drawn]
    for mage in state.players:
        lie += [*(building.portal for building in mage.building), *mage.opened]
    return [
        lie.count(number) + state.stack[number - 1] + state.discards[number - 1]
        for number in NUMBERS
    ]


@pytest.mark.parametrize("by_hand", [False, True])
def test_whatever_comes_up_it_chooses_what_may_be_done(by_hand: bool) -> None:
    choose, kinds = searching(ViaMagica, FORESIGHT, FEW), Counter[Phase]()
    for seed in range(4):
        for game, state, seat, view in [*moments(seed, by_hand=by_hand)][::3]:
            chosen = choose(game.settings, view, seat, view.choices, Random(1))
            assert chosen in view.choices
            kinds[state.phase] += 1
    assert {Phase.CRYSTALLIZE, Phase.TAKE, Phase.REWARD} <= kinds.keys()


def test_where_a_view_does_not_tell_all_that_a_search_needs_it_plays_as_the_good_one() -> None:
    expert, found = players("via-magica")["expert"], 0
    for seed in range(6):
        for game, state, seat, view in moments(seed):
            if state.phase is Phase.KEEP or state.halted:
                asked: Any = game.settings, view, seat, view.choices, Random(1)
                assert expert(*asked) == experienced(*asked)
                found += bool(state.halted)
    assert found


def test_it_keeps_its_only_reward_for_a_number_but_takes_each_of_several() -> None:
    for numbers, taken in ((1, "waive red"), (0, "claim red two")):
        game = ViaMagica(Settings((RED, GREEN), numbers=numbers))
        state = before_catch(game, player(opened=(33, 11)), player())
        state = state._replace(phase=Phase.REWARD, queue=(RED,))
        view = game.view(state, RED)
        action = experienced(game.settings, view, RED, game.legal(state, RED), Random(1))
        assert write(action) == taken
