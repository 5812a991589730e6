"""The bench of the rules measures what it says, also where no peer is installed."""

import json
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.game import Game
from companion.games.blackmore.rules import Blackmore
from companion.games.trap_the_wizard.rules import TrapTheWizard
from companion.games.via_magica.rules import ViaMagica
from companion.games.zapp_zerapp.rules import ZappZerapp
from research.bench import rules

NAMES = {"trap_the_wizard": TrapTheWizard, "via_magica": ViaMagica, "blackmore": Blackmore}
DEMANDED = {
    *("vs_maedn_2p", "vs_maedn_4p", "vs_backgammon_2p", "actions_per_s_2p"),
    *(f"vs_backgammon_{name}" for name in NAMES),
}


def test_the_last_line_is_one_json_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["rules", "--json", "--alternations", "1", "--seconds", "0.01"]
    monkeypatch.setattr(sys, "argv", words)
    rules.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found.keys() >= DEMANDED
    assert all(found[f"actions_per_s_{name}"] > 0 for name in ("2p", *NAMES))


def test_ratios_are_medians_within_an_alternation_and_absent_peers_are_null() -> None:
    speeds: dict[str, list[float] | None] = dict.fromkeys(rules.contestants())
    speeds |= {"2p": [10.0, 40.0, 30.0], "maedn_2p": [10.0, 10.0, 10.0]}
    found = rules.report(speeds)
    assert (found["vs_maedn_2p"], found["actions_per_s_2p"]) == (3.0, 30)
    assert found["vs_backgammon_2p"] is None


@pytest.mark.parametrize("name", NAMES)
def test_the_other_games_are_compared_with_backgammon(name: str) -> None:
    speeds: dict[str, list[float] | None] = dict.fromkeys(rules.contestants())
    speeds |= {name: [30.0, 44.0, 60.0], "backgammon": [10.0, 20.0, 30.0]}
    found = rules.report(speeds)
    assert found[f"vs_backgammon_{name}"] == 2.2
    assert found["vs_backgammon_2p"] is None


@pytest.mark.parametrize("kind", [ZappZerapp, *NAMES.values()])
def test_a_game_is_counted_action_by_action(kind: Callable[[], Game[Any]]) -> None:
    """The count agrees with the game that the same chance gives through the public contract."""
    game = kind()
    rng, state, actions = Random(5), game.start(), 0
    while seats := game.turns(state):
        options = game.legal(state, seats[0])
        table = seats[0] < 0 and len(options) > 1
        chosen = rng.choices(options, game.odds(state))[0] if table else rng.choice(options)
        state, actions = game.apply(state, chosen), actions + 1
    assert rules.ours(game)(Random(5)) == actions > 50
    assert len(game.seats) == 4
