"""OpenSpiel's own checks of its games, on ours; where it is not installed they are skipped."""

import json
from random import Random
from typing import Any

import pytest

from companion.core.plugin import GAMES
from examples.readme.lines import block

pyspiel = pytest.importorskip("pyspiel")


def loaded(name: str, players: int, longest: int = 250) -> Any:
    from rappelwacht_research.adapters.openspiel import load  # noqa: PLC0415 - it needs the library

    return load(name, players, longest)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", [*GAMES])
def test_random_matches_as_open_spiel_tests_its_games(name: str, players: int) -> None:
    """States are serialized and copied, and every player's tensors and texts are looked at."""
    pyspiel.random_sim_test(loaded(name, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", [*GAMES])
def test_what_a_player_knows_holds_all_that_it_has_seen(name: str) -> None:
    chance, state, before = Random(1), loaded(name, 2).new_initial_state(), ["", ""]
    for _ in range(60):
        for player in range(2):
            known = state.information_state_string(player)
            assert known.startswith(before[player])
            assert known.endswith(state.observation_string(player))
            before[player] = known
        numbers = [one for one, _ in state.chance_outcomes()] if state.is_chance_node() else None
        state.apply_action(chance.choice(numbers or state.legal_actions()))
    assert state.clone().information_state_string(0) == state.information_state_string(0)


def test_what_the_readme_says_works(capsys: pytest.CaptureFixture[str]) -> None:
    exec(block("research/README.md", "py"), {})  # noqa: S102 - our own text
    assert sorted(json.loads(capsys.readouterr().out)) == [-0.5, 0.5]
