"""The levels of players that games share: how each plays, and what makes one casual or a child."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final
from zlib import crc32

from companion.core import plugin
from companion.core.game import Action, Seat
from companion.system import errors
from companion.system.text import Text

EXPERT, GOOD, CASUAL, CHILD, RANDOM = "expert", "good", "casual", "child", "random"
HOW: Final = {
    EXPERT: Text("plays on in its head, many times, and takes what turns out best"),
    GOOD: Text("weighs every choice, from long practice"),
    CASUAL: Text("plays like the good one, but overlooks every sixth choice"),
    CHILD: Text("plays like the casual one, but half of the time at random"),
    RANDOM: Text("leaves everything to chance"),
}
EARLIER: Final = {"greedy": CASUAL}


def levels(casual: plugin.Choose, better: Mapping[str, plugin.Choose]) -> plugin.Players:
    """Return the players of a game, the best first; the better ones as a game brings them."""
    choose = {**better, CASUAL: casual, CHILD: childlike(casual), RANDOM: plugin.at_random}
    return plugin.Players(choose, {name: HOW[name] for name in choose}, EARLIER)


OVERLOOKED: Final = 6  # of so many choices one, by who is casual


def careless(good: plugin.Choose) -> plugin.Choose:
    """Return somebody who plays like another, but overlooks some of the choices.

    Whoever sees the same overlooks the same: what is taken back and done again changes no chance.
    """

    def choose(
        settings: Any, view: Any, seat: Seat, options: plugin.Options, _chance: Random
    ) -> Action:
        seen = crc32(repr(view).encode())
        noticed = [option for option in options if crc32(repr(option).encode(), seen) % OVERLOOKED]
        luck = Random(seen)  # noqa: S311 - a game and no secret
        return good(settings, view, seat, noticed or options, luck)

    return choose


def childlike(casual: plugin.Choose) -> plugin.Choose:
    """Return somebody who plays like another, but every other time just anything."""

    def choose(
        settings: Any, view: Any, seat: Seat, options: plugin.Options, chance: Random
    ) -> Action:
        anything = chance.random() < 0.5
        return (plugin.at_random if anything else casual)(settings, view, seat, options, chance)

    return choose


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
    title: Text
    how: Text | None  # None: nobody says


def levels_of(game: str) -> tuple[Level, ...]:
    """Return who can play a game for the companion, the best first."""
    how = plugin.how_played(game)
    return tuple(Level(level, level_name(level), how.get(level)) for level in level_names(game))


def level_names(game: str) -> tuple[str, ...]:
    """Return what they are called where one types."""
    return tuple(plugin.how_played(game)) or tuple(plugin.players(game))


def level_name(player: str) -> Text:
    """Return what people call a player; one that a game names itself keeps its name."""
    return NAMES.get(player) or Text(player)


def chosen_level(game: str, wanted: str | None) -> str:
    """Return the player that somebody has typed, or the usual one; raise what is wrong."""
    names = level_names(game)
    player = plugin.usual(names) if wanted is None else plugin.called(game, wanted)
    if player not in names:
        raise errors.CompanionError(
            "There is no player '{word}' for this game; there are {names:and}.",
            word=player,
            names=names,
        )
    return player
