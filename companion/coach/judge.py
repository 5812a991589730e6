"""How a game can be judged after its end: by what each moment was worth to each seat.

A *worth* is the chance to win, between 0 and 1, and those of all seats add up to 1. It rests on
what lay open in that moment: what was still hidden from people counts as unknown, so that finding
out is luck, or an ear, and never a decision's fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

from companion.core.game import Action, Event, Game, Seat
from companion.text import Text

Worths = tuple[float, ...]  # of the game's seats, in their order


@dataclass(frozen=True, slots=True)
class Source:
    """Where a turn of the tide can come from, when nobody decided it in the open."""

    name: str  # as JSON calls it; it never changes
    said: Text
    mostly: Text  # says, in a sentence, that most of a result came from it


UNTOLD: Final = "untold"  # the source of what an estimate finds out later than it should


@dataclass(frozen=True, slots=True)
class Heard:
    """What a seat chose by ear, without seeing it; each worth is its own, on average over the rest.

    `took` and `best` are words such as a number: what it chose, and the best that was left for it.
    """

    seat: Seat
    worth: float
    best_worth: float
    blind_worth: float  # of any of those, taken without listening
    took: str
    best: str

    @property
    def lost(self) -> float:
        """Return how much less it was worth than the best that could be reached."""
        return self.best_worth - self.worth

    @property
    def lost_blindly(self) -> float:
        """Return what somebody who does not listen at all loses."""
        return self.best_worth - self.blind_worth


class Judge(Protocol):
    """Knows what the moments of one match are worth; it may remember what it has worked out."""

    @property
    def why(self) -> Any:
        """Return why its worths are only estimates; None: they are those of best play."""

    def worths(self, state: Any) -> Worths:
        """Return what a moment is worth to each seat, as far as it lies open then."""

    def changed(self, state: Any, action: Action, after: Any) -> Worths | None:
        """Return what an action itself changed; None: all that is different after it.

        The rest belongs to `UNTOLD`: an estimate has found out what it should have told before.
        """

    def source(self, action: Action) -> str | None:
        """Return the name of the source that an action belongs to; None: somebody decided it."""

    def options(self, state: Any) -> Mapping[Action, float]:
        """Return what somebody can decide in the open, and its worth to whoever decides.

        It is empty where nobody can.
        """

    def heard(self, before: Any, action: Action) -> tuple[Heard, ...]:
        """Return what was chosen by ear and lies open with this action."""

    def tips(self, state: Any, seat: Seat, /) -> tuple[Text, ...]:
        """Return what a seat can be told before it chooses what is hidden, such as odds."""


@dataclass(frozen=True, slots=True)
class Coach:
    """How a game is judged, after its end or in practice: a part of its kit."""

    part: ClassVar[str] = "coach"

    sources: tuple[Source, ...]
    judge: Callable[[Game[Any]], Judge]
    counts: Text | None = None  # says what its worths take for granted
    ear: Text | None = None  # what is chosen by ear, as a heading; None: nothing is
    seen: Callable[[Any, Any], Any] | None = (
        None  # a state as all know it, by its view and the next one; None: it is not told meanwhile
    )
    picture: Callable[[Any, Any, tuple[Event, ...], tuple[Event, ...], Any], str] | None = (
        None  # of a view, its settings, what was done, what would have been better, for a reader
    )
