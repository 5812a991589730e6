"""An example of every scene of Trap the Wizard."""

from __future__ import annotations

from functools import partial
from typing import Final

from companion.games.trap_the_wizard import light_meanings as meanings
from companion.games.trap_the_wizard.rules import Robe, Settings, TrapTheWizard
from companion.present.lights.example import JUST_NOW, Example, LightExamples, played, steps
from companion.referee.commands import Act
from companion.text import Text

trapping = partial(played, TrapTheWizard())
for_two = partial(played, TrapTheWizard(Settings((Robe.RED, Robe.GREEN), pass_over=False)))
CAUGHT: Final = steps(
    "roll 4; move red start 54; roll 1; move green start 18; roll 4; move blue start 66; "
    "roll 5; move yellow start 40; roll 1; move red 54 53; roll 3; move green 18 21; "
    "roll 1; move blue start 31; roll 3; move yellow start 42; roll 6; move red 53 75; "
    "roll 4; move red start 54; roll 6; move green start 62; roll 4; move green 62 68; "
    "roll 2; move blue 66 68; roll 6; move yellow 40 71; roll 4; move yellow 71 75; "
    "roll 6; move red 54 68; roll 5; move red 68 31"
)
HOME: Final = steps(
    "roll 5; move red start 9; roll 3; move green start 59; roll 6; move blue start 26; "
    "roll 4; move blue 26 22; roll 4; move yellow start 41; roll 5; move red start 1; "
    "roll 6; move green 59 22; roll 5; move green 22 start"
)
LEFT_OVER: Final = steps(
    "roll 1; move red start 5; roll 6; move green start 62; roll 4; move green 62 74; "
    "roll 5; move blue start 27; roll 6; move yellow start 74; roll 5; move yellow 74 44; "
    "roll 5; move red start 55; roll 5; move green start 14; roll 2; move blue start 32; "
    "roll 3; move yellow 44 start"
)
LOST: Final = steps(
    "roll 3; move red start 7; roll 6; move green start 13; roll 6; move green 13 7; roll 4; "
    "move green start 15; roll 1; move red start 5; roll 2; move green 7 5; roll 4"
)
SHUT: Final = steps(
    "roll 1; move red start 5; roll 3; move green start 16; roll 4; move red 5 55; roll 5; "
    "move green 16 11; roll 5; move red start 55; roll 4; move green start 21; roll 1; "
    "move red start 5; roll 6; move green 11 5; roll 4; move green 5 55"
)
EXAMPLES: Final = (
    Example(
        "trap-roll",
        meanings.CAUGHT,
        Text("Trap the Wizard: green may roll. Red has caught three wizards, yellow has one."),
        lambda: trapping(*CAUGHT),
    ),
    Example(
        "trap-points",
        meanings.POINTS,
        Text("Trap the Wizard: yellow has rolled a 6."),
        lambda: trapping(*LEFT_OVER[:9]),
    ),
    Example(
        "trap-choice",
        meanings.WOULD_CAPTURE,
        Text("Trap the Wizard: yellow's button offers a move that would capture a green wizard."),
        lambda: trapping(*LEFT_OVER[:9], lit=("yellow", Act("move yellow start 74"))),
    ),
    Example(
        "trap-caught",
        meanings.CAPTURED,
        Text("Trap the Wizard: yellow has captured a green wizard. It may roll again."),
        lambda: trapping(*LEFT_OVER[:10]),
        acted_us=JUST_NOW,
    ),
    Example(
        "trap-home",
        meanings.HOME,
        Text("Trap the Wizard: green brings a blue wizard home, and that one is out of the game."),
        lambda: trapping(*HOME),
        acted_us=JUST_NOW,
    ),
    Example(
        "trap-rest",
        meanings.REST,
        Text("Trap the Wizard: yellow came home; another of its wizards may move on by 2."),
        lambda: trapping(*LEFT_OVER),
    ),
    Example(
        "trap-lost",
        meanings.LOST,
        Text("Trap the Wizard: red has rolled a 4, and none of its wizards can use it."),
        lambda: for_two(*LOST),
        acted_us=JUST_NOW,
    ),
    Example(
        "trap-round",
        meanings.SHUT,
        Text("Trap the Wizard: the round is over, and green scores three wizards."),
        lambda: for_two(*SHUT),
        acted_us=JUST_NOW,
    ),
)
LIGHT_EXAMPLES: Final = LightExamples(EXAMPLES)
