"""Solve a ring for two seats, into a file that the companion finds by itself.

    python3 -m companion.games.zapp_zerapp.solver red,blue --board ring.toml

It takes ten minutes of computing, or twice that, and 2 GB of memory. Ctrl-C ends it; the same
command goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.errors import CompanionError, RulesError
from companion.games.zapp_zerapp.rules import PRESETS, Colour, Settings, read_board
from companion.games.zapp_zerapp.solved import folder
from companion.games.zapp_zerapp.solved.packed import packed as pack
from companion.games.zapp_zerapp.solved.pairing import Pairing
from companion.games.zapp_zerapp.solved.places import PACKED, SOLVED
from companion.toml_reader import read_toml

INTERRUPTED = 130


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
        return _solve(_settings(options.seats, options.board), where, packed=options.packed)
    except (CompanionError, RulesError, OSError) as error:
        parser.exit(2, f"{error}\n")
    except KeyboardInterrupt:
        print("\nThe same command goes on from here.", file=sys.stderr)  # noqa: T201
        return INTERRUPTED


def _settings(seats: str, board: str) -> Settings:
    known = {colour.name.lower(): colour for colour in Colour}
    colours = sorted({known[word] for word in seats.split(",") if word in known})
    if len(colours) != 2 or seats.count(",") != 1:
        raise SystemExit("Name two colours, such as red,blue.")
    if board in PRESETS:
        return Settings(tuple(colours), board=PRESETS[board])
    return Settings(tuple(colours), board=read_board(read_toml(Path(board).read_text("utf-8"))))


def _solve(settings: Settings, where: Path, *, packed: bool) -> int:
    try:
        from companion.games.zapp_zerapp.solver.solving import solve  # noqa: PLC0415 - optional
    except ImportError:
        needed = "Solving needs numpy: pip install 'rappelwacht[science]' brings it."
        raise SystemExit(needed) from None
    where.mkdir(parents=True, exist_ok=True)
    pairing = Pairing.of(settings.board, *settings.seats)
    solved = solve(settings, where / f"{pairing.name}.solving.npy", _progress)
    file = where / (pairing.name + (PACKED if packed else SOLVED))
    table = solved.table()
    new = file.with_suffix(".new")
    new.write_bytes(pack(table, symmetric=pairing.symmetric) if packed else table)
    new.replace(file)
    print(f"\r{file}: what a round is worth is {solved.residual:.0e} off at most.")  # noqa: T201
    return 0


def _progress(sweep: int, part: float, off: float) -> None:
    print(  # noqa: T201
        f"\rsweep {sweep} of about 30: {part:4.0%}, {off:.1e} off ",
        end="",
        file=sys.stderr,
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
