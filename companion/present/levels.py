"""What people call the levels of the companion's own players, and how each of them plays."""

from dataclasses import dataclass
from typing import Final

from companion.core.plugin import called, how_played, players, usual
from companion.system.errors import CompanionError
from companion.system.text import Text

NAMES: Final = {
    "expert": Text("expert"),
    "good": Text("good"),
    "casual": Text("casual"),
    "child": Text("like a child"),
    "random": Text("at random"),
}


@dataclass(frozen=True, slots=True)
class Level:
    """A player as people choose one."""

    name: str
    said: Text
    how: Text | None  # None: nobody says


def levels(game: str) -> tuple[Level, ...]:
    """Return who can play a game for the companion, the best first."""
    how = how_played(game)
    return tuple(Level(level, level_name(level), how.get(level)) for level in level_names(game))


def level_names(game: str) -> tuple[str, ...]:
    """Return what they are called where one types."""
    return tuple(how_played(game)) or tuple(players(game))


def level_name(player: str) -> Text:
    """Return what people call a player; one that a game names itself keeps its name."""
    return NAMES.get(player) or Text(player)


def chosen_level(game: str, wanted: str | None) -> str:
    """Return the player that somebody has typed, or the usual one; raise what is wrong."""
    names = level_names(game)
    player = usual(names) if wanted is None else called(game, wanted)
    if player not in names:
        raise CompanionError(
            "There is no player '{word}' for this game; there are {names:and}.",
            word=player,
            names=names,
        )
    return player
