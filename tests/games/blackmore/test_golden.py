"""Whole games of Blackmore as one can read them: what is done, what happens, who may know what.

A file in golden/ is both script and record, as those of `tests/golden` are: what begins at the
margin is done, the indented lines are what the game answers. With `--rewrite-golden` the answers
are written anew; then read the diff. What all see stands before the first action of every phase,
before and in the end phase, and at the end; then what only one seat sees.
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
from companion.games.blackmore.rules import (
    Blackmore,
    Card,
    Chair,
    PileEmptied,
    Settings,
    State,
    Throw,
    TrumpGone,
    View,
    WentWithout,
)

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    recorded = file.read_text()
    answered = "".join(f"{line}\n" for line in answer(recorded))
    if rewrite_golden:
        file.write_text(answered)
    assert answered.splitlines() == file.read_text().splitlines()


def test_the_games_are_whole_and_of_every_kind() -> None:
    texts = [file.read_text() for file in FILES]
    assert len(texts) == 3
    assert all("WheelControlled(" in text for text in texts)
    assert all(f"{PileEmptied.__name__}(" in text for text in texts)
    assert any(f"{TrumpGone.__name__}(" in text for text in texts)
    assert any(f"{WentWithout.__name__}(" in text for text in texts)
    assert any('"by_hand": true' in text for text in texts)
    assert any('"side": "ascending"' in text for text in texts)


def answer(text: str) -> Iterator[str]:
    """Yield the lines of a file, with the answers of the game under each action."""
    lines = [line for line in text.splitlines() if line and not line.startswith(" ")]
    head = next(line for line in lines if line.startswith("{"))
    game = Blackmore(unpack(Settings, json.loads(head), "settings"))
    state, viewed = game.start(), set[object]()
    for line in lines:
        if line.startswith(("#", "{")):
            yield line
            continue
        moment = state.phase, state.pile == 0, bool(state.trick)
        if moment not in viewed:
            viewed.add(moment)
            yield from _views(game, state)
        action = read(game, state, line)
        yield write(action)
        yield from (f"    {_event(event)}" for event in game.explain(state, action))
        state = game.apply(state, action)
    yield from _views(game, state)


def _event(event: Event) -> str:
    facts = (f"{part.name}={_show(getattr(event, part.name)) or 'none'}" for part in fields(event))
    return f"{type(event).__name__}({', '.join(facts)})"


def _views(game: Blackmore, state: State) -> Iterator[str]:
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
    facts["turns"] = tuple("table" if seat == TABLE else Chair(seat) for seat in view.turns)
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
        case Card() | Throw():
            return str(value)
        case tuple():
            return f"({' '.join(map(_show, value))})"
    return str(value)
