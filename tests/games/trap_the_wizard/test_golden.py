"""A whole game as one can read it: every action, what it brings about, what every seat sees.

A file in tests/golden/trap-the-wizard is both script and record, as in `tests/test_golden.py`: at
the margin stands the script, indented are the answers. Shown are the positions of the first turns
and of every turn in which wizards changed hands. `--rewrite-golden` writes the answers anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Action, Event
from companion.core.notation import read, write
from companion.core.packing import unpack
from companion.games.trap_the_wizard.rules import (
    CaptivesBroughtHome,
    JokerCaptured,
    PointsLeftOver,
    Settings,
    State,
    TrapShut,
    TrapTheWizard,
    TrapWon,
    Wizard,
    WizardCaptured,
)

FILES = sorted((Path(__file__).parents[2] / "golden" / "trap-the-wizard").glob("*.txt"))
FIRST = 4  # so many actions are followed by what everybody sees
TELLING = (WizardCaptured, JokerCaptured, CaptivesBroughtHome, PointsLeftOver, TrapShut)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    recorded = file.read_text("utf-8")
    answered = "".join(f"{line}\n" for line in answer(recorded))
    if rewrite_golden:
        file.write_text(answered, "utf-8")
    assert answered == file.read_text("utf-8")


def test_there_are_whole_games() -> None:
    assert len(FILES) >= 2
    assert all(f"{TrapWon.__name__}(" in file.read_text("utf-8") for file in FILES)


def answer(text: str) -> Iterator[str]:
    """Yield the lines of a file, with the answers of the game under each action."""
    head = next(line for line in text.splitlines() if line.startswith("{"))
    game = TrapTheWizard(unpack(Settings, json.loads(head), "settings"))
    state, done = game.start(), 0
    for line in text.splitlines():
        if line.startswith(("#", "{")):
            yield line
        elif line.strip() and not line.startswith(" "):
            action = read(game, state, line)
            events = game.explain(state, action)
            yield write(action)
            yield from (f"    {told(event)}" for event in events)
            state, done = game.apply(state, action), done + 1
            if done <= FIRST or any(isinstance(event, TELLING) for event in events):
                yield from seen(game, state)


def seen(game: TrapTheWizard, state: State) -> Iterator[str]:
    """Yield what all see, and what each seat sees besides."""
    all_see = replace(game.view(state, None), choices=())
    yield f"  | all see {facts(all_see)}"
    for seat in game.seats:
        view = game.view(state, seat)
        assert replace(view, choices=()) == all_see
        if view.choices:
            yield f"  | only {shown(seat)} sees choices={shown(view.choices)}"


def told(event: Event) -> str:
    return f"{type(event).__name__}({facts(event)})"


def facts(record: Any) -> str:
    named = ((part.name, shown(getattr(record, part.name))) for part in fields(record))
    return ", ".join(f"{name}={value}" for name, value in named if value not in {"", "()"})


def shown(value: Any) -> str:
    match value:
        case None:
            return ""
        case Action():
            return f"'{write(value)}'"
        case Enum():
            return str(value.name.lower())
        case Wizard():
            return str(value).replace(" load ", ":")
        case tuple():
            return f"({' '.join(map(shown, value))})"
    return str(value)
