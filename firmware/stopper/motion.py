"""How the barrel moves: the accelerometer's samples as smoothed quantities, in whole numbers.

It must not know events, load or radio. One g is 512 units; what is smoothed has 8 bits more.
"""

from stopper.angles import root, tilt_cdeg

ONE_G = 512
# A low-pass of 150 ms at 400 samples a second: 17/1024 is 2.5 ms/(150.6 ms).
JOLT = 51  # 0.1 g from one sample to the next: it hits something
SERIES_MS = 30  # blows closer together are one
SHAKEN = 52  # 0.1 g off the smoothed vector counts as one way of a shake
RATTLE_PEAK = 128  # 0.25 g between two samples: a stone
RAIL = 8190


class Motion:
    """Smoothed acceleration, and what was gathered for FEATURES since the last of them."""

    def __init__(self):
        self.jolt_ms = -1000  # when the newest series of blows began
        self._blow_ms = -1000
        self._ways = [0, 0, 0]  # which way each axis was shaken last
        self.forget()
        self.clear()

    def forget(self):
        """Suppose that it stands still."""
        self.x = self.y = 0  # smoothed, with 8 bits more
        self.z = ONE_G << 8
        self.deviation = 0  # of |a| from 1 g, likewise
        self.agitation = 0  # distance from the smoothed vector, likewise
        self.size = ONE_G  # |a| of the newest sample
        self.length = ONE_G  # of the smoothed vector
        self.tilt_cdeg = 0

    def clear(self):
        """Begin gathering anew."""
        self.samples = self.clipped = 0
        self.shaken = [0, 0, 0]  # sums of squares off the smoothed vector, in (1/32 g)²
        self.turns = [0, 0, 0]
        self.rattle = self.peaks = 0
        self.tilt_min_cdeg = self.tilt_max_cdeg = self.tilt_cdeg

    def take(self, x, y, z, at_ms):
        """Take one sample."""
        self.x += ((x << 8) - self.x) * 17 >> 10
        self.y += ((y << 8) - self.y) * 17 >> 10
        self.z += ((z << 8) - self.z) * 17 >> 10
        square = x * x + y * y + z * z
        size = self.size
        size = size + square // size >> 1 or 1  # Newton's root: two steps from the last one
        size = size + square // size >> 1 or 1
        step = size - self.size
        self.size = size
        self.deviation += ((abs(size - ONE_G) << 8) - self.deviation) * 17 >> 10
        off_x, off_y, off_z = x - (self.x >> 8), y - (self.y >> 8), z - (self.z >> 8)
        off = abs(off_x) + abs(off_y) + abs(off_z)
        self.agitation += ((off << 8) - self.agitation) * 17 >> 10
        self.samples += 1
        if off > SHAKEN:
            self._shake(0, off_x)
            self._shake(1, off_y)
            self._shake(2, off_z)
        if step > JOLT or step < -JOLT:
            self._strike(step >> 4, at_ms)
        if size >= RAIL and (max(x, y, z) >= RAIL or min(x, y, z) <= -RAIL):
            self.clipped += 1

    def _shake(self, axis, off):
        coarse = off >> 4
        self.shaken[axis] += coarse * coarse
        way = 1 if off > SHAKEN else -1 if off < -SHAKEN else 0
        if way and way != self._ways[axis]:
            self._ways[axis] = way
            self.turns[axis] += 1

    def _strike(self, coarse, at_ms):
        if at_ms - self._blow_ms > SERIES_MS:
            self.jolt_ms = at_ms
        self._blow_ms = at_ms
        self.rattle += coarse * coarse
        self.peaks += 1 if coarse >= RATTLE_PEAK >> 4 else 0

    def look(self):
        """Bring tilt and length up to date: this is too much work for every sample."""
        x, y, z = self.x >> 6, self.y >> 6, self.z >> 6
        self.length = root(x * x + y * y + z * z) >> 2
        self.tilt_cdeg = tilt = tilt_cdeg(x, y, z)
        self.tilt_max_cdeg = max(self.tilt_max_cdeg, tilt)
        self.tilt_min_cdeg = min(self.tilt_min_cdeg, tilt)

    def deviation_permille(self):
        """Return the smoothed deviation of |a| from 1 g in thousandths of it."""
        return self.deviation * 125 >> 14

    def features(self, span_ms):
        """Return what was gathered over a time, as FEATURES names it."""
        samples = self.samples or 1
        axis = 0 if self.shaken[0] >= self.shaken[1] else 1
        axis = axis if self.shaken[axis] >= self.shaken[2] else 2
        return {
            "span_ms": span_ms,
            "samples": self.samples,
            "clipped": self.clipped,
            "tilt_cdeg": self.tilt_cdeg,
            "tilt_min_cdeg": self.tilt_min_cdeg,
            "tilt_max_cdeg": self.tilt_max_cdeg,
            "deviation_permille": self.deviation_permille(),
            "shake_rms_permille": root(sum(self.shaken) * 976 // samples),  # (1000/32)²
            "shake_dhz": self.turns[axis] * 5000 // (span_ms or 1),
            "rattle_rms_permille": root(self.rattle * 976 // samples),
            "rattle_peaks": self.peaks,
        }
