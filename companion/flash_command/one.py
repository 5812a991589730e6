"""Puts firmware on one board, checks it by reading it back, tries its sensors, and keeps the key.

That which starts comes last, so that a board that was cut off in the middle waits for Python
instead of running half a firmware. The key goes from file to file: it stands in no line of a
command, and on no screen.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion import ending, stoppers
from companion.errors import CompanionError
from companion.firmware_files import compiler, image
from companion.firmware_files.image import MAIN, Kind
from companion.flash_command import flashed, onboard
from companion.flash_command.mpremote import ANSWERS_S, Board
from companion.present.screen import Screen
from companion.sensing.settings import BARRELS
from companion.stoppers import Stopper
from companion.workshop.vitals import version as written

OLDEST: Final = (1, 27)  # of MicroPython: since then a pin can wake an ESP32-C3
KEY_BYTES: Final = 16
MOST_BOOTS: Final = 1 << 24  # of any battery: what says more is damaged
STAGES: Final = 5  # that are told while a board is flashed


class Tried(Enum):
    """What a stopper's sensors did when they were tried."""

    WEIGHS = "Its accelerometer and its load cell work."
    LIGHT = "Its accelerometer works. No load cell answers, as in a light stopper."
    STILL = "Its accelerometer does not work: look at its solder joints, then flash it again."
    NO_WEIGHT = (
        "Its load cell does not work: look at the four wires of the gauge, then flash it again."
    )
    BUS = (
        "The lines to its sensors do not move: look for solder between SDA and SCL, then flash it "
        "again."
    )

    @property
    def sound(self) -> bool:
        """Whether nobody has to do anything about it."""
        return self in {Tried.WEIGHS, Tried.LIGHT}


@dataclass(frozen=True, slots=True)
class Done:
    """What a board is now."""

    version: str
    stopper: Stopper | None = None
    replaced: bool = False  # another board was this stopper until now
    tried: Tried | None = None

    @property
    def sound(self) -> bool:
        """Whether it can be used as it is."""
        return self.tried is None or self.tried.sound


def flash(  # noqa: PLR0913, PLR0917 - what, on which, and for whom
    board: Board,
    kind: Kind,
    found: Mapping[str, object],
    files: Mapping[str, bytes],
    folder: Path,
    number: int | None = None,
    staged: Callable[[int], None] = lambda _: None,
) -> Done:
    """Flash a board that was looked at; `staged` is told how many stages are done."""
    stopper, kept = None, dict[str, bytes]()
    if kind.name == "stopper":
        stopper = _chosen(found, stoppers.load(folder), number)
        kept = image.kept(stopper.number, stopper.key, _begun(found))
    _free(board, found)
    staged(1)
    tried = _put(board, kind, files, kept, staged)
    with ending.postponed():  # what starts with a new key is known to the table
        version = _start(board, kind, files)
        replaced = stopper is not None and _remember(folder, stopper)
        if stopper is not None and (tried is None or tried.sound):
            flashed.keep(folder, stopper, kind)
        board.reset()
    staged(STAGES)
    return Done(version, stopper, replaced, tried)


def ready(kind: Kind, screen: Screen) -> Mapping[str, bytes]:
    """Return the files as a board starts soonest with them."""
    files = image.firmware(kind)
    mpy_cross = compiler.program()
    if mpy_cross is not None:
        return compiler.compiled(files, mpy_cross)
    screen.tell(
        "{program} is missing, so the board compiles its firmware at each start, which takes a "
        "second or two and may miss the lift that wakes it. Get it with: {python} -m pip install "
        "{program} – and flash again.",
        program=compiler.PROGRAM,
        python=sys.executable,
    )
    return files


# --- the board --------------------------------------------------------------------------------


def looked(board: Board, kind: Kind) -> Mapping[str, object]:
    """Return what the board says of itself, if it is one that can be flashed."""
    found = onboard.told(board.run(onboard.LOOK, ANSWERS_S))
    chip, version = str(found.get("chip", "")), found.get("version")
    if kind.chip not in chip.upper().replace("-", ""):
        raise CompanionError(
            "The board at {port} is '{chip}', but a {board} needs an {wanted}; check which board "
            "is plugged in.",
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
    node_of(found)
    return found


def node_of(found: Mapping[str, object]) -> bytes:
    """Return the board's address."""
    try:
        node = bytes.fromhex(str(found.get("node")))
    except ValueError:
        node = b""
    if len(node) != 6:
        raise CompanionError(
            "The board does not report its address; plug it in again, then flash again."
        )
    return node


def _whole(found: Mapping[str, object], name: str) -> int:
    value = found.get(name)
    return value if isinstance(value, int) else 0


def _begun(found: Mapping[str, object]) -> int:
    """Return how often it began; with a new key it may begin to count again."""
    boot = _whole(found, "boot")
    return boot if 0 <= boot < MOST_BOOTS else 0


def _free(board: Board, found: Mapping[str, object]) -> None:
    """Get a board to itself: its watchdog would end what takes long, and stops only by a reset."""
    if found.get("main"):
        board.run(onboard.STOP)
        board.reset()
        board.wait_until_back()


def _put(
    board: Board,
    kind: Kind,
    files: Mapping[str, bytes],
    kept: Mapping[str, bytes],
    staged: Callable[[int], None],
) -> Tried | None:
    """Copy all but what starts, read it back and try it; return what was tried."""
    rest = {name: data for name, data in files.items() if name != MAIN} | dict(kept)
    board.run(onboard.clear(image.tops(files)))
    _copy(board, rest)
    staged(2)
    _check(board, kind, rest)
    staged(3)
    tried = _tried(board, kind) if kept else None
    staged(4)
    return tried


def _start(board: Board, kind: Kind, files: Mapping[str, bytes]) -> str:
    """Copy what starts, and read all back; return the version."""
    _copy(board, {MAIN: files[MAIN]})
    return _check(board, kind, files)


def _copy(board: Board, files: Mapping[str, bytes]) -> None:
    with TemporaryDirectory(prefix="flash-") as scratch:  # for this user alone
        for name, data in files.items():
            path = Path(scratch) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        board.copy(sorted(Path(scratch).iterdir()))


def _tried(board: Board, kind: Kind) -> Tried:
    """Return what the sensors do."""
    said = onboard.told(board.run(onboard.try_out(kind.slot)))
    motion, load = said.get("motion"), said.get("load")
    if "bus-stuck" in {motion, load}:
        return Tried.BUS
    if motion != "ok":
        return Tried.STILL
    if load == "ok":
        return Tried.WEIGHS
    return Tried.LIGHT if load == "silent" else Tried.NO_WEIGHT


def _check(board: Board, kind: Kind, files: Mapping[str, bytes]) -> str:
    """Read back; return the version, or raise what did not arrive."""
    found = onboard.told(board.run(onboard.check(kind.slot, kind.module, list(files))))
    there = found.get("hashes")
    wanted = image.hashes(files)
    wrong = [one for one in wanted if not isinstance(there, dict) or there.get(one) != wanted[one]]
    if wrong:
        raise CompanionError(
            "Not everything arrived complete: {files}. Flash again, and use another cable if that "
            "does not help.",
            files=tuple(wrong),
        )
    return written(_whole(found, "firmware"))


# --- the stopper's number and key ---------------------------------------------------------------


def _chosen(found: Mapping[str, object], known: tuple[Stopper, ...], wanted: int | None) -> Stopper:
    """Return the stopper that this board is to be: the one somebody wants, its own, or a free."""
    node = node_of(found)
    numbers = {one.number: one.node for one in known}
    own = next((one.number for one in known if one.node == node), None)
    told = str(found.get("number", ""))
    free = [one for one in range(1, BARRELS + 1) if one not in numbers]
    before = next((one for one in free if str(one).encode().hex() == told), None)
    number = wanted or own or before or next(iter(free), None)
    if number is None:
        raise CompanionError(
            "This table already has {count} stoppers; use --number to say which one this replaces.",
            count=BARRELS,
        )
    if not 1 <= number <= BARRELS:
        raise CompanionError("Stoppers are numbered from 1 to {last}.", last=BARRELS)
    return Stopper(node, number, secrets.token_bytes(KEY_BYTES))


def _remember(folder: Path, stopper: Stopper) -> bool:
    """Keep the key for the table; return whether another board was this stopper until now."""
    known = stoppers.load(folder)
    try:
        stoppers.keep(folder, stopper)
    except OSError as error:
        raise CompanionError(
            "The key cannot be stored in {folder} ({reason}), so the table will not understand "
            "this stopper; check who may write there, and flash again.",
            folder=folder,
            reason=error.strerror,
        ) from None
    return any(one.number == stopper.number and one.node != stopper.node for one in known)
