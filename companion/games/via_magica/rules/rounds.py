"""The steps of a match, each from one state to the next: set-up, catching, placing, opening.

Before the first round portals are dealt, laid on the table, kept and unveiled. Nobody but its owner
sees what was dealt, and nobody what was discarded. By hand people deal; they tell what lies on the
table, and then what each player has kept. In a round an animus is caught, and everybody places a
crystal. Whoever has a full portal then opens it: its power is used, a new one taken, the display
filled as it was at first, and rewards are claimed. Portals may open within one another: a power is
used before its own portal goes to the success zone, and a portal that it opens or fills is done
first.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, compress
from typing import Final

from companion.core import Action, SeatName
from companion.games.via_magica.rules import model, portals, zones
from companion.games.via_magica.rules.buildings import Building
from companion.games.via_magica.rules.model import Player, Settings, State
from companion.games.via_magica.rules.scoring import claimable

DEALT, KEPT = 6, 3  # VM-1
ONE_OF: Final = tuple(
    {number: model.Keep(seat, (number,)) for number in portals.NUMBERS} for seat in SeatName
)
SEVEN = 7  # opened portals end the game (VM-6)
DISPLAY = 5  # portals on the table (VM-1)
DISCARDED = 3  # of the portals dealt to each (VM-1)
OPENS: Final = tuple(
    tuple(model.Open(seat, number) for number in (0, *portals.NUMBERS)) for seat in SeatName
)
TAKES: Final = tuple(
    tuple(model.Take(seat, number) for number in (0, *portals.NUMBERS)) for seat in SeatName
)
CLAIMS: Final = tuple(
    tuple(model.Claim(seat, reward) for reward in portals.Reward) for seat in SeatName
)


# --- before the first round ---------------------------------------------------------------------


def keeps(settings: Settings, state: State, seat: int) -> tuple[model.Keep, ...]:
    """Return what a player may keep: three of its hand, or by hand the next of any three."""
    player = state.players[seat]
    if not settings.by_hand:
        return _threes(seat, player.hand)
    own = zones.portals(player.building)
    return tuple([ONE_OF[seat][n] for n in compress(portals.NUMBERS, state.stack) if n not in own])


@lru_cache(maxsize=64)
def _threes(seat: int, hand: tuple[int, ...]) -> tuple[model.Keep, ...]:
    """Return every choice of three portals of different kinds (VM-1, VM-3)."""
    kinds = sorted(set(hand))
    return tuple([model.Keep(SeatName(seat), three) for three in combinations(kinds, KEPT)])


def dealt(settings: Settings, state: State, action: model.Deal) -> State | None:
    """Return the state after a portal was dealt, face down, to who is the first in the queue."""
    seat, portal = action.player, action.portal
    if seat != state.queue[0] or portal is None:
        return None
    if (stack := _without(state.stack, portal)) is None:
        return None
    hand, *rest = state.players[seat]
    hand = tuple(sorted((*hand, portal)))
    players = with_player(state, seat, model.new(Player, (hand, *rest)))
    queue = state.queue if len(hand) < DEALT else state.queue[1:]
    state = state.but(stack=stack, queue=queue, players=players)
    return state if queue else refilled(settings, state)


def after_draw(settings: Settings, state: State, action: model.Draw) -> State | None:
    """Return the state after a portal was drawn from the stack."""
    if (portal := action.portal) is None or (stack := _without(state.stack, portal)) is None:
        return None
    return refilled(settings, state.but(stack=stack, drawn=(*state.drawn, portal)))


def turned(settings: Settings, state: State, _: model.Turn) -> State:
    """Return the state after what was drawn came to lie open on the table."""
    return refilled(settings, state.but(display=(*state.display, *state.drawn), drawn=()))


def after_keep(settings: Settings, state: State, action: model.Keep) -> State | None:
    """Return the state after a player has chosen, or told one of its portals."""
    seat, queue, stack = action.seat, state.queue, state.stack
    if seat not in queue or action not in keeps(settings, state, seat):
        return None
    three = action.portals or ()
    player = state.players[seat]
    hand = list(player.hand)
    for portal in three:
        if settings.by_hand:
            stack = _without(stack, portal) or stack
        else:
            hand.remove(portal)
    zone = (*player.building, *map(Building, three))
    if len(zone) == KEPT:
        queue = tuple([other for other in queue if other != seat])
    return state.but(
        phase=model.KEEP if queue else model.UNVEIL,
        stack=stack,
        queue=queue,
        players=with_player(state, action.seat, player._replace(hand=tuple(hand), building=zone)),
    )


def unveiled(_: Settings, state: State, _action: model.Unveil) -> State:
    """Return the state after all have turned up what they kept, and discarded the others."""
    discarded = [number for player in state.players for number in player.hand]
    return state.but(
        round=1,
        phase=model.CATCH,
        discards=tuple(map(discarded.count, portals.NUMBERS)),
        players=tuple([player._replace(hand=()) for player in state.players]),
    )


def _without(stack: tuple[int, ...], portal: int) -> tuple[int, ...] | None:
    """Return the stack without a portal; None if it is not in there."""
    if portal not in portals.PORTALS or not stack[portal - 1]:
        return None
    left = list(stack)
    left[portal - 1] -= 1
    return tuple(left)


# --- an animus is caught, and everybody places a crystal ----------------------------------------


def caught(settings: Settings, state: State, action: model.Catch) -> State | None:
    """Return the state after the catcher drew an animus blind, and announced it."""
    if type(action.animus) is not portals.Animus or not state.bag[action.animus]:  # no number
        return None
    animus, players, bag = action.animus, state.players, list(state.bag)
    bag[animus] -= 1
    queue = zones.able(players, settings.seats, animus)
    caught = (tuple(bag), state.catcher, state.round, model.CRYSTALLIZE, animus, queue, players)
    state = model.new(State, state[:-7] + caught)
    return state if queue else all_crystallized(settings, state, players)


def crystallized(settings: Settings, state: State, action: model.Crystallize) -> State | None:
    """Return the state after one has placed a crystal: each does once, in any order (VM-2)."""
    queue, seat, animus = state.queue, action.seat, state.animus
    if seat not in queue or animus is None:
        return None
    players = list(state.players)
    player = players[seat]
    if action.on.animus is not animus and zones.good_for(player, animus) is not zones.JOKER:
        return None
    after = zones.moved(player, action)
    if after is None:
        return None
    players[seat] = after
    queue = queue[1:] if seat == queue[0] else tuple([other for other in queue if other != seat])
    if queue:
        going_on = queue, tuple(players)
        return model.new(State, state[:-2] + going_on)
    return all_crystallized(settings, state, tuple(players))


def all_crystallized(settings: Settings, state: State, players: tuple[Player, ...]) -> State:
    """After a joker all animi go back (VM-2); then those who can open a portal do (VM-3)."""
    if state.animus is zones.JOKER:
        catcher = state.catcher
        if settings.hand_over_early:
            catcher = settings.clockwise(catcher)[1]
        state = state.but(bag=portals.BAG, catcher=catcher)
    able_to_open = zones.ready(players, settings.seats)
    if not able_to_open:
        return another_round(settings, state, players)
    order = settings.clockwise(state.catcher)
    callers = tuple([seat for seat in order if seat in able_to_open])
    phase = model.OPEN if len(callers) == 1 else model.CALL
    return state.but(phase=phase, queue=callers, players=players)


def another_round(settings: Settings, state: State, players: tuple[Player, ...]) -> State:
    """Return the state before the next animus is caught, with the players as they are (VM-2)."""
    catcher = state.catcher
    if state.animus is zones.JOKER and not settings.hand_over_early:
        catcher = settings.clockwise(catcher)[1]
    begun = catcher, state.round + 1, model.CATCH, None, (), players
    return model.new(State, state[:-6] + begun)


def called(settings: Settings, state: State, action: model.Call) -> State | None:
    """Return the state after it was said who called first; that one opens first (VM-3)."""
    if action.first not in {None, *state.queue}:
        return None
    order = settings.clockwise(state.catcher if action.first is None else action.first)
    return state.but(phase=model.OPEN, queue=tuple([seat for seat in order if seat in state.queue]))


# --- portals are opened -------------------------------------------------------------------------


def in_opening(settings: Settings, state: State, action: Action) -> State | None:
    """Return the state after an action of this step; None if it is not legal."""
    seat = state.queue[0]
    if action.seat != seat:
        return None
    player = state.players[seat]
    match state.phase, action:
        case model.OPEN, model.Open(portal=number) if number in zones.full(player.building):
            return after_open(settings, state, number)
        case model.TAKE, model.Take(portal=number) if number in zones.takeable(state, player):
            return after_take(settings, state, number)
        case model.REWARD, model.Claim() if action in claims(settings, state):
            player = player._replace(rewards=(*player.rewards, action.reward))
            return rewarding(settings, state.but(players=with_player(state, seat, player)))
        case model.REWARD, model.Waive():
            return rewarded(settings, state)
        case model.POWER, model.Waive():
            return resolved(settings, state)
        case model.POWER, _:
            return used(settings, state, action)
    return None


def used(settings: Settings, state: State, action: Action) -> State | None:
    """Return the state after a power was used once; None if it does not allow that."""
    player, portal = state.players[action.seat], portals.PORTALS[state.opening[-1]]
    after: Player | None = None
    match portal.power, action:
        case portals.Power.OPEN, model.Open(portal=number) if number in zones.portals(
            player.building
        ):
            return after_open(settings, state.but(left=0), number)
        case portals.Power.TAKE, model.Take(portal=number) if number in zones.takeable(
            state, player
        ):
            return after_take(settings, state, number)
        case portals.Power.PLACE, model.Crystallize(on=field) if portal.animus in {
            field.animus,
            portals.Animus.JOKER,
        }:
            after = zones.moved(player, action)
        case portals.Power.REARRANGE, model.Crystallize(on=field) if action.source not in {
            field,
            None,
        }:
            after = zones.moved(player, action)
    if after is None:
        return None
    players = with_player(state, state.queue[0], after)
    state = state.but(left=state.left - 1, players=players)
    if (
        settings.chain and settings.interrupts and field.portal in zones.full(after.building)
    ):  # VM-8
        return state.but(phase=model.OPEN)
    return using(settings, state)


def openable(state: State) -> tuple[Action, ...]:
    """Return the full portals of the player who opens."""
    seat = state.queue[0]
    return tuple([OPENS[seat][number] for number in zones.full(state.players[seat].building)])


def uses(state: State) -> Sequence[Action]:
    """Return how the power of the portal that is being opened can be used, without waiving it."""
    seat = state.queue[0]
    player, portal = state.players[seat], portals.PORTALS[state.opening[-1]]
    match portal.power:
        case portals.Power.PLACE if portal.animus is not None:
            return zones.Ways(seat, player, portal.animus)
        case portals.Power.REARRANGE:
            return zones.shifts(seat, player.building)
        case portals.Power.OPEN:
            return tuple([OPENS[seat][number] for number in zones.portals(player.building)])
        case portals.Power.TAKE:
            return takes(state)
    return ()


def takes(state: State) -> tuple[Action, ...]:
    """Return what the player who opens may take from the table."""
    seat = state.queue[0]
    return tuple([TAKES[seat][number] for number in zones.takeable(state, state.players[seat])])


def claims(settings: Settings, state: State) -> tuple[Action, ...]:
    """Return which rewards the player who opens may claim."""
    seat = state.queue[0]
    return tuple([CLAIMS[seat][reward] for reward in claimable(settings, state.players, seat)])


def after_open(settings: Settings, state: State, number: int) -> State:
    """Return the state after steps a and, where nothing is to be chosen, b."""
    seat = state.queue[0]
    portal, player = portals.PORTALS[number], zones.without(state.players[seat], number)
    left = 0
    if portal.power is not None:
        player, left = _powered(player, portal)
    halted = (*state.halted, state.left) if state.opening else ()
    opening, players = (*state.opening, number), with_player(state, seat, player)
    return using(settings, state.but(opening=opening, left=left, halted=halted, players=players))


def _powered(player: Player, portal: portals.Portal) -> tuple[Player, int]:
    """Return the player, with crystals gained, and how often the power may be used."""
    match portal.power:
        case portals.Power.GAIN:
            return player._replace(supply=player.supply + portal.count), 0
        case portals.Power.PLACE:
            return player, portal.count
        case portals.Power.REARRANGE:  # no crystal needs to be moved twice
            return player, sum([sum(building.covered) for building in player.building])
    return player, 1


def using(settings: Settings, state: State) -> State:
    """Return the state in which the power can be used, or after it."""
    if state.left and uses(state):
        return state.but(phase=model.POWER)
    return resolved(settings, state)


def resolved(settings: Settings, state: State) -> State:
    """Return the state after a power: what it filled is opened first (VM-8), then c and d."""
    seat, player = state.queue[0], state.players[state.queue[0]]
    if settings.chain and zones.full(player.building):
        return state.but(phase=model.OPEN, left=0)
    hand, supply, zone, opened, rewards = player
    opening, number = state.opening[:-1], state.opening[-1]
    player = model.new(Player, (hand, supply, zone, (*opened, number), rewards))
    players = with_player(state, seat, player)
    state = state.but(opening=opening, left=0, phase=model.TAKE, players=players)
    return state if zones.takeable(state, player) else rewarding(settings, state)


def after_take(settings: Settings, state: State, number: int) -> State:
    """Return the state after a portal went from the table into the building zone."""
    seat, display = state.queue[0], list(state.display)
    hand, supply, zone, *done = state.players[seat]
    player = model.new(Player, (hand, supply, (*zone, Building(number)), *done))
    display.remove(number)  # a second one of its kind stays
    players, took = with_player(state, seat, player), state.phase is model.TAKE
    return refilled(settings, state.but(display=tuple(display), left=0, took=took, players=players))


def refilled(settings: Settings, state: State) -> State:
    """Return the state in which the table fills its display, or goes on after it (step e)."""
    drawn = state.drawn
    if len(state.display) + len(drawn) < DISPLAY and not (drawn and settings.by_hand):
        if settings.reshuffle and not any(state.stack):  # VM-8
            state = state.but(stack=state.discards, discards=state.stack)
        if any(state.stack) and not _used_up(settings, state.stack):
            return state.but(phase=model.DRAW)
    if drawn:
        return state.but(phase=model.TURN)
    if state.round == 0:
        return state.but(phase=model.KEEP, queue=settings.seats)
    return rewarding(settings, state) if state.took else resolved(settings, state)


def _used_up(settings: Settings, stack: tuple[int, ...]) -> bool:
    """By hand the stack still counts what was dealt and not kept: nobody says what it was."""
    discarded = DISCARDED * len(settings.seats)
    return settings.by_hand and not settings.reshuffle and sum(stack) <= discarded


def rewarding(settings: Settings, state: State) -> State:
    """Return the state in which rewards can be claimed (step f), or after it."""
    if claimable(settings, state.players, state.queue[0]):
        return state.but(phase=model.REWARD)
    return rewarded(settings, state)


def rewarded(settings: Settings, state: State) -> State:
    """Return the state after all steps: the portal around this one, the next caller, or a round."""
    if state.opening:
        return using(settings, state.but(left=state.halted[-1], halted=state.halted[:-1]))
    queue = state.queue[1:]
    if queue:
        return state.but(phase=model.OPEN, queue=queue)
    return next_round(settings, state)


def next_round(settings: Settings, state: State) -> State:
    """Return the state before the next animus is caught, or after the last round (VM-6)."""
    if max([len(player.opened) for player in state.players]) >= SEVEN:
        return state.but(phase=model.OVER, queue=())
    return another_round(settings, state, state.players)


def with_player(state: State, seat: SeatName, player: Player) -> tuple[Player, ...]:
    """Return all players, with this one changed."""
    players = list(state.players)
    players[seat] = player
    return tuple(players)
