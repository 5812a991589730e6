"""Which stoppers of a table have the newest firmware by USB: a file beside their keys.

So a row of them goes on where it was, after a power cut, too. A mark is of firmware and key: with
another of either a stopper is to be flashed again.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from companion.firmware_files import image
from companion.firmware_files.image import Kind
from companion.small_files import SmallFile, object_in
from companion.stoppers import Stopper

FLASHED_FILE: Final[SmallFile[dict[str, Any]]] = SmallFile(
    "flashed.json", lambda marks: json.dumps(marks, indent=1).encode(), object_in
)


def done(folder: Path, known: Collection[Stopper], kind: Kind) -> tuple[Stopper, ...]:
    """Return who has the newest firmware and is known by this key."""
    marks = FLASHED_FILE.load(folder, {})
    return tuple(one for one in known if marks.get(one.node.hex()) == _mark(one, kind))


def keep(folder: Path, stopper: Stopper, kind: Kind) -> None:
    """Note that one has it; where that cannot be written, it is only done again."""
    marks = FLASHED_FILE.load(folder, {}) | {stopper.node.hex(): _mark(stopper, kind)}
    with suppress(OSError):
        FLASHED_FILE.save(folder, marks)


def _mark(stopper: Stopper, kind: Kind) -> str:
    digest = sha256(b"flashed" + stopper.key)
    for name, hash_ in sorted(image.hashes(image.firmware(kind)).items()):
        digest.update(f"{name} {hash_}\n".encode())
    return digest.hexdigest()[:16]
