"""PettingZoo's own tests of environments, on ours; where it is not installed they are skipped."""

import json
from typing import Any

import pytest

from companion.core.plugin import GAMES
from examples.readme.lines import block

pytest.importorskip("pettingzoo")
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),  # it is two of them
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),  # who has to wait
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def made(name: str, players: int, longest: int = 400) -> Any:
    from rappelwacht_research.adapters.pettingzoo import environment  # noqa: PLC0415 - it needs the library

    return environment(name, players, longest)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", [*GAMES])
def test_the_interface_is_kept_and_a_seed_repeats_a_match(name: str, players: int) -> None:
    from pettingzoo.test import api_test, seed_test  # noqa: PLC0415 - it needs the library

    api_test(made(name, players), num_cycles=300, verbose_progress=False)
    seed_test(lambda: made(name, players), num_cycles=60)


def test_whoever_does_what_is_not_allowed_loses() -> None:
    env = made("zapp-zerapp", 2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(999)
    assert env.rewards[agent] == -1
    assert all(env.terminations.values())


def test_too_long_a_match_is_cut_off() -> None:
    env = made("trap-the-wizard", 2, longest=30)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else env.action_space(agent).sample(seen["action_mask"]))
    assert cut
    assert not over


def test_what_the_readme_says_works(capsys: pytest.CaptureFixture[str]) -> None:
    exec(block("research/README.md", "python"), {})  # noqa: S102 - our own text
    assert json.loads(capsys.readouterr().out)["winner"] in {"red", "green", "blue", "yellow"}
