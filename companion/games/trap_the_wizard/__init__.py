"""Trap the Wizard: its rules, page, lights, terminal and player."""

from typing import Final

from companion.core.plugin import GamePlugin

PLUGIN: Final = GamePlugin(
    "rules:TrapTheWizard",
    __name__,
    order=2,
    page="page:PAGE",
    moments="picture:MOMENTS",
    awards="study:AWARDS",
    coach="study:COACH",
    players="players:PLAYERS",
    study="study:SUBJECT",
    lights="lights:LIGHTS",
    light_examples="lights:LIGHT_EXAMPLES",
    look="terminal:LOOK",
)
