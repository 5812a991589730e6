"""Stands for the program mpremote, quickly and with faults; its port is a board's folder.

It takes the words that mpremote 1.27 takes for what flashing does, refuses all others, and
complains as that does. `test_the_real_mpremote_does_the_same` keeps it honest.
"""

import sys
from pathlib import Path

from hardware.flash.board import Board, Reset


def main(words: list[str]) -> int:
    match words:
        case ["connect", port, *rest]:
            pass
        case _:
            raise AssertionError(words)
    if not Path(port).is_dir():
        return complain(f"failed to access {port} (it may be in use by another program)")
    with (Path(port) / "calls").open("a") as calls:
        calls.write(" ".join(words).replace("\n", "; ") + "\n")
    board = Board(Path(port))
    if board.special.get("deaf"):
        print(b"\\x00\\x01")  # noqa: T201 - as mpremote prints
        return complain("could not enter raw repl")
    match rest:
        case ["exec", code]:
            out, error = board.run(code)
            sys.stdout.write(out + error)
            return 1 if error else 0
        case ["reset"]:
            return 0
        case ["fs", "cp", "-r", *paths, ":"] if paths:
            return copy(board, list(map(Path, paths)))
    raise AssertionError(words)


def copy(board: Board, paths: list[Path]) -> int:
    """Copy as `fs cp -r` does: each with its name, folders with all that is in them."""
    for path in paths:
        print(f"cp {path} :")  # noqa: T201 - as mpremote prints
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            name = str(file.relative_to(path.parent))
            target = board.flash / name
            if file.is_dir():
                target.mkdir(exist_ok=True)
                continue
            if board.special.get("full") == name:
                return complain(f"cp: {name}: No space left on device.")
            target.parent.mkdir(exist_ok=True)
            worn = board.special.get("worn") == name
            target.write_bytes(b"" if worn else file.read_bytes())
    return 0


def complain(reason: str) -> int:
    sys.stdout.flush()
    print(f"mpremote: {reason}", file=sys.stderr)  # noqa: T201 - as mpremote prints
    return 1


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except Reset:
        raise SystemExit(0) from None
