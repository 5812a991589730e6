"""How the barrel moves: the accelerometer's samples as smoothed quantities, in whole numbers.

It must not know events, load or radio. One g is 512 units; what is smoothed has 8 bits more.

No sensor sits quite straight in its barrel: whatever points up while it stands is upright.
"""

from stopper.angles import lean_cdeg, root

ONE_G = 512
# A low-pass of 150 ms at 400 samples a second: 17/1024 is 2.5 ms/(150.6 ms).
JOLT = 51  # 0.1 g from one sample to the next: it hits something
SERIES_MS = 30  # blows closer together are one
SHAKEN = 52  # 0.1 g off the smoothed vector counts as one direction of a shake
RATTLE_PEAK = 128  # 0.25 g between two samples: a stone
RAIL = 8190
ONE = 4096  # the length of the vector that is upright
LEVEL_UP = 3849  # of ONE, along the sensor's own axis: further than 20° off, it stands on something
MOST_SUMMED = 400  # samples: a second
LEVELS = 1024  # the newest weighs no less than one in this many: ten seconds


class Motion:
    """Smoothed acceleration, and what was gathered for FEATURES since the last of them."""

    def __init__(self):
        self.jolt_ms = -1000  # when the newest series of blows began
        self._blow_ms = -1000
        self._ways = [0, 0, 0]  # which way each axis was shaken last
        self._level_x = self._level_y = self._levels = 0  # what is upright, with 8 bits more
        self._level_z = ONE << 8
        self.forget()
        self.clear()

    def forget(self):
        """Assume that it stands still."""
        self.x = self.y = 0  # smoothed, with 8 bits more
        self.z = ONE_G << 8
        self.deviation = 0  # of |a| from 1 g, likewise
        self.pace = 0  # the same, but up and down cancel out: g times 150 ms is 1.5 m/s
        self.agitation = 0  # distance from the smoothed vector, likewise
        self.size = ONE_G  # |a| of the newest sample
        self.length = ONE_G  # of the smoothed vector
        self.up = ONE_G  # its part that is upright as the barrel stands; less than 0 upside down
        self._sum_x = self._sum_y = self._sum_z = self._summed = 0
        self._for_load, self._for_tilt = [0, 0, 0, 0], [0, 0, 0, 0]  # sums, and of how many
        self.tilt_cdeg = 0

    def clear(self):
        """Start gathering again."""
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
        self.pace += ((size - ONE_G << 8) - self.pace) * 17 >> 10
        off_x, off_y, off_z = x - (self.x >> 8), y - (self.y >> 8), z - (self.z >> 8)
        off = abs(off_x) + abs(off_y) + abs(off_z)
        self.agitation += ((off << 8) - self.agitation) * 17 >> 10
        self.samples += 1
        self._sum_x += x
        self._sum_y += y
        self._sum_z += z
        self._summed += 1
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
        across, up = self._upright(x, y, z)
        self.up = up >> 2
        self.tilt_cdeg = tilt = lean_cdeg(across, up)
        self.tilt_max_cdeg = max(self.tilt_max_cdeg, tilt)
        self.tilt_min_cdeg = min(self.tilt_min_cdeg, tilt)

    def mean_up(self):
        """Return the upright part of the mean force since the last call; None: nothing felt."""
        mean = self._mean(self._for_load, self._for_tilt)
        return None if mean is None else self._upright(*mean)[1] >> 2

    def moment_cdeg(self):
        """Return how far it was tilted on average since the last call: not smoothed."""
        mean = self._mean(self._for_tilt, self._for_load)
        return self.tilt_cdeg if mean is None else lean_cdeg(*self._upright(*mean))

    def _mean(self, mine, others):
        """Return the mean force since the same caller last asked; the other asks at other times."""
        if others[3] > MOST_SUMMED:
            others[:] = [0, 0, 0, 0]  # nobody asks
        for at, part in enumerate((self._sum_x, self._sum_y, self._sum_z, self._summed)):
            mine[at] += part
            others[at] += part
        self._sum_x = self._sum_y = self._sum_z = self._summed = 0
        x, y, z, count = mine
        mine[:] = [0, 0, 0, 0]
        return (4 * x // count, 4 * y // count, 4 * z // count) if count else None

    def _upright(self, x, y, z):
        """Return how much of a vector is level and how much upright, in the barrel's terms."""
        ux, uy, uz = self._level_x >> 8, self._level_y >> 8, self._level_z >> 8
        over_x, over_y, over_z = y * uz - z * uy >> 12, z * ux - x * uz >> 12, x * uy - y * ux >> 12
        across = root(over_x * over_x + over_y * over_y + over_z * over_z)
        return across, x * ux + y * uy + z * uz >> 12

    def pace_permille(self):
        """Return how fast it goes up or down, in thousandths of 1.5 m/s."""
        return abs(self.pace) * 125 >> 14

    def level(self):
        """Learn a little of what points up now: it stands, and nothing moves it."""
        length = self.length or 1
        x, y, z = ((part >> 6 << 10) // length for part in (self.x, self.y, self.z))
        if z < LEVEL_UP:
            return
        self._levels = count = min(self._levels + 1, LEVELS)
        self._level_x += ((x << 8) - self._level_x) // count
        self._level_y += ((y << 8) - self._level_y) // count
        self._level_z += ((z << 8) - self._level_z) // count

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
