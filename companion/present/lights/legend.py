"""What the lights mean, in words: what is shown, and how it is told from others without colour.

Each is said once, and all refer to it: the pages at the table, the manual, the pictures. Here are
those that all games share; a game has its own beside its lights.
"""

from dataclasses import dataclass
from typing import Final

from companion.system.text import Text


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One thing that the lights show, and what it looks like."""

    title: Text
    look: Text


SET_UP: Final = LegendEntry(
    Text("Who plays?"),
    Text("A joined start is steady and its city breathes; the other starts breathe, dimly."),
)
TURN: Final = LegendEntry(Text("Whose turn it is"), Text("A start and its seat breathe."))
ELSEWHERE: Final = LegendEntry(
    Text("A seat without lights"),
    Text("A light goes round the four cities: clockwise for violet, the other way for white."),
)
ASKED: Final = LegendEntry(
    Text("Which barrel stands there?"), Text("A start and its seat blink fast, together.")
)
WAITS: Final = LegendEntry(
    Text("To be confirmed"), Text("A light runs from the start to the city of one colour.")
)
NUMBER: Final = LegendEntry(
    Text("Was it this number?"),
    Text("That many fields are lit, with a comet along them; the rest of the ring is dark."),
)
DICE: Final = LegendEntry(
    Text("Shall the companion roll?"), Text("The whole ring sparkles, like dice in a hand.")
)
TAKE_BACK: Final = LegendEntry(
    Text("Take back?"), Text("A comet runs backwards around the whole ring.")
)
DISMISS: Final = LegendEntry(
    Text("No foul?"), Text("Every third field, an open ring, and a comet that jumps along it.")
)
UPHOLD: Final = LegendEntry(
    Text("A foul?"), Text("Every field, a closed ring, and a comet that runs along it.")
)
VICTORY: Final = LegendEntry(
    Text("Victory"), Text("Two comets chase each other round the ring; one city is steady.")
)
FAULT: Final = LegendEntry(
    Text("Something is out of order"),
    Text("Every eight seconds all four cities flash twice, over whatever else is shown."),
)

PATTERNS: Final = {  # what moves alike, means alike, in every game
    "steady": LegendEntry(
        Text("steady"),
        Text("this is how it is; dim: just information, such as where the pawns stand"),
    ),
    "pulse": LegendEntry(
        Text("slow pulse, as if breathing"),
        Text("this may be done: whose turn it is, where a pawn may end"),
    ),
    "blink": LegendEntry(
        Text("fast blink"),
        Text("banished, captured; at a start and its seat: something has to be said"),
    ),
    "double": LegendEntry(
        Text("double blink"), Text("taken along, won; at all cities: something is out of order")
    ),
    "comet": LegendEntry(
        Text("comet"), Text("under way, or not confirmed yet; backwards: it will be taken back")
    ),
}
QUARTERS: Final = Text(
    "Each seat has a quarter of the ring: the six fields clockwise from its start. Whatever is "
    "counted there continues in its city, which stands for the seventh."
)
OTHERS: Final = Text(
    "Violet and white have no lights of their own. When it is their turn, a light goes round the "
    "four cities, clockwise for violet, the other way for white: quickly if they have to say "
    "something, dimly if they are winning the trick so far. Only a phone shows what they have "
    "opened."
)
