"""What an action brings about, told step by step for people and lights.

It must not change a state, nor tell anything that is hidden.
"""

from companion.core.game import Action, Event
from companion.games.via_magica.rules import model, opening, scoring
from companion.games.via_magica.rules.events import (
    AnimusCaught,
    BagRefilled,
    CatcherPassed,
    CrystalPlaced,
    CrystalsGained,
    CrystalShifted,
    DisplayFilled,
    FieldLacking,
    IncantatumCalled,
    PortalDealt,
    PortalOpened,
    PortalsKept,
    PortalsScored,
    PortalsWon,
    PortalTaken,
    PowerWaived,
    RewardClaimed,
    RewardsWaived,
    SeventhPortal,
    ZoneUnveiled,
)
from companion.games.via_magica.rules.portals import PORTALS, WORTH, Power
from companion.games.via_magica.rules.zones import portals


def events(
    settings: model.Settings, state: model.State, action: Action, after: model.State
) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    happened = _done(settings, state, action, after)
    if sum(state.bag) < sum(after.bag):
        happened.append(BagRefilled())
    for seat in settings.seats:
        before, now = (len(moment.players[seat].opened) for moment in (state, after))
        if before < opening.SEVEN <= now:
            happened.append(SeventhPortal(seat))
    if after.catcher is not state.catcher:
        happened.append(CatcherPassed(after.catcher))
    if after.phase is model.Phase.OVER:
        ended = scoring.outcome(settings, after)
        for seat in settings.seats:
            portals = len(after.players[seat].opened)
            happened.append(PortalsScored(seat, dict(ended.scores)[seat], portals))
        happened.append(PortalsWon(tuple(s for s in settings.seats if s in ended.winners)))
    return tuple(happened)


def _done(
    settings: model.Settings, state: model.State, action: Action, after: model.State
) -> list[Event]:
    match action:
        case model.Deal(to):
            return [PortalDealt(to)]
        case model.Turn():
            return [DisplayFilled(state.drawn)]
        case model.Keep(seat):
            return [] if seat in after.queue else [PortalsKept(seat)]  # by hand, not all told yet
        case model.Unveil():
            zones = ((seat, after.players[seat].building) for seat in settings.seats)
            return [ZoneUnveiled(seat, portals(zone)) for seat, zone in zones]
        case model.Catch(animus):
            return [AnimusCaught(state.catcher, animus), *_lacking(settings, after)]
        case model.Call():
            return [IncantatumCalled(after.queue)]
    return _chosen(state, action)  # or drawn, face down


def _chosen(state: model.State, action: Action) -> list[Event]:
    match action:
        case model.Crystallize(seat, (portal, animus), source):
            if source is None:
                return [CrystalPlaced(seat, portal, animus)]
            return [CrystalShifted(seat, source, portal, animus)]
        case model.Open(seat, portal):
            opened: list[Event] = [PortalOpened(seat, portal, PORTALS[portal].hue)]
            if PORTALS[portal].power is Power.GAIN:
                opened.append(CrystalsGained(seat, PORTALS[portal].count))
            return opened
        case model.Take(seat, portal):
            return [PortalTaken(seat, portal)]
        case model.Claim(seat, reward):
            return [RewardClaimed(seat, reward, WORTH[reward])]
        case model.Waive(seat):
            return [PowerWaived(seat) if state.phase is model.Phase.POWER else RewardsWaived(seat)]
    return []


def _lacking(settings: model.Settings, after: model.State) -> list[Event]:
    placing = after.queue if after.phase is model.Phase.CRYSTALLIZE else ()
    return [FieldLacking(seat) for seat in settings.seats if seat not in placing]
