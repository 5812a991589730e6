"""What was learned of the seats' pads, kept from evening to evening in a file beside the journal.

It must not know what it means; sensing believes less of it on the next evening than it did.

    pads.json           {"kinds": 1234567890, "seats": {"red": [0.0131, 0.0002, …]}}

The number marks the kinds of pads that this version knows; another version learns from scratch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Final

from companion import private_files
from companion.sensing.pads import PADS, Kinds

FILE: Final = "pads.json"
MOST_BYTES: Final = 65_536
DIGITS: Final = 6
MARK: Final = int.from_bytes(sha256(repr(PADS).encode()).digest()[:4], "little")


def load(folder: Path) -> dict[str, Kinds]:
    """Return what was learned of each seat's pad; nothing of a file that is not sound."""
    try:
        told = json.loads(private_files.read(folder / FILE, MOST_BYTES))
        if told["kinds"] != MARK:
            return {}
        return {seat: _kinds(chances) for seat, chances in told["seats"].items()}
    except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return {}


def _kinds(chances: object) -> Kinds:
    if not isinstance(chances, list) or len(chances) != len(PADS):
        raise ValueError(chances)
    if not all(type(one) in (int, float) and isfinite(one) and 0 <= one <= 1 for one in chances):
        raise ValueError(chances)
    total = sum(chances)
    if not total:
        raise ValueError(chances)
    return tuple(one / total for one in chances)


def keep(folder: Path, pads: Mapping[str, Kinds]) -> None:
    """Write it down, whole or not at all; a disk that fails costs only what was learned."""
    if not pads:
        return
    seats = {seat: [round(one, DIGITS) for one in kinds] for seat, kinds in sorted(pads.items())}
    with suppress(OSError):
        private_files.write(folder / FILE, json.dumps({"kinds": MARK, "seats": seats}).encode())
