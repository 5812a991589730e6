"""The Witches of Blackmore: tricks of witches, whose ranks a turning wheel decides.

Marks such as WB-4 number the facts of the rulebook; `tests/games/blackmore` tells each of them in a
test that bears its number. A *suit* is one of the six colours, called so because seats have colours
in other games; the *wheel* is the value that ranks highest now.
"""

from companion.games.blackmore.rules.cards import (
    DECK,
    SUIT_SIZE,
    Card,
    Side,
    Suit,
    points,
    ranking,
    winning,
)
from companion.games.blackmore.rules.explain import (
    CardLed,
    CardPlayed,
    HandsFilled,
    PileEmptied,
    TrickWon,
    TrumpDrawn,
    TrumpGone,
    TrumpKept,
    TrumpLaid,
    WentWithout,
    WheelControlled,
    WheelTurned,
)
from companion.games.blackmore.rules.model import (
    HAND,
    Change,
    Deal,
    Keep,
    Phase,
    Play,
    Settings,
    State,
    Throw,
    Turn,
)
from companion.games.blackmore.rules.piles import View
from companion.games.blackmore.rules.tricks import Blackmore

__all__ = [
    "DECK",
    "HAND",
    "SUIT_SIZE",
    "Blackmore",
    "Card",
    "CardLed",
    "CardPlayed",
    "Change",
    "Deal",
    "HandsFilled",
    "Keep",
    "Phase",
    "PileEmptied",
    "Play",
    "Settings",
    "Side",
    "State",
    "Suit",
    "Throw",
    "TrickWon",
    "TrumpDrawn",
    "TrumpGone",
    "TrumpKept",
    "TrumpLaid",
    "Turn",
    "View",
    "WentWithout",
    "WheelControlled",
    "WheelTurned",
    "points",
    "ranking",
    "winning",
]
