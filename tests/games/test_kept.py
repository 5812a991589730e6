"""A match of any game is kept as text and as JSON, and read again, whatever the table agreed on."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.core.codec import pack, pack_action, unpack, unpack_action
from companion.core.log import Log, load
from companion.core.notation import read, write
from companion.core.plugin import GAMES
from companion.i18n.translate import LANGUAGES, say
from tests.games.blackmore import tables as blackmore
from tests.games.trap_the_wizard import games as trap_the_wizard
from tests.games.via_magica import games as via_magica
from tests.games.zapp_zerapp import games as zapp_zerapp

MOST = 150  # actions of a match
TABLES: dict[str, tuple[Callable[[Random], Any], Callable[[Random, Any], Iterator[Any]]]] = {
    "blackmore": (blackmore.random_settings, blackmore.random_game),
    "trap-the-wizard": (trap_the_wizard.random_settings, trap_the_wizard.random_game),
    "via-magica": (via_magica.random_settings, via_magica.random_game),
    "zapp-zerapp": (zapp_zerapp.random_settings, zapp_zerapp.random_game),
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", TABLES)
def test_all_can_be_written_read_kept_taken_back_and_said(name: str, seed: int) -> None:
    (agree, play), rng, kind = TABLES[name], Random(seed), GAMES[name]
    game = kind(agree(rng))
    assert through_json(game.settings) == game.settings
    log = Log.begin(game, [step[1] for step in islice(play(rng, game), MOST)])
    for number, (state, action, _) in enumerate(log.steps()):
        assert read(game, state, write(action), action.seat) == action
        assert unpack_action(game, json.loads(json.dumps(pack_action(action)))) == action
        if number % 7 == 0:
            assert through_json(state) == state
            for event in game.explain(state, action):
                assert all("{" not in say(event, language) for language in LANGUAGES)
    assert load(log.dump(), {name: kind}) == (log, None)
    assert log.undo(3) == Log.begin(game, log.actions[:-3])


def through_json(value: Any) -> Any:
    """Return what is read of what was written of a value."""
    return unpack(type(value), json.loads(json.dumps(pack(value))), "value")
