"""Firmware as MicroPython keeps it: compiled here by mpy-cross, so that no boot has to compile it.

That which starts stays source, for MicroPython looks for no other.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.errors import CompanionError
from companion.firmware_files import tool
from companion.firmware_files.image import MAIN

PROGRAM: Final = "mpy-cross"
PATIENCE_S: Final = 30.0  # for one file; it takes some hundredths


def program() -> str | None:
    """Return where mpy-cross is, beside this Python or on PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return shutil.which(PROGRAM, path=path)


def compiled(files: Mapping[str, bytes], mpy_cross: str) -> dict[str, bytes]:
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
    code, _, complaint = tool.run(
        [mpy_cross, "-s", name, "-o", str(target), str(source)], PATIENCE_S
    )
    if code == 0:
        return target.read_bytes()
    reason = next(iter(complaint.strip().splitlines()[-1:]), str(code))
    raise CompanionError(
        "{program} cannot compile {file} of the firmware ({reason}); remove or reinstall it, and "
        "flash again.",
        program=mpy_cross,
        file=name,
        reason=reason,
    )
