"""An example of every scene of the Witches of Blackmore."""

from __future__ import annotations

from functools import partial
from typing import Final

from companion.games.blackmore import light_meanings as meanings
from companion.games.blackmore.rules import Blackmore, Chair, Settings
from companion.present.lights.example import JUST_NOW, Example, LightExamples, played, steps
from companion.present.lights.meaning import ELSEWHERE
from companion.referee.commands import Act
from companion.text import Text, seat_word

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
        meanings.WHEEL,
        Text(
            "Blackmore: the wheel stands at 7, blue is trump. Yellow has to play; so far blue is "
            "winning."
        ),
        lambda: bewitching(*TRICK[:-1]),
    ),
    Example(
        "no-lights",
        ELSEWHERE,
        Text("Blackmore: a game of six. Violet has to play a card; so far blue is winning."),
        lambda: for_six(*SIX),
    ),
    Example(
        "trick",
        meanings.TRICK,
        Text("Blackmore: blue's 4 has won against yellow's 9. Blue may turn the wheel."),
        lambda: bewitching(*TRICK),
        acted_us=JUST_NOW,
    ),
    Example(
        "turn-wheel",
        meanings.TURN_WHEEL,
        Text("Blackmore: blue's button offers the red 7 as the new trump; hold it to confirm."),
        lambda: bewitching(*TRICK, lit=("blue", Act("change blue red:7"))),
    ),
)
LIGHT_EXAMPLES: Final = LightExamples(EXAMPLES)
