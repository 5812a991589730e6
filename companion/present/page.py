"""What a game brings along to be shown and played on phones. It must not know any one game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from companion.core.game import Action, Event
from companion.present.reader import Reader
from companion.present.table_seats import SeatLine
from companion.referee.snapshot import Snapshot
from companion.say import Text


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that people choose before they play."""

    name: str  # of its field in the game's settings
    said: Text
    values: tuple[tuple[object, Text], ...] = ()  # what can be chosen; nothing: yes or no


@dataclass(frozen=True, slots=True)
class GamePage:
    """How one game is offered, told, drawn and played."""

    title: Text
    about: Text  # in one sentence, for whoever chooses a game
    options: tuple[Option, ...]
    dice: Text | None  # asks who rolls or draws, if people may do that with things of their own
    quiet: tuple[type[Event], ...]  # what needs no sentence of its own, because the page shows it
    headline: Callable[[Snapshot, Reader], str]  # what is to be done now, while it is played
    act: Callable[[type[Action], dict[str, Any], Reader], str]  # an action, as a button names it
    seats: Callable[[Snapshot, Reader], list[SeatLine]]
    picture: Callable[[Any, Any, Iterable[Event], Reader], str]  # of a view, its settings, events
    parts: Callable[[Snapshot, Reader], dict[str, Any]]  # what the template is made of
    template: str  # of all below the seats: the board, and what can be done
