"""How a game is studied over many matches: what its length is counted in, and what is compared.

    SUBJECT = StudyGame("tricks", Text("tricks"), TrickWon, Text("points"), events)

The command `study` of the package rappelwacht-research plays it; a game that brings none of these
is described by its actions and points alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import Any, ClassVar, Final

from companion.core.game import Action, Event, Seat
from companion.core.plugin import PLUGINS
from companion.system.text import Text

Whose = Callable[[Event], Seat | None]
Step = tuple[Any, Action, Any]  # before, what was done, after
ACTIONS: Final = Text("actions")


@dataclass(frozen=True, slots=True)
class StudiedAction:
    """Something that players do, and by whom an event says it was done; None: it says nothing."""

    code: str
    said: Text
    whose: Whose


@dataclass(frozen=True, slots=True)
class ByHand:
    """How a game is played that needs hands, which the players of its plugin do not have."""

    players: tuple[str, ...]  # who can play it, the best first
    play: Callable[[Any, Sequence[str], Random], Iterator[Step]]  # a game, by whom at each seat


@dataclass(frozen=True, slots=True)
class StudyGame:
    part: ClassVar[str] = "study"

    code: str  # of the unit
    unit: Text  # the unit of a match's length …
    span: type[Event] | None  # … as there are events of this kind; None: as there are actions
    points: Text  # what its scores count
    counted: tuple[StudiedAction, ...]
    by_hand: ByHand | None = None


PLAIN: Final = StudyGame("actions", ACTIONS, None, Text("points"), ())


def study_game_of(game: str) -> StudyGame:
    """Return how a game is studied, also one that does not say."""
    return PLUGINS[game].part(StudyGame) or PLAIN


def done_by(kind: type[Event], whose: str = "seat") -> Whose:
    """Return what tells who did something: the part of its event that names the seat."""
    seat: Callable[[Event], Seat] = attrgetter(whose)
    return lambda event: seat(event) if isinstance(event, kind) else None
