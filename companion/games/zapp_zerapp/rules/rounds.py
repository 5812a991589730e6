"""The game itself: roll, place, flip, order, move, until a guild's third apprentice is home."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self

from companion.core import TABLE, Action, BaseGame, Event, Outcome, Ruling, Seat, after, choices
from companion.core.codec import STUMBLES, demand_typed, refusing
from companion.games.zapp_zerapp.rules import board, explain, model, moves, refusals, rulings

ROLL, PLACE, FLIP, SAY, MOVE, OVER = model.Phase
make: Final = tuple.__new__  # make(State, (…)) is State(…), but no argument is looked up by name
NO_BARRELS: Final[model.Barrels] = (model.EMPTY,) * 4
THE_TABLE: Final = (TABLE,)
ALONE: Final = tuple((colour,) for colour in board.Colour)
NUMBERS: Final = range(1, model.BARRELS + 1)
TOLD: Final = {None: model.UNREAD} | {number: number for number in NUMBERS}
SUMS: Final = range(2, 13)  # ZZ-6

ROLLS: Final = tuple(model.Roll(magic) for magic in SUMS)
ROLL_ODDS: Final = tuple(6 - abs(7 - magic) for magic in SUMS)
FLIPS: Final = (model.Flip(),)
SAYS: Final = tuple(tuple(model.Say(c, n) for n in NUMBERS) for c in board.Colour)
PLACES: Final = tuple(tuple(model.Place(c, barrel) for barrel in TOLD) for c in board.Colour)


class ZappZerapp(BaseGame[model.State]):
    """One match of Zapp Zerapp: its settings, and the rules under them."""

    name: ClassVar = "zapp-zerapp"
    actions = model.ACTIONS
    rulings = model.RULINGS
    settings_type = model.Settings
    settings: model.Settings
    seats: tuple[board.Colour, ...]

    def __init__(self, settings: model.Settings | None = None) -> None:
        super().__init__(settings)
        self.moves = moves.Moves(self.settings)
        self._places = tuple(moves.Lookup(_places_of(colour)) for colour in board.Colour)

    def __reduce__(self) -> tuple[type[Self], tuple[model.Settings]]:
        """Have it copied and pickled by its settings; all else it works out again."""
        return type(self), (self.settings,)

    def start(self) -> model.State:
        """Return the first round, before its roll; all pawns stand on their starts."""
        return make(model.State, (1, ROLL, 0, NO_BARRELS, (), (model.ALL_AT_START,) * 4))

    def turns(self, state: model.State) -> tuple[Seat, ...]:
        """Return everybody who may act: all who have not placed, or the one who moves."""
        phase = state.phase
        if phase is PLACE:
            return state.queue  # ZZ-7: all at once
        if phase is MOVE:
            return ALONE[state.queue[0]]  # ZZ-9
        return () if phase is OVER else THE_TABLE

    def asked(self, state: model.State) -> Seat | None:
        """Return who is suggested to roll (ZZ-11)."""
        return self.settings.roller(state.round) if state.phase is ROLL else None

    def legal(self, state: model.State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        phase = state.phase
        if phase is PLACE:
            return self._places[seat][state.barrels] if seat in state.queue else ()
        if phase is MOVE:
            mover = state.queue[0]
            if seat != mover:
                return ()
            return self.moves.legal(state.pawns, mover, state.barrels[mover])
        if seat != TABLE or phase is OVER:
            return ()
        if phase is ROLL:
            return ROLLS
        return FLIPS if phase is FLIP else _says(state.barrels)

    def odds(self, state: model.State) -> Sequence[int]:
        """Return how often the dice, or unknown barrels, give each of the table's actions."""
        return ROLL_ODDS if state.phase is ROLL else (1,) * len(self.legal(state, TABLE))

    def apply(self, state: model.State, action: Action) -> model.State:
        round_, phase, magic, barrels, queue, pawns = state
        try:  # it stumbles over what is not what it declares, as `refusing` has it for other games
            if phase is PLACE:
                if isinstance(action, model.Place) and (seat := action.seat) in queue:
                    written = TOLD.get(action.barrel, model.EMPTY)  # EMPTY, the own, is in barrels
                    if written == model.UNREAD or written not in barrels:  # ZZ-7
                        queue = queue[1:] if seat is queue[0] else _without(queue, seat)
                        phase, barrels = (
                            PLACE if queue else FLIP,
                            model.with_barrel(barrels, seat, written),
                        )
                        return make(model.State, (round_, phase, magic, barrels, queue, pawns))
            elif phase is MOVE:
                mover = queue[0]
                number = barrels[mover]
                if isinstance(action, model.Move) and self.moves.allows(
                    pawns, mover, number, action
                ):
                    pawns = self.moves.after(pawns, number, action)
                    if pawns[mover][0] == board.CITY:  # ZZ-15
                        return make(model.State, (round_, OVER, magic, barrels, (), pawns))
                    if len(queue) > 1:
                        return make(model.State, (round_, MOVE, magic, barrels, queue[1:], pawns))
                    return _next_round(round_, pawns)
            elif isinstance(action, model.Roll) and phase is ROLL and action.magic in SUMS:
                magic = SUMS[action.magic - SUMS[0]]  # no 7.0, which is in SUMS, too
                return make(model.State, (round_, PLACE, magic, NO_BARRELS, self.seats, pawns))
            elif isinstance(action, model.Flip) and phase is FLIP:
                return _read(round_, magic, barrels, pawns)
            elif isinstance(action, model.Say) and phase is SAY and _can_say(barrels, action):
                barrels = model.with_barrel(barrels, action.player, NUMBERS[action.number - 1])
                return _read(round_, magic, barrels, pawns)
        except STUMBLES:
            demand_typed(self, action)
            raise
        return self._refuse(state, action)

    @refusing
    def _refuse(self, state: model.State, action: Action) -> model.State:
        raise refusals.refusal(self.moves, state, action)

    @refusing
    def rule(self, state: model.State, ruling: Ruling) -> model.State:
        """Return the state after what people decided beside the rules."""
        ruled = rulings.after(self.settings, state, ruling)
        if ruled.phase is SAY and model.UNREAD not in ruled.barrels:  # nothing is left to be read
            return _read(ruled.round, ruled.magic, ruled.barrels, ruled.pawns)
        return ruled

    @refusing
    def explain(
        self, state: model.State, action: Action, then: model.State | None = None
    ) -> tuple[Event, ...]:
        then = after(self, state, action) if then is None else then
        return explain.events_of(self.settings, self.moves, state, action, then)

    def view(self, state: model.State, viewer: Seat | None) -> model.View:
        """Return what lies open: numbers only after the flip, to everybody alike."""
        round_, phase, magic, barrels, queue, pawns = state
        open_ = phase in {SAY, MOVE, OVER}
        winner = self.outcome(state)
        return model.View(
            round=round_,
            phase=phase,
            magic=magic,
            roller=self.settings.roller(round_),
            turns=self.turns(state),
            placed=tuple(s for s in self.seats if state.stands(s)),
            out=tuple(seat for seat in self.seats if barrels[seat] == model.OUT),
            numbers=tuple(
                (s, barrels[s]) for s in self.seats if open_ and barrels[s] > model.EMPTY
            ),
            order=queue if phase is MOVE else (),
            pawns=tuple((seat, pawns[seat]) for seat in self.seats),
            choices=choices(self, state, viewer),
            winner=board.Colour(winner.winners[0]) if winner else None,
        )

    def outcome(self, state: model.State) -> Outcome | None:
        """Return the winner, and how many pawns each player has home."""
        if state.phase is not OVER:
            return None
        home = tuple((seat, state.pawns[seat].count(board.CITY)) for seat in self.seats)
        return Outcome(tuple(s for s in self.seats if state.pawns[s] == model.ALL_HOME), home)


def _read(round_: int, magic: int, barrels: model.Barrels, pawns: model.Camps) -> model.State:
    """When all numbers are known, those that work move, the highest first (ZZ-8, ZZ-9)."""
    if model.UNREAD in barrels:
        return make(model.State, (round_, SAY, magic, barrels, (), pawns))
    queue = ORDERS[barrels]
    while queue and barrels[queue[0]] > magic:
        queue = queue[1:]
    if not queue:
        return _next_round(round_, pawns)
    return make(model.State, (round_, MOVE, magic, barrels, queue, pawns))


def _order(barrels: model.Barrels) -> tuple[board.Colour, ...]:
    """Return who has a barrel, whether it works or not, the highest number first."""
    shown = [seat for seat in board.Colour if barrels[seat] > model.EMPTY]
    return tuple(sorted(shown, key=barrels.__getitem__, reverse=True))


ORDERS: Final = moves.Lookup(_order)


def _next_round(round_: int, pawns: model.Camps) -> model.State:
    return make(model.State, (round_ + 1, ROLL, 0, NO_BARRELS, (), pawns))


def _places_of(colour: board.Colour) -> Any:
    """A player may keep any barrel that no other has, or one whose number nobody knows (ZZ-7)."""
    return lambda barrels: tuple(p for p in PLACES[colour] if p.barrel not in barrels)


def _without(queue: tuple[board.Colour, ...], gone: Seat) -> tuple[board.Colour, ...]:
    return tuple([seat for seat in queue if seat != gone])


def _can_say(barrels: model.Barrels, say: model.Say) -> bool:
    number = say.number
    return barrels[say.player] == model.UNREAD and number in NUMBERS and number not in barrels


def _says(barrels: model.Barrels) -> tuple[model.Say, ...]:
    unread = [says for says, barrel in zip(SAYS, barrels, strict=True) if barrel == model.UNREAD]
    return tuple([say for says in unread for say in says if say.number not in barrels])
