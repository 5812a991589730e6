"""Via Magica: its rules, page, lights, terminal and player."""

from typing import Final

from companion.core.kit import Kit

KIT: Final = Kit(
    "rules:ViaMagica",
    __name__,
    order=3,
    page="page:PAGE",
    moments="moments:MOMENTS",
    awards="awards:AWARDS",
    coach="coach:COACH",
    players="players:PLAYERS",
    study="study:SUBJECT",
    lights="lights:LIGHTS",
    light_examples="light_examples:LIGHT_EXAMPLES",
    look="terminal:LOOK",
)
