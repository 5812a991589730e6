"""Whole games of Zapp Zerapp as one can read them.

What everybody may see stands before the first action of every phase of the first two rounds, once
more when the first barrel stands, and at the end.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.zapp_zerapp.rules import EMPTY, Pawn, Phase, Settings, State, ZappZerapp
from tests.cases import check
from tests.games import golden

FILES = golden.files(__file__)
VIEWED_ROUNDS = 2


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    assert "Won(" in check(file, answer, rewrite=rewrite_golden)


def test_there_are_games_of_every_kind() -> None:
    tables = [golden.settings(file.read_text(), Settings) for file in FILES]
    assert {len(table.seats) for table in tables} == {2, 3, 4}
    assert {table.profi for table in tables} == {False, True}
    assert {table.overlook for table in tables} == {False, True}
    assert {table.shuffle for table in tables} == {False, True}
    assert any("\nsay " in file.read_text() for file in FILES)


def answer(text: str) -> Iterator[str]:
    """Yield the lines of a file, with the answers of the game under each action."""
    game = ZappZerapp(golden.settings(text, Settings))
    return golden.answers(text, game, _own, _moment, apart=_apart)


def _moment(state: State) -> object:
    standing = state.phase is Phase.PLACE and state.barrels != (EMPTY,) * len(state.barrels)
    return (state.round, state.phase, standing) if state.round <= VIEWED_ROUNDS else None


def _apart(state: State) -> bool:
    return state.phase in (Phase.ROLL, Phase.OVER)


def _own(value: Any) -> str | None:
    return str(value) if isinstance(value, Pawn) else None
