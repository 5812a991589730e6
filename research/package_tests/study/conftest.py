"""Ladders that are climbed soon."""

import pytest

from companion.core.players.levels import level_names
from rappelwacht_research.study import ladder


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave experts out of ladders, for whoever searches takes its time."""
    monkeypatch.setattr(
        ladder,
        "level_names",
        lambda game: tuple(one for one in level_names(game) if one != "expert"),
    )
