"""The first two steps of a round: an animus is caught, and everybody places a crystal."""

from companion.core.game import Action
from companion.games.via_magica.rules.model import (
    CALL,
    CATCH,
    CRYSTALLIZE,
    OPEN,
    Call,
    Catch,
    Crystallize,
    Player,
    Settings,
    State,
    new,
)
from companion.games.via_magica.rules.portals import BAG, Animus
from companion.games.via_magica.rules.zones import JOKER, able, good_for, moved, ready


def caught(settings: Settings, state: State, action: Action) -> State | None:
    """Return the state after the catcher drew an animus blind, and announced it."""
    if not isinstance(action, Catch) or type(action.animus) is not Animus:  # which equals a number
        return None
    if not state.bag[action.animus]:
        return None
    animus, players, bag = action.animus, state.players, list(state.bag)
    bag[animus] -= 1
    queue = able(players, settings.seats, animus)
    caught = (tuple(bag), state.catcher, state.round, CRYSTALLIZE, animus, queue, players)
    state = new(State, state[:-7] + caught)
    return state if queue else all_crystallized(settings, state, players)


def crystallized(settings: Settings, state: State, action: Action) -> State | None:
    """Return the state after one has placed a crystal: each does once, in any order (VM-2)."""
    queue, seat, animus = state.queue, action.seat, state.animus
    if not isinstance(action, Crystallize) or seat not in queue or animus is None:
        return None
    players = list(state.players)
    player = players[seat]
    if action.on.animus is not animus and good_for(player, animus) is not JOKER:
        return None
    after = moved(player, action)
    if after is None:
        return None
    players[seat] = after
    queue = queue[1:] if seat == queue[0] else tuple([other for other in queue if other != seat])
    if queue:
        going_on = queue, tuple(players)
        return new(State, state[:-2] + going_on)
    return all_crystallized(settings, state, tuple(players))


def all_crystallized(settings: Settings, state: State, players: tuple[Player, ...]) -> State:
    """After a joker all animi go back (VM-2); then those who can open a portal do (VM-3)."""
    if state.animus is JOKER:
        catcher = state.catcher
        if settings.hand_over_early:
            catcher = settings.clockwise(catcher)[1]
        state = state.but(bag=BAG, catcher=catcher)
    able_to_open = ready(players, settings.seats)
    if not able_to_open:
        return another_round(settings, state, players)
    order = settings.clockwise(state.catcher)
    callers = tuple([seat for seat in order if seat in able_to_open])
    phase = OPEN if len(callers) == 1 else CALL
    return state.but(phase=phase, queue=callers, players=players)


def another_round(settings: Settings, state: State, players: tuple[Player, ...]) -> State:
    """Return the state before the next animus is caught, with the players as they are (VM-2)."""
    catcher = state.catcher
    if state.animus is JOKER and not settings.hand_over_early:
        catcher = settings.clockwise(catcher)[1]
    begun = catcher, state.round + 1, CATCH, None, (), players
    return new(State, state[:-6] + begun)


def called(settings: Settings, state: State, action: Action) -> State | None:
    """Return the state after it was said who called first; that one opens first (VM-3)."""
    if not isinstance(action, Call) or action.first not in {None, *state.queue}:
        return None
    order = settings.clockwise(state.catcher if action.first is None else action.first)
    return state.but(phase=OPEN, queue=tuple([seat for seat in order if seat in state.queue]))
