"""Who can be seated at this game, the best first."""

from __future__ import annotations

from typing import Final

from companion.games.trap_the_wizard.experience import experienced
from companion.games.trap_the_wizard.player import casual
from companion.players.levels import GOOD, levels

# Looking some turns ahead, with experience at the end, won 44 % of 16 against it: no expert.
PLAYERS: Final = levels(casual, {GOOD: experienced})
