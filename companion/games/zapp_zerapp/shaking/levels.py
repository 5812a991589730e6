"""The levels of people who are made up, and how each of them plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from companion.games.zapp_zerapp.rules import Colour, Settings
from companion.games.zapp_zerapp.shaking.people import Child, Gambler, Listener, Person
from companion.games.zapp_zerapp.shaking.thinker import Mover, Thinker
from companion.players.levels import CASUAL, CHILD, EXPERT, GOOD, RANDOM
from companion.text import Text

Comes = Callable[[Colour, Settings, Random], Person]
COME: Final[Mapping[str, Comes]] = {
    EXPERT: Thinker,
    GOOD: lambda _seat, settings, rng: Mover(settings, rng),
    CASUAL: lambda _seat, settings, rng: Listener(settings, rng),
    CHILD: lambda _seat, settings, rng: Child(settings, rng),
    RANDOM: lambda _seat, _settings, rng: Gambler(rng),
}
HOW: Final[Mapping[str, Text]] = {
    EXPERT: Text("knows what each barrel and each move is worth, but hears no better than you"),
    GOOD: Text("listens like a casual player, but always makes the best move"),
    CASUAL: Text("listens, remembers, and looks one move ahead"),
    CHILD: Text(
        "keeps the first barrel that sounds right, and moves a random pawn every other time"
    ),
    RANDOM: Text("leaves everything to chance"),
}
EARLIER: Final = {"listener": CASUAL}


def somebody(level: str, seat: Colour, settings: Settings, rng: Random) -> Person:
    """Return somebody of a level who sits down."""
    return COME[level](seat, settings, rng)
