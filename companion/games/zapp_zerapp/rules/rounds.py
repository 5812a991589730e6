"""The game itself: roll, place, flip, order, move, until a guild's third apprentice is home."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, Self

from companion.core.codec import STUMBLES, demand_typed, refusing
from companion.core.game import (
    TABLE,
    Action,
    BaseGame,
    Event,
    Outcome,
    Ruling,
    Seat,
    after,
    choices,
)
from companion.games.zapp_zerapp.rules import explain, refusals, rulings
from companion.games.zapp_zerapp.rules.board import CITY, Colour
from companion.games.zapp_zerapp.rules.model import (
    ACTIONS,
    ALL_AT_START,
    ALL_HOME,
    BARRELS,
    EMPTY,
    OUT,
    RULINGS,
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
    new_state,
)
from companion.games.zapp_zerapp.rules.moves import Lookup, Moves

ROLL, PLACE, FLIP, SAY, MOVE, OVER = Phase
NO_BARRELS: Final[Barrels] = (EMPTY,) * 4
THE_TABLE: Final = (TABLE,)
ALONE: Final = tuple((colour,) for colour in Colour)
NUMBERS: Final = range(1, BARRELS + 1)
TOLD: Final = {None: UNREAD} | {number: number for number in NUMBERS}
SUMS: Final = range(2, 13)  # ZZ-6

ROLLS: Final = tuple(Roll(magic) for magic in SUMS)
ROLL_ODDS: Final = tuple(6 - abs(7 - magic) for magic in SUMS)
FLIPS: Final = (Flip(),)
SAYS: Final = tuple(tuple(Say(c, n) for n in NUMBERS) for c in Colour)
PLACES: Final = tuple(tuple(Place(c, barrel) for barrel in TOLD) for c in Colour)


class ZappZerapp(BaseGame[State]):
    """One match of Zapp Zerapp: its settings, and the rules under them."""

    name: ClassVar = "zapp-zerapp"
    actions = ACTIONS
    rulings = RULINGS
    settings_type = Settings
    state_type = State
    settings: Settings
    seats: tuple[Colour, ...]

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.moves = Moves(self.settings)
        self._places = tuple(Lookup(_places_of(colour)) for colour in Colour)

    def __reduce__(self) -> tuple[type[Self], tuple[Settings]]:
        """Have it copied and pickled by its settings; all else it works out again."""
        return type(self), (self.settings,)

    def start(self) -> State:
        """Return the first round, before its roll; all pawns stand on their starts."""
        return new_state((1, ROLL, 0, NO_BARRELS, (), (ALL_AT_START,) * 4))

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return everybody who may act: all who have not placed, or the one who moves."""
        phase = state.phase
        if phase is PLACE:
            return state.queue  # ZZ-7: all at once
        if phase is MOVE:
            return ALONE[state.queue[0]]  # ZZ-9
        return () if phase is OVER else THE_TABLE

    def asked(self, state: State) -> Seat | None:
        """Return who is suggested to roll (ZZ-11)."""
        return self.settings.roller(state.round) if state.phase is ROLL else None

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        _, phase, _, barrels, queue, pawns = state
        if phase is PLACE:
            return self._places[seat][barrels] if seat in queue else ()
        if phase is MOVE:
            mover = queue[0]
            return self.moves.legal(pawns, mover, barrels[mover]) if seat == mover else ()
        if seat != TABLE or phase is OVER:
            return ()
        if phase is ROLL:
            return ROLLS
        return FLIPS if phase is FLIP else _says(barrels)

    def odds(self, state: State) -> Sequence[int]:
        """Return how often the dice, or unknown barrels, give each of the table's actions."""
        return ROLL_ODDS if state.phase is ROLL else (1,) * len(self.legal(state, TABLE))

    def apply(self, state: State, action: Action) -> State:
        round_, phase, magic, barrels, queue, pawns = state
        try:  # it stumbles over what is not what it declares, as `refusing` has it for other games
            if phase is PLACE:
                if isinstance(action, Place) and (seat := action.seat) in queue:
                    told = TOLD.get(action.barrel, EMPTY)  # EMPTY, the seat's own, is in barrels
                    if told == UNREAD or told not in barrels:  # ZZ-7
                        queue = queue[1:] if seat is queue[0] else _without(queue, seat)
                        phase, barrels = PLACE if queue else FLIP, _with(barrels, seat, told)
                        return new_state((round_, phase, magic, barrels, queue, pawns))
            elif phase is MOVE:
                mover = queue[0]
                number = barrels[mover]
                if isinstance(action, Move) and self.moves.allows(pawns, mover, number, action):
                    pawns = self.moves.after(pawns, number, action)
                    if pawns[mover][0] == CITY:  # ZZ-15
                        return new_state((round_, OVER, magic, barrels, (), pawns))
                    if len(queue) > 1:
                        return new_state((round_, MOVE, magic, barrels, queue[1:], pawns))
                    return _next_round(round_, pawns)
            elif isinstance(action, Roll) and phase is ROLL and action.magic in SUMS:
                magic = SUMS[action.magic - SUMS[0]]  # no 7.0, which is in SUMS, too
                return new_state((round_, PLACE, magic, NO_BARRELS, self.seats, pawns))
            elif isinstance(action, Flip) and phase is FLIP:
                return _read(round_, magic, barrels, pawns)
            elif isinstance(action, Say) and phase is SAY and _can_say(barrels, action):
                barrels = _with(barrels, action.player, NUMBERS[action.number - 1])
                return _read(round_, magic, barrels, pawns)
        except STUMBLES:
            demand_typed(self, action)
            raise
        return self._refuse(state, action)

    @refusing
    def _refuse(self, state: State, action: Action) -> State:
        raise refusals.refusal(self.moves, state, action)

    @refusing
    def rule(self, state: State, ruling: Ruling) -> State:
        """Return the state after what people decided beside the rules."""
        ruled = rulings.after(self.settings, state, ruling)
        if ruled.phase is SAY and UNREAD not in ruled.barrels:  # nothing is left to be read
            return _read(ruled.round, ruled.magic, ruled.barrels, ruled.pawns)
        return ruled

    @refusing
    def explain(self, state: State, action: Action, then: State | None = None) -> tuple[Event, ...]:
        then = after(self, state, action) if then is None else then
        if isinstance(action, Ruling):
            return rulings.events(self.settings, state, action, then)
        return explain.events(self.settings, self.moves, state, action, then)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return what lies open: numbers only after the flip, to everybody alike."""
        round_, phase, magic, barrels, queue, pawns = state
        open_ = phase in {SAY, MOVE, OVER}
        winner = self.outcome(state)
        return View(
            round=round_,
            phase=phase,
            magic=magic,
            roller=self.settings.roller(round_),
            turns=self.turns(state),
            placed=tuple(s for s in self.seats if barrels[s] not in {EMPTY, OUT}),
            out=tuple(seat for seat in self.seats if barrels[seat] == OUT),
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
        home = tuple((seat, state.pawns[seat].count(CITY)) for seat in self.seats)
        return Outcome(tuple(s for s in self.seats if state.pawns[s] == ALL_HOME), home)


def _read(round_: int, magic: int, barrels: Barrels, pawns: Camps) -> State:
    """When all numbers are known, those that work move, the highest first (ZZ-8, ZZ-9)."""
    if UNREAD in barrels:
        return new_state((round_, SAY, magic, barrels, (), pawns))
    queue = ORDERS[barrels]
    while queue and barrels[queue[0]] > magic:
        queue = queue[1:]
    if not queue:
        return _next_round(round_, pawns)
    return new_state((round_, MOVE, magic, barrels, queue, pawns))


def _order(barrels: Barrels) -> tuple[Colour, ...]:
    """Return who has a barrel, whether it works or not, the highest number first."""
    shown = [seat for seat in Colour if barrels[seat] > EMPTY]
    return tuple(sorted(shown, key=barrels.__getitem__, reverse=True))


ORDERS: Final = Lookup(_order)


def _next_round(round_: int, pawns: Camps) -> State:
    return new_state((round_ + 1, ROLL, 0, NO_BARRELS, (), pawns))


def _places_of(colour: Colour) -> Any:
    """A player may keep any barrel that no other has, or one whose number nobody knows (ZZ-7)."""
    return lambda barrels: tuple(p for p in PLACES[colour] if p.barrel not in barrels)


def _with(barrels: Barrels, seat: Seat, barrel: int) -> Barrels:
    stand = list(barrels)
    stand[seat] = barrel
    return stand[0], stand[1], stand[2], stand[3]


def _without(queue: tuple[Colour, ...], gone: Seat) -> tuple[Colour, ...]:
    return tuple([seat for seat in queue if seat != gone])


def _can_say(barrels: Barrels, say: Say) -> bool:
    number = say.number
    return barrels[say.player] == UNREAD and number in NUMBERS and number not in barrels


@lru_cache(maxsize=256)
def _says(barrels: Barrels) -> tuple[Say, ...]:
    left = [number for number in NUMBERS if number not in barrels]
    unread = [SAYS[colour] for colour in Colour if barrels[colour] == UNREAD]
    return tuple([says[number - 1] for says in unread for number in left])
