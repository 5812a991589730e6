"""The levels of people who are made up, and how each of them plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from companion.core.game import Text
from companion.games.zapp_zerapp.rules import Settings
from companion.games.zapp_zerapp.shaking.people import Child, Gambler, Listener, Person
from companion.players.levels import CASUAL, CHILD, RANDOM

Comes = Callable[[Settings, Random], Person]
COME: Final[Mapping[str, Comes]] = {
    CASUAL: Listener,
    CHILD: Child,
    RANDOM: lambda _settings, rng: Gambler(rng),
}
HOW: Final[Mapping[str, Text]] = {
    CASUAL: Text("listens, remembers, and looks one move ahead"),
    CHILD: Text("keeps the first barrel that sounds right, and moves any pawn every other time"),
    RANDOM: Text("leaves everything to chance"),
}
EARLIER: Final = {"listener": CASUAL}


def somebody(level: str, settings: Settings, rng: Random) -> Person:
    """Return somebody of a level who sits down."""
    return COME[level](settings, rng)
