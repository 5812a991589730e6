"""The first two steps of a round: an animus is caught, and everybody places a crystal."""

from companion.core.game import Action
from companion.games.via_magica.rules import model, portals, zones


def caught(settings: model.Settings, state: model.State, action: Action) -> model.State | None:
    """Return the state after the catcher drew an animus blind, and announced it."""
    if (
        not isinstance(action, model.Catch) or type(action.animus) is not portals.Animus
    ):  # which equals a number
        return None
    if not state.bag[action.animus]:
        return None
    animus, players, bag = action.animus, state.players, list(state.bag)
    bag[animus] -= 1
    queue = zones.able(players, settings.seats, animus)
    caught = (tuple(bag), state.catcher, state.round, model.CRYSTALLIZE, animus, queue, players)
    state = model.new(model.State, state[:-7] + caught)
    return state if queue else all_crystallized(settings, state, players)


def crystallized(
    settings: model.Settings, state: model.State, action: Action
) -> model.State | None:
    """Return the state after one has placed a crystal: each does once, in any order (VM-2)."""
    queue, seat, animus = state.queue, action.seat, state.animus
    if not isinstance(action, model.Crystallize) or seat not in queue or animus is None:
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
        return model.new(model.State, state[:-2] + going_on)
    return all_crystallized(settings, state, tuple(players))


def all_crystallized(
    settings: model.Settings, state: model.State, players: tuple[model.Player, ...]
) -> model.State:
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


def another_round(
    settings: model.Settings, state: model.State, players: tuple[model.Player, ...]
) -> model.State:
    """Return the state before the next animus is caught, with the players as they are (VM-2)."""
    catcher = state.catcher
    if state.animus is zones.JOKER and not settings.hand_over_early:
        catcher = settings.clockwise(catcher)[1]
    begun = catcher, state.round + 1, model.CATCH, None, (), players
    return model.new(model.State, state[:-6] + begun)


def called(settings: model.Settings, state: model.State, action: Action) -> model.State | None:
    """Return the state after it was said who called first; that one opens first (VM-3)."""
    if not isinstance(action, model.Call) or action.first not in {None, *state.queue}:
        return None
    order = settings.clockwise(state.catcher if action.first is None else action.first)
    return state.but(phase=model.OPEN, queue=tuple([seat for seat in order if seat in state.queue]))
