"""Who can be seated at this game, the best first."""

from __future__ import annotations

from typing import Final

from companion.games.via_magica.experience import experienced
from companion.games.via_magica.foresight import FORESIGHT
from companion.games.via_magica.player import casual
from companion.games.via_magica.rules import ViaMagica
from companion.players.levels import EXPERT, GOOD, levels
from companion.players.search import Effort, searching

EFFORT: Final = Effort(playouts=40, rests=3)  # this round, and two more
PLAYERS: Final = levels(
    casual, {EXPERT: searching(ViaMagica, FORESIGHT, EFFORT), GOOD: experienced}
)
