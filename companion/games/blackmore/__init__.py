"""The Witches of Blackmore: their rules, page, lights, terminal and player."""

from typing import Final

from companion.core.kit import Kit

KIT: Final = Kit(
    "rules:Blackmore",
    __name__,
    order=4,
    page="page:PAGE",
    moments="moments:MOMENTS",
    awards="awards:AWARDS",
    players="players:PLAYERS",
    study="study:SUBJECT",
    lights="lights:LIGHTS",
    light_examples="light_examples:LIGHT_EXAMPLES",
    look="terminal:LOOK",
)
