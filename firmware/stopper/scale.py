"""What stands on the foot: the converter's readings as load, standing or lifted, settled or not.

It must not know movement beyond what it is told with each reading: whether it is quiet, and how the
foot is pulled along the barrel's axis. Loads are in the converter's counts above what an empty foot
would read just now, which is learned in the air whenever the readings agree.
"""

from stopper.empty import ONE_G, Empty
from stopper.latch import Block, Latch

COUNTS_PER_G = 15_032  # 40 g are 0.28 mV/V, gain 128
STANDS, FLOATS = 10 * COUNTS_PER_G, 7 * COUNTS_PER_G  # an empty barrel has 32 g
STANDING_MS, LIFTED_MS = 45, 60
QUIET_SPREAD = COUNTS_PER_G // 10  # more than its noise, less than a third of a stone: for means…
HUMS_SPREAD = 4 * QUIET_SPREAD  # …and for readings: music makes a barrel's weight go up and down
CALM_MS, SETTLED_READINGS = 250, 20  # half a second of readings after the calm began…
PART_READINGS = 5  # …whose means say whether something still leans on it
AIRY_MS, AIRY_READINGS = 150, 8
AIRY_SPREAD = 10 * COUNTS_PER_G  # a shaken foot swings, and its mean says little
READING_MS = 25  # how old a reading is when it is read: half of it waiting, half measuring
CONTACT_MS = 75  # at most, between two readings of which only the second feels the load
BLIND_MS, BLIND_MISSES = 75, 3  # without a new reading; a healthy chip has one every 25 ms
CHANGE = COUNTS_PER_G // 10  # worth telling


def milligrams(counts):
    """Return counts as milligrams: 545/8192 is 1000/15032, and this stays within 30 bits."""
    return (counts >> 3) * 545 >> 10


class Scale:
    """The load: how much, since when, and how certain."""

    def __init__(self, zero, foot=None):
        self.empty = Empty(zero, foot)
        self.raw = self.load = self.low = self.high = 0
        self.standing = Latch(STANDING_MS, LIFTED_MS, on=True)
        self.began_ms = self.blind_ms = 0  # when it was lifted or set down, at the latest; by how
        self._contact_ms = 0  # much earlier it may have been
        self._sure_ms = self._misses = 0  # of the newest reading; nothing new since, so often
        self._blind, self._dark_ms = True, 0  # since the boot nothing was read
        self._unseen_ms = -1  # since when it may have been lifted and set down again
        self.settled, self.spread = 0, 0  # the load that was told last, or has to be told
        self.fresh = False  # has to be told
        self.calm_ms = -1  # since when; -1: it is not
        self._rested = True
        self._known = False  # settled since it was set down
        self._block, self._ups = Block(), Block()
        self._part, self._means = Block(), Block()

    def take(self, raw, at_ms, quiet, tilted, jolt_ms, up=ONE_G, agitation=0):  # noqa: PLR0913, PLR0917 - all that comes with a reading
        """Take a reading; return whether the barrel was lifted or set down.

        `up` is the force along its axis meanwhile, 512 upright, or None if nobody knows, and
        `agitation` by how much that wavers.
        """
        self.raw, self.load = raw, self.empty.load(raw, ONE_G if up is None else up)
        self.low, self.high = min(self.low, self.load), max(self.high, self.load)
        swings = (self.empty.foot >> 4) * agitation >> 5  # what it may feel of a shaken foot
        rests = self.load > (FLOATS if self.standing.on else STANDS)
        if rests and not self._rested:
            self._touch(at_ms, jolt_ms)
        self._rested, self._sure_ms, self._misses = rests, at_ms, 0
        stands = rests and (self.standing.on or self.load > STANDS + swings + (swings >> 1))
        stands = stands and not (tilted and quiet)  # on its side nothing rests on the foot
        if self.standing.feed(stands, at_ms):
            self._date()
            self._begin()
            self._known = False
            if not self.standing.on:
                self.empty.lift(at_ms)
            return True
        if self._blind and stands == self.standing.on:  # as before, or like that again
            self._blind = False
            self._unseen_ms = self._dark_ms if self._unseen_ms < 0 else self._unseen_ms
        if stands != self.standing.on or (stands and not quiet):
            self._begin()
        elif self.calm_ms < 0:
            self.calm_ms = at_ms
        elif at_ms - self.calm_ms >= (CALM_MS if stands else AIRY_MS):
            self._gather(stands, tilted, up, at_ms)
        return False

    def _touch(self, at_ms, jolt_ms):
        """Note when the foot touched, if this lasts: while it swings on, that is not known yet."""
        empty_ms = max(self._sure_ms, at_ms - CONTACT_MS) - READING_MS  # it was, then
        self._contact_ms = jolt_ms if jolt_ms >= empty_ms else (empty_ms + at_ms) // 2

    def miss(self, at_ms):
        """Note that there was nothing to read; what happens meanwhile shows only afterwards."""
        self._misses += 1
        if self._misses < BLIND_MISSES or at_ms - self._sure_ms <= BLIND_MS:
            return
        doubt_ms = self.standing.doubt()
        if not self._blind:
            self._blind, self._known = True, False
            self._dark_ms = (doubt_ms if doubt_ms >= 0 else self._sure_ms) - 2 * READING_MS
        self._begin()

    def _date(self):
        since_ms, self._unseen_ms = self.standing.since_ms, -1
        if self._blind:  # a blow may have been any other
            self.began_ms, self.blind_ms, self._blind = since_ms, since_ms - self._dark_ms, False
            return
        self.began_ms = self._contact_ms if self.standing.on else since_ms - READING_MS
        self.blind_ms = 0

    def clear(self):
        """Begin gathering the ends of the load again."""
        self.low = self.high = self.load

    def _begin(self):
        self.calm_ms = -1
        for block in (self._block, self._ups, self._part, self._means):
            block.clear()

    def _gather(self, stands, tilted, up, at_ms):
        block, ups = self._block, self._ups
        block.take(self.load)
        ups.take(ONE_G if up is None else up)
        if (stands and self._leans()) or block.spread() > (HUMS_SPREAD if stands else AIRY_SPREAD):
            self._begin()  # a hand is still on it
        elif stands and block.count >= SETTLED_READINGS:
            self._settle(block.mean(), block.spread(), at_ms)
            for one in (block, ups, self._part, self._means):
                one.clear()
        elif not stands and block.count >= AIRY_READINGS:
            if up is not None:
                self.empty.learn(block.mean(), block.spread(), ups.mean(), tilted)
            block.clear()
            ups.clear()

    def _leans(self):
        """Return whether what rests on it changes from one short time to the next."""
        part, means = self._part, self._means
        part.take(self.load)
        if part.count >= PART_READINGS:
            means.take(part.mean())
            part.clear()
        return means.spread() > QUIET_SPREAD

    def _settle(self, load, spread, at_ms):
        if self._known and -CHANGE < load - self.settled < CHANGE:
            return
        self.settled, self.spread = load, spread
        self._known = self.fresh = True
        self.blind_ms = at_ms - self._unseen_ms if self._unseen_ms >= 0 else 0
        self._unseen_ms = -1
