"""What an action brings about, told step by step for people and lights.

It must not change a state, nor tell anything that is hidden.
"""

from companion.core.game import Action, Event
from companion.games.via_magica.rules import events, model, opening, scoring
from companion.games.via_magica.rules.portals import PORTALS, WORTH, Power
from companion.games.via_magica.rules.zones import portals


def events_of(
    settings: model.Settings, state: model.State, action: Action, after: model.State
) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    happened = _done(settings, state, action, after)
    if sum(state.bag) < sum(after.bag):
        happened.append(events.BagRefilled())
    for seat in settings.seats:
        before, now = (len(moment.players[seat].opened) for moment in (state, after))
        if before < opening.SEVEN <= now:
            happened.append(events.SeventhPortal(seat))
    if after.catcher is not state.catcher:
        happened.append(events.CatcherPassed(after.catcher))
    if after.phase is model.Phase.OVER:
        ended = scoring.outcome(settings, after)
        for seat in settings.seats:
            portals = len(after.players[seat].opened)
            happened.append(events.PortalsScored(seat, dict(ended.scores)[seat], portals))
        happened.append(events.PortalsWon(tuple(s for s in settings.seats if s in ended.winners)))
    return tuple(happened)


def _done(
    settings: model.Settings, state: model.State, action: Action, after: model.State
) -> list[Event]:
    match action:
        case model.Deal(to):
            return [events.PortalDealt(to)]
        case model.Turn():
            return [events.DisplayFilled(state.drawn)]
        case model.Keep(seat):
            return (
                [] if seat in after.queue else [events.PortalsKept(seat)]
            )  # by hand, not all told yet
        case model.Unveil():
            zones = ((seat, after.players[seat].building) for seat in settings.seats)
            return [events.ZoneUnveiled(seat, portals(zone)) for seat, zone in zones]
        case model.Catch(animus):
            return [events.AnimusCaught(state.catcher, animus), *_lacking(settings, after)]
        case model.Call():
            return [events.IncantatumCalled(after.queue)]
    return _chosen(state, action)  # or drawn, face down


def _chosen(state: model.State, action: Action) -> list[Event]:
    match action:
        case model.Crystallize(seat, (portal, animus), source):
            if source is None:
                return [events.CrystalPlaced(seat, portal, animus)]
            return [events.CrystalShifted(seat, source, portal, animus)]
        case model.Open(seat, portal):
            opened: list[Event] = [events.PortalOpened(seat, portal, PORTALS[portal].hue)]
            if PORTALS[portal].power is Power.GAIN:
                opened.append(events.CrystalsGained(seat, PORTALS[portal].count))
            return opened
        case model.Take(seat, portal):
            return [events.PortalTaken(seat, portal)]
        case model.Claim(seat, reward):
            return [events.RewardClaimed(seat, reward, WORTH[reward])]
        case model.Waive(seat):
            return [
                events.PowerWaived(seat)
                if state.phase is model.Phase.POWER
                else events.RewardsWaived(seat)
            ]
    return []


def _lacking(settings: model.Settings, after: model.State) -> list[Event]:
    placing = after.queue if after.phase is model.Phase.CRYSTALLIZE else ()
    return [events.FieldLacking(seat) for seat in settings.seats if seat not in placing]
