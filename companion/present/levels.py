"""What people call the levels of the companion's own players, and how each of them plays."""

from dataclasses import dataclass
from typing import Final

from companion.core.plugin import called, how_played, players, usual
from companion.system import errors, text

NAMES: Final = {
    "expert": text.Text("expert"),
    "good": text.Text("good"),
    "casual": text.Text("casual"),
    "child": text.Text("like a child"),
    "random": text.Text("at random"),
}


@dataclass(frozen=True, slots=True)
class Level:
    """A player as people choose one."""

    name: str
    title: text.Text
    how: text.Text | None  # None: nobody says


def levels(game: str) -> tuple[Level, ...]:
    """Return who can play a game for the companion, the best first."""
    how = how_played(game)
    return tuple(Level(level, level_name(level), how.get(level)) for level in level_names(game))


def level_names(game: str) -> tuple[str, ...]:
    """Return what they are called where one types."""
    return tuple(how_played(game)) or tuple(players(game))


def level_name(player: str) -> text.Text:
    """Return what people call a player; one that a game names itself keeps its name."""
    return NAMES.get(player) or text.Text(player)


def chosen_level(game: str, wanted: str | None) -> str:
    """Return the player that somebody has typed, or the usual one; raise what is wrong."""
    names = level_names(game)
    player = usual(names) if wanted is None else called(game, wanted)
    if player not in names:
        raise errors.CompanionError(
            "There is no player '{word}' for this game; there are {names:and}.",
            word=player,
            names=names,
        )
    return player
