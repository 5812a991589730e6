"""The Witches of Blackmore: their rules, page, lights, terminal and player."""

from typing import Final

from companion.core.plugin import GamePlugin

PLUGIN: Final = GamePlugin(
    "rules:Blackmore",
    __name__,
    order=4,
    page="page:PAGE",
    moments="picture:MOMENTS",
    awards="study:AWARDS",
    players="players:PLAYERS",
    study="study:SUBJECT",
    lights="lights:LIGHTS",
    light_examples="lights:LIGHT_EXAMPLES",
    look="terminal:LOOK",
)
