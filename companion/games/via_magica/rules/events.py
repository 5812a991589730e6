"""What happens in a game of Via Magica, and what one may see of it.

It must not know how an action changes a state, nor anything that is hidden.
"""

from dataclasses import dataclass

from companion.core import SeatName
from companion.core.game import Action, Event
from companion.games.via_magica.rules import buildings, portals
from companion.games.via_magica.rules.model import Phase


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


@dataclass(frozen=True, slots=True)
class Zone:
    """What everybody may know of one player; building zones are hidden until all are unveiled."""

    seat: SeatName
    supply: int
    building: tuple[buildings.Building, ...]
    opened: tuple[int, ...]
    rewards: tuple[portals.Reward, ...]
    points: int  # as if the game ended now


@dataclass(frozen=True, slots=True)
class View:
    """All that one viewer may know of a state."""

    round: int
    phase: Phase
    turns: tuple[int, ...]
    catcher: SeatName
    animus: portals.Animus | None
    caught: tuple[portals.Animus, ...]
    queue: tuple[SeatName, ...]
    opening: tuple[int, ...]
    left: int
    display: tuple[int, ...]
    drawn: int  # how many
    stack: int  # how many
    discards: int  # how many
    zones: tuple[Zone, ...]
    hand: tuple[int, ...]  # the viewer's own, as long as all have not kept theirs
    kept: tuple[int, ...]  # what the viewer has kept of it, until all are unveiled
    choices: tuple[Action, ...]
    winners: tuple[SeatName, ...]
