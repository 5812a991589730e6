"""Via Magica: its rules, page, lights, terminal and player."""

from typing import Final

from companion.core.plugin import GamePlugin

PLUGIN: Final = GamePlugin(
    "rules:ViaMagica",
    __name__,
    order=3,
    page="page:PAGE",
    moments="picture:MOMENTS",
    awards="study:AWARDS",
    coach="players:COACH",
    players="players:PLAYERS",
    study="study:SUBJECT",
    lights="lights:LIGHTS",
    light_examples="lights:LIGHT_EXAMPLES",
    look="terminal:LOOK",
)
