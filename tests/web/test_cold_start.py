"""Nobody waits for templates: they are compiled before the first phone asks and before a game."""

import pytest
from jinja2 import Environment

from companion.core.plugin import GAMES
from companion.present.viewer import Viewer
from companion.web import table_page, views
from tests.web.playing import table
from tests.web.room import FakeRoom
from tests.web.test_server import Served, until


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Return templates of which none is compiled yet."""
    parts = views.PARTS.overlay(cache_size=400)
    monkeypatch.setattr(views, "PARTS", parts)
    return parts


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, cold: Environment) -> list[str | None]:
    """Return the names of all templates that are compiled from now on."""
    found: list[str | None] = []
    compiling = Environment.compile

    def noted(self: Environment, source: str, name: str | None = None, *rest: object) -> object:
        if self is cold:
            found.append(name)
        return compiling(self, source, name, *rest)  # type: ignore[call-overload]

    monkeypatch.setattr(Environment, "compile", noted)
    return found


def test_the_table_is_drawn_before_the_first_phone_asks(compiled: list[str | None]) -> None:
    served = Served()
    try:
        assert until(lambda: "table_live.html" in compiled)
    finally:
        served.hang_up()


def test_a_game_that_was_expected_compiles_nothing_more(compiled: list[str | None]) -> None:
    table_page.rendered_page(FakeRoom().snapshot, Viewer())
    now = table().snapshot
    assert now.game is not None
    table_page.expect(now.game)
    before = len(compiled)
    table_page.rendered_page(now, Viewer(role="table"))
    assert compiled[before:] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_expected(game: str, cold: Environment) -> None:
    table_page.expect(game)
    assert cold.cache
    table_page.expect("unknown")
