"""The third step of a round: a portal is opened, its power used, a new one taken, rewards claimed.

It must not know how an animus is caught. Portals may open within one another: a power is used
before its own portal goes to the success zone, and a portal that it opens or fills is done first.
"""

from __future__ import annotations

from companion.rules.game import Action
from companion.rules.via_magica.portals import ANIMI, PORTALS, Animus, Power
from companion.rules.via_magica.scoring import claimable
from companion.rules.via_magica.state import (
    Building,
    Claim,
    Mage,
    Open,
    Phase,
    Player,
    Settings,
    State,
    Take,
)
from companion.rules.via_magica.zones import (
    full,
    placed,
    placements,
    shifts,
    takeable,
    without,
)

SEVEN = 7  # opened portals end the game (VM-6)
DISPLAY = 5  # portals on the table (VM-1)


def openable(state: State) -> tuple[Action, ...]:
    """Return the full portals of the player who opens."""
    seat = state.queue[0]
    return tuple(Open(seat, number) for number in full(state.players[seat].building))


def uses(state: State) -> tuple[Action, ...]:
    """Return how the power of the portal that is being opened can be used, without waiving it."""
    seat = state.queue[0]
    player, portal = state.players[seat], PORTALS[state.opening[-1]]
    match portal.power:
        case Power.PLACE if portal.animus is not None:
            return placements(player, seat, _places(portal.animus))
        case Power.REARRANGE:
            return shifts(seat, player.building)
        case Power.OPEN:
            return tuple(Open(seat, building.portal) for building in player.building)
        case Power.TAKE:
            return takes(state)
    return ()


def _places(animus: Animus) -> tuple[Animus, ...]:
    return ANIMI if animus is Animus.JOKER else (animus,)


def takes(state: State) -> tuple[Action, ...]:
    """Return what the player who opens may take from the table."""
    seat = state.queue[0]
    return tuple(
        Take(seat, number) for number in takeable(state.players[seat], state.opening, state.display)
    )


def claims(settings: Settings, state: State) -> tuple[Action, ...]:
    """Return which rewards the player who opens may claim."""
    seat = state.queue[0]
    return tuple(Claim(seat, reward) for reward in claimable(settings, state.players, seat))


def opened(settings: Settings, state: State, number: int) -> State:
    """Return the state after steps a and, where nothing is to be chosen, b."""
    seat = state.queue[0]
    portal, player = PORTALS[number], without(state.players[seat], number)
    left = 1
    if portal.power is Power.GAIN:
        player = player._replace(supply=player.supply + portal.count)
    elif portal.power is Power.PLACE:
        left = portal.count
    elif portal.power is Power.REARRANGE:
        left = placed(player.building)  # no crystal needs to be moved twice
    state = state._replace(
        opening=(*state.opening, number), left=left, players=changed(state, seat, player)
    )
    return using(settings, state)


def using(settings: Settings, state: State) -> State:
    """Return the state in which the power can be used, or after it."""
    if state.left and uses(state):
        return state._replace(phase=Phase.POWER)
    return resolved(settings, state)


def resolved(settings: Settings, state: State) -> State:
    """Return the state after a power: what it filled is opened first (VM-8), then c and d."""
    seat, player = state.queue[0], state.players[state.queue[0]]
    if settings.chain and full(player.building):
        return state._replace(phase=Phase.OPEN, left=0)
    player = player._replace(opened=(*player.opened, state.opening[-1]))
    state = state._replace(opening=state.opening[:-1], left=0, players=changed(state, seat, player))
    return state._replace(phase=Phase.TAKE) if takes(state) else rewarding(settings, state)


def taken(settings: Settings, state: State, number: int) -> State:
    """Return the state after a portal went from the table into the building zone."""
    seat, player = state.queue[0], state.players[state.queue[0]]
    player = player._replace(building=(*player.building, Building(number)))
    place = state.display.index(number)  # a second one of its kind stays
    state = state._replace(
        display=state.display[:place] + state.display[place + 1 :],
        left=0,
        took=state.phase is Phase.TAKE,
        players=changed(state, seat, player),
    )
    return refilled(settings, state)


def refilled(settings: Settings, state: State) -> State:
    """Return the state in which the table fills its display, or goes on after it (step e)."""
    stack, discards = state.stack, state.discards
    if len(state.display) + len(state.drawn) < DISPLAY:
        if settings.reshuffle and not any(stack):  # VM-8
            stack, discards = discards, stack
        if any(stack):
            return state._replace(phase=Phase.DRAW, stack=stack, discards=discards)
    if state.drawn:
        return state._replace(phase=Phase.TURN)
    go_on = rewarding if state.took else resolved
    return go_on(settings, state._replace(took=False))


def rewarding(settings: Settings, state: State) -> State:
    """Return the state in which rewards can be claimed (step f), or after it."""
    if claims(settings, state):
        return state._replace(phase=Phase.REWARD)
    return rewarded(settings, state)


def rewarded(settings: Settings, state: State) -> State:
    """Return the state after all steps: the portal around this one, the next caller, or a round."""
    if state.opening:
        return resolved(settings, state)
    queue = state.queue[1:]
    if queue:
        return state._replace(phase=Phase.OPEN, queue=queue)
    return next_round(settings, state._replace(queue=()))


def next_round(settings: Settings, state: State) -> State:
    """Return the state before the next animus is caught, or after the last round (VM-6)."""
    if any(len(player.opened) >= SEVEN for player in state.players):
        return state._replace(phase=Phase.OVER)
    catcher = state.catcher
    if state.animus is Animus.JOKER and not settings.hand_over_early:
        catcher = settings.clockwise(catcher)[1]
    return state._replace(round=state.round + 1, phase=Phase.CATCH, animus=None, catcher=catcher)


def changed(state: State, seat: Mage, player: Player) -> tuple[Player, ...]:
    """Return all players, with this one changed."""
    return (*state.players[:seat], player, *state.players[seat + 1 :])
