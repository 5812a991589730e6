"""Who can be seated at this game, the best first."""

from __future__ import annotations

from typing import Final

from companion.games.via_magica.experience import experienced
from companion.games.via_magica.player import casual
from companion.players.levels import GOOD, levels

# Playing three rounds ahead, with experience at the end, won 43 % of 30 against it: no expert.
PLAYERS: Final = levels(casual, {GOOD: experienced})
