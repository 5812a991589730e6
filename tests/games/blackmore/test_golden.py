"""Whole games of Blackmore as one can read them.

What all see stands before the first action of every phase, before and in the end phase, and at the
end.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.blackmore import rules
from companion.games.blackmore.rules import Blackmore, Card, PileEmptied, Settings, State, Throw
from tests.cases import check
from tests.games import golden

FILES = golden.files(__file__)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    check(file, answer, rewrite=rewrite_golden)


def test_the_games_are_whole_and_of_every_kind() -> None:
    texts = [file.read_text() for file in FILES]
    assert len(texts) == 3
    assert all("WheelControlled(" in text for text in texts)
    assert all(f"{PileEmptied.__name__}(" in text for text in texts)
    assert any(f"{rules.TrumpGone.__name__}(" in text for text in texts)
    assert any(f"{rules.WentWithout.__name__}(" in text for text in texts)
    assert any('"by_hand": true' in text for text in texts)
    assert any('"side": "ascending"' in text for text in texts)


def answer(text: str) -> Iterator[str]:
    """Yield the lines of a file, with the answers of the game under each action."""
    return golden.answers(text, Blackmore(golden.settings(text, Settings)), _own, _moment)


def _moment(state: State) -> object:
    return state.phase, state.pile == 0, bool(state.trick)


def _own(value: Any) -> str | None:
    return str(value) if isinstance(value, Card | Throw) else None
