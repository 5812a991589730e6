"""Puts firmware on one board, checks it by reading it back, tries its sensors, and keeps the key.

That which starts comes last, so that a board that was cut off in the middle waits for Python
instead of running half a firmware. The key goes from file to file: it stands in no line of a
command, and on no screen.
"""

import json
import secrets
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from serial.tools.list_ports import comports

from companion.cli import flash_programs
from companion.devices import stopper_registry
from companion.devices.firmware import image
from companion.devices.stopper_registry import Stopper
from companion.maintenance.stopper_status import version_text
from companion.present.terminal import TerminalScreen
from companion.sensing.name_word import name_of
from companion.sensing.settings import BARRELS
from companion.system import signals, small_files
from companion.system.errors import CompanionError

PROGRAM: Final = (sys.executable, "-P", "-m", "mpremote")
PATIENCE_S: Final = 120.0  # for one call: copying all takes some twenty seconds
ANSWERS_S: Final = 30.0  # a board that is there does so within a few seconds
RETURNS_S: Final = 15.0  # by then a board has its port again after a reset
AGAIN_S: Final = 0.5
UNREACHABLE: Final = ("failed to access", "no device found")
DEAF: Final = ("could not enter raw repl", "timeout waiting", "could not exec command")


class ConnectedBoard:
    def __init__(self, port: str, picture: str) -> None:
        self.port = port
        self._picture = picture  # of MicroPython, for who has to write it first

    def run(self, code: str, patience_s: float = PATIENCE_S) -> str:
        """Run a program on the board; return what it prints."""
        return self._call(["exec", code], patience_s)

    def copy(self, paths: Sequence[Path]) -> None:
        """Copy files and folders, with all that is in them, to the board's root."""
        self._call(["fs", "cp", "-r", *map(str, paths), ":"])

    def reset(self) -> None:
        """Start over, as from power-on."""
        self._call(["reset"])

    def wait_until_back(self) -> None:
        """Wait until the board can be talked to after a reset: its port goes and comes."""
        for _ in range(round(RETURNS_S / AGAIN_S)):
            signals.sleep(AGAIN_S)
            code, _, _ = self._try(["exec", "print()"], ANSWERS_S)
            if code == 0:
                return
        self.run("print()")  # says why not

    def _call(self, words: Sequence[str], patience_s: float = PATIENCE_S) -> str:
        code, out, complaint = self._try(words, patience_s)
        if code != 0:
            raise self._fault(out, complaint)
        return out

    def _try(self, words: Sequence[str], patience_s: float) -> tuple[int, str, str]:
        return image.run([*PROGRAM, "connect", self.port, *words], patience_s)

    def _fault(self, out: str, complaint: str) -> CompanionError:
        if any(sign in complaint for sign in UNREACHABLE):
            return CompanionError(
                "{port} cannot be opened; plug the board in, and stop the table if it is running "
                "(sudo systemctl stop rappelwacht). Available ports: {ports}",
                port=self.port,
                ports=" ".join(sorted(port.device for port in comports())) or "–",
            )
        if any(sign in out + complaint for sign in DEAF):
            return CompanionError(
                "The board at {port} does not speak Python: hold its BOOT button while you plug "
                "it in, then run: esptool erase-flash – and: esptool write-flash 0 {picture} – "
                "and flash again.",
                port=self.port,
                picture=self._picture,
            )
        last = next(iter([*(complaint or out).strip().splitlines()][-1:]), "?")
        return CompanionError(
            "The board at {port} could not be flashed ({reason}); unplug it, plug it in and flash "
            "again. Until then it may not start.",
            port=self.port,
            reason=last,
        )


FLASHED_FILE: Final[small_files.SmallFile[dict[str, Any]]] = small_files.SmallFile(
    "flashed.json", lambda marks: json.dumps(marks, indent=1).encode(), small_files.object_in
)


def up_to_date(
    folder: Path, known: Collection[Stopper], kind: image.BoardKind
) -> tuple[Stopper, ...]:
    """Return who has the newest firmware, and is known by this key and by a name of its own."""
    marks, alike = FLASHED_FILE.load(folder, {}), stopper_registry.alike(known)
    return tuple(
        stopper
        for stopper in known
        if marks.get(stopper.node.hex()) == _mark(stopper, kind) and stopper.number not in alike
    )


def note_flashed(folder: Path, stopper: Stopper, kind: image.BoardKind) -> None:
    """Note that one has it; where that cannot be written, it is only done again."""
    marks = FLASHED_FILE.load(folder, {}) | {stopper.node.hex(): _mark(stopper, kind)}
    with suppress(OSError):
        FLASHED_FILE.save(folder, marks)


def _mark(stopper: Stopper, kind: image.BoardKind) -> str:
    digest = sha256(b"flashed" + stopper.key)
    for name, hash_ in sorted(image.hashes(image.firmware_files(kind)).items()):
        digest.update(f"{name} {hash_}\n".encode())
    return digest.hexdigest()[:16]


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
class BoardFacts:
    """What a board says of itself, as far as flashing it depends on that."""

    node: bytes  # its address
    number: str  # of the stopper that it was, in hexadecimal digits; empty: none
    boot: int  # how often it began
    runs: bool  # firmware, whose watchdog would end what takes long


@dataclass(frozen=True, slots=True)
class FlashedBoard:
    version: str
    stopper: Stopper | None = None
    replaced: bool = False  # another board was this stopper until now
    tried: Tried | None = None

    @property
    def sound(self) -> bool:
        """Whether it can be used as it is."""
        return self.tried is None or self.tried.sound


def flash(  # noqa: PLR0913, PLR0917 - what, on which, and for whom
    board: ConnectedBoard,
    kind: image.BoardKind,
    facts: BoardFacts,
    files: Mapping[str, bytes],
    folder: Path,
    number: int | None = None,
    staged: Callable[[int], None] = lambda _: None,
) -> FlashedBoard:
    """Flash a board that was looked at; `staged` is told how many stages are done."""
    stopper, kept = None, dict[str, bytes]()
    if kind.name == "stopper":
        stopper = _chosen(facts, stopper_registry.load(folder), number)
        kept = image.kept_files(stopper.number, stopper.key, facts.boot)
    if facts.runs:
        board.run(flash_programs.STOP)
        board.reset()
        board.wait_until_back()
    staged(1)
    tried = _put(board, kind, files, kept, staged)
    with signals.postponed():  # what starts with a new key is known to the table
        version = _start(board, kind, files)
        replaced = stopper is not None and _remember(folder, stopper)
        if stopper is not None and (tried is None or tried.sound):
            note_flashed(folder, stopper, kind)
        board.reset()
    staged(STAGES)
    return FlashedBoard(version, stopper, replaced, tried)


def ready(kind: image.BoardKind, screen: TerminalScreen) -> Mapping[str, bytes]:
    """Return the files as a board starts soonest with them."""
    files = image.firmware_files(kind)
    mpy_cross = image.find_mpy_cross()
    if mpy_cross is not None:
        return image.compile_files(files, mpy_cross)
    screen.tell(
        "{program} is missing, so the board compiles its firmware at each start, which takes a "
        "second or two and may miss the lift that wakes it. Get it with: {python} -m pip install "
        "{program} – and flash again.",
        program=image.PROGRAM,
        python=sys.executable,
    )
    return files


# --- the board --------------------------------------------------------------------------------


def board_facts(board: ConnectedBoard, kind: image.BoardKind) -> BoardFacts:
    """Return what the board says of itself, if it is one that can be flashed."""
    facts = flash_programs.parse_answer(board.run(flash_programs.LOOK, ANSWERS_S))
    chip, version = str(facts.get("chip", "")), facts.get("version")
    if kind.chip not in chip.upper().replace("-", ""):
        raise CompanionError(
            "The board at {port} is '{chip}', but a {board} needs an {wanted}; check which board "
            "is plugged in.",
            port=board.port,
            chip=chip or "?",
            board=kind.name,
            wanted=kind.chip,
        )
    if not isinstance(version, list) or tuple(version) != image.MICROPYTHON:
        raise CompanionError(
            "The board has MicroPython {version}, and all boards need {wanted}: older ones do not "
            "wake up, and newer ones may hang in light sleep. Write that first: esptool "
            "erase-flash – and: esptool write-flash 0 {picture}",
            version=".".join(map(str, version)) if isinstance(version, list) else "?",
            wanted=".".join(map(str, image.MICROPYTHON)),
            picture=kind.picture,
        )
    try:
        node = bytes.fromhex(str(facts.get("node")))
    except ValueError:
        node = b""
    if len(node) != 6:
        raise CompanionError(
            "The board does not report its address; plug it in again, then flash again."
        )
    boot = _whole(facts, "boot")
    boot = boot if 0 <= boot < MOST_BOOTS else 0  # with a new key it may count from the start
    return BoardFacts(node, str(facts.get("number", "")), boot, bool(facts.get("main")))


def _whole(facts: Mapping[str, object], name: str) -> int:
    value = facts.get(name)
    return value if isinstance(value, int) else 0


def _put(
    board: ConnectedBoard,
    kind: image.BoardKind,
    files: Mapping[str, bytes],
    kept: Mapping[str, bytes],
    staged: Callable[[int], None],
) -> Tried | None:
    """Copy all but what starts, read it back and try it; return what was tried."""
    rest = {name: data for name, data in files.items() if name != image.MAIN} | dict(kept)
    board.run(flash_programs.clear(image.old_names(files)))
    _copy(board, rest)
    staged(2)
    _check(board, kind, rest)
    staged(3)
    tried = _tried(board, kind) if kept else None
    staged(4)
    return tried


def _start(board: ConnectedBoard, kind: image.BoardKind, files: Mapping[str, bytes]) -> str:
    """Copy what starts, and read all back; return the version."""
    _copy(board, {image.MAIN: files[image.MAIN]})
    return _check(board, kind, files)


def _copy(board: ConnectedBoard, files: Mapping[str, bytes]) -> None:
    with TemporaryDirectory(prefix="flash-") as scratch:  # for this user alone
        for name, data in files.items():
            path = Path(scratch) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        board.copy(sorted(Path(scratch).iterdir()))


def _tried(board: ConnectedBoard, kind: image.BoardKind) -> Tried:
    answers = flash_programs.parse_answer(board.run(flash_programs.try_out(kind.slot)))
    motion, load = answers.get("motion"), answers.get("load")
    if "bus-stuck" in {motion, load}:
        return Tried.BUS
    if motion != "ok":
        return Tried.STILL
    if load == "ok":
        return Tried.WEIGHS
    return Tried.LIGHT if load == "silent" else Tried.NO_WEIGHT


def _check(board: ConnectedBoard, kind: image.BoardKind, files: Mapping[str, bytes]) -> str:
    """Read back; return the version, or raise what did not arrive."""
    facts = flash_programs.parse_answer(
        board.run(flash_programs.check(kind.slot, kind.module, list(files)))
    )
    there = facts.get("hashes")
    wanted = image.hashes(files)
    wrong = [
        name for name in wanted if not isinstance(there, dict) or there.get(name) != wanted[name]
    ]
    if wrong:
        raise CompanionError(
            "Not everything arrived complete: {files}. Flash again, and use another cable if that "
            "does not help.",
            files=tuple(wrong),
        )
    return version_text(_whole(facts, "firmware"))


# --- the stopper's number and key ---------------------------------------------------------------


def _chosen(facts: BoardFacts, known: tuple[Stopper, ...], wanted: int | None) -> Stopper:
    """Return the stopper that this board is to be: the one somebody wants, its own, or a free."""
    node = facts.node
    numbers = {stopper.number: stopper.node for stopper in known}
    own = next((stopper.number for stopper in known if stopper.node == node), None)
    free = [number for number in range(1, BARRELS + 1) if number not in numbers]
    before = next((digit for digit in free if str(digit).encode().hex() == facts.number), None)
    number = wanted or own or before or next(iter(free), None)
    if number is None:
        raise CompanionError(
            "This table already has {count} stoppers; use --number to say which one this replaces.",
            count=BARRELS,
        )
    if not 1 <= number <= BARRELS:
        raise CompanionError("Stoppers are numbered from 1 to {last}.", last=BARRELS)
    others = {
        name_of(stopper.key)
        for stopper in known
        if stopper.node != node and stopper.number != number
    }
    keys = iter(lambda: secrets.token_bytes(KEY_BYTES), b"")
    key = next(key for key in keys if name_of(key) not in others)  # pads must tell them apart
    return Stopper(node, number, key)


def _remember(folder: Path, stopper: Stopper) -> bool:
    """Keep the key for the table; return whether another board was this stopper until now."""
    known = stopper_registry.load(folder)
    try:
        stopper_registry.save(folder, stopper)
    except OSError as error:
        raise CompanionError(
            "The key cannot be stored in {folder} ({reason}), so the table will not understand "
            "this stopper; check who may write there, and flash again.",
            folder=folder,
            reason=error.strerror,
        ) from None
    return any(other.number == stopper.number and other.node != stopper.node for other in known)


ESPRESSIF: Final = 0x303A  # who makes the chips of all our boards
RUNNING_HUB: Final = 0x4001  # the product, as MicroPython names itself on an ESP32-S3


@dataclass(frozen=True, slots=True, order=True)
class Plugged:
    """Something that may be a board: where it is, and what its USB calls it."""

    port: str
    serial: str = ""


def plugged(kind: str) -> tuple[Plugged, ...]:
    """Return what may be such a board; one that speaks as a hub is not a stopper."""
    return tuple(
        sorted(
            Plugged(port.device, port.serial_number or "")
            for port in comports()
            if (port.vid == ESPRESSIF and not (kind == "stopper" and port.pid == RUNNING_HUB))
            or (port.vid is None and "ACM" in port.device)  # nobody says whose it is
        )
    )


def the_only(kind: str) -> str:
    """Return the port of the only board that is plugged in; CompanionError: there is not one."""
    match plugged(kind):
        case (board,):
            return board.port
        case ():
            raise CompanionError(
                "No board is plugged in; plug in the {board}, or use --port to say where it is.",
                board=kind,
            )
        case several:
            raise CompanionError(
                "{count} boards are plugged in, at {ports:and}; unplug all but the {board}, or "
                "use --port to say which it is.",
                count=len(several),
                ports=tuple(board.port for board in several),
                board=kind,
            )
