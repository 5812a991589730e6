"""The game itself: roll, place, flip, order, move, until a guild's third apprentice is home.

It must not know how pawns move nor who is asking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from companion.rules.game import TABLE, Action, Event, Outcome, Seat, choices
from companion.rules.zapp_zerapp import explain, refusals
from companion.rules.zapp_zerapp.board import CITY, Colour
from companion.rules.zapp_zerapp.moves import Lookup, Moves
from companion.rules.zapp_zerapp.state import (
    ALL_AT_START,
    ALL_HOME,
    BARRELS,
    EMPTY,
    UNREAD,
    Barrels,
    Camps,
    Flip,
    Move,
    Phase,
    Place,
    Roll,
    Say,
    Settings,
    State,
    View,
)

ROLL, PLACE, FLIP, SAY, MOVE, OVER = Phase
NO_BARRELS: Final[Barrels] = (EMPTY,) * 4
THE_TABLE: Final = (TABLE,)
ROLLS: Final = tuple(Roll(magic) for magic in range(2, 13))  # ZZ-6
ROLL_ODDS: Final = tuple(6 - abs(7 - roll.magic) for roll in ROLLS)
FLIPS: Final = (Flip(),)
SAYS: Final = tuple(tuple(Say(c, n) for n in range(1, BARRELS + 1)) for c in Colour)
PLACES: Final = tuple(tuple(Place(c, n or None) for n in range(BARRELS + 1)) for c in Colour)


class ZappZerapp:
    """One match of Zapp Zerapp: its settings, and the rules under them."""

    name: ClassVar = "zapp-zerapp"
    schema: ClassVar = 1
    actions: ClassVar[tuple[type[Action], ...]] = (Roll, Place, Flip, Say, Move)
    settings_type: ClassVar[type[Any]] = Settings
    state_type: ClassVar[type[Any]] = State

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings = settings or Settings()
        self.seats = settings.seats
        self.moves = Moves(settings)
        self._places = tuple(Lookup(_places_of(colour)) for colour in Colour)
        self._without = Lookup(_without)

    def start(self) -> State:
        """Return the first round, before its roll; all pawns stand on their starts."""
        return State(1, ROLL, 0, NO_BARRELS, (), (ALL_AT_START,) * 4)

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return everybody who may act: all who have not placed, or the one who moves."""
        phase = state.phase
        if phase is PLACE:
            return state.queue  # ZZ-7: all at once
        if phase is MOVE:
            return state.queue[:1]  # ZZ-9
        return () if phase is OVER else THE_TABLE

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        _, phase, _, barrels, queue, pawns = state
        if phase is PLACE:
            return self._places[seat][barrels] if seat in queue else ()
        if phase is MOVE:
            if seat != queue[0]:
                return ()
            mover = queue[0]
            return self.moves.legal(pawns, mover, barrels[mover])
        if seat != TABLE or phase is OVER:
            return ()
        if phase is ROLL:
            return ROLLS
        return FLIPS if phase is FLIP else _says(barrels)

    def odds(self, state: State) -> Sequence[int]:
        """Return how often the dice, or unknown barrels, give each of the table's actions."""
        return ROLL_ODDS if state.phase is ROLL else (1,) * len(self.legal(state, TABLE))

    def apply(self, state: State, action: Action) -> State:
        """Return the state after a legal action."""
        round_, phase, magic, barrels, queue, pawns = state
        if phase is PLACE:
            if isinstance(action, Place) and action in self.legal(state, action.seat):
                seat, barrel = action.seat, action.barrel
                queue = self._without[queue, seat]
                barrels = _with(barrels, seat, barrel or UNREAD)
                return State(round_, PLACE if queue else FLIP, magic, barrels, queue, pawns)
        elif phase is MOVE:
            if isinstance(action, Move) and action in self.legal(state, action.seat):
                mover = queue[0]
                pawns = self.moves.after(pawns, barrels[mover], action)
                if pawns[mover][0] == CITY:  # ZZ-15
                    return State(round_, OVER, magic, barrels, (), pawns)
                if len(queue) > 1:
                    return State(round_, MOVE, magic, barrels, queue[1:], pawns)
                return _next_round(round_, pawns)
        elif isinstance(action, Roll):
            if phase is ROLL and action in ROLLS:
                return State(round_, PLACE, action.magic, NO_BARRELS, self.seats, pawns)
        elif isinstance(action, Flip):
            if phase is FLIP:
                return self._read(state)
        elif isinstance(action, Say) and phase is SAY and action in _says(barrels):
            said = _with(barrels, action.player, action.number)
            return self._read(state._replace(barrels=said))
        raise refusals.refusal(self, state, action)

    def explain(self, state: State, action: Action) -> tuple[Event, ...]:
        """Return what a legal action brings about."""
        return explain.events(self, state, action)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return what lies open: numbers only after the flip, to everybody alike."""
        round_, phase, magic, barrels, queue, pawns = state
        open_ = phase in {SAY, MOVE, OVER}
        winner = self.outcome(state)
        return View(
            round=round_,
            phase=phase,
            magic=magic,
            roller=self.roller(round_),
            turns=self.turns(state),
            placed=tuple(seat for seat in self.seats if barrels[seat] != EMPTY),
            numbers=tuple((s, barrels[s]) for s in self.seats if open_ and barrels[s] > EMPTY),
            order=queue if phase is MOVE else (),
            pawns=tuple((seat, pawns[seat]) for seat in self.seats),
            choices=choices(self, state, viewer),
            winner=Colour(winner.winners[0]) if winner else None,
        )

    def outcome(self, state: State) -> Outcome | None:
        """Return the winner, and how many pawns each player has home."""
        if state.phase is not OVER:
            return None
        home: dict[Seat, int] = {seat: state.pawns[seat].count(CITY) for seat in self.seats}
        return Outcome(tuple(s for s in self.seats if state.pawns[s] == ALL_HOME), home)

    def roller(self, round_: int) -> Colour:
        """Return who is suggested to roll (ZZ-11)."""
        return self.seats[(round_ - 1) % len(self.seats)]

    def _read(self, state: State) -> State:
        """When all numbers are known, those that work move, the highest first (ZZ-8, ZZ-9)."""
        round_, _, magic, barrels, _, pawns = state
        if UNREAD in barrels:
            return State(round_, SAY, magic, barrels, (), pawns)
        works = [(barrels[seat], seat) for seat in self.seats if barrels[seat] <= magic]
        if not works:
            return _next_round(round_, pawns)
        works.sort(reverse=True)
        return State(round_, MOVE, magic, barrels, tuple([seat for _, seat in works]), pawns)


def _next_round(round_: int, pawns: Camps) -> State:
    return State(round_ + 1, ROLL, 0, NO_BARRELS, (), pawns)


def _places_of(colour: Colour) -> Any:
    """A player may keep any barrel that no other has, or one whose number nobody knows (ZZ-7)."""
    return lambda barrels: tuple(p for p in PLACES[colour] if p.barrel not in barrels)


def _with(barrels: Barrels, seat: Seat, barrel: int) -> Barrels:
    stand = list(barrels)
    stand[seat] = barrel
    return stand[0], stand[1], stand[2], stand[3]


def _without(question: tuple[tuple[Colour, ...], Colour]) -> tuple[Colour, ...]:
    queue, gone = question
    return tuple(seat for seat in queue if seat != gone)


def _says(barrels: Barrels) -> tuple[Say, ...]:
    unread = (colour for colour in Colour if barrels[colour] == UNREAD)
    return tuple(say for colour in unread for say in SAYS[colour] if say.number not in barrels)
