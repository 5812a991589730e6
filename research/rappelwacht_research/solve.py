"""The command `solve`: a ring for two seats, solved into a file that the coach finds by itself.

It sweeps over all boards some thirty times, and keeps what it has after every few. Ctrl-C ends it;
the same command goes on from there.
"""

import json
import lzma
import sys
import zlib
from argparse import Namespace
from pathlib import Path
from typing import Final

from companion.games.zapp_zerapp.rules import PRESETS, Board, Colour, Settings, read_board
from companion.games.zapp_zerapp.solution import folder
from companion.games.zapp_zerapp.solution import table as tables
from companion.games.zapp_zerapp.solution.table import PACKED, SOLVED, Pairing
from companion.present.terminal import TerminalScreen
from companion.system import signals
from companion.system.errors import CompanionError
from companion.system.paths import ensure_folder
from companion.system.text import Text
from companion.system.toml_reader import read_toml

FILTERS: Final = (
    {"id": lzma.FILTER_DELTA, "dist": 1},
    {"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 0, "lp": 0, "pb": 0},
)
NEGATED: Final = bytes(-byte & 255 for byte in range(256))


def head(pairing: Pairing, residual: float, figures: bytes) -> bytes:
    """Return what stands before the figures."""
    head = {
        "format": tables.FORMAT,
        "version": tables.VERSION,
        "pairing": pairing,
        "residual": residual,
        "crc32": zlib.crc32(figures),
    }
    return json.dumps(head).encode().ljust(tables.HEAD - 1) + b"\n"


def packed(table: bytes, *, symmetric: bool) -> bytes:
    """Return a whole table as it is shipped."""
    rows = (
        tables.plus(row, before.translate(NEGATED))
        for before, row in tables.rows_of(table[tables.HEAD :], symmetric=symmetric)
    )
    return lzma.compress(table[: tables.HEAD] + b"".join(rows), lzma.FORMAT_XZ, filters=FILTERS)


def solve(options: Namespace, screen: TerminalScreen) -> int:
    """Solve what the options say."""
    colours = {Colour[seat.name] for seat in options.seats if seat.name in Colour.__members__}
    if len(colours) != 2 or len(options.seats) != 2:
        raise CompanionError("Name two colours, such as red,blue.")
    settings = Settings(tuple(sorted(colours)), board=board_of(options.board))
    try:
        from rappelwacht_research import sweeps  # noqa: PLC0415 - an optional library
    except ImportError:
        raise CompanionError(
            "Solving needs numpy; install it with: {python} -m pip install numpy",
            python=sys.executable,
        ) from None
    where = ensure_folder(Path(options.folder) if options.folder else folder())
    pairing = Pairing.for_colours(settings.board, *settings.seats)

    def progress(sweep: int, part: float, off: float) -> None:
        signals.check()
        done = Text(
            "sweep {sweep} of about 30: {percent} %, {off} off ",
            sweep=sweep,
            percent=round(100 * part),
            off=f"{off:.1e}",
        )
        _show_progress(f"\r{screen.say(done)}")

    try:
        solved = sweeps.solve(settings, where / f"{pairing.name}.solving.npy", progress)
    except KeyboardInterrupt:
        _show_progress(f"\n{screen.say(Text('The same command goes on from here.'))}\n")
        raise
    file = where / (pairing.name + (PACKED if options.packed else SOLVED))
    table = solved.table()
    new = file.with_suffix(".new")
    new.write_bytes(packed(table, symmetric=pairing.symmetric) if options.packed else table)
    new.replace(file)
    _show_progress("\r")
    worth = Text(
        "{file}: what a round is worth is {off} off at most.",
        file=f"{file}",
        off=f"{solved.residual:.0e}",
    )
    screen.line(screen.say(worth))  # not broken into lines: somebody may copy the file's name
    return 0


def board_of(name: str | None) -> Board:
    """Return a ring by its name or its file."""
    if name is None:
        return Settings().board
    return PRESETS.get(name) or read_board(read_toml(Path(name).read_text("utf-8")))


def _show_progress(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
