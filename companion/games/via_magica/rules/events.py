"""What can happen in Via Magica, as people are told it, and what an action brings about.

It must not change a state, nor tell anything that is hidden.
"""

from dataclasses import dataclass

from companion.core import Action, Event, SeatName
from companion.games.via_magica.rules import buildings, model, portals, scoring, zones
from companion.games.via_magica.rules.model import Phase, Settings, State
from companion.games.via_magica.rules.rounds import SEVEN


@dataclass(frozen=True, slots=True)
class PortalDealt(Event):
    """A player was given a portal that nobody else sees."""

    sentence = "{seat:@{seat} is|you are} dealt a portal."

    seat: SeatName


@dataclass(frozen=True, slots=True)
class DisplayFilled(Event):
    sentence = "New on the table: portal {portals}."

    portals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PortalsKept(Event):
    sentence = "{seat:@{seat} has|you have} chosen three portals."

    seat: SeatName


@dataclass(frozen=True, slots=True)
class ZoneUnveiled(Event):
    """A player's building zone is open to all."""

    sentence = "{seat:@{seat} begins|you begin} with the portals {portals:and}."

    seat: SeatName
    portals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnimusCaught(Event):
    sentence = "{seat:@{seat} has|you have} caught: {animus}!"

    seat: SeatName
    animus: portals.Animus


@dataclass(frozen=True, slots=True)
class FieldLacking(Event):
    """A player has no free field for the animus, and places nothing."""

    sentence = "{seat:@{seat} has|you have} no free field for it."

    seat: SeatName


@dataclass(frozen=True, slots=True)
class CrystalPlaced(Event):
    """A crystal went from the supply to a field."""

    sentence = "{seat:@{seat} places|you place} a crystal on {animus} of portal {portal}."

    seat: SeatName
    portal: int
    animus: portals.Animus


@dataclass(frozen=True, slots=True)
class CrystalShifted(Event):
    sentence = (
        "{seat:@{seat} moves|you move} a crystal from {source.animus} of portal {source.portal} "
        "to {animus} of portal {portal}."
    )

    seat: SeatName
    source: buildings.Field
    portal: int
    animus: portals.Animus


@dataclass(frozen=True, slots=True)
class BagRefilled(Event):
    sentence = "After the joker all animi go back into the bag."


@dataclass(frozen=True, slots=True)
class IncantatumCalled(Event):
    sentence = "Incantatum! They open portals in this order: {seats}."

    seats: tuple[SeatName, ...]


@dataclass(frozen=True, slots=True)
class PortalOpened(Event):
    """A portal is open, and its crystals are back in the supply."""

    sentence = "Incantatum! {seat:@{seat} opens|You open} the {hue} portal {portal}."

    seat: SeatName
    portal: int
    hue: portals.Hue


@dataclass(frozen=True, slots=True)
class CrystalsGained(Event):
    sentence = "{seat:@{seat} now has|you now have} {count} more {count:#crystal|crystals}."

    seat: SeatName
    count: int


@dataclass(frozen=True, slots=True)
class PortalTaken(Event):
    sentence = "{seat:@{seat} takes|you take} portal {portal} from the table."

    seat: SeatName
    portal: int


@dataclass(frozen=True, slots=True)
class RewardClaimed(Event):
    sentence = "{seat:@{seat} claims|you claim} the reward for {reward}: {points} points."

    seat: SeatName
    reward: portals.Reward
    points: int


@dataclass(frozen=True, slots=True)
class PowerWaived(Event):
    sentence = "{seat:@{seat} does|you do} not use the power any further."

    seat: SeatName


@dataclass(frozen=True, slots=True)
class RewardsWaived(Event):
    sentence = "{seat:@{seat} claims|you claim} no more rewards."

    seat: SeatName


@dataclass(frozen=True, slots=True)
class SeventhPortal(Event):
    """Somebody has opened as many portals as end the game; the round is played to its end."""

    sentence = "{seat:@{seat} has|you have} opened the seventh portal: the last round!"

    seat: SeatName


@dataclass(frozen=True, slots=True)
class CatcherPassed(Event):
    sentence = "The bag goes to the left; {seat:@{seat} catches|you catch} now."

    seat: SeatName


@dataclass(frozen=True, slots=True)
class PortalsScored(Event):
    sentence = (
        "{seat:@{seat} has|you have} {points} points and {portals} open {portals:#portal|portals}."
    )

    seat: SeatName
    points: int
    portals: int


@dataclass(frozen=True, slots=True)
class PortalsWon(Event):
    sentence = "{seats:@{seats:and} {seats:#wins|win}|You win}!"

    seats: tuple[SeatName, ...]


def events_of(settings: Settings, state: State, action: Action, after: State) -> tuple[Event, ...]:
    """Return what a legal action brought about, in the order in which it happened."""
    happened = _done(settings, state, action, after)
    if sum(state.bag) < sum(after.bag):
        happened.append(BagRefilled())
    for seat in settings.seats:
        before, now = (len(moment.players[seat].opened) for moment in (state, after))
        if before < SEVEN <= now:
            happened.append(SeventhPortal(seat))
    if after.catcher is not state.catcher:
        happened.append(CatcherPassed(after.catcher))
    if after.phase is Phase.OVER:
        ended = scoring.outcome(settings, after)
        for seat in settings.seats:
            count = len(after.players[seat].opened)
            happened.append(PortalsScored(seat, dict(ended.scores)[seat], count))
        happened.append(PortalsWon(tuple(s for s in settings.seats if s in ended.winners)))
    return tuple(happened)


def _done(settings: Settings, state: State, action: Action, after: State) -> list[Event]:
    match action:
        case model.Deal(to):
            return [PortalDealt(to)]
        case model.Turn():
            return [DisplayFilled(state.drawn)]
        case model.Keep(seat):
            all_told = seat not in after.queue  # by hand it may not have told all yet
            return [PortalsKept(seat)] if all_told else []
        case model.Unveil():
            kept = ((seat, after.players[seat].building) for seat in settings.seats)
            return [ZoneUnveiled(seat, zones.portals(zone)) for seat, zone in kept]
        case model.Catch(animus):
            return [AnimusCaught(state.catcher, animus), *_lacking(settings, after)]
        case model.Call():
            return [IncantatumCalled(after.queue)]
    return _chosen(state, action)  # or drawn, face down


def _chosen(state: State, action: Action) -> list[Event]:
    match action:
        case model.Crystallize(seat, (portal, animus), source):
            if source is None:
                return [CrystalPlaced(seat, portal, animus)]
            return [CrystalShifted(seat, source, portal, animus)]
        case model.Open(seat, portal):
            opened: list[Event] = [PortalOpened(seat, portal, portals.PORTALS[portal].hue)]
            if portals.PORTALS[portal].power is portals.Power.GAIN:
                opened.append(CrystalsGained(seat, portals.PORTALS[portal].count))
            return opened
        case model.Take(seat, portal):
            return [PortalTaken(seat, portal)]
        case model.Claim(seat, reward):
            return [RewardClaimed(seat, reward, portals.WORTH[reward])]
        case model.Waive(seat):
            return [PowerWaived(seat) if state.phase is Phase.POWER else RewardsWaived(seat)]
    return []


def _lacking(settings: Settings, after: State) -> list[Event]:
    placing = after.queue if after.phase is Phase.CRYSTALLIZE else ()
    return [FieldLacking(seat) for seat in settings.seats if seat not in placing]
