"""Portals are dealt, laid on the table, kept and unveiled; later the display is filled likewise.

It must not know rounds. Nobody but its owner sees what was dealt, and nobody what was discarded.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from companion.rules.game import Action
from companion.rules.via_magica.opening import changed, refilled
from companion.rules.via_magica.portals import NUMBERS
from companion.rules.via_magica.state import (
    Building,
    Deal,
    Draw,
    Keep,
    Mage,
    Phase,
    Settings,
    State,
    Turn,
)

DEALT, KEPT = 6, 3  # VM-1


def dealt_next(settings: Settings, state: State) -> Mage:
    """Return whom the table deals to."""
    return next(seat for seat in settings.seats if len(state.players[seat].hand) < DEALT)


@lru_cache(maxsize=256)
def keeps(seat: Mage, hand: tuple[int, ...]) -> tuple[Keep, ...]:
    """Return every choice of three portals of different kinds (VM-1, VM-3)."""
    kinds = sorted(set(hand))
    return tuple(Keep(seat, portals) for portals in combinations(kinds, KEPT))


def after(settings: Settings, state: State, action: Action) -> State:
    """Return the state after a legal action of the set-up, or of filling the display."""
    match action:
        case Deal(seat, int(portal)):
            return _dealt(settings, state, seat, portal)
        case Draw(int(portal)):
            state = _off_the_stack(state, portal)._replace(drawn=(*state.drawn, portal))
            return refilled(settings, state)
        case Turn():
            state = state._replace(display=(*state.display, *state.drawn), drawn=())
            if state.round == 0:
                return state._replace(phase=Phase.KEEP, queue=settings.seats)
            return refilled(settings, state)
        case Keep(seat, tuple(portals)):
            return _kept(state, seat, portals)
    return _unveiled(state)


def _dealt(settings: Settings, state: State, seat: Mage, portal: int) -> State:
    player = state.players[seat]
    player = player._replace(hand=tuple(sorted((*player.hand, portal))))
    state = _off_the_stack(state, portal)._replace(players=changed(state, seat, player))
    if len(state.players[settings.seats[-1]].hand) < DEALT:
        return state
    return refilled(settings, state)


def _kept(state: State, seat: Mage, portals: tuple[int, ...]) -> State:
    player = state.players[seat]
    hand = list(player.hand)
    for portal in portals:
        hand.remove(portal)
    zone = tuple(Building(portal) for portal in portals)
    player = player._replace(hand=tuple(hand), building=zone)
    queue = tuple(one for one in state.queue if one != seat)
    phase = Phase.KEEP if queue else Phase.UNVEIL
    return state._replace(phase=phase, queue=queue, players=changed(state, seat, player))


def _unveiled(state: State) -> State:
    discarded = [number for player in state.players for number in player.hand]
    return state._replace(
        round=1,
        phase=Phase.CATCH,
        discards=tuple(map(discarded.count, NUMBERS)),
        players=tuple(player._replace(hand=()) for player in state.players),
    )


def _off_the_stack(state: State, portal: int) -> State:
    stack = state.stack
    return state._replace(stack=(*stack[: portal - 1], stack[portal - 1] - 1, *stack[portal:]))
