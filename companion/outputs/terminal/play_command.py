"""The command `play`: a game in the terminal, watched or played at the keyboard."""

from __future__ import annotations

import secrets
from argparse import Namespace
from pathlib import Path
from typing import Any, Final

from companion import ending
from companion.core.game import Game, Seat
from companion.outputs.terminal.files import Notebook
from companion.outputs.terminal.seating import seated
from companion.present.levels import level_asked
from companion.present.look import Evening, look_of
from companion.present.screen import Screen

SLOW_S: Final = 0.25
SEEDS: Final = 1_000_000


def play(options: Namespace, screen: Screen) -> int:
    """Play a game as the options say."""
    game, yours = seated(options)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    watched = options.slow or (bool(yours) and screen.out.isatty())
    screen.pace_s = SLOW_S if watched else 0
    evening = (look_of(game.name).evening or _sitting)(game, screen, seed, yours)
    evening.board = not options.no_board
    evening.level = level_asked(game.name, options.level)
    if options.save is None:
        evening.spend()
        return 0
    with Notebook(Path(options.save), game) as evening.notebook:
        try:
            evening.spend()
        except (KeyboardInterrupt, EOFError):
            with ending.postponed():
                screen.muted = False
                screen.line()
                screen.tell("The game so far is saved in '{file}'.", file=options.save)
            raise
    screen.tell("The game is saved in '{file}'.", file=options.save)
    return 0


def _sitting(game: Game[Any], screen: Screen, seed: int, people: tuple[Seat, ...]) -> Evening:
    from companion.outputs.terminal import without_barrels  # noqa: PLC0415 - it takes time to import

    return without_barrels.Sitting(game, screen, seed, people)
