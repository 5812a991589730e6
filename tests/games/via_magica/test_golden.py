"""Whole games of Via Magica as one can read them.

Every seat's view stands before the first action of every phase of the set-up and of the first two
rounds, and at the end.
"""

from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Action
from companion.games.via_magica.rules import Building, Settings, State, ViaMagica
from companion.games.via_magica.rules.portals import ANIMI
from tests.cases import check
from tests.games import golden

FILES = golden.files(__file__)
VIEWED_ROUNDS = 2


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    assert "PortalsWon(" in check(file, answer, rewrite=rewrite_golden)


def test_there_are_games_to_read() -> None:
    assert [file.stem for file in FILES] == ["three-mages", "two-mages-other-readings"]


def answer(text: str) -> Iterator[str]:
    """Yield the lines of a file, with the answers of the game under each action."""
    game = ViaMagica(golden.settings(text, Settings))
    return golden.answers(text, game, _own, _moment, nothing="")


def _moment(state: State) -> object:
    return (state.round, state.phase) if state.round <= VIEWED_ROUNDS else None


def _own(value: Any) -> str | None:
    match value:
        case Building(portal, covered):
            crystals = "".join(
                letter * covered[animus] for letter, animus in zip("AWELFS", ANIMI, strict=True)
            )
            return f"{portal}:{crystals}" if crystals else f"{portal}"
    record = is_dataclass(value) and not isinstance(value, Action)
    return golden.told(value, _own, "") if record else None
