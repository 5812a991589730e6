"""What happened: smoothed movement and load become LIFT, SET, TILT, UPRIGHT, FLIP and STILL.

It must not know chips, packets or the game. Each rule is a line with its numbers beside it.
"""

from stopper.latch import Latch

ONE_G = 512
TILTED_CDEG, NO_MORE_CDEG = 6000, 5500  # from 60°, until it is below 55°
FLIPPED_CDEG, NOT_FLIPPED_CDEG = 15400, 12000
READABLE = ONE_G // 4  # smoothed |a| within 0.25 g of 1 g, and pace below 0.37 m/s
SHAKEN = ONE_G * 5 // 8  # smoothed deviation of |a|: nobody can read what is shaken that hard
INVERTED_STILL = ONE_G // 10
QUIET, MOVING = 20, 15  # agitation of 40 mg: nothing to weigh by; of 30 mg: worth FEATURES
LEVEL = 10  # agitation of 20 mg: it stands, and nothing but the table moves it
TILT_MS, UPRIGHT_MS, FLIP_MS, UNFLIP_MS, REST_MS = 100, 60, 400, 100, 1000
LEVEL_MS = 1000


class Judge:
    """States with patience; what changes is told by name, with its fields."""

    def __init__(self, motion, scale, tell):
        self._motion, self._scale, self._tell = motion, scale, tell
        self.tilted = Latch(TILT_MS, UPRIGHT_MS)
        self.flipped = Latch(FLIP_MS, UNFLIP_MS)
        self.moving = Latch(0, REST_MS)
        self.level = Latch(LEVEL_MS, 0)
        self._tilt_max_cdeg = 0
        self._looked_ms = 0

    def look(self, at_ms):
        """Judge the movement, a hundred times a second."""
        motion, tilt_cdeg = self._motion, self._motion.tilt_cdeg
        self._looked_ms = at_ms
        deviation, agitation = motion.deviation >> 8, motion.agitation >> 8
        off = abs(motion.length - ONE_G)
        readable = off < READABLE and deviation < SHAKEN and abs(motion.pace >> 8) < READABLE
        still = off < INVERTED_STILL and agitation < INVERTED_STILL
        lying = tilt_cdeg > (NO_MORE_CDEG if self.tilted.on else TILTED_CDEG)
        turned = tilt_cdeg > (NOT_FLIPPED_CDEG if self.flipped.on else FLIPPED_CDEG)
        self.moving.feed(agitation > MOVING, at_ms)
        self.level.feed(self._scale.standing.on and agitation < LEVEL, at_ms)
        if self.level.on:
            motion.level()
        began_ms = self.tilted.since_ms
        if self.tilted.feed(readable and lying, at_ms):
            self._turn(at_ms, began_ms)
        elif self.tilted.on and tilt_cdeg > self._tilt_max_cdeg:
            self._tilt_max_cdeg = tilt_cdeg
        if self.flipped.feed(turned and (still or self.flipped.on), at_ms) and self.flipped.on:
            swing = self._scale.empty.swing
            self._tell("FLIP", self.flipped.since_ms, tilt_cdeg=tilt_cdeg, swing=swing)

    def lose(self):
        """Nothing is felt now: a tilt lasted only as long as it was seen."""
        began_ms, tilted = self.tilted.since_ms, self.tilted.on
        self.tilted.drop(self._looked_ms)
        self.flipped.drop(self._looked_ms)
        if tilted:
            self._turn(self._looked_ms, began_ms)

    def weigh(self, raw, at_ms):
        """Judge a reading of the load."""
        scale, motion = self._scale, self._motion
        lying = motion.tilt_cdeg > TILTED_CDEG
        agitation = motion.agitation >> 8
        quiet, up = agitation < QUIET, motion.mean_up()
        if scale.take(raw, at_ms, quiet, lying, motion.jolt_ms, up, agitation):
            fields = {"blind_ms": scale.blind_ms}
            if scale.standing.on:
                fields["tilt_cdeg"] = motion.tilt_cdeg
                self._tell("SET", scale.began_ms, load=scale.load, **fields)
            else:
                self._tell("LIFT", scale.began_ms, load=scale.settled, **fields)
        if scale.fresh:
            scale.fresh = False
            still_ms = at_ms - scale.calm_ms
            fields = {"tilt_cdeg": motion.tilt_cdeg, "blind_ms": scale.blind_ms}
            self._tell("STILL", at_ms, still_ms=still_ms, **fields)

    def _turn(self, at_ms, began_ms):
        tilted, motion = self.tilted, self._motion
        if tilted.on:
            self._tilt_max_cdeg = motion.tilt_cdeg
            self._tell(
                "TILT",
                tilted.since_ms,
                tilt_cdeg=motion.tilt_cdeg,
                deviation_permille=motion.deviation_permille(),
                held_ms=at_ms - tilted.since_ms,
            )
        else:
            self._tell(
                "UPRIGHT",
                tilted.since_ms,
                tilt_cdeg=motion.tilt_cdeg,
                tilt_max_cdeg=self._tilt_max_cdeg,
                held_ms=tilted.since_ms - began_ms,
            )
