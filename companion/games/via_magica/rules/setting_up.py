"""Portals are dealt, laid on the table, kept and unveiled; later the display is filled likewise.

Nobody but its owner sees what was dealt, and nobody what was discarded. By hand people deal; they
tell what lies on the table, and then what each player has kept.
"""

from functools import lru_cache
from itertools import combinations, compress
from typing import Final

from companion.core import SeatName
from companion.core.game import Action
from companion.games.via_magica.rules import buildings, model
from companion.games.via_magica.rules.opening import changed, refilled
from companion.games.via_magica.rules.portals import NUMBERS, PORTALS
from companion.games.via_magica.rules.zones import portals

DEALT, KEPT = 6, 3  # VM-1
ONE_OF: Final = tuple(
    {number: model.Keep(seat, (number,)) for number in NUMBERS} for seat in SeatName
)


def keeps(settings: model.Settings, state: model.State, seat: int) -> tuple[model.Keep, ...]:
    """Return what a player may keep: three of its hand, or by hand the next of any three."""
    player = state.players[seat]
    if not settings.by_hand:
        return _threes(seat, player.hand)
    own = portals(player.building)
    return tuple([ONE_OF[seat][n] for n in compress(NUMBERS, state.stack) if n not in own])


@lru_cache(maxsize=64)
def _threes(seat: int, hand: tuple[int, ...]) -> tuple[model.Keep, ...]:
    """Return every choice of three portals of different kinds (VM-1, VM-3)."""
    kinds = sorted(set(hand))
    return tuple([model.Keep(SeatName(seat), three) for three in combinations(kinds, KEPT)])


def dealt(settings: model.Settings, state: model.State, action: Action) -> model.State | None:
    """Return the state after a portal was dealt, face down, to who is the first in the queue."""
    if not isinstance(action, model.Deal) or action.player != state.queue[0]:
        return None
    seat, portal = action.player, action.portal
    if portal is None or (stack := _without(state.stack, portal)) is None:
        return None
    hand, *rest = state.players[seat]
    hand = tuple(sorted((*hand, portal)))
    players = changed(state, seat, model.new(model.Player, (hand, *rest)))
    queue = state.queue if len(hand) < DEALT else state.queue[1:]
    state = state.but(stack=stack, queue=queue, players=players)
    return state if queue else refilled(settings, state)


def drawn(settings: model.Settings, state: model.State, action: Action) -> model.State | None:
    """Return the state after a portal was drawn from the stack."""
    if not isinstance(action, model.Draw) or (portal := action.portal) is None:
        return None
    if (stack := _without(state.stack, portal)) is None:
        return None
    return refilled(settings, state.but(stack=stack, drawn=(*state.drawn, portal)))


def turned(settings: model.Settings, state: model.State, action: Action) -> model.State | None:
    """Return the state after what was drawn came to lie open on the table."""
    if not isinstance(action, model.Turn):
        return None
    return refilled(settings, state.but(display=(*state.display, *state.drawn), drawn=()))


def kept(settings: model.Settings, state: model.State, action: Action) -> model.State | None:
    """Return the state after a player has chosen, or told one of its portals."""
    seat, queue, stack = action.seat, state.queue, state.stack
    if not isinstance(action, model.Keep) or seat not in queue:
        return None
    if (portals := action.portals) is None or action not in keeps(settings, state, seat):
        return None
    player = state.players[seat]
    hand = list(player.hand)
    for portal in portals:
        if settings.by_hand:
            stack = _without(stack, portal) or stack
        else:
            hand.remove(portal)
    zone = (*player.building, *map(buildings.Building, portals))
    if len(zone) == KEPT:
        queue = tuple([other for other in queue if other != seat])
    return state.but(
        phase=model.Phase.KEEP if queue else model.Phase.UNVEIL,
        stack=stack,
        queue=queue,
        players=changed(state, action.seat, player._replace(hand=tuple(hand), building=zone)),
    )


def unveiled(settings: model.Settings, state: model.State, action: Action) -> model.State | None:  # noqa: ARG001 - every step is given the settings
    """Return the state after all have turned up what they kept, and discarded the others."""
    if not isinstance(action, model.Unveil):
        return None
    discarded = [number for player in state.players for number in player.hand]
    return state.but(
        round=1,
        phase=model.Phase.CATCH,
        discards=tuple(map(discarded.count, NUMBERS)),
        players=tuple([player._replace(hand=()) for player in state.players]),
    )


def _without(stack: tuple[int, ...], portal: int) -> tuple[int, ...] | None:
    """Return the stack without a portal; None if it is not in there."""
    if portal not in PORTALS or not stack[portal - 1]:
        return None
    left = list(stack)
    left[portal - 1] -= 1
    return tuple(left)
