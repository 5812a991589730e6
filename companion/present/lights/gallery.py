"""An example of every scene, for the manual and the terminal. It must not know how one is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from companion.condition import Condition
from companion.games.blackmore import light_examples as blackmore_examples
from companion.games.trap_the_wizard import light_examples as trap_the_wizard_examples
from companion.games.via_magica import light_examples as via_magica_examples
from companion.present.lights.example import FIRST_US, JUST_NOW, Example, table
from companion.referee.commands import Act, RollForUs, Rule, TakeBack, Wish
from companion.referee.deeds import Raised
from companion.referee.journal_state import JournalState
from companion.referee.showing import nothing
from companion.say import Text

PAWNS: Final = (
    "correct pawns red:2,red:9,red:start,green:22,green:4,green:start,"
    "blue:18,blue:20,blue:start,yellow:5,yellow:start,yellow:city"
)
SHAKING: Final = ("roll 8", PAWNS, "place green", "place yellow")
FLIP: Final = (*SHAKING, "place red", "place blue")
READ: Final = (*FLIP, "flip", "say green 4", "say yellow 11")
MOVE: Final = (*READ, "say red 8", "say blue 13")
LAST: Final = (
    "correct pawns red:20,red:city,red:city,green:9,green:start,green:start",
    "roll 8",
    *FLIP[2:],
    *MOVE[len(FLIP) :],
    "move red 20",
)
PEEK: Final = Raised(1, "peek", "foul", None, 700, 97)


def red(text: str) -> tuple[str, Wish]:
    """Return the wish that red's button has lit, to be confirmed."""
    return "red", Act(text)


EXAMPLES: Final = (
    Example(
        "set-up",
        Text("Who plays?"),
        Text("Red and blue have joined; two are enough to begin. Hold a button to begin."),
        Text("A joined start is steady and its city breathes; the other starts breathe, dimly."),
        lambda: nothing(("red", "blue")),
    ),
    Example(
        "roll",
        Text("Waiting for the roll"),
        Text("Red may roll the dice. All pawns stand at their starts."),
        Text("One start and its seat breathe; the ring is dark."),
        table,
    ),
    Example(
        "positions",
        Text("Where the pawns stand"),
        Text("What the companion believes, so that a wrong position is seen; red may roll."),
        Text("Steady and dim; a field that two colours share takes turns."),
        lambda: table(PAWNS),
    ),
    Example(
        "dice",
        Text("Shall the companion roll?"),
        Text("Red's button offers that the companion rolls; hold it to have it done."),
        Text("The whole ring sparkles, like dice in a hand."),
        lambda: table(PAWNS, lit=("red", RollForUs())),
    ),
    Example(
        "number",
        Text("Was it this number?"),
        Text("Red's button offers 8 as what the dice show; hold it to confirm."),
        Text("That many fields are lit, with a comet along them; the rest of the ring is dark."),
        lambda: table(PAWNS, lit=red("roll 8")),
    ),
    Example(
        "shaking",
        Text("Shake and choose"),
        Text("The magic number is 8. Green and yellow have placed, red and blue have not."),
        Text("8 fields are steady, a dim comet circles over the others; who placed is steady."),
        lambda: table(*SHAKING),
    ),
    Example(
        "warning",
        Text("Careful!"),
        Text("Somewhere a barrel was tilted far. It is pointed at nobody, and nothing sounds."),
        Text("All fields beyond the magic number swell once, slowly, in place of the comet."),
        lambda: table(*SHAKING),
        warned_us=FIRST_US - 1_000_000,
    ),
    Example(
        "asked",
        Text("Which barrel stands there?"),
        Text("Nobody is sure what stands at green and yellow; a button or a tap settles it."),
        Text("A start and its seat blink fast, together."),
        lambda: table(*SHAKING, asked=("green", "yellow")),
    ),
    Example(
        "confirm",
        Text("Placed?"),
        Text("Red's button offers that red has placed its barrel; hold it to confirm."),
        Text("A light runs from the start to the city of one colour."),
        lambda: table(*SHAKING, lit=red("place red")),
    ),
    Example(
        "flip",
        Text("Flip now!"),
        Text("All have placed a barrel: turn them over, together."),
        Text("The magic number, all starts and all seats breathe as one."),
        lambda: table(*FLIP),
    ),
    Example(
        "read",
        Text("Read the numbers"),
        Text("Green and yellow are read; the numbers of red and blue have to be told."),
        Text("The magic number is dim; what has to be told blinks fast, what is read is steady."),
        lambda: table(*READ),
    ),
    Example(
        "turn",
        Text("Whose turn it is"),
        Text("Red moves by 8. These are the fields on which its pawns may end."),
        Text("A start and its seat breathe; so do the fields, dimly, where pawns are steady."),
        lambda: table(*MOVE),
    ),
    Example(
        "choice",
        Text("This pawn?"),
        Text("Red's button offers the pawn that still stands at the start; hold it to confirm."),
        Text("A comet from the pawn to its end, which breathes; other ends breathe dimly."),
        lambda: table(*MOVE, lit=red("move red start")),
    ),
    Example(
        "banish",
        Text("Who would be banished"),
        Text("Red's pawn would banish two blue ones and could take a green one along."),
        Text("They blink fast, and so does their start; who could come along flashes dimly."),
        lambda: table(*MOVE, lit=red("move red 2")),
    ),
    Example(
        "take-along",
        Text("Who would be taken along"),
        Text("Red's pawn would take the green one along to the field where it ends."),
        Text("Its field and the end flash twice, then pause."),
        lambda: table(*MOVE, lit=red("move red 2 take green:22")),
    ),
    Example(
        "moved",
        Text("Moved!"),
        Text("Confirmed: move these pawns on the board. It stays so for some seconds."),
        Text("No comet any more: the end is steady, the banished blink fast."),
        lambda: table(*MOVE, "move red 2"),
        acted_us=JUST_NOW,
    ),
    Example(
        "take-back",
        Text("Take back?"),
        Text("Red's button offers to take back the last decision; hold it to do so."),
        Text("A comet runs backwards around the whole ring."),
        lambda: table(*SHAKING, lit=("red", TakeBack())),
    ),
    Example(
        "dismiss",
        Text("No foul?"),
        Text("Red's button offers to dismiss a foul; hold it if the table agrees."),
        Text("Every third field, an open ring, and a comet that jumps along it."),
        lambda: table(*SHAKING, PEEK, lit=("red", Rule(1, upheld=False))),
    ),
    Example(
        "uphold",
        Text("A foul?"),
        Text("Red's button offers to uphold a foul; hold it if the table agrees."),
        Text("Every field, a closed ring, and a comet that runs along it."),
        lambda: table(*SHAKING, PEEK, lit=("red", Rule(1, upheld=True))),
    ),
    Example(
        "victory",
        Text("Victory"),
        Text("Red has all three pawns in its city."),
        Text("Two comets chase each other round the ring; one city is steady."),
        lambda: table(*LAST),
    ),
    Example(
        "fault",
        Text("Something is out of order"),
        Text("A part of the table does not work; play goes on, and the phone says what to do."),
        Text("Every eight seconds all four cities flash twice, over whatever else is shown."),
        lambda: replace(table(PAWNS), troubles=(Condition(JournalState.FULL, 0),)),
    ),
    *trap_the_wizard_examples.EXAMPLES,
    *via_magica_examples.EXAMPLES,
    *blackmore_examples.EXAMPLES,
)
