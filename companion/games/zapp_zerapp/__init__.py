"""Zapp Zerapp: its rules, words, page, lights, terminal and what it makes of barrels."""

from typing import Final

from companion.core.plugin import GamePlugin

PLUGIN: Final = GamePlugin(
    "rules:ZappZerapp",
    __name__,
    order=1,
    page="page:PAGE",
    moments="picture:MOMENTS",
    awards="summary:AWARDS",
    players="listening_ai.table:PLAYERS",
    study="listening_ai.table:SUBJECT",
    lights="lights:LIGHTS",
    light_examples="lights:LIGHT_EXAMPLES",
    barrels="barrels:BARREL_GAME",
    look="terminal.look:LOOK",
    guests="simulated.party:VISITORS",
    coach="coach:COACH",
)
