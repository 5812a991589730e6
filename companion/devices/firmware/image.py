"""The firmware image of a board: its files, and what only this one board keeps."""

import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion import wire
from companion.system import errors, signals
from companion.system.paths import project_file

FOLDER: Final = project_file("firmware")
MAIN: Final = "main.py"
SLOTS: Final = ("a", "b")
# The one MicroPython that `flash` puts firmware on, the same that the tests run. Before it, no pin
# wakes an ESP32-C3. After it, nobody knows: a stopper enters light sleep twenty times a second, in
# which some images have hung (hardware/first-boards.md), and one that hangs is a dead barrel.
MICROPYTHON: Final = (1, 27, 0)


@dataclass(frozen=True, slots=True)
class BoardKind:
    """A kind of board: its chip, its own folders and files, and where its version stands."""

    name: str
    chip: str  # as MicroPython names it
    picture: str  # of MicroPython, to be written first
    folders: tuple[str, ...]
    files: tuple[str, ...]
    module: str
    lasting: tuple[str, ...] = ()  # what no update by radio replaces…
    slot: str = ""  # …and the folder of all the rest, if it can be updated so


KINDS: Final = {
    "stopper": BoardKind(
        *("stopper", "ESP32C3", "ESP32_GENERIC_C3.bin (XIAO: SEEED_XIAO_ESP32C3.bin)"),
        *(("drivers", "stopper"), ("air.py", "board_stopper.py", "loop_stopper.py")),
        module="stopper.stopper",
        lasting=("flash.py", "slots.py"),
        slot=f"{SLOTS[0]}/",
    ),
    "hub": BoardKind(
        *("hub", "ESP32S3", "SEEED_XIAO_ESP32S3.bin"),
        *(("hub", "stopper"), ("air.py", "board_hub.py", "flash.py"), "hub.hub"),
    ),
}


def firmware_files(kind: BoardKind, folder: Path = FOLDER) -> dict[str, bytes]:
    """Return the files of a board by their names on it; that which starts is the last."""
    paths = {
        str(path.relative_to(folder)): path
        for part in kind.folders
        for path in sorted((folder / part).rglob("*.py"))
    }
    paths |= {name: folder / name for name in kind.files}
    paths["wire.py"] = Path(wire.__file__)
    paths = {kind.slot + name: path for name, path in paths.items()}
    paths |= {name: folder / name for name in kind.lasting}
    paths[MAIN] = folder / f"main_{kind.name}.py"
    try:
        return {name: path.read_bytes() for name, path in paths.items()}
    except OSError as error:
        raise errors.CompanionError(
            "The firmware is missing from this program: {file} cannot be read ({reason}). Flash "
            "from a complete copy of the project.",
            file=error.filename,
            reason=error.strerror,
        ) from None


def slot_files(kind: BoardKind) -> dict[str, bytes]:
    """Return what an update by radio replaces, by the names in a slot."""
    files = firmware_files(kind)
    return {
        name.removeprefix(kind.slot): data
        for name, data in files.items()
        if name.startswith(kind.slot)
    }


def version(kind: BoardKind) -> int:
    """Return the version that stands in the source of its main module."""
    source = firmware_files(kind)[kind.slot + kind.module.replace(".", "/") + ".py"]
    version_line = re.search(rb"^FIRMWARE = (0x[0-9a-fA-F]+)$", source, re.MULTILINE)
    assert version_line
    return int(version_line[1], 16)


def old_names(files: Iterable[str]) -> list[str]:
    """Return what an older firmware may have left in the root, compiled or as source.

    The first ones had no slots.

    >>> old_names(["hub/hub.mpy", "main.py"])
    ['hub', 'main.mpy', 'main.py']
    >>> old_names(["a/stopper/clock.mpy", "a/wire.mpy"])
    ['a', 'stopper', 'wire.mpy', 'wire.py', 'b']
    """
    tops = {}
    for name in files:
        top, _, rest = name.partition("/")
        tops[top] = True
        if top == SLOTS[0]:
            tops[rest.partition("/")[0]] = True
    if SLOTS[0] in tops:
        tops[SLOTS[1]] = True
    both = {".mpy", ".py"}
    return [
        left
        for top in tops
        for left in (
            [Path(top).stem + suffix for suffix in sorted(both)]
            if Path(top).suffix in both
            else [top]
        )
    ]


def kept_files(number: int, key: bytes, boot: int) -> dict[str, bytes]:
    """Return what only one stopper keeps: its number, its key, and how often it began."""
    begun = struct.pack("<i", boot)
    return {
        "kept/number": str(number).encode(),
        "kept/key": key,
        "kept/boot": begun,
        "kept/boot-again": begun,
        "kept/slot": SLOTS[0].encode(),
        "kept/trial": b"",
    }


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def run(words: Sequence[str], patience_s: float) -> tuple[int, str, str]:
    """Return its exit code, what it printed, and what it complained of.

    >>> run(["printf", "%s", "done"], 10)
    (0, 'done', '')
    >>> run(["/no/such/tool"], 10)
    (1, '', 'No such file or directory')
    """
    try:
        done = signals.run(
            words,
            patience_s,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return 1, "", f"no answer for {patience_s:.0f} s"
    except OSError as error:
        return 1, "", str(error.strerror)
    return done.returncode, done.stdout, done.stderr


PROGRAM: Final = "mpy-cross"
PATIENCE_S: Final = 30.0  # for one file; it takes some hundredths


def find_mpy_cross() -> str | None:
    """Return where mpy-cross is, beside this Python or on PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return shutil.which(PROGRAM, path=path)


def compile_files(files: Mapping[str, bytes], mpy_cross: str) -> dict[str, bytes]:
    """Return the files by their names on a board, all but the last compiled."""
    with TemporaryDirectory(prefix="flash-") as scratch:
        return {
            name if name == MAIN else name.removesuffix(".py") + ".mpy": (
                data if name == MAIN else _compiled(Path(scratch), name, data, mpy_cross)
            )
            for name, data in files.items()
        }


def _compiled(scratch: Path, name: str, data: bytes, mpy_cross: str) -> bytes:
    source, target = scratch / "source.py", scratch / "compiled.mpy"
    source.write_bytes(data)
    code, _, complaint = run([mpy_cross, "-s", name, "-o", str(target), str(source)], PATIENCE_S)
    if code == 0:
        return target.read_bytes()
    reason = next(iter(complaint.strip().splitlines()[-1:]), str(code))
    raise errors.CompanionError(
        "{program} cannot compile {file} of the firmware ({reason}); remove or reinstall it, and "
        "flash again.",
        program=mpy_cross,
        file=name,
        reason=reason,
    )
