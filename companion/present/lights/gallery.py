"""An example of every scene that the lights can show, for the manual and the terminal.

What all games share is seen at a table that plays, so it is among the examples of a game.
"""

from __future__ import annotations

from typing import Final

from companion.core.kit import KITS
from companion.present.lights.example import Example, LightExamples
from companion.present.lights.meaning import SET_UP
from companion.referee.match_snapshot import nothing
from companion.text import Text

EXAMPLES: Final = (
    Example(
        "set-up",
        SET_UP,
        Text("Red and blue have joined; two are enough to begin. Hold a button to begin."),
        lambda: nothing(("red", "blue")),
    ),
    *(
        example
        for kit in KITS.values()
        if (found := kit.part(LightExamples)) is not None
        for example in found.examples
    ),
)
