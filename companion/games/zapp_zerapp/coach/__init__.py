"""How a match of Zapp Zerapp is judged: dice, barrels, and which pawn moved."""

from typing import Final

from companion.coach.judge import Coach, Source
from companion.games.zapp_zerapp.coach.judging import BARRELS, DICE, judge, seen
from companion.games.zapp_zerapp.coach.picture import picture
from companion.text import Text

COACH: Final = Coach(
    sources=(
        Source(DICE, Text("Dice"), Text("It was mostly the dice: luck.")),
        Source(BARRELS, Text("Barrels"), Text("It was mostly the barrels: a good ear, and luck.")),
    ),
    judge=judge,
    counts=Text(
        "A position is valued as if barrels were drawn blindly and pawns moved as well as "
        "possible. So dice are pure luck; barrels are luck and a good ear, by how much they were "
        "better or worse than a blind draw. What nobody could see before the flip counts against "
        "nobody."
    ),
    ear=Text("The ear"),
    seen=seen,
    picture=picture,
)
