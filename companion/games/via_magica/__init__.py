"""Via Magica: its rules, page, lights, terminal and player."""

from typing import Final

from companion.core.kit import Kit
from companion.games.via_magica.rules import ViaMagica

KIT: Final = Kit(
    ViaMagica,
    __name__,
    order=3,
    players="player:PLAYERS",
    study="study:SUBJECT",
    lights="lights:LIGHTS",
    light_examples="light_examples:LIGHT_EXAMPLES",
)
