"""Patience: what must last before it counts. It must not know what it is used for."""


class Latch:
    """On once its condition has lasted, off once it has been absent for long enough."""

    def __init__(self, on_ms, off_ms, on=False):
        self._patience_ms = (on_ms, off_ms)  # while off, while on
        self.on = on
        self.since_ms = 0  # when what it is now began
        self._doubt_ms = -1  # since when the condition has differed

    def feed(self, condition, at_ms):
        """Return whether this changed it."""
        if condition == self.on:
            self._doubt_ms = -1
            return False
        if self._doubt_ms < 0:
            self._doubt_ms = at_ms
        if at_ms - self._doubt_ms < self._patience_ms[self.on]:
            return False
        self.on = condition
        self.since_ms, self._doubt_ms = self._doubt_ms, -1
        return True

    def drop(self, at_ms):
        """Be off at once, whatever its condition."""
        self.on, self.since_ms, self._doubt_ms = False, at_ms, -1

    def doubt(self):
        """Give up on what has not lasted yet; return since when it was in doubt, or -1."""
        doubt_ms, self._doubt_ms = self._doubt_ms, -1
        return doubt_ms


class Block:
    """Readings that belong together: how many, their sum and their ends."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Start over."""
        self.count = self.sum = self.low = self.high = 0

    def take(self, value):
        """Add a reading."""
        if not self.count or value < self.low:
            self.low = value
        if not self.count or value > self.high:
            self.high = value
        self.count += 1
        self.sum += value

    def mean(self):
        """Return the mean of the readings."""
        return self.sum // self.count

    def spread(self):
        """Return how far the ends are apart."""
        return self.high - self.low
