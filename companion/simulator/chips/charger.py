"""A charging box's charger and its cell: the voltage rises, and a pin says whether it works.

A cell of 80 mAh at 50 mA: how its voltage rises is roughly so.
"""

from __future__ import annotations

from typing import Final

FULL_MV: Final = 4180
MV_PER_S: Final = 0.15  # 880 mV, from empty to full, in an hour and a half
LATE_S: Final = 900.0  # at full voltage the current fades


class Charger:
    """A cell that is put into the box with some voltage at some time."""

    def __init__(self, from_mv: int, at_us: int) -> None:
        self._from_mv, self._at_us = from_mv, at_us
        self._full_us = at_us + round(1e6 * max(FULL_MV - from_mv, 0) / MV_PER_S)

    def battery_mv(self, at_us: int) -> int:
        """Return the cell's voltage.

        >>> [Charger(3500, 0).battery_mv(minutes * 60_000_000) for minutes in (0, 30, 120)]
        [3500, 3770, 4180]
        """
        return min(FULL_MV, self._from_mv + round(MV_PER_S * (at_us - self._at_us) / 1e6))

    def works(self, at_us: int) -> bool:
        """Return whether it is still charging.

        >>> [Charger(4000, 0).works(minutes * 60_000_000) for minutes in (0, 30, 60)]
        [True, True, False]
        """
        return at_us < self._full_us + round(1e6 * LATE_S)
