"""What a flipped stopper feels of its own foot: a check of its cell, whatever the barrel holds.

Upside down a cell feels its foot's weight as often as it lacked that upright; what sticks to the
foot, wedges it, or has overloaded the cell shows there.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.sensing.settings import Weighing


def swings(fields: Mapping[str, int], foot_mg: int, settings: Weighing, *, before: bool) -> bool:
    """Return whether a FLIP felt the foot and nothing else; as before if it does not say.

    >>> felt = {"swing_mg": 10_300}
    >>> swings(felt, 5_000, Weighing(), before=True), swings(felt, 2_000, Weighing(), before=True)
    (True, False)
    """
    swing_mg = fields.get("swing_mg", 0)
    if not swing_mg or not foot_mg:
        return before
    return abs(swing_mg - 2 * foot_mg) <= settings.swing_mg
