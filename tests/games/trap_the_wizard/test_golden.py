"""Whole games of Trap the Wizard as one can read them.

Shown are the positions of the first turns and of every turn in which wizards changed hands.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.notation import read, write
from companion.games.trap_the_wizard import rules
from companion.games.trap_the_wizard.rules import CaptivesBroughtHome, JokerCaptured, PointsLeftOver
from tests.cases import check, script
from tests.games import golden

FILES = golden.files(__file__)
FIRST = 4  # this many actions are followed by what everybody sees
TELLING = (rules.WizardCaptured, JokerCaptured, CaptivesBroughtHome, PointsLeftOver, rules.TrapShut)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    assert f"{rules.TrapWon.__name__}(" in check(file, answer, rewrite=rewrite_golden)


def test_there_are_games_to_read() -> None:
    assert [file.stem for file in FILES] == ["four", "other-readings", "two"]


def answer(text: str) -> Iterator[str]:
    """Yield the lines of a file, with the answers of the game under each action."""
    game = rules.TrapTheWizard(golden.settings(text, rules.Settings))
    state, done = game.start(), 0
    for line in script(text):
        if line.startswith(("#", "{")):
            yield line
            continue
        action = read(game, state, line)
        events = game.explain(state, action)
        yield write(action)
        yield from (f"    {golden.told(event, _own, '')}" for event in events)
        state, done = game.apply(state, action), done + 1
        if done <= FIRST or any(isinstance(event, TELLING) for event in events):
            yield from golden.seen(game, state, _own)


def _own(value: Any) -> str | None:
    return str(value).replace(" load ", ":") if isinstance(value, rules.Wizard) else None
