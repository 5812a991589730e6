"""Solve a ring for two seats, into a file that the companion finds by itself.

    python3 -m companion.games.zapp_zerapp.solver red,blue --board ring.toml

It sweeps over all boards some thirty times, and keeps what it has after every few. Ctrl-C ends it;
the same command goes on from there.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.games.zapp_zerapp.rules import PRESETS, Colour, Settings, read_board
from companion.games.zapp_zerapp.solution import folder
from companion.games.zapp_zerapp.solution.places import PACKED, SOLVED
from companion.games.zapp_zerapp.solution.places import packed as pack
from companion.games.zapp_zerapp.solution.table import Pairing
from companion.i18n.translate import Translatable, say, spoken
from companion.system import signals
from companion.system.errors import CompanionError, RulesError
from companion.system.text import Text
from companion.system.toml_reader import read_toml

MISUSED, INTERRUPTED = 2, 130


def main(words: Sequence[str] | None = None) -> int:
    """Solve what the words say; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python3 -m companion.games.zapp_zerapp.solver",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("seats", metavar="RED,BLUE", help="who plays: two colours")
    parser.add_argument(
        "--board", default=next(iter(PRESETS)), help=f"{', '.join(PRESETS)}, or a TOML file"
    )
    parser.add_argument("--folder", type=Path, help="where the file is put; else where it is found")
    parser.add_argument("--packed", action="store_true", help="as the program ships it")
    options = parser.parse_args(words)
    try:
        where = options.folder or folder()
        with signals.handled():
            return _solve(_settings(options.seats, options.board), where, packed=options.packed)
    except (CompanionError, RulesError) as error:
        _tell(error)
        return MISUSED
    except OSError as error:
        _tell(Text("{file}: {reason}", file=error.filename, reason=error.strerror))
        return MISUSED
    except KeyboardInterrupt as stopped:
        _tell(Text("The same command goes on from here."), start="\n")
        return stopped.code if isinstance(stopped, signals.Stopped) else INTERRUPTED


def _tell(thing: Translatable, *, start: str = "\r", end: str = "\n") -> None:
    """Say it to whoever waits, in the language of the terminal."""
    line = say(thing, spoken(os.environ))
    sys.stderr.write(f"{start}{line}{end}")
    sys.stderr.flush()


def _settings(seats: str, board: str) -> Settings:
    known = {colour.name.lower(): colour for colour in Colour}
    colours = sorted({known[word] for word in seats.split(",") if word in known})
    if len(colours) != 2 or seats.count(",") != 1:
        raise CompanionError("Name two colours, such as red,blue.")
    if board in PRESETS:
        return Settings(tuple(colours), board=PRESETS[board])
    return Settings(tuple(colours), board=read_board(read_toml(Path(board).read_text("utf-8"))))


def _solve(settings: Settings, where: Path, *, packed: bool) -> int:
    try:
        from companion.games.zapp_zerapp.solver.sweeps import solve  # noqa: PLC0415 - an optional library
    except ImportError:
        raise CompanionError(
            "Solving needs numpy; install it with: {python} -m pip install numpy",
            python=sys.executable,
        ) from None
    where.mkdir(parents=True, exist_ok=True)
    pairing = Pairing.of(settings.board, *settings.seats)
    solved = solve(settings, where / f"{pairing.name}.solving.npy", _progress)
    file = where / (pairing.name + (PACKED if packed else SOLVED))
    table = solved.table()
    new = file.with_suffix(".new")
    new.write_bytes(pack(table, symmetric=pairing.symmetric) if packed else table)
    new.replace(file)
    summary = Text(
        "{file}: what a round is worth is {off} off at most.",
        file=f"{file}",
        off=f"{solved.residual:.0e}",
    )
    sys.stdout.write(f"\r{say(summary, spoken(os.environ))}\n")
    return 0


def _progress(sweep: int, part: float, off: float) -> None:
    signals.check()
    summary = Text(
        "sweep {sweep} of about 30: {percent} %, {off} off ",
        sweep=sweep,
        percent=round(100 * part),
        off=f"{off:.1e}",
    )
    _tell(summary, end="")


if __name__ == "__main__":
    sys.exit(main())
