"""The camps of a colour, numbered: every way in which its three pawns may stand."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

from companion.games.zapp_zerapp.rules.board import CITY
from companion.games.zapp_zerapp.rules.state import Camp

CAMPS: Final[tuple[Camp, ...]] = tuple(combinations_with_replacement(range(CITY + 1), 3))
NUMBER: Final = {camp: number for number, camp in enumerate(CAMPS)}
COUNT: Final = len(CAMPS)
HOME: Final = COUNT - 1  # all three in the city
