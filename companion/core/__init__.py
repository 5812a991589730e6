"""The contract of games, and all that a script or a game of another package needs of it.

What lies deeper, such as `companion.core.persistent_list`, belongs to this program alone and may
change.
"""

from companion.core.codec import pack, refusing, unpack
from companion.core.game import (
    TABLE,
    Action,
    BaseGame,
    BaseView,
    Event,
    Game,
    Outcome,
    Ruling,
    Sealed,
    Seat,
    after,
    choices,
    has_hands,
)
from companion.core.log import Log, load
from companion.core.notation import read, write, write_value
from companion.core.players.levels import levels
from companion.core.players.monte_carlo import SearchBudget, random_game, searching
from companion.core.plugin import GAMES, Choose, GamePlugin, Options, Players, at_random
from companion.system.errors import Ambiguous, Illegal, RulesError, Unreadable
from companion.system.text import SEATS, SeatName, Text, seat_word

__all__ = [
    "GAMES",
    "SEATS",
    "TABLE",
    "Action",
    "Ambiguous",
    "BaseGame",
    "BaseView",
    "Choose",
    "Event",
    "Game",
    "GamePlugin",
    "Illegal",
    "Log",
    "Options",
    "Outcome",
    "Players",
    "RulesError",
    "Ruling",
    "Sealed",
    "SearchBudget",
    "Seat",
    "SeatName",
    "Text",
    "Unreadable",
    "after",
    "at_random",
    "choices",
    "has_hands",
    "levels",
    "load",
    "pack",
    "random_game",
    "read",
    "refusing",
    "searching",
    "seat_word",
    "unpack",
    "write",
    "write_value",
]
