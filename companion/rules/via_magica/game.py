"""The game itself: deal and keep; then catch, crystallize and open, until somebody has seven.

It must not know what an opened portal brings about, nor who is asking.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final

from companion.rules.game import TABLE, Action, Event, Illegal, Outcome, Ruling, Seat, choices
from companion.rules.via_magica import explain, opening, refusals, scoring, setting_up, viewing
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
)
from companion.rules.via_magica.zones import crystallized, full, matching, placements

CRYSTALS: Final = 7  # VM-1
KINDS: Final = len(NUMBERS)
THE_TABLE: Final = (TABLE,)
BY_THE_TABLE: Final = {
    *(Phase.DEAL, Phase.DRAW, Phase.TURN, Phase.UNVEIL, Phase.CATCH, Phase.CALL),
}
AT_ONCE: Final = {Phase.KEEP, Phase.CRYSTALLIZE}
DEALS: Final = tuple(tuple(Deal(mage, number) for number in NUMBERS) for mage in Mage)
DRAWS: Final = tuple(Draw(number) for number in NUMBERS)
CATCHES: Final = tuple(Catch(animus) for animus in Animus)
ALONE: Final = tuple((mage,) for mage in Mage)


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

    def start(self) -> State:
        """Return the stack of all portals, before the first is dealt; the first seat catches."""
        return State(
            *(0, Phase.DEAL, (COPIES,) * KINDS, (0,) * KINDS, (), (), (), None),
            *(self.seats[0], (), (), 0, False),
            tuple(Player(supply=CRYSTALS if mage in self.seats else 0) for mage in Mage),
        )

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return everybody who may act: all at once, the one who opens, or the table."""
        phase = state.phase
        if phase in BY_THE_TABLE:
            return THE_TABLE
        if phase in AT_ONCE:
            return state.queue
        return () if phase is Phase.OVER else ALONE[state.queue[0]]

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        if seat not in self.turns(state):
            return ()
        match state.phase:
            case Phase.DEAL:
                return _left(DEALS[setting_up.dealt_next(self.settings, state)], state.stack)
            case Phase.DRAW:
                return _left(DRAWS, state.stack)
            case Phase.TURN:
                return (Turn(),)
            case Phase.KEEP:
                return setting_up.keeps(Mage(seat), state.players[seat].hand)
            case Phase.UNVEIL:
                return (Unveil(),)
            case Phase.CATCH:
                return _left(CATCHES, _bag(state.caught))
            case Phase.CALL:
                return (Call(), *map(Call, state.queue))
            case Phase.CRYSTALLIZE:
                return self._placements(state, Mage(seat))
        return self._opening(state, Mage(seat))

    def _opening(self, state: State, seat: Mage) -> Sequence[Action]:
        match state.phase:
            case Phase.OPEN:
                return opening.openable(state)
            case Phase.TAKE:
                return opening.takes(state)
            case Phase.POWER:
                return (*opening.uses(state), Waive(seat))
        return (*opening.claims(self.settings, state), Waive(seat))

    def odds(self, state: State) -> Sequence[int]:
        """Return how many of each portal or animus are left; who calls first, anybody may."""
        match state.phase:
            case Phase.DEAL | Phase.DRAW:
                return [count for count in state.stack if count]
            case Phase.CATCH:
                return [count for count in _bag(state.caught) if count]
        return (1,) * len(self.legal(state, TABLE))

    def apply(self, state: State, action: Action) -> State:
        """Return the state after a legal action."""
        if action not in self.legal(state, action.seat):
            raise refusals.refusal(self, state, action)
        match action:
            case Deal() | Draw() | Turn() | Keep() | Unveil():
                return setting_up.after(self.settings, state, action)
            case Catch(animus):
                return self._caught(state, animus)
            case Crystallize(seat):
                return self._crystallized(state, seat, action)
            case Call(first):
                order = self.settings.clockwise(state.catcher if first is None else first)
                queue = tuple(seat for seat in order if seat in state.queue)  # VM-3
                return state._replace(phase=Phase.OPEN, queue=queue)
            case Open(_, portal):
                return opening.opened(self.settings, state, portal)
            case Take(_, portal):
                return opening.taken(self.settings, state, portal)
            case Claim(seat, reward):
                player = state.players[seat]
                player = player._replace(rewards=(*player.rewards, reward))
                players = opening.changed(state, seat, player)
                return opening.rewarding(self.settings, state._replace(players=players))
        if state.phase is Phase.POWER:
            return opening.resolved(self.settings, state)
        return opening.rewarded(self.settings, state)

    def _caught(self, state: State, animus: Animus) -> State:
        state = state._replace(
            phase=Phase.CRYSTALLIZE, animus=animus, caught=(*state.caught, animus)
        )
        queue = tuple(seat for seat in self.seats if self._placements(state, seat))
        state = state._replace(queue=queue)
        return state if queue else self._all_crystallized(state)

    def _placements(self, state: State, seat: Mage) -> tuple[Crystallize, ...]:
        assert state.animus is not None
        player = state.players[seat]
        return placements(player, seat, matching(player, state.animus))

    def _crystallized(self, state: State, seat: Mage, action: Crystallize) -> State:
        player = crystallized(state.players[seat], action)
        state = state._replace(players=opening.changed(state, seat, player))
        if state.phase is Phase.POWER:
            return opening.using(self.settings, state._replace(left=state.left - 1))
        state = state._replace(queue=tuple(one for one in state.queue if one != seat))
        return state if state.queue else self._all_crystallized(state)

    def _all_crystallized(self, state: State) -> State:
        """After a joker all animi go back (VM-2); then those who can open a portal do (VM-3)."""
        if state.animus is Animus.JOKER:
            catcher = state.catcher
            if self.settings.hand_over_early:
                catcher = self.settings.clockwise(catcher)[1]
            state = state._replace(caught=(), catcher=catcher)
        order = self.settings.clockwise(state.catcher)
        callers = tuple(seat for seat in order if full(state.players[seat].building))
        if not callers:
            return opening.next_round(self.settings, state)
        phase = Phase.OPEN if len(callers) == 1 else Phase.CALL
        return state._replace(phase=phase, queue=callers)

    def rule(self, state: State, ruling: Ruling) -> State:  # noqa: ARG002
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
        return scoring.outcome(self.settings, state) if state.phase is Phase.OVER else None


def _left(actions: Sequence[Action], counts: Sequence[int]) -> tuple[Action, ...]:
    return tuple([action for action, count in zip(actions, counts, strict=True) if count])


@lru_cache(maxsize=4096)
def _bag(caught: tuple[Animus, ...]) -> tuple[int, ...]:
    return tuple(count - caught.count(animus) for animus, count in zip(Animus, BAG, strict=True))
