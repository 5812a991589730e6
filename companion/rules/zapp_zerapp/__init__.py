"""Zapp Zerapp: a race of sorcerers' apprentices around a mountain, steered by rattle barrels.

Marks such as ZZ-16 number the facts of the rulebook; `tests/rules/zapp_zerapp` tells each of them
in a test that bears its number. A *step* is counted by a colour on its own way, 1 to 24, with 0 for
its start and 25 for its city; a *field* is an index of the ring, 0 to 23, the same for everybody.
"""

from companion.rules.zapp_zerapp.board import (
    CITY,
    FIELDS,
    PRESETS,
    START,
    BadBoard,
    Board,
    Colour,
    read_board,
)
from companion.rules.zapp_zerapp.rounds import ZappZerapp
from companion.rules.zapp_zerapp.state import (
    BARRELS,
    EMPTY,
    UNREAD,
    Banished,
    CameHome,
    Flip,
    MagicNumber,
    Move,
    Moved,
    Order,
    Pawn,
    Phase,
    Place,
    Placed,
    Roll,
    RoundOver,
    Say,
    Settings,
    Shown,
    State,
    TakenAlong,
    View,
    Won,
)

__all__ = [
    "BARRELS",
    "CITY",
    "EMPTY",
    "FIELDS",
    "PRESETS",
    "START",
    "UNREAD",
    "BadBoard",
    "Banished",
    "Board",
    "CameHome",
    "Colour",
    "Flip",
    "MagicNumber",
    "Move",
    "Moved",
    "Order",
    "Pawn",
    "Phase",
    "Place",
    "Placed",
    "Roll",
    "RoundOver",
    "Say",
    "Settings",
    "Shown",
    "State",
    "TakenAlong",
    "View",
    "Won",
    "ZappZerapp",
    "read_board",
]
