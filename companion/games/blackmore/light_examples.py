"""An example of every scene of the Witches of Blackmore. It must not know how one is drawn."""

from __future__ import annotations

from functools import partial
from typing import Final

from companion.core.game import seat_word
from companion.games.blackmore.rules import Blackmore, Chair, Settings
from companion.present.lights.example import JUST_NOW, Example, played, steps
from companion.referee.commands import Act
from companion.say import Text

bewitching = partial(played, Blackmore(Settings(by_hand=True)))
for_six = partial(played, Blackmore(Settings(tuple(Chair), by_hand=True)))
SIX: Final = (
    *(f"deal {seat}" for _ in range(6) for seat in map(seat_word, Chair)),
    *steps("turn blue:7; play red red:1; play green green:2; play blue red:2"),
    "play yellow white:5",
)
TRICK: Final = (
    *(*("deal red", "deal green", "deal blue", "deal yellow") * 6, "turn blue:7"),
    *steps("play red yellow:2; play green red:7; play blue blue:4; play yellow blue:9"),
)
EXAMPLES: Final = (
    Example(
        "wheel",
        Text("The witch wheel"),
        Text("Blackmore: the wheel stands at 7, blue is trump. Yellow plays; so far blue wins."),
        Text(
            "Nine fields from the arrow are the values 1 to 9. The brightest is the highest, and "
            "a calm light runs down the ranks. Opposite, 1 to 6 fields: trump is red, yellow, "
            "green, blue, violet, white. The city of whoever wins so far is dim."
        ),
        lambda: bewitching(*TRICK[:-1]),
    ),
    Example(
        "no-lights",
        Text("A seat without lights"),
        Text("Blackmore: six play. Violet plays a card; so far blue wins."),
        Text("A light goes round the four cities: clockwise for violet, the other way for white."),
        lambda: for_six(*SIX),
    ),
    Example(
        "trick",
        Text("The trick is won"),
        Text("Blackmore: blue's 4 has won against yellow's 9. Blue may turn the wheel."),
        Text("The winner's city flashes twice; the whole wheel breathes, with a start and a seat."),
        lambda: bewitching(*TRICK),
        acted_us=JUST_NOW,
    ),
    Example(
        "turn-wheel",
        Text("Shall the wheel turn?"),
        Text("Blackmore: blue's button offers the red 7 as the new trump; hold it to confirm."),
        Text("The wheel as it would be, with a quick comet; a light runs from start to city."),
        lambda: bewitching(*TRICK, lit=("blue", Act("change blue red:7"))),
    ),
)
