"""The board's ticks, which start over every 18 minutes, as a clock that does not."""

WRAP = (1 << 30) - 1


class Clock:
    """Microseconds and milliseconds since the boot."""

    def __init__(self, ticks_us):
        self._ticks_us = ticks_us
        self.last = ticks_us()
        self.us = 0

    def read(self):
        """Bring it up to date and return milliseconds; more often than every 18 minutes."""
        ticks = self._ticks_us()
        self.us += (ticks - self.last) & WRAP
        self.last = ticks
        return self.us // 1000
