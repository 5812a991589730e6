"""What is kept from one evening to the next of what the sensors told: counters, and pads' habits.

A disk that hangs holds up nobody. Of pads it is written what was learned of each seat's, and not
what it means; sensing believes less of it on the next evening than it did.

    pads.json           {"kinds": 1234567890, "seats": {"red": [0.0131, 0.0002, …]}}

The number marks the kinds of pads that this version knows; another version learns from scratch.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from companion.condition import Report
from companion.plan import Plan
from companion.sensing.pads import PADS, Kinds
from companion.sensing.sensing import Ears, Sensing
from companion.small_files import Keeper, SmallFile, object_in, to_json
from companion.stoppers import keep_heard, last_heard

DIGITS: Final = 6
MARK: Final = int.from_bytes(sha256(repr(PADS).encode()).digest()[:4], "little")


class Memory:
    """The files of one table."""

    def __init__(self, plan: Plan, sensing: Sensing, report: Report = lambda _: None) -> None:
        sensing.pads = PADS_FILE.load(plan.folder, {}, report)
        self.last_heard = last_heard(plan.folder, plan.stoppers, report)  # of each, before today
        heard = partial(keep_heard, plan.folder, plan.stoppers)
        self._heard: Keeper[Mapping[bytes, tuple[int, int]]] = Keeper("heard", heard, {})
        learned = partial(keep_pads, plan.folder)
        self._pads: Keeper[Mapping[str, Kinds]] = Keeper("pads", learned, sensing.pads)

    def tend(self, ears: Ears, now_us: int) -> None:
        """Begin to write what is new, unless it is too soon or the disk still has the last."""
        self._heard.tend(ears.newest, now_us)
        self._pads.tend(ears.sensing.pads, now_us)

    def close(self, ears: Ears) -> None:
        """Write the last, unless the disk hangs."""
        self._heard.close(ears.newest)
        self._pads.close(ears.sensing.pads)


# --- what was learned of pads ---------------------------------------------------------------------


def _to_json(pads: Mapping[str, Kinds]) -> bytes:
    seats = {seat: [round(one, DIGITS) for one in kinds] for seat, kinds in sorted(pads.items())}
    return to_json({"kinds": MARK, "seats": seats})


def _from_json(data: bytes) -> Mapping[str, Kinds]:
    pads = object_in(data)
    if pads["kinds"] != MARK:
        return {}
    return {seat: _kinds(chances) for seat, chances in pads["seats"].items()}


def _kinds(chances: list[float]) -> Kinds:
    total = sum(chances)
    if len(chances) != len(PADS) or not total:
        raise ValueError(chances)
    if not all(type(one) in (int, float) and 0 <= one <= 1 for one in chances):
        raise ValueError(chances)
    return tuple(one / total for one in chances)


PADS_FILE: Final[SmallFile[Mapping[str, Kinds]]] = SmallFile(
    "pads.json", _to_json, _from_json, 65_536
)


def keep_pads(folder: Path, pads: Mapping[str, Kinds]) -> None:
    """Write it down; a disk that fails costs only what was learned."""
    if pads:
        with suppress(OSError):
            PADS_FILE.save(folder, pads)
