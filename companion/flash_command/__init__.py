"""`flash`: puts firmware on a stopper or a hub, or on all stoppers in a row."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from companion.errors import CompanionError
from companion.firmware_files.image import KINDS
from companion.flash_command import one, row
from companion.flash_command.mpremote import Board
from companion.flash_command.plugged import the_only
from companion.folders import kept_in, made_private
from companion.present.screen import Screen
from companion.program import program

SICK: Final = 1  # the exit code where all was written, and a part of the board does not work


def flash(options: Namespace, screen: Screen) -> int:
    """Flash one board, or one stopper after another."""
    kind = KINDS[options.kind]
    if options.all:
        if kind.name != "stopper" or options.number is not None or options.port is not None:
            raise CompanionError(
                "--all is for stoppers, finds the port by itself, and gives each the next "
                "number; all you need is: {program} flash stopper --all",
                program=program(),
            )
        return row.flash(made_private(kept_in(options.folder, "table")), screen)
    board = Board(options.port or the_only(kind.name), kind.picture)
    screen.tell("Connecting to the board at {port} …", port=board.port)
    found = one.looked(board, kind)  # first: a wrong port is refused at once
    screen.tell(
        "The {board} {node} at {port} is being flashed; leave it plugged in.",
        board=kind.name,
        node=one.node_of(found).hex(":"),
        port=board.port,
    )
    folder = made_private(kept_in(options.folder, "table"))
    files = one.ready(kind, screen)
    done = one.flash(board, kind, found, files, folder, options.number)
    if done.stopper is not None:
        screen.tell(
            "It is stopper {number}: write that inside its cap. A running table knows it after a "
            "restart.",
            number=done.stopper.number,
        )
    if done.replaced:
        screen.tell(
            "The board that was stopper {number} until now no longer belongs to this table; "
            "flash it too if it is to stay in play.",
            number=done.stopper.number if done.stopper else 0,
        )
    screen.tell(
        "Done: it runs firmware {version}, and every file was read back.", version=done.version
    )
    if done.tried is not None:
        screen.tell(done.tried.value)
    return 0 if done.sound else SICK
