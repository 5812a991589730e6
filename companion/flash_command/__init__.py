"""`flash`: puts firmware on a stopper or a hub, checks it by reading it back, and keeps the key.

It must not know what the firmware does. That which starts comes last, so that a board that was cut
off in the middle waits for Python instead of running half a firmware. The key goes from file to
file: it stands in no line of a command, and on no screen.
"""

from __future__ import annotations

import secrets
import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion import stoppers
from companion.errors import CompanionError
from companion.firmware_files import compiling, image
from companion.firmware_files.image import KINDS, MAIN, Kind
from companion.flash_command import onboard
from companion.flash_command.mpremote import Board
from companion.folders import kept_in, made_private
from companion.present.screen import Screen
from companion.sensing.settings import BARRELS
from companion.stoppers import Stopper
from companion.workshop.vitals import version as written

OLDEST: Final = (1, 27)  # of MicroPython: since then a pin can wake an ESP32-C3
KEY_BYTES: Final = 16
MOST_BOOTS: Final = 1 << 24  # of any battery: what says more is damaged


def flash(options: Namespace, screen: Screen) -> int:
    """Flash one board."""
    kind = KINDS[options.kind]
    files: Mapping[str, bytes] = image.firmware(kind)
    board = Board(options.port, kind.picture)
    found = _looked(board, kind)  # first: a wrong port is refused at once
    screen.tell(
        "The {board} {node} at {port} is being flashed; leave it plugged in.",
        board=kind.name,
        node=_node(found).hex(":"),
        port=options.port,
    )
    stopper, kept = None, dict[str, bytes]()
    folder = made_private(kept_in(options.folder, "table"))
    if kind.name == "stopper":
        stopper = _chosen(found, stoppers.load(folder), options.number)
        kept = image.kept(stopper.number, stopper.key, _begun(found))
    files = _ready(files, screen)
    _free(board, found)
    firmware = _put(board, kind, files, kept)
    if stopper is not None:
        _remember(folder, stopper, screen)
    board.reset()
    screen.tell("Done: it runs firmware {version}, and all of it was read back.", version=firmware)
    return 0


def _ready(files: Mapping[str, bytes], screen: Screen) -> Mapping[str, bytes]:
    """Return the files as a board starts soonest with them."""
    mpy_cross = compiling.program()
    if mpy_cross is not None:
        return compiling.compiled(files, mpy_cross)
    screen.tell(
        "{program} is not here, so the board compiles its firmware at each start, which takes a "
        "second or two and may cost a lift that wakes it. Get it with: {python} -m pip install "
        "{program} – and flash again.",
        program=compiling.PROGRAM,
        python=sys.executable,
    )
    return files


# --- the board --------------------------------------------------------------------------------


def _looked(board: Board, kind: Kind) -> Mapping[str, object]:
    """Return what the board says of itself, if it is one that can be flashed."""
    found = onboard.told(board.run(onboard.LOOK))
    chip, version = str(found.get("chip", "")), found.get("version")
    if kind.chip not in chip.upper().replace("-", ""):
        raise CompanionError(
            "What is at {port} is '{chip}', and a {board} needs an {wanted}; look which board is "
            "plugged in.",
            port=board.port,
            chip=chip or "?",
            board=kind.name,
            wanted=kind.chip,
        )
    if not isinstance(version, list) or tuple(version[:2]) < OLDEST:
        raise CompanionError(
            "The board has MicroPython {version}, and the firmware needs {oldest} or newer; write "
            "that first: esptool erase-flash – and: esptool write-flash 0 {picture}",
            version=".".join(map(str, version)) if isinstance(version, list) else "?",
            oldest=".".join(map(str, OLDEST)),
            picture=kind.picture,
        )
    _node(found)
    return found


def _node(found: Mapping[str, object]) -> bytes:
    try:
        node = bytes.fromhex(str(found.get("node")))
    except ValueError:
        node = b""
    if len(node) != 6:
        raise CompanionError(
            "The board does not tell its address; plug it in anew, and flash again."
        )
    return node


def _whole(found: Mapping[str, object], name: str) -> int:
    value = found.get(name)
    return value if isinstance(value, int) else 0


def _begun(found: Mapping[str, object]) -> int:
    """Return how often it began; with a new key it may begin to count anew."""
    boot = _whole(found, "boot")
    return boot if 0 <= boot < MOST_BOOTS else 0


def _free(board: Board, found: Mapping[str, object]) -> None:
    """Get a board to itself: its watchdog would end what takes long, and stops only by a reset."""
    if found.get("main"):
        board.run(onboard.STOP)
        board.reset()
        board.wait_until_back()


def _put(board: Board, kind: Kind, files: Mapping[str, bytes], kept: Mapping[str, bytes]) -> str:
    """Copy all, read it back, then what starts; return the version."""
    rest = {name: data for name, data in files.items() if name != MAIN} | dict(kept)
    board.run(onboard.clear(image.tops(files)))
    with TemporaryDirectory(prefix="flash-") as scratch:  # for this user alone
        for name, data in (rest | {MAIN: files[MAIN]}).items():
            path = Path(scratch) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        copied = sorted(set(Path(scratch).iterdir()) - {Path(scratch) / MAIN})
        board.copy(copied)
        version = _check(board, kind, rest)
        board.copy([Path(scratch) / MAIN])
    return _check(board, kind, files) and version


def _check(board: Board, kind: Kind, files: Mapping[str, bytes]) -> str:
    """Read back; return the version, or raise what did not arrive."""
    found = onboard.told(board.run(onboard.check(kind.slot, kind.module, list(files))))
    there = found.get("hashes")
    wanted = image.hashes(files)
    wrong = [one for one in wanted if not isinstance(there, dict) or there.get(one) != wanted[one]]
    if wrong:
        raise CompanionError(
            "Of what was sent, {files:and} did not arrive whole; flash again, and take another "
            "cable if it stays so.",
            files=tuple(wrong),
        )
    return written(_whole(found, "firmware"))


# --- the stopper's number and key ---------------------------------------------------------------


def _chosen(found: Mapping[str, object], known: tuple[Stopper, ...], wanted: int | None) -> Stopper:
    """Return the stopper that this board is to be: the one somebody wants, its own, or a free."""
    node = _node(found)
    numbers = {one.number: one.node for one in known}
    own = next((one.number for one in known if one.node == node), None)
    told = str(found.get("number", ""))
    free = [one for one in range(1, BARRELS + 1) if one not in numbers]
    before = next((one for one in free if str(one).encode().hex() == told), None)
    number = wanted or own or before or next(iter(free), None)
    if number is None:
        raise CompanionError(
            "This table has {count} stoppers already; say with --number which one this replaces.",
            count=BARRELS,
        )
    if not 1 <= number <= BARRELS:
        raise CompanionError("Stoppers are numbered from 1 to {last}.", last=BARRELS)
    return Stopper(node, number, secrets.token_bytes(KEY_BYTES))


def _remember(folder: Path, stopper: Stopper, screen: Screen) -> None:
    """Keep the key for the table."""
    known = stoppers.load(folder)
    replaced = any(o.number == stopper.number and o.node != stopper.node for o in known)
    try:
        stoppers.keep(folder, stopper)
    except OSError as error:
        raise CompanionError(
            "The key cannot be kept in {folder} ({reason}), so the table will not understand this "
            "stopper; look who may write there, and flash again.",
            folder=folder,
            reason=error.strerror,
        ) from None
    screen.tell(
        "It is stopper {number}: write that on its shell. A table that runs knows it after it is "
        "started anew.",
        number=stopper.number,
    )
    if replaced:
        screen.tell(
            "The board that was stopper {number} until now is none of this table any more; flash "
            "it too if it is to play on.",
            number=stopper.number,
        )
