"""Who can be seated at Blackmore, the best first."""

from __future__ import annotations

from typing import Final

from companion.games.blackmore.experience import experienced
from companion.games.blackmore.foresight import FORESIGHT
from companion.games.blackmore.player import casual
from companion.games.blackmore.rules import Blackmore
from companion.players.levels import EXPERT, GOOD, levels
from companion.players.search import Effort, searching

EFFORT: Final = Effort(playouts=200, rests=2)  # this trick, and the next one
PLAYERS: Final = levels(
    casual, {EXPERT: searching(Blackmore, FORESIGHT, EFFORT), GOOD: experienced}
)
