"""Whole games as one can read them: every action, what it brings about, who may know what.

A file in a game's golden/ is both script and record. Its comments (#), its settings and the lines
that begin at the margin, actions in notation, are written by hand; the indented lines are what the
game answers. With `pytest tests/games --rewrite-golden` the answers are rewritten; then read the
diff. What is empty is left out of what all see. Then follows what only one seat sees; a seat
without a line of its own sees exactly what all see.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from companion.core.codec import unpack
from companion.core.game import TABLE, Action, Event, Game, Ruling, after
from companion.core.notation import parse, read, write
from companion.i18n.translate import say
from companion.system.codec import parts
from companion.system.errors import RulesError, Unreadable
from companion.system.text import seat_word
from tests.cases import check_cases, script

S = TypeVar("S")
Own = Callable[[Any], str | None]  # how a game writes what is its own; nothing for the rest


def settings(text: str, kind: type[S]) -> S:
    """Return the settings that a file begins with."""
    line = next(line for line in text.splitlines() if line.startswith("{"))
    return unpack(kind, json.loads(line), "settings")


def answers(
    text: str,
    game: Game[Any],
    own: Own,
    moment: Callable[[Any], object],
    *,
    nothing: str = "none",
    apart: Callable[[Any], bool] = lambda _: False,
) -> Iterator[str]:
    """Yield a file's lines, the game's answers under each action, and what is seen at its end.

    What is seen stands before the first action of every moment, too, unless that is None. An empty
    line is set where the state is one that stands apart.
    """
    state, viewed = game.start(), set[object]([None])
    for line in script(text):
        if line.startswith(("#", "{")):
            yield line
            continue
        yield from [""] * apart(state)
        if (now := moment(state)) not in viewed:
            viewed.add(now)
            yield from seen(game, state, own)
        action = read(game, state, line)
        yield write(action)
        yield from (f"    {told(event, own, nothing)}" for event in game.explain(state, action))
        state = game.apply(state, action)
    yield from [""] * apart(state)
    yield from seen(game, state, own)


def seen(game: Game[Any], state: Any, own: Own) -> Iterator[str]:
    """Yield what somebody without a seat sees, and what each seat sees differently."""
    everybody = _view(game, state, None, own)
    yield f"  | all see {', '.join(f'{name}={fact}' for name, fact in everybody.items() if fact)}"
    for seat in game.seats:
        facts = _view(game, state, seat, own).items()
        differs = [f"{name}={fact or 'none'}" for name, fact in facts if fact != everybody[name]]
        if differs:
            yield f"  | only {seat_word(seat)} sees {', '.join(differs)}"


def _view(game: Game[Any], state: Any, viewer: int | None, own: Own) -> dict[str, str]:
    view = game.view(state, viewer)
    facts = {part.name: getattr(view, part.name) for part in fields(view)}
    facts["turns"] = tuple("table" if seat == TABLE else seat_word(seat) for seat in view.turns)
    return {name: shown(value, own) for name, value in facts.items()}


def told(event: Event, own: Own, nothing: str = "none") -> str:
    """Write an event; what is nothing is said to be, or left out."""
    parts = ((part.name, shown(getattr(event, part.name), own)) for part in fields(event))
    facts = (f"{name}={fact or nothing}" for name, fact in parts if fact or nothing)
    return f"{type(event).__name__}({', '.join(facts)})"


def shown(value: Any, own: Own) -> str:
    """Write a value briefly; nothing for what is empty."""
    if (found := own(value)) is not None:
        return found
    match value:
        case None | ():
            return ""
        case Action():
            return f"'{write(value)}'"
        case Enum():
            return str(value.name.lower())
        case tuple() if type(value) is tuple:
            inner = ("()" if one == () else shown(one, own) for one in value)
            return f"({' '.join(inner)})"
    return str(value)


def check_refusals(
    test: str, moment: Callable[[str], tuple[Game[Any], Any]], *, rewrite: bool
) -> None:
    """Check why each action or settings of refusals.txt, beside a test, are refused at moments."""
    check_cases(
        Path(test).with_name("refusals.txt"),
        lambda heading, line: refusals(*moment(heading), line),
        rewrite=rewrite,
    )


def refusals(game: Game[Any], state: Any, line: str) -> list[str]:
    """Return why settings, or an action in notation, cannot be: when it is read, and when done."""
    if line.startswith("{"):
        return [refusal(partial(unpack, game.settings_type, json.loads(line), "settings"))]
    if line == "action":  # one that no game declares
        found = [refusal(partial(game.apply, state, Action()))]
        return [*found, refusal(partial(game.rule, state, Ruling()))]
    found = [refusal(partial(read, game, state, line))]
    if not found[0].startswith(Unreadable.__name__):
        kind, given = parse(game, line)
        if all(part.name in given for part in parts(kind) if part.needed):
            found.append(refusal(partial(after, game, state, kind(**given))))
    return [*filter(None, dict.fromkeys(found))]


def refusal(attempt: Callable[[], object]) -> str:
    """Return the kind of error that something raises, and its sentence; nothing if it is done."""
    try:
        attempt()
    except RulesError as error:
        refused = error
    else:
        return ""
    assert say(refused, "de") != say(refused, "en")
    return f"{type(refused).__name__}: {refused}"
