"""A table that says what no page can be made of: all others are seen, and nothing of it is run."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core.plugin import GAMES
from companion.hall import screen_page, tables_page
from companion.hall.accounts import Visitor
from companion.hall.server_app import HallServer, create_app
from companion.mqtt.payloads import Online, TableState, read, write
from companion.present.mqtt_state import state_of
from companion.present.viewer import Viewer
from companion.system.errors import RulesError
from tests.hall.matches import moments

EVIL = "<img src=x onerror=alert(1)>"
ODD: tuple[Any, ...] = (EVIL, "red", None, -1, [], [EVIL])
SAID = "cannot be understood here"


def twisted(said: Any, odd: Any) -> Iterator[Any]:
    """Yield what was said with one part after the other being something odd."""
    parts = said.items() if isinstance(said, dict) else enumerate(said)
    for at, part in [*parts]:
        for other in (odd, *(twisted(part, odd) if isinstance(part, dict | list) else ())):
            copy = said.copy()
            copy[at] = other
            yield copy


@pytest.mark.parametrize("game", GAMES)
def test_whatever_a_table_says_all_others_are_seen(game: str) -> None:
    chance = Random(game)
    *_, last = moments("m", game, chance, 25)
    said = json.loads(write(state_of(last.snapshot, at_ms=1)))
    visitor, odd = Visitor(Viewer()), 0
    with HallServer(None) as hall, create_app(hall, hall.views).app_context():
        for name in ("attic", "cellar"):
            hall.tables.get_or_add(name)
            hall.tables.update(name, online=Online(online=True))
        for change in chance.sample([*(one for odd in ODD for one in twisted(said, odd))], 300):
            try:
                state = read(TableState, json.dumps(change).encode())
            except RulesError:
                continue
            hall.tables.update("attic", state=state)
            all_, one = tables_page.live(hall, visitor), tables_page.table_live(hall, visitor, "1")
            wall = screen_page.tables(hall, visitor, "1 2")
            assert EVIL not in all_ + one + wall
            assert 'id="tile-2"' in all_
            odd += SAID in one
    assert odd
