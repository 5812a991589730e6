"""The charging box: whether the stopper lies in it, and what the charger says there.

It must not know what follows from that. Contacts bounce, so what changes must last.
"""

import wire

from stopper.latch import Latch

ENTER_MS, LEAVE_MS = 500, 100
FULL_MV = 4050  # less, and no charger at work: look at the cell or a contact
BOX, CHARGING, FULL = [1 << bit for bit in range(len(wire.POWERED))]


class Box:
    """What the pins of the box say."""

    def __init__(self, board):
        self._board = board
        self._inside = Latch(ENTER_MS, LEAVE_MS, on=board.boxed())
        self.touched = self._inside.on  # its contacts have power right now

    @property
    def inside(self):
        """Whether it lies there."""
        return self._inside.on

    def look(self, at_ms):
        """Look at the pins; return whether it was put in just now."""
        self.touched = bool(self._board.boxed())
        return self._inside.feed(self.touched, at_ms) and self.inside

    def power(self, battery_mv):
        """Return the bits of wire.POWERED."""
        if not self.inside:
            return 0
        if self._board.charging():
            return BOX | CHARGING
        return BOX | FULL if battery_mv >= FULL_MV else BOX
