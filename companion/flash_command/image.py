"""What belongs on a board: the files of its firmware, and what only this one board keeps.

It must not know how it gets there.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion import wire
from companion.errors import CompanionError
from companion.project_files import project_file

FOLDER: Final = project_file("firmware")
MAIN: Final = "main.py"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of board: its chip, its own folders and files, and where its version stands."""

    name: str
    chip: str  # as MicroPython names it
    picture: str  # of MicroPython, to be written first
    folders: tuple[str, ...]
    files: tuple[str, ...]
    module: str


KINDS: Final = {
    "stopper": Kind(
        *("stopper", "ESP32C3", "SEEED_XIAO_ESP32C3.bin"),
        *(("drivers", "stopper"), ("air.py", "board_stopper.py"), "stopper.stopper"),
    ),
    "hub": Kind(
        *("hub", "ESP32S3", "SEEED_XIAO_ESP32S3.bin"),
        *(("hub", "stopper"), ("air.py", "board_hub.py"), "hub.hub"),
    ),
}


def firmware(kind: Kind, folder: Path = FOLDER) -> dict[str, bytes]:
    """Return the files of a board by their names on it; that which starts is the last."""
    found = {
        str(path.relative_to(folder)): path
        for part in kind.folders
        for path in sorted((folder / part).rglob("*.py"))
    }
    found |= {name: folder / name for name in kind.files}
    found["wire.py"] = Path(wire.__file__)
    found[MAIN] = folder / f"main_{kind.name}.py"
    try:
        return {name: path.read_bytes() for name, path in found.items()}
    except OSError as error:
        raise CompanionError(
            "The firmware did not come along with this program: {file} cannot be read ({reason}). "
            "Flash from a whole copy of the project.",
            file=error.filename,
            reason=error.strerror,
        ) from None


def tops(files: Mapping[str, bytes]) -> list[str]:
    """Return what an older firmware may have left in the root, compiled or as source.

    >>> tops({"stopper/clock.mpy": b"", "wire.mpy": b"", "main.py": b""})
    ['stopper', 'wire.mpy', 'wire.py', 'main.mpy', 'main.py']
    """
    found = dict.fromkeys(name.split("/", maxsplit=1)[0] for name in files)
    both = {".mpy", ".py"}
    return [
        left
        for top in found
        for left in (
            [Path(top).stem + suffix for suffix in sorted(both)]
            if Path(top).suffix in both
            else [top]
        )
    ]


def kept(number: int, key: bytes, boot: int) -> dict[str, bytes]:
    """Return what only one stopper keeps: its number, its key, and how often it began."""
    begun = struct.pack("<i", boot)
    return {
        "kept/number": str(number).encode(),
        "kept/key": key,
        "kept/boot": begun,
        "kept/boot-again": begun,
    }


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of each file."""
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
