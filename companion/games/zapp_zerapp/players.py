"""Nobody can be seated at Zapp Zerapp by the companion: whoever plays it has to shake barrels."""

from __future__ import annotations

from typing import Final

from companion.core.kit import Players

PLAYERS: Final = Players({})
