"""The game itself: deal and keep; then catch, crystallize and open, until somebody has seven."""

from collections.abc import Sequence
from itertools import compress
from typing import ClassVar, Final

from companion.core import (
    TABLE,
    Action,
    BaseGame,
    Event,
    Outcome,
    Seat,
    SeatName,
    choices,
    refusing,
)
from companion.games.via_magica.rules import explain, opening, refusals, rounds, scoring, setting_up
from companion.games.via_magica.rules.events import View
from companion.games.via_magica.rules.model import (
    ACTIONS,
    CALL,
    CATCH,
    CRYSTALLIZE,
    DEAL,
    DRAW,
    KEEP,
    OPEN,
    OVER,
    POWER,
    REWARD,
    TAKE,
    TURN,
    UNVEIL,
    Call,
    Catch,
    Deal,
    Draw,
    Keep,
    Player,
    Settings,
    State,
    Turn,
    Unveil,
    Waive,
)
from companion.games.via_magica.rules.portals import BAG, COPIES, NUMBERS, Animus
from companion.games.via_magica.rules.zones import Ways, good_for

ALONE: Final = frozenset({OPEN, POWER, TAKE, REWARD})  # one acts, who opens a portal
STEPS: Final = {  # an action leads to the next state, or to None if it is not legal
    DEAL: setting_up.dealt,
    DRAW: setting_up.drawn,
    TURN: setting_up.turned,
    KEEP: setting_up.kept,
    UNVEIL: setting_up.unveiled,
    CATCH: rounds.caught,
    CRYSTALLIZE: rounds.crystallized,
    CALL: rounds.called,
    OPEN: opening.after,
    POWER: opening.after,
    TAKE: opening.after,
    REWARD: opening.after,
    OVER: lambda *_: None,
}
CRYSTALS: Final = 7  # VM-1
KINDS: Final = len(NUMBERS)
THE_TABLE: Final = (TABLE,)
DEALS: Final = tuple(tuple(Deal(mage, number) for number in NUMBERS) for mage in SeatName)
CATCHES: Final = tuple(Catch(animus) for animus in Animus)
DRAWS: Final = tuple(Draw(number) for number in NUMBERS)
TURNS: Final = (Turn(),)
UNVEILS: Final = (Unveil(),)
WAIVES: Final = tuple((Waive(mage),) for mage in SeatName)


class ViaMagica(BaseGame[State]):
    """One match of Via Magica: its settings, and the rules under them."""

    name: ClassVar = "via-magica"
    actions = ACTIONS
    settings_type = Settings
    settings: Settings
    seats: tuple[SeatName, ...]

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        dealt = not self.settings.by_hand
        self.unasked = (Deal, Draw, Turn, Unveil) if dealt else (Turn, Unveil)
        self.from_hand = (Keep,) if dealt else ()

    def start(self) -> State:
        """Return the stack of all portals, before the first is dealt; the first seat catches."""
        return State(
            *((COPIES,) * KINDS, (0,) * KINDS, (), (), (), 0, (), False, BAG, self.seats[0]),
            *((0, DRAW, None, ()) if self.settings.by_hand else (0, DEAL, None, self.seats)),
            tuple([Player(supply=CRYSTALS if mage in self.seats else 0) for mage in SeatName]),
        )

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return everybody who may act: all at once, the one who opens, or the table."""
        phase = state.phase
        if phase is CRYSTALLIZE or phase is KEEP:
            return state.queue
        if phase is CATCH or phase not in ALONE:
            return () if phase is OVER else THE_TABLE
        return state.queue[:1]

    def asked(self, state: State) -> Seat | None:
        """Return who draws the animus (VM-2)."""
        return state.catcher if state.phase is CATCH else None

    def rivals(self, state: State) -> tuple[Seat, ...]:
        """Return who may have called first (VM-3)."""
        return state.queue if state.phase is CALL else ()

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        phase, animus = state.phase, state.animus
        if phase is CRYSTALLIZE and animus is not None and seat in state.queue:
            player = state.players[seat]
            return Ways(seat, player, good_for(player, animus))
        if phase is CATCH and seat == TABLE:
            return tuple(compress(CATCHES, state.bag))
        if seat not in self.turns(state):
            return ()
        return self._told(state) if seat == TABLE else self._chosen(state, seat)

    def _told(self, state: State) -> Sequence[Action]:
        phase = state.phase
        if phase is DRAW:
            return tuple(compress(DRAWS, state.stack))
        if phase is DEAL:
            return tuple(compress(DEALS[state.queue[0]], state.stack))
        if phase is CALL:
            return (Call(), *map(Call, state.queue))
        return TURNS if phase is TURN else UNVEILS

    def _chosen(self, state: State, seat: Seat) -> Sequence[Action]:
        phase = state.phase
        if phase is OPEN:
            return opening.openable(state)
        if phase is TAKE:
            return opening.takes(state)
        if phase is KEEP:
            return setting_up.keeps(self.settings, state, seat)
        if phase is POWER:
            return (*opening.uses(state), *WAIVES[seat])
        return (*opening.claims(self.settings, state), *WAIVES[seat])

    def odds(self, state: State) -> Sequence[int]:
        """Return how many of each portal or animus are left; who calls first, anybody may."""
        phase = state.phase
        if phase is CATCH:
            return tuple(filter(None, state.bag))
        if phase is DRAW or phase is DEAL:
            return tuple(filter(None, state.stack))
        return (1,) * len(self.legal(state, TABLE))

    @refusing
    def apply(self, state: State, action: Action) -> State:
        after = STEPS[state.phase](self.settings, state, action)
        if after is None:
            raise refusals.refusal(self.settings, state, action, self.turns(state))
        return after

    @refusing
    def explain(self, state: State, action: Action, then: State | None = None) -> tuple[Event, ...]:
        then = self.apply(state, action) if then is None else then
        return explain.events_of(self.settings, state, action, then)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return what lies open, and the viewer's own hand while it chooses what to keep."""
        allowed = choices(self, state, viewer) if viewer != TABLE else ()
        return scoring.view(self.settings, state, viewer, self.turns(state), allowed)

    def outcome(self, state: State) -> Outcome | None:
        """Return who has the most points, once the last round is over (VM-6)."""
        return scoring.outcome(self.settings, state) if state.phase is OVER else None
