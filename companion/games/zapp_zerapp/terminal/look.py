"""How Zapp Zerapp looks in the terminal, and the options by which it is played there."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from companion.core.game import Seat
from companion.errors import CompanionError
from companion.games.zapp_zerapp.rules import (
    PRESETS,
    Board,
    Colour,
    RoundOver,
    Settings,
    View,
    Won,
    ZappZerapp,
    read_board,
)
from companion.games.zapp_zerapp.terminal.evening import Evening
from companion.games.zapp_zerapp.terminal.picture import ring
from companion.games.zapp_zerapp.terminal.story import Story
from companion.games.zapp_zerapp.terminal.summing_up import show
from companion.present.look import PLAIN, Look, Switch
from companion.present.reader import Reader
from companion.present.screen import Screen
from companion.text import Text
from companion.toml_reader import read_toml

Read = Callable[[str], str]  # what a file says
SWITCHES: Final = (
    Switch("profi", Text("Profi version, with taking along")),
    Switch("no-shuffle", Text("barrels go back to their places unshuffled")),
    Switch("overlook", Text("banishments may be overlooked")),
    Switch(
        "board",
        Text("{names}, or a TOML file of your own", names=tuple(PRESETS)),
        value=Text("NAME"),
    ),
)


def settings(seats: tuple[Colour, ...], given: Mapping[str, Any], read: Read) -> Settings:
    """Return what the options ask for."""
    board = _board(given["board"] or next(iter(PRESETS)), read)
    return Settings(seats, given["profi"], given["overlook"], not given["no_shuffle"], board)


def _board(name: str, read: Read) -> Board:
    """Return a preset by name, or the board that a TOML file describes."""
    if name in PRESETS:
        return PRESETS[name]
    if not name.endswith(".toml"):
        raise CompanionError(
            "There is no board '{name}'; name one of {names}, or a TOML file.",
            name=name,
            names=tuple(PRESETS),
        )
    try:
        return read_board(read_toml(read(name)))
    except tomllib.TOMLDecodeError as error:
        raise CompanionError(
            "'{file}' is not valid TOML: {reason}.", file=name, reason=error
        ) from error


def picture(screen: Screen, _reader: Reader, agreed: Settings, view: View) -> Iterable[str]:
    """Return the ring in the middle of a round."""
    title = screen.say(Text("In round {round}", round=view.round))
    return ring(screen, agreed.board, view, title)


def telling(game: ZappZerapp, screen: Screen, board: bool, reader: Seat | None) -> Story:
    """Return the story of a game, with the choices of a reader."""
    if reader is not None and reader not in game.seats:
        raise CompanionError(
            "{you} does not play in this game; {seats:and} do.",
            you=Colour(reader) if reader in set(Colour) else reader,
            seats=game.seats,
        )
    return Story(game, screen, board=board, reader=None if reader is None else Colour(reader))


LOOK: Final = Look(
    picture=picture,
    headline=PLAIN.headline,  # nobody chooses from a list: hands do
    offers=PLAIN.offers,
    milestones=(RoundOver, Won),
    switches=SWITCHES,
    settings=settings,
    evening=Evening,
    telling=telling,
    sums=show,
)
