"""What a game adds to answers of the API stands at its place, and has defaults for all others."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import pytest

from companion.core.plugin import KITS
from companion.present.answers import Answers, after, filled, whole


@dataclass(frozen=True, slots=True)
class Seen:
    """What is seen; what another game than {games} shows is in its `view`."""

    game: str
    view: str
    over: bool


@dataclass(frozen=True, slots=True)
class Added:
    """What one game adds."""

    round: int = field(default=0, metadata=after("game"))
    magic: int = 0
    best: str | None = field(default=None, metadata=after("over"))


@dataclass(frozen=True, slots=True)
class Twice:
    """What is told already."""

    view: int = field(default=0, metadata=after("game"))


@pytest.fixture
def adding(monkeypatch: pytest.MonkeyPatch) -> dict[str, type[Any]]:
    """Have the first game add a record to `Seen`."""
    told: dict[str, type[Any]] = {}
    part = Answers(told, lambda _: None, lambda _, __: None, lambda _: None)
    first = KITS[next(iter(KITS))]
    monkeypatch.setattr(
        "companion.present.answers.answers_of",
        lambda game: part if game == first.game.name else None,
    )
    monkeypatch.setattr("companion.present.answers._WHOLE", {})
    return told


def test_what_a_game_adds_stands_where_it_says(adding: dict[str, type[Any]]) -> None:
    adding["Seen"] = Added
    assert [one.name for one in fields(whole(Seen))] == [
        "game", "round", "magic", "view", "over", "best",
    ]  # fmt: skip
    assert "another game than Zapp Zerapp shows" in (whole(Seen).__doc__ or "")


def test_where_another_game_is_played_the_defaults_are_told(adding: dict[str, type[Any]]) -> None:
    adding["Seen"] = Added
    own = filled(Seen, Added(3, 9), game="a", view="", over=False)
    other = filled(Seen, None, game="b", view="v", over=True)
    assert (own.round, own.magic, own.best) == (3, 9, None)
    assert (other.round, other.magic, other.best, other.view) == (0, 0, None, "v")


def test_no_game_tells_again_what_is_told_already(adding: dict[str, type[Any]]) -> None:
    adding["Seen"] = Twice
    with pytest.raises(TypeError, match="already tells 'view'"):
        whole(Seen)


def test_an_answer_to_which_nobody_adds_stays_as_it_is(adding: dict[str, type[Any]]) -> None:
    assert whole(Seen) is Seen
    assert not adding
