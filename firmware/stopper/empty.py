"""What the cell reads of a lifted barrel: its zero, and its hanging foot, depending on the tilt.

It must not know what stands on the foot, nor when it is lifted. Upright in the air the cell reads
the zero; the less of gravity goes along the barrel's axis, the less the foot pulls: on its side one
foot's weight more, upside down two. Each reading in the air tells something of both, and most of
that of which less is known: two numbers, how uncertain each is, and how much both together. How far
the first readings of several lifts scatter says how much the foot sticks: each stopper learns its
own, and trusts one reading the less.

Doubts are variances in (16 counts)²: 1.06 mg is one.
"""

from stopper.angles import root

ONE_G = 512
FOOT, MOST_FOOT = 22_550, 180_400  # 1.5 g: print, half the leaves, screws, label; 12 g
UNKNOWN_ZERO, KEPT_ZERO = 9_395 * 9_395, 1_879 * 1_879  # 10 g; 2 g since it was written
UNKNOWN_FOOT, KEPT_FOOT, LEARNED_FOOT = 1_409 * 1_409, 188 * 188, 470 * 470  # 1.5, 0.2, 0.5 g
LEAST = 19 * 19  # 20 mg: anything known more exactly may have changed by now
READING = 47 * 47  # 50 mg: how straight the sensor sits, and how well it feels
SCATTER, MOST_SCATTER = 94 * 94, 470 * 470  # 100 mg, before it is known; 0.5 g
DRIFT, AGEING = 38 * 38, 14 * 14  # 40 mg of the zero a minute, that is 1 °C; 15 of the foot a lift
UPRIGHTISH = ONE_G // 8  # of the lever: up to 29° askew
FAR = 16  # four deviations: a finger, or something happened
NEAR, OFTEN = 90_200, 10  # within 6 g, and this often in a row: it is not a finger
MINUTE_MS = 60_000


class Empty:
    """Zero and foot in the converter's counts, and the doubt of both."""

    def __init__(self, zero, foot):
        self.zeroed = zero is not None
        self.zero, self._zero_doubt = zero or 0, KEPT_ZERO if self.zeroed else UNKNOWN_ZERO
        known = foot is not None and 0 <= foot <= MOST_FOOT
        self.foot = foot if known else FOOT
        self._foot_doubt = KEPT_FOOT if known else UNKNOWN_FOOT
        self._joint = 0  # what both doubts have in common
        self._scatter, self._first = SCATTER, False  # of the first readings; this will be one
        self._far = self._lifted_ms = 0  # how many in a row were
        self.swing = 0  # how much more it read upside down than upright, since the last lift

    def load(self, raw, up):
        """Return what rests on the foot; up is the force along the axis, 512 upright."""
        return raw - self.zero - (self.foot * (ONE_G - up) >> 9)

    def lift(self, at_ms):
        """It is in the air again: what was known is older now."""
        minutes = (at_ms - self._lifted_ms) // MINUTE_MS
        self._zero_doubt = min(self._zero_doubt + DRIFT * (1 + minutes), UNKNOWN_ZERO)
        self._foot_doubt = min(self._foot_doubt + AGEING, UNKNOWN_FOOT)
        self._lifted_ms, self._first, self.swing = at_ms, True, 0

    def learn(self, load, spread, up, lying):
        """Take what seems to rest on the foot in the air, where nothing does."""
        lever, off = ONE_G - up, load >> 4
        if lever > 7 * ONE_G // 4:
            self.swing = 2 * (load * ONE_G // lever + self.foot)
        for_zero = self._zero_doubt + self._joint * lever // ONE_G
        for_foot = self._joint + self._foot_doubt * lever // ONE_G
        noise = READING + 4 * self._scatter + (spread >> 6) * (spread >> 6)
        doubt = for_zero + for_foot * lever // ONE_G + noise
        if off * off > FAR * doubt:
            self._far += 1
            if not lying and (self._far < OFTEN or abs(load) > NEAR):
                return
            self._zero_doubt += off * off  # on its side nothing can press on the foot
            for_zero += off * off
            doubt += off * off
        elif self._first and -UPRIGHTISH < lever < UPRIGHTISH and self._zero_doubt < LEARNED_FOOT:
            self._scatter += (min(off * off, MOST_SCATTER) - self._scatter) // 8
        self._far, self._first, self.zeroed = 0, False, True
        self.zero += load * for_zero // doubt
        self.foot = min(max(self.foot + load * for_foot // doubt, 0), MOST_FOOT)
        self._zero_doubt = max(self._zero_doubt - for_zero * for_zero // doubt, LEAST)
        self._foot_doubt = max(self._foot_doubt - for_foot * for_foot // doubt, LEAST)
        self._joint -= for_zero * for_foot // doubt

    def zero_doubt(self):
        """Return by how many counts the zero may be wrong: one deviation."""
        return root(self._zero_doubt + self._scatter // 3) << 4

    def known_foot(self):
        """Return the foot once something was learned about it, otherwise 0."""
        return self.foot if self._foot_doubt < LEARNED_FOOT else 0
