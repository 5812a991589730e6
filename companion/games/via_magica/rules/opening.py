"""The third step of a round: a portal is opened, its power used, a new one taken, rewards claimed.

Portals may open within one another: a power is used before its own portal goes to the success zone,
and a portal that it opens or fills is done first.
"""

from collections.abc import Sequence
from typing import Final

from companion.core import SeatName
from companion.core.game import Action
from companion.games.via_magica.rules import buildings, model, rounds, zones
from companion.games.via_magica.rules.portals import NUMBERS, PORTALS, Animus, Portal, Power, Reward
from companion.games.via_magica.rules.scoring import claimable

SEVEN = 7  # opened portals end the game (VM-6)
DISPLAY = 5  # portals on the table (VM-1)
DISCARDED = 3  # of the portals dealt to each (VM-1)
OPENS: Final = tuple(
    tuple(model.Open(seat, number) for number in (0, *NUMBERS)) for seat in SeatName
)
TAKES: Final = tuple(
    tuple(model.Take(seat, number) for number in (0, *NUMBERS)) for seat in SeatName
)
CLAIMS: Final = tuple(tuple(model.Claim(seat, reward) for reward in Reward) for seat in SeatName)


def after(settings: model.Settings, state: model.State, action: Action) -> model.State | None:
    """Return the state after an action of this step; None if it is not legal."""
    seat = state.queue[0]
    if action.seat != seat:
        return None
    player = state.players[seat]
    match state.phase, action:
        case model.Phase.OPEN, model.Open(portal=number) if number in zones.full(player.building):
            return opened(settings, state, number)
        case model.Phase.TAKE, model.Take(portal=number) if number in zones.takeable(state, player):
            return taken(settings, state, number)
        case model.Phase.REWARD, model.Claim() if action in claims(settings, state):
            player = player._replace(rewards=(*player.rewards, action.reward))
            return rewarding(settings, state.but(players=changed(state, seat, player)))
        case model.Phase.REWARD, model.Waive():
            return rewarded(settings, state)
        case model.Phase.POWER, model.Waive():
            return resolved(settings, state)
        case model.Phase.POWER, _:
            return used(settings, state, action)
    return None


def used(settings: model.Settings, state: model.State, action: Action) -> model.State | None:
    """Return the state after a power was used once; None if it does not allow that."""
    player, portal = state.players[action.seat], PORTALS[state.opening[-1]]
    after: model.Player | None = None
    match portal.power, action:
        case Power.OPEN, model.Open(portal=number) if number in zones.portals(player.building):
            return opened(settings, state.but(left=0), number)
        case Power.TAKE, model.Take(portal=number) if number in zones.takeable(state, player):
            return taken(settings, state, number)
        case Power.PLACE, model.Crystallize(on=field) if portal.animus in {
            field.animus,
            Animus.JOKER,
        }:
            after = zones.moved(player, action)
        case Power.REARRANGE, model.Crystallize(on=field) if action.source not in {field, None}:
            after = zones.moved(player, action)
    if after is None:
        return None
    players = changed(state, state.queue[0], after)
    state = state.but(left=state.left - 1, players=players)
    if (
        settings.chain and settings.interrupts and field.portal in zones.full(after.building)
    ):  # VM-8
        return state.but(phase=model.Phase.OPEN)
    return using(settings, state)


def openable(state: model.State) -> tuple[Action, ...]:
    """Return the full portals of the player who opens."""
    seat = state.queue[0]
    return tuple([OPENS[seat][number] for number in zones.full(state.players[seat].building)])


def uses(state: model.State) -> Sequence[Action]:
    """Return how the power of the portal that is being opened can be used, without waiving it."""
    seat = state.queue[0]
    player, portal = state.players[seat], PORTALS[state.opening[-1]]
    match portal.power:
        case Power.PLACE if portal.animus is not None:
            return zones.Ways(seat, player, portal.animus)
        case Power.REARRANGE:
            return zones.shifts(seat, player.building)
        case Power.OPEN:
            return tuple([OPENS[seat][number] for number in zones.portals(player.building)])
        case Power.TAKE:
            return takes(state)
    return ()


def takes(state: model.State) -> tuple[Action, ...]:
    """Return what the player who opens may take from the table."""
    seat = state.queue[0]
    return tuple([TAKES[seat][number] for number in zones.takeable(state, state.players[seat])])


def claims(settings: model.Settings, state: model.State) -> tuple[Action, ...]:
    """Return which rewards the player who opens may claim."""
    seat = state.queue[0]
    return tuple([CLAIMS[seat][reward] for reward in claimable(settings, state.players, seat)])


def opened(settings: model.Settings, state: model.State, number: int) -> model.State:
    """Return the state after steps a and, where nothing is to be chosen, b."""
    seat = state.queue[0]
    portal, player = PORTALS[number], zones.without(state.players[seat], number)
    left = 0
    if portal.power is not None:
        player, left = _powered(player, portal)
    halted = (*state.halted, state.left) if state.opening else ()
    opening, players = (*state.opening, number), changed(state, seat, player)
    return using(settings, state.but(opening=opening, left=left, halted=halted, players=players))


def _powered(player: model.Player, portal: Portal) -> tuple[model.Player, int]:
    """Return the player, with crystals gained, and how often the power may be used."""
    match portal.power:
        case Power.GAIN:
            return player._replace(supply=player.supply + portal.count), 0
        case Power.PLACE:
            return player, portal.count
        case Power.REARRANGE:  # no crystal needs to be moved twice
            return player, sum([sum(building.covered) for building in player.building])
    return player, 1


def using(settings: model.Settings, state: model.State) -> model.State:
    """Return the state in which the power can be used, or after it."""
    if state.left and uses(state):
        return state.but(phase=model.Phase.POWER)
    return resolved(settings, state)


def resolved(settings: model.Settings, state: model.State) -> model.State:
    """Return the state after a power: what it filled is opened first (VM-8), then c and d."""
    seat, player = state.queue[0], state.players[state.queue[0]]
    if settings.chain and zones.full(player.building):
        return state.but(phase=model.Phase.OPEN, left=0)
    hand, supply, zone, opened, rewards = player
    opening, number = state.opening[:-1], state.opening[-1]
    player = model.new(model.Player, (hand, supply, zone, (*opened, number), rewards))
    players = changed(state, seat, player)
    state = state.but(opening=opening, left=0, phase=model.Phase.TAKE, players=players)
    return state if zones.takeable(state, player) else rewarding(settings, state)


def taken(settings: model.Settings, state: model.State, number: int) -> model.State:
    """Return the state after a portal went from the table into the building zone."""
    seat, display = state.queue[0], list(state.display)
    hand, supply, zone, *done = state.players[seat]
    player = model.new(model.Player, (hand, supply, (*zone, buildings.Building(number)), *done))
    display.remove(number)  # a second one of its kind stays
    players, took = changed(state, seat, player), state.phase is model.Phase.TAKE
    return refilled(settings, state.but(display=tuple(display), left=0, took=took, players=players))


def refilled(settings: model.Settings, state: model.State) -> model.State:
    """Return the state in which the table fills its display, or goes on after it (step e)."""
    drawn = state.drawn
    if len(state.display) + len(drawn) < DISPLAY and not (drawn and settings.by_hand):
        if settings.reshuffle and not any(state.stack):  # VM-8
            state = state.but(stack=state.discards, discards=state.stack)
        if any(state.stack) and not _used_up(settings, state.stack):
            return state.but(phase=model.Phase.DRAW)
    if drawn:
        return state.but(phase=model.Phase.TURN)
    if state.round == 0:
        return state.but(phase=model.Phase.KEEP, queue=settings.seats)
    return rewarding(settings, state) if state.took else resolved(settings, state)


def _used_up(settings: model.Settings, stack: tuple[int, ...]) -> bool:
    """By hand the stack still counts what was dealt and not kept: nobody says what it was."""
    discarded = DISCARDED * len(settings.seats)
    return settings.by_hand and not settings.reshuffle and sum(stack) <= discarded


def rewarding(settings: model.Settings, state: model.State) -> model.State:
    """Return the state in which rewards can be claimed (step f), or after it."""
    if claimable(settings, state.players, state.queue[0]):
        return state.but(phase=model.Phase.REWARD)
    return rewarded(settings, state)


def rewarded(settings: model.Settings, state: model.State) -> model.State:
    """Return the state after all steps: the portal around this one, the next caller, or a round."""
    if state.opening:
        return using(settings, state.but(left=state.halted[-1], halted=state.halted[:-1]))
    queue = state.queue[1:]
    if queue:
        return state.but(phase=model.Phase.OPEN, queue=queue)
    return next_round(settings, state)


def next_round(settings: model.Settings, state: model.State) -> model.State:
    """Return the state before the next animus is caught, or after the last round (VM-6)."""
    if max([len(player.opened) for player in state.players]) >= SEVEN:
        return state.but(phase=model.Phase.OVER, queue=())
    return rounds.another_round(settings, state, state.players)


def changed(state: model.State, seat: SeatName, player: model.Player) -> tuple[model.Player, ...]:
    """Return all players, with this one changed."""
    players = list(state.players)
    players[seat] = player
    return tuple(players)
