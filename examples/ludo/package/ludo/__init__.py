"""Ludo, brought to the companion by a package of its own."""

from typing import Final

from companion.core import GamePlugin
from ludo.rules import Ludo

PLUGIN: Final = GamePlugin(
    Ludo, __name__, players="player:PLAYERS", page="page:PAGE", study="player:SUBJECT"
)
