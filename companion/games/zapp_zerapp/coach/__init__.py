"""How a match of Zapp Zerapp is judged after its end: dice, barrels, and which pawn moved."""

from typing import Final

from companion.coach.judge import Coach, Source
from companion.games.zapp_zerapp.coach.judging import BARRELS, DICE, judge
from companion.games.zapp_zerapp.coach.picture import picture
from companion.say import Text

COACH: Final = Coach(
    sources=(
        Source(DICE, Text("Dice"), Text("It was mostly the dice: luck.")),
        Source(BARRELS, Text("Barrels"), Text("It was mostly the barrels: a good ear, and luck.")),
    ),
    judge=judge,
    counts=Text(
        "What a moment is worth is reckoned as if everybody heard perfectly and moved as well as "
        "possible; who gets to a barrel first is chance. So dice are pure luck; barrels are luck "
        "and a good ear. What nobody could see before the flip counts against nobody."
    ),
    ear=Text("The ear"),
    picture=picture,
)
