"""What is kept from one evening to the next of what the sensors told: counters, and pads' habits.

A disk that hangs holds up nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion import learned_pads
from companion.keeper import Keeper
from companion.plan import Plan
from companion.sensing.pads import Kinds
from companion.sensing.sensing import Ears, Sensing
from companion.stoppers import keep_heard, last_heard


class Memory:
    """The files of one table."""

    def __init__(self, plan: Plan, sensing: Sensing) -> None:
        sensing.pads = learned_pads.load(plan.folder)
        self.last_heard = last_heard(plan.folder, plan.stoppers)  # of each stopper, before today
        heard = partial(keep_heard, plan.folder, plan.stoppers)
        self._heard: Keeper[Mapping[bytes, tuple[int, int]]] = Keeper("heard", heard, {})
        learned = partial(learned_pads.keep, plan.folder)
        self._pads: Keeper[Mapping[str, Kinds]] = Keeper("pads", learned, sensing.pads)

    def tend(self, ears: Ears, now_us: int) -> None:
        """Begin to write what is new, unless it is too soon or the disk still has the last."""
        self._heard.tend(ears.newest, now_us)
        self._pads.tend(ears.sensing.pads, now_us)

    def close(self, ears: Ears) -> None:
        """Write the last, unless the disk hangs."""
        self._heard.close(ears.newest)
        self._pads.close(ears.sensing.pads)
