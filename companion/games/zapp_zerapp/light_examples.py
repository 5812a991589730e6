"""An example of every scene of Zapp Zerapp, and of those that all games share."""

from dataclasses import replace
from functools import partial
from typing import Final

from companion.games.zapp_zerapp import lights, rules
from companion.journal import JournalState
from companion.present.lights import legend
from companion.present.lights.example import FIRST_US, JUST_NOW, Example, LightExamples, played
from companion.referee import commands, events
from companion.system.status import Condition
from companion.system.text import Text

table = partial(played, rules.ZappZerapp(rules.Settings(profi=True)))
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
PEEK: Final = events.FoulRaised(1, "peek", "foul", None, 700, 97)


def red(text: str) -> tuple[str, commands.CommandBody]:
    """Return the wish that red's button has lit, to be confirmed."""
    return "red", commands.DoAction(text)


EXAMPLES: Final = (
    Example(
        "roll",
        lights.ROLL,
        Text("Red may roll the dice. All pawns stand at their starts."),
        table,
    ),
    Example(
        "positions",
        lights.STANDING,
        Text(
            "Where the companion thinks the pawns stand, so that you can spot a wrong one; red "
            "may roll."
        ),
        lambda: table(PAWNS),
    ),
    Example(
        "dice",
        legend.DICE,
        Text("Red's button offers to let the companion roll; hold it to confirm."),
        lambda: table(PAWNS, lit=("red", commands.RollForUs())),
    ),
    Example(
        "number",
        legend.NUMBER,
        Text("Red's button offers 8 as the roll; hold it to confirm."),
        lambda: table(PAWNS, lit=red("roll 8")),
    ),
    Example(
        "shaking",
        lights.shaking(8),
        Text(
            "The magic number is 8. Green and yellow have placed a barrel, red and blue have not."
        ),
        lambda: table(*SHAKING),
    ),
    Example(
        "warning",
        lights.CAREFUL,
        Text(
            "Somewhere a barrel was tilted far. The light points at nobody, and there is no sound."
        ),
        lambda: table(*SHAKING),
        warned_us=FIRST_US - 1_000_000,
    ),
    Example(
        "asked",
        legend.ASKED,
        Text(
            "It is not certain which barrels green and yellow have placed; a button or a tap "
            "settles it."
        ),
        lambda: table(*SHAKING, asked=("green", "yellow")),
    ),
    Example(
        "confirm",
        lights.PLACED,
        Text("Red's button offers to say that red has placed its barrel; hold it to confirm."),
        lambda: table(*SHAKING, lit=red("place red")),
    ),
    Example(
        "flip",
        lights.FLIP,
        Text("All have placed a barrel: turn them over, together."),
        lambda: table(*FLIP),
    ),
    Example(
        "read",
        lights.SAY,
        Text(
            "The numbers of green and yellow have been read; red and blue still have to say theirs."
        ),
        lambda: table(*READ),
    ),
    Example(
        "turn",
        lights.MOVE,
        Text("Red moves by 8. These are the fields on which its pawns may end."),
        lambda: table(*MOVE),
    ),
    Example(
        "choice",
        lights.PAWN,
        Text("Red's button offers the pawn that still stands at the start; hold it to confirm."),
        lambda: table(*MOVE, lit=red("move red start")),
    ),
    Example(
        "banish",
        lights.BANISHED,
        Text("Red's pawn would banish two blue ones and could take a green one along."),
        lambda: table(*MOVE, lit=red("move red 2")),
    ),
    Example(
        "take-along",
        lights.TAKEN,
        Text("Red's pawn would take the green one along to the field where it ends."),
        lambda: table(*MOVE, lit=red("move red 2 take green:22")),
    ),
    Example(
        "moved",
        lights.MOVED,
        Text("Confirmed: move these pawns on the board. This stays for a few seconds."),
        lambda: table(*MOVE, "move red 2"),
        acted_us=JUST_NOW,
    ),
    Example(
        "take-back",
        legend.TAKE_BACK,
        Text("Red's button offers to take back the last decision; hold it to do so."),
        lambda: table(*SHAKING, lit=("red", commands.Undo())),
    ),
    Example(
        "dismiss",
        legend.DISMISS,
        Text("Red's button offers to dismiss a foul; hold it if the table agrees."),
        lambda: table(*SHAKING, PEEK, lit=("red", commands.Rule(1, upheld=False))),
    ),
    Example(
        "uphold",
        legend.UPHOLD,
        Text("Red's button offers to uphold a foul; hold it if the table agrees."),
        lambda: table(*SHAKING, PEEK, lit=("red", commands.Rule(1, upheld=True))),
    ),
    Example(
        "victory",
        legend.VICTORY,
        Text("Red has all three pawns in its city."),
        lambda: table(*LAST),
    ),
    Example(
        "fault",
        legend.FAULT,
        Text("Part of the table is not working; play goes on, and the phone says what to do."),
        lambda: replace(table(PAWNS), troubles=(Condition(JournalState.FULL, 0),)),
    ),
)
LIGHT_EXAMPLES: Final = LightExamples(EXAMPLES)
