"""Ludo: who throws a six sets out, once round the ring and home; whoever is met starts again."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, ClassVar, Final, NamedTuple

from companion.core import (
    TABLE,
    Action,
    BaseGame,
    BaseView,
    Event,
    Illegal,
    Outcome,
    RulesError,
    Seat,
    refusing,
)

FIELDS: Final = 40  # of the ring
START: Final = 0  # a pawn that has not set out
HOME: Final = FIELDS + 1  # the first of as many home fields as each has pawns
SIX: Final = 6
TRIES: Final = 3  # throws of whoever has no pawn that could go


class Colour(IntEnum):
    """The seats, clockwise."""

    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3


class Phase(Enum):
    """What is to be done next."""

    ROLL = "roll"
    MOVE = "move"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table agrees on before it plays."""

    seats: tuple[Colour, ...] = tuple(Colour)
    pawns: int = 4

    def __post_init__(self) -> None:
        """Refuse a table that cannot play."""
        right = tuple(sorted({*self.seats} & {*Colour}))
        if len(self.seats) < 2 or self.seats != right:
            raise RulesError("2 to 4 play, each once and clockwise; write {right}.", right=right)
        if not 1 <= self.pawns <= 4:
            raise RulesError("Each has 1 to 4 pawns, not {count}.", count=self.pawns)


class State(NamedTuple):
    """One moment of a game."""

    phase: Phase
    seat: Colour  # whose turn it is
    pips: int  # that were thrown
    throws: int  # of this turn
    camps: tuple[tuple[int, ...], ...]  # how far each colour's pawns have come, ascending


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """The die is thrown."""

    pips: int


@dataclass(frozen=True, slots=True)
class Move(Action):
    """A pawn goes on, or sets out."""

    seat: Colour
    step: Annotated[int, {START: "start"}]


@dataclass(frozen=True, slots=True)
class Thrown(Event):
    """The die shows so many; `stuck`: no pawn can go so far."""

    sentence: ClassVar = "{seat} throws {pips}."
    stays: ClassVar = "{seat} throws {pips} and cannot move."
    seat: Colour
    pips: int
    stuck: bool

    @property
    def template(self) -> str:
        """Return the sentence with its placeholders."""
        return self.stays if self.stuck else self.sentence


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A pawn goes on, sets out or comes home."""

    sentence: ClassVar = "{seat} moves from field {start} to field {end}."
    out: ClassVar = "{seat} sets out."
    home: ClassVar = "{seat} brings a pawn home; {left} {left:#is|are} left."
    seat: Colour
    start: int
    end: int
    left: int  # that are not at home yet

    @property
    def template(self) -> str:
        """Return the sentence with its placeholders."""
        if self.start == START:
            return self.out
        return self.home if self.end >= HOME > self.start else self.sentence


@dataclass(frozen=True, slots=True)
class Beaten(Event):
    """A pawn is met, and goes back to its start."""

    sentence: ClassVar = "{seat} sends a pawn of {victim} back to its start."
    seat: Colour
    victim: Colour


@dataclass(frozen=True, slots=True)
class View(BaseView):
    """All that anybody may know; nothing is hidden in this game."""

    seat: Colour
    pips: int
    camps: tuple[tuple[Colour, tuple[int, ...]], ...]


class Ludo(BaseGame[State]):
    """One match: its settings, and the rules under them."""

    name = "ludo"
    actions: ClassVar[tuple[type[Action], ...]] = (Roll, Move)
    settings_type = Settings
    seats: tuple[Colour, ...]

    def start(self) -> State:
        """Return all pawns at their starts."""
        camp = (START,) * self.settings.pawns
        camps = tuple(camp if colour in self.seats else () for colour in Colour)
        return State(Phase.ROLL, self.seats[0], 0, 0, camps)

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return who acts: the die decides, then whose turn it is."""
        if state.phase is Phase.ROLL:
            return (TABLE,)
        return (state.seat,) if state.phase is Phase.MOVE else ()

    def asked(self, state: State) -> Seat | None:
        """Return who throws the die."""
        return state.seat if state.phase is Phase.ROLL else None

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return what the die can show, or which pawns can go."""
        if seat not in self.turns(state):
            return ()
        if seat == TABLE:
            return [Roll(pips) for pips in range(1, SIX + 1)]
        return [Move(state.seat, step) for step in self._movable(state)]

    @refusing
    def apply(self, state: State, action: Action) -> State:
        """Return the state after a legal action."""
        if action not in self.legal(state, action.seat):
            raise Illegal("This is not possible now; it is {seat}'s turn.", seat=state.seat)
        if isinstance(action, Move):
            return self._moved(state, action.step)
        assert isinstance(action, Roll)
        rolled = State(Phase.MOVE, state.seat, action.pips, state.throws + 1, state.camps)
        return rolled if self._movable(rolled) else self._next(rolled)

    def explain(self, state: State, action: Action, then: State | None = None) -> tuple[Event, ...]:
        """Return what a legal action brings about."""
        then, seat = self.apply(state, action) if then is None else then, state.seat
        if isinstance(action, Roll):
            return (Thrown(seat, action.pips, then.phase is Phase.ROLL),)
        assert isinstance(action, Move)
        end = _end(action.step, state.pips)
        left = sum(step < HOME for step in then.camps[seat])
        moved = Moved(seat, action.step, end, left)
        met = self._met(state, seat, end)
        return (moved,) if met is None else (moved, Beaten(seat, met[0]))

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return all of it."""
        camps = tuple((seat, state.camps[seat]) for seat in self.seats)
        return View.of(self, state, viewer, seat=state.seat, pips=state.pips, camps=camps)

    def outcome(self, state: State) -> Outcome | None:
        """Return who has all pawns at home."""
        if state.phase is not Phase.OVER:
            return None
        scores = tuple((seat, sum(s >= HOME for s in state.camps[seat])) for seat in self.seats)
        return Outcome((state.seat,), scores)

    def _met(self, state: State, seat: Colour, end: int) -> tuple[Colour, int] | None:
        """Return whose pawn stands where a pawn of this seat ends, and how far it had come."""
        return next(
            (
                (other, step)
                for other in self.seats
                for step in state.camps[other]
                if other != seat and field(seat, end) == field(other, step) is not None
            ),
            None,
        )

    def _movable(self, state: State) -> tuple[int, ...]:
        camp = state.camps[state.seat]
        last = FIELDS + self.settings.pawns
        ends = {step: _end(step, state.pips) for step in camp}
        found = tuple(s for s, end in ends.items() if START < end <= last and end not in camp)
        return (START,) if START in found else found  # who throws a six sets out

    def _moved(self, state: State, step: int) -> State:
        seat, end = state.seat, _end(step, state.pips)
        camps = [list(camp) for camp in state.camps]
        camps[seat][camps[seat].index(step)] = end
        if (met := self._met(state, seat, end)) is not None:
            camps[met[0]][camps[met[0]].index(met[1])] = START
        after = state._replace(camps=tuple(tuple(sorted(camp)) for camp in camps))
        if min(after.camps[seat]) >= HOME:
            return after._replace(phase=Phase.OVER)
        return self._next(after, moved=True)

    def _next(self, state: State, *, moved: bool = False) -> State:
        """Let the same throw again after a six, or for want of pawns on the ring; else the next."""
        waits = not moved and not any(START < s <= FIELDS for s in state.camps[state.seat])
        if state.pips == SIX or (waits and state.throws < TRIES):
            throws = 0 if state.pips == SIX else state.throws
            return state._replace(phase=Phase.ROLL, pips=0, throws=throws)
        after = self.seats[(self.seats.index(state.seat) + 1) % len(self.seats)]
        return state._replace(phase=Phase.ROLL, seat=after, pips=0, throws=0)


def field(seat: Colour, step: int) -> int | None:
    """Return the field of the ring, counted for all alike; None: at the start or at home."""
    return (step - 1 + FIELDS // 4 * seat) % FIELDS if START < step <= FIELDS else None


def _end(step: int, pips: int) -> int:
    return step + pips if step != START else int(pips == SIX)
