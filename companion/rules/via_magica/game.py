"""The game itself: deal and keep; then catch, crystallize and open, until somebody has seven.

It must not know what an opened portal brings about, nor who is asking.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any, ClassVar, Final

from companion.rules.game import TABLE, Action, Event, Illegal, Outcome, Ruling, Seat, choices
from companion.rules.via_magica import explain, opening, refusals, scoring, setting_up, viewing
from companion.rules.via_magica.buildings import FULL
from companion.rules.via_magica.events import View
from companion.rules.via_magica.portals import BAG, COPIES, NUMBERS, Animus
from companion.rules.via_magica.state import (
    ACTIONS,
    Call,
    Catch,
    Claim,
    Crystallize,
    Deal,
    Draw,
    Keep,
    Mage,
    Open,
    Phase,
    Player,
    Settings,
    State,
    Take,
    Turn,
    Unveil,
    Waive,
    new,
)
from companion.rules.via_magica.zones import JOKER, able, crystallized, matches, placements

DEAL, DRAW, TURN, KEEP, UNVEIL, CATCH, CRYSTALLIZE, CALL, OPEN, POWER, TAKE, REWARD, OVER = Phase
CRYSTALS: Final = 7  # VM-1
KINDS: Final = len(NUMBERS)
THE_TABLE: Final = (TABLE,)
ALONE: Final = tuple((mage,) for mage in Mage)
DEALS: Final = tuple(tuple(Deal(mage, number) for number in NUMBERS) for mage in Mage)
DRAWS: Final = tuple(Draw(number) for number in NUMBERS)
CATCHES: Final = tuple(Catch(animus) for animus in Animus)
TURNS: Final = (Turn(),)
UNVEILS: Final = (Unveil(),)
WAIVES: Final = tuple((Waive(mage),) for mage in Mage)


class ViaMagica:
    """One match of Via Magica: its settings, and the rules under them."""

    name: ClassVar = "via-magica"
    schema: ClassVar = 1
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    rulings: ClassVar[tuple[type[Ruling], ...]] = ()
    settings_type: ClassVar[type[Any]] = Settings
    state_type: ClassVar[type[Any]] = State

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings = settings or Settings()
        self.seats = settings.seats

    @property
    def unasked(self) -> tuple[type[Action], ...]:
        """Return what the companion deals; by hand, only what needs no telling."""
        return (Turn, Unveil) if self.settings.by_hand else (Deal, Draw, Turn, Unveil)

    @property
    def from_hand(self) -> tuple[type[Action], ...]:
        """Return what is chosen from six hidden portals."""
        return () if self.settings.by_hand else (Keep,)

    def start(self) -> State:
        """Return the stack of all portals, before the first is dealt; the first seat catches."""
        return State(
            *((COPIES,) * KINDS, (0,) * KINDS, (), (), (), 0, False, BAG, self.seats[0]),
            *((0, DRAW, None, ()) if self.settings.by_hand else (0, DEAL, None, self.seats)),
            tuple([Player(supply=CRYSTALS if mage in self.seats else 0) for mage in Mage]),
        )

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return everybody who may act: all at once, the one who opens, or the table."""
        phase = state.phase
        if phase is CRYSTALLIZE or phase is KEEP:
            return state.queue
        if phase is OPEN or phase is POWER or phase is TAKE or phase is REWARD:
            return ALONE[state.queue[0]]
        return () if phase is OVER else THE_TABLE

    def asked(self, state: State) -> Seat | None:
        """Return who draws the animus (VM-2)."""
        return state.catcher if state.phase is CATCH else None

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        phase = state.phase
        if phase is CRYSTALLIZE and seat in state.queue:
            player, animus = state.players[seat], state.animus
            assert animus is not None
            return placements(player, seat, matches(player.opened)[animus])
        if phase is CATCH and seat == TABLE:
            return tuple(compress(CATCHES, state.bag))
        if seat not in self.turns(state):
            return ()
        return self._told(state) if seat == TABLE else self._chosen(state, Mage(seat))

    def _told(self, state: State) -> Sequence[Action]:
        phase = state.phase
        if phase is DRAW:
            return tuple(compress(DRAWS, state.stack))
        if phase is DEAL:
            return tuple(compress(DEALS[state.queue[0]], state.stack))
        if phase is CALL:
            return (Call(), *map(Call, state.queue))
        return TURNS if phase is TURN else UNVEILS

    def _chosen(self, state: State, seat: Mage) -> Sequence[Action]:
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

    def apply(self, state: State, action: Action) -> State:
        """Return the state after a legal action."""
        phase, after = state.phase, None
        if phase is CRYSTALLIZE:
            after = self._crystallized(state, action)
        elif phase is CATCH:
            after = self._caught(state, action)
        elif phase is DRAW:
            after = setting_up.drawn(self.settings, state, action)
        elif phase is DEAL:
            after = setting_up.dealt(self.settings, state, action)
        elif _is_among(action, self.legal(state, action.seat)):
            after = self._done(state, action)
        if after is None:
            raise refusals.refusal(self, state, action)
        return after

    def _done(self, state: State, action: Action) -> State:
        match action:
            case Open() | Take() | Claim() | Waive():
                return opening.after(self.settings, state, action)
            case Turn():
                return setting_up.turned(self.settings, state)
            case Keep(seat, tuple(portals)):
                return setting_up.kept(self.settings, state, seat, portals)
            case Call(first):
                order = self.settings.clockwise(state.catcher if first is None else first)
                queue = tuple([seat for seat in order if seat in state.queue])  # VM-3
                return state.but(phase=OPEN, queue=queue)
            case Unveil():
                return setting_up.unveiled(state)
        return opening.after(self.settings, state, action)  # a crystal, by a power

    def _caught(self, state: State, action: Action) -> State | None:
        if not isinstance(action, Catch) or not state.bag[action.animus]:
            return None
        animus, players, bag = action.animus, state.players, list(state.bag)
        bag[animus] -= 1
        queue = able(players, self.seats, animus)
        caught = (tuple(bag), state.catcher, state.round, CRYSTALLIZE, animus, queue, players)
        state = new(State, state[:-7] + caught)
        return state if queue else self._all_crystallized(state, players)

    def _crystallized(self, state: State, action: Action) -> State | None:
        """Each places once, in any order (VM-2)."""
        queue, seat = state.queue, action.seat
        if not isinstance(action, Crystallize) or seat not in queue:
            return None
        player, animus = state.players[seat], state.animus
        assert animus is not None
        after = crystallized(player, matches(player.opened)[animus], action)
        if after is None:
            return None
        queue = queue[1:] if seat == queue[0] else tuple([one for one in queue if one != seat])
        players = list(state.players)
        players[seat] = after
        if queue:
            return new(State, (*state[:-2], queue, tuple(players)))
        return self._all_crystallized(state, tuple(players))

    def _all_crystallized(self, state: State, players: tuple[Player, ...]) -> State:
        """After a joker all animi go back (VM-2); then those who can open a portal do (VM-3)."""
        if state.animus is JOKER:
            catcher = state.catcher
            if self.settings.hand_over_early:
                catcher = self.settings.clockwise(catcher)[1]
            state = state.but(bag=BAG, catcher=catcher)
        ready = [s for s in self.seats if not FULL.isdisjoint(players[s].building)]
        if not ready:
            return opening.another_round(self.settings, state, players)
        order = self.settings.clockwise(state.catcher)
        callers = tuple([seat for seat in order if seat in ready])
        phase = OPEN if len(callers) == 1 else CALL
        return state.but(phase=phase, queue=callers, players=players)

    def rule(self, state: State, ruling: Ruling) -> State:  # noqa: ARG002 - the contract
        """Refuse: this game knows no rulings; whatever went wrong is taken back."""
        raise Illegal("'{action}' is not an action of this game.", action=ruling)

    def explain(self, state: State, action: Action) -> tuple[Event, ...]:
        """Return what a legal action brings about."""
        return explain.events(self.settings, state, action, self.apply(state, action))

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return what lies open, and the viewer's own hand while it chooses what to keep."""
        allowed = choices(self, state, viewer) if viewer != TABLE else ()
        return viewing.view(self.settings, state, viewer, self.turns(state), allowed)

    def outcome(self, state: State) -> Outcome | None:
        """Return who has the most points, once the last round is over (VM-6)."""
        return scoring.outcome(self.settings, state) if state.phase is OVER else None


def _is_among(action: Action, legal: Sequence[Action]) -> bool:
    """Tell whether an action is legal; nearly always it is the very one that was offered."""
    for one in legal:
        if one is action:
            return True
    return action in legal
