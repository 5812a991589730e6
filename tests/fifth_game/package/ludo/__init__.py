"""Ludo, brought to the companion by a package of its own."""

from typing import Final

from companion.core.plugin import Kit
from ludo.rules import Ludo

KIT: Final = Kit(Ludo, __name__, players="player:PLAYERS", page="page:PAGE", study="player:SUBJECT")
