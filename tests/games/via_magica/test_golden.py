"""Whole games as one can read them: every action, what it brings about, who may know what.

A file in golden/ is both script and record, as in tests/test_golden.py: comments, settings and the
lines at the margin are the script; the indented lines are what the game answers. Every seat's view
stands before the first action of every phase of the set-up and of the first two rounds, and at
the end; what is empty is left out, and so is what all see alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import TABLE, Action
from companion.core.notation import read, write
from companion.core.packing import unpack
from companion.games.via_magica.rules import Building, Mage, Settings, State, ViaMagica
from companion.games.via_magica.rules.portals import ANIMI

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
VIEWED_ROUNDS = 2


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    recorded = file.read_text("utf-8")
    answered = "".join(f"{line}\n" for line in answer(recorded))
    if rewrite_golden:
        file.write_text(answered, "utf-8")
    assert answered.splitlines() == file.read_text("utf-8").splitlines()
    assert "PortalsWon(" in answered


def test_there_are_games_to_read() -> None:
    assert [file.stem for file in FILES] == ["three-mages", "two-mages-other-readings"]


def answer(text: str) -> Iterator[str]:
    """Yield the lines of a file, with the answers of the game under each action."""
    settings = next(line for line in text.splitlines() if line.startswith("{"))
    game = ViaMagica(unpack(Settings, json.loads(settings), "settings"))
    state, viewed = game.start(), set[object]()
    for line in text.splitlines():
        if line.startswith(("#", "{")):
            yield line
        elif line and not line.startswith(" "):
            moment = state.round, state.phase
            if moment not in viewed and state.round <= VIEWED_ROUNDS:
                viewed.add(moment)
                yield from _views(game, state)
            action = read(game, state, line)
            yield write(action)
            yield from (f"    {_show(event)}" for event in game.explain(state, action))
            state = game.apply(state, action)
    yield from _views(game, state)


def _views(game: ViaMagica, state: State) -> Iterator[str]:
    everybody = _facts(game, state, None)
    yield f"  | all see {', '.join(f'{k}={fact}' for k, fact in everybody.items() if fact)}"
    for seat in game.seats:
        own = _facts(game, state, seat).items()
        seen = [f"{k}={fact or 'none'}" for k, fact in own if fact != everybody[k]]
        if seen:
            yield f"  | only {_show(seat)} sees {', '.join(seen)}"


def _facts(game: ViaMagica, state: State, viewer: int | None) -> dict[str, str]:
    view = game.view(state, viewer)
    facts = {part.name: getattr(view, part.name) for part in fields(view)}
    facts["turns"] = tuple("table" if seat == TABLE else Mage(seat) for seat in view.turns)
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
        case Building(portal, covered):
            crystals = "".join(
                letter * covered[animus] for letter, animus in zip("AWELFS", ANIMI, strict=True)
            )
            return f"{portal}:{crystals}" if crystals else f"{portal}"
        case tuple() if type(value) is tuple:
            return f"({' '.join(map(_show, value))})"
    if is_dataclass(value):
        facts = ((part.name, _show(getattr(value, part.name))) for part in fields(value))
        return f"{type(value).__name__}({', '.join(f'{k}={v}' for k, v in facts if v)})"
    return str(value)
