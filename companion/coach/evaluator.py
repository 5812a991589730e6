"""Evaluates positions for the coach: what each moment of a match was worth to each seat.

A *worth* is the chance to win, between 0 and 1, and those of all seats add up to 1. It rests on
what lay open in that moment: what was still hidden from people counts as unknown, so that finding
out is luck, or an ear, and never a decision's fault.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, fsum
from typing import Any, ClassVar, Final, Protocol

from companion.core.game import TABLE, Action, Event, Game, Seat
from companion.system.text import Text

WinChances = tuple[float, ...]  # of the game's seats, in their order


@dataclass(frozen=True, slots=True)
class LuckSource:
    """Where a turn of the tide can come from, when nobody decided it in the open."""

    name: str  # as JSON calls it; it never changes
    said: Text
    mostly: Text  # says, in a sentence, that most of a result came from it


UNTOLD: Final = "untold"  # the source of what an estimate finds out later than it should


@dataclass(frozen=True, slots=True)
class ListeningChoice:
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


class Evaluator(ABC):
    """Knows what the moments of one match are worth; it may remember what it has worked out."""

    why: Any = None  # its worths are only estimates; None: they are those of best play

    @abstractmethod
    def worths(self, state: Any) -> WinChances:
        """Return what a moment is worth to each seat, as far as it lies open then."""

    @abstractmethod
    def source(self, action: Action) -> str | None:
        """Return the name of the source that an action belongs to; None: somebody decided it."""

    @abstractmethod
    def options(self, state: Any) -> Mapping[Action, float]:
        """Return what somebody can decide in the open, and its worth to whoever decides.

        It is empty where nobody can.
        """

    def changed(self, _state: Any, _action: Action, _after: Any, /) -> WinChances | None:
        """Return what an action itself changed; None: all that is different after it.

        The rest belongs to `UNTOLD`: an estimate has found out what it should have told before.
        """
        return None

    def heard(self, _before: Any, _action: Action, /) -> tuple[ListeningChoice, ...]:
        """Return what was chosen by ear and lies open with this action."""
        return ()

    def tips(self, _state: Any, _seat: Seat, /) -> tuple[Text, ...]:
        """Return what a seat can be told before it chooses what is hidden, such as odds."""
        return ()


@dataclass(frozen=True, slots=True)
class Coach:
    """How a game is judged, after its end or in practice: a part of its plugin."""

    part: ClassVar[str] = "coach"

    sources: tuple[LuckSource, ...]
    judge: Callable[[Game[Any]], Evaluator]
    counts: Text | None = None  # says what its worths take for granted
    ear: Text | None = None  # what is chosen by ear, as a heading; None: nothing is
    seen: Callable[[Any, Any], Any] | None = (
        None  # a state as all know it, by its view and the next one; None: it is not told meanwhile
    )
    picture: Callable[[Any, Any, tuple[Event, ...], tuple[Event, ...], Any], str] | None = (
        None  # of a view, its settings, what was done, what would have been better, for a reader
    )


LUCK: Final = "luck"
LATELY: Final = 64  # moments that may be asked for once more
TOO_ROUGH: Final = LuckSource(
    UNTOLD,
    Text("Luck or skill, we cannot tell"),
    Text("Mostly, this estimate cannot tell luck from skill."),
)
COUNTS: Final = Text(
    "Where chance decides, a position is worth the average of its outcomes, so luck evens out "
    "over many matches. A choice is compared with the best one available. What the estimate only "
    "finds out later is neither luck nor skill, and has a row of its own."
)


def estimate_note(off: int) -> Text:
    """Return that chances are an estimate, and by how many points they are off."""
    return Text(
        "Nobody has solved this game, so the chances are estimated from the position. Compared "
        "with matches played to the end, they are off by about {off} points.",
        off=off,
    )


class PositionHeuristic(Protocol):
    """Knows how everything lies in a game."""

    def lead(self, state: Any) -> Sequence[float]:
        """Return how good a moment is for each seat, in chances as logarithms."""

    def choice(self, state: Any, seat: Seat) -> Action:
        """Return what a good player would do."""


class Estimate(Evaluator):
    """Judges matches of a game by how everything lies; `why` says how far that can be trusted."""

    def __init__(self, game: Game[Any], standing: PositionHeuristic, why: Text) -> None:
        self._game, self._standing, self.why = game, standing, why
        self._look = lru_cache(LATELY)(self._looked)  # what could be drawn, then what was drawn
        self._known: dict[Any, WinChances] = {}
        self._chosen: dict[tuple[Any, Seat], Mapping[Action, WinChances]] = {}

    def worths(self, state: Any) -> WinChances:
        if state not in self._known:
            options = self._game.legal(state, TABLE) if _is_chance(self._game, state) else ()
            self._known[state] = self._expected(state, options) if options else self._look(state)
        return self._known[state]

    def _expected(self, state: Any, options: Sequence[Action]) -> WinChances:
        odds = self._game.odds(state)
        looks = [self._look(self._game.apply(state, option)) for option in options]
        return tuple(
            fsum(worth * weight for worth, weight in zip(column, odds, strict=True)) / sum(odds)
            for column in zip(*looks, strict=True)
        )

    def _looked(self, state: Any) -> WinChances:
        """Return what a moment is worth once all who have to choose now have chosen well."""
        for seat in self._game.turns(state):
            if seat != TABLE and seat in self._game.turns(state):
                state = self._game.apply(state, self._standing.choice(state, seat))
        return self._static(state)

    def _static(self, state: Any) -> WinChances:
        """Return what a moment is worth as everything lies."""
        outcome = self._game.outcome(state)
        if outcome is None:
            return chances(self._standing.lead(state))
        return tuple((seat in outcome.winners) / len(outcome.winners) for seat in self._game.seats)

    def source(self, action: Action) -> str | None:
        """Return that whatever the table does is luck."""
        return LUCK if action.seat == TABLE else None

    def changed(self, state: Any, action: Action, after: Any) -> WinChances:
        """Return what an action itself changed; nobody could have known the rest before."""
        if action.seat == TABLE:
            drawn = self._look(after) if _is_chance(self._game, after) else self.worths(after)
            return less(drawn, self.worths(state))
        choices = self._choices(state, action.seat)
        at = self._game.seats.index(action.seat)
        best = max(choices.values(), key=lambda worths: worths[at])
        return less(choices[action], best)

    def _choices(self, state: Any, seat: Seat) -> Mapping[Action, WinChances]:
        key = state, seat
        if key not in self._chosen:
            apply, options = self._game.apply, self._game.legal(state, seat)
            self._chosen[key] = {option: self._static(apply(state, option)) for option in options}
        return self._chosen[key]

    def options(self, state: Any) -> Mapping[Action, float]:
        """Return what each choice is worth to whoever may choose it."""
        return {
            action: worths[self._game.seats.index(seat)]
            for seat in self._game.turns(state)
            if seat != TABLE
            for action, worths in self._choices(state, seat).items()
        }


def _is_chance(game: Game[Any], state: Any) -> bool:
    return game.turns(state) == (TABLE,)


def chances(leads: Sequence[float]) -> WinChances:
    """Return chances that add up to 1.

    >>> chances((2.0, 2.0))
    (0.5, 0.5)
    """
    most = max(leads)
    parts = [exp(lead - most) for lead in leads]
    return tuple(part / sum(parts) for part in parts)


def less(these: WinChances, those: WinChances) -> WinChances:
    return tuple(this - other for this, other in zip(these, those, strict=True))
