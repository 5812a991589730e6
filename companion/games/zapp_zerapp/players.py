"""How the people play whom the companion makes up for Zapp Zerapp.

It seats nobody at a real table: whoever plays there has to shake barrels.
"""

from typing import Final

from companion.core.plugin import Players
from companion.games.zapp_zerapp.listening_ai.listener import EARLIER, HOW

PLAYERS: Final = Players({}, HOW, EARLIER)
