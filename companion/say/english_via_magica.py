"""What happens in Via Magica, in English. It must not know who hears it."""

from typing import Final

EVENTS: Final = {
    "PortalDealt": "{seat} is dealt a portal.",
    "DisplayFilled": "New on the table: portal {portals}.",
    "PortalsKept": "{seat} has chosen three portals.",
    "ZoneUnveiled": "{seat} begins with the portals {portals:and}.",
    "AnimusCaught": "{seat} has caught: {animus}!",
    "FieldLacking": "{seat} has no free field for it.",
    "CrystalPlaced": "{seat} places a crystal on {animus} of portal {portal}.",
    "CrystalShifted": (
        "{seat} moves a crystal from {source.animus} of portal {source.portal} to {animus} of "
        "portal {portal}."
    ),
    "BagRefilled": "After the joker all animi go back into the bag.",
    "IncantatumCalled": "Incantatum! They open portals in this order: {seats}.",
    "PortalOpened": "Incantatum! {seat} opens portal {portal} ({hue}).",
    "CrystalsGained": "{seat} has {count} {count:#crystal|crystals} more now.",
    "PortalTaken": "{seat} takes portal {portal} from the table.",
    "RewardClaimed": "{seat} claims the reward for {reward}: {points} points.",
    "PowerWaived": "{seat} does not use the power any further.",
    "RewardsWaived": "{seat} claims no more rewards.",
    "SeventhPortal": "{seat} has opened the seventh portal: the last round!",
    "CatcherPassed": "The bag goes to the left; {seat} catches now.",
    "PortalsScored": "{seat} has {points} points and {portals} open {portals:#portal|portals}.",
    "PortalsWon": "{seats:and} {seats:#wins|win}!",
}

WORDS: Final = {
    "Hue.GREEN": "green",
    "Hue.YELLOW": "yellow",
    "Hue.VIOLET": "violet",
    "Hue.BLUE": "blue",
    "Reward.YELLOW": "three yellow portals",
    "Reward.VIOLET": "three violet portals",
    "Reward.GREEN": "three green portals",
    "Reward.BLUE": "three blue portals",
    "Reward.EVERY": "a portal of every colour",
    "Reward.TWO": "two portals",
    "Reward.THREE": "three portals",
    "Reward.FOUR": "four portals",
    "Reward.FIVE": "five portals",
    "Reward.SIX": "six portals",
}
