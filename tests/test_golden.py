"""Whole games as one can read them: every action, what it brings about, who may know what.

A file in golden/ is both script and record. Its comments (#), its settings and the lines that
begin at the margin, actions in notation, are written by hand; the indented lines are what the
game answers. With `pytest tests/test_golden.py --rewrite-golden` the answers are written anew;
then read the diff.

What everybody may see stands before the first action of every phase of the first two rounds, once
more when the first barrel stands, and at the end; what is empty is left out. Then follows what only
one seat sees; a seat without a line of its own sees exactly what all see.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import TABLE, Action, Event
from companion.core.notation import read, write
from companion.core.packing import unpack
from companion.games.zapp_zerapp.rules import (
    EMPTY,
    Colour,
    Pawn,
    Phase,
    Settings,
    State,
    View,
    ZappZerapp,
)

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
VIEWED_ROUNDS = 2


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    recorded = file.read_text()
    answered = "".join(f"{line}\n" for line in answer(recorded))
    if rewrite_golden:
        file.write_text(answered)
    assert answered.splitlines() == file.read_text().splitlines()


def test_there_are_games_of_every_kind() -> None:
    tables = [read_settings(file.read_text()) for file in FILES]
    assert {len(table.seats) for table in tables} == {2, 3, 4}
    assert {table.profi for table in tables} == {False, True}
    assert {table.overlook for table in tables} == {False, True}
    assert {table.shuffle for table in tables} == {False, True}
    assert any("\nsay " in file.read_text() for file in FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_game_is_whole(file: Path) -> None:
    assert "Won(" in file.read_text()


def read_settings(text: str) -> Settings:
    line = next(line for line in text.splitlines() if line.startswith("{"))
    return unpack(Settings, json.loads(line), "settings")


def answer(text: str) -> Iterator[str]:
    """Yield the lines of a file, with the answers of the game under each action."""
    game = ZappZerapp(read_settings(text))
    state, viewed = game.start(), set[object]()
    for line in text.splitlines():
        if not line.strip():
            continue  # empty lines are set anew, before every round
        if line.startswith(("#", "{")):
            yield line
        elif not line.startswith(" "):
            if state.phase is Phase.ROLL:
                yield ""
            if (moment := _moment(state)) not in viewed and state.round <= VIEWED_ROUNDS:
                viewed.add(moment)
                yield from _views(game, state)
            action = read(game, state, line)
            yield write(action)
            yield from (f"    {_event(event)}" for event in game.explain(state, action))
            state = game.apply(state, action)
    yield ""
    yield from _views(game, state)


def _moment(state: State) -> object:
    standing = state.phase is Phase.PLACE and state.barrels != (EMPTY,) * len(state.barrels)
    return state.round, state.phase, standing


def _event(event: Event) -> str:
    facts = (f"{part.name}={_show(getattr(event, part.name)) or 'none'}" for part in fields(event))
    return f"{type(event).__name__}({', '.join(facts)})"


def _views(game: ZappZerapp, state: State) -> Iterator[str]:
    """Yield what somebody without a seat sees, and what each seat sees differently."""
    everybody = _facts(game.view(state, None))
    yield f"  | all see {', '.join(f'{k}={fact}' for k, fact in everybody.items() if fact)}"
    for seat in game.seats:
        facts = _facts(game.view(state, seat)).items()
        own = [f"{k}={fact or 'none'}" for k, fact in facts if fact != everybody[k]]
        if own:
            yield f"  | only {_show(seat)} sees {', '.join(own)}"


def _facts(view: View) -> dict[str, str]:
    facts = {part.name: getattr(view, part.name) for part in fields(view)}
    facts["turns"] = tuple("table" if seat == TABLE else Colour(seat) for seat in view.turns)
    return {name: _show(value) for name, value in facts.items()}


def _show(value: Any) -> str:
    """Show a value briefly; what is empty is not shown at all."""
    match value:
        case None | ():
            return ""
        case Action():
            return f"'{write(value)}'"
        case Enum():
            return str(value.name.lower())
        case Pawn():
            return str(value)
        case tuple():
            return f"({' '.join(map(_show, value))})"
    return str(value)
