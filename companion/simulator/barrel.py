"""One barrel with its stones: what its stopper feels at any time, as physics has it.

It must not know sensors or their noise, nor who handles it; callers hand in times and motions.
"""

from bisect import bisect_right
from dataclasses import replace
from math import cos, degrees, exp, pi
from random import Random
from typing import Final

from companion.simulator import motions, poses
from companion.simulator.stones import SHELL_G, StoneKnock, Stones
from companion.simulator.tabletop import Tabletop
from companion.system import chance, errors

SHELL_SPREAD_G: Final = 0.3
AMBIENT_C: Final = 21.0
WARMING_C: Final = 4.0  # what a hand adds, as a deviation
WARMING_US: Final = 600e6
READING_STEP_US: Final = 5_000
UPSIDE_DOWN_RAD: Final = pi / 2
FALL: Final = "drop"  # as hands call that motion


class Barrel:
    """A barrel on its way through time; all that will be done to it is added at the end.

    >>> barrel = Barrel(7, Random(1))
    >>> barrel.acceleration_g(0), len(barrel.stones_g), barrel.load_g(0) == barrel.mass_g
    ((0.0, 0.0, 1.0), 7, True)
    """

    def __init__(  # noqa: PLR0913 - everything that can be chosen of it
        self,
        number: int,
        rng: Random,
        *,
        stones: Stones = Stones.BALLS_4_5_MM,
        pose: poses.Pose | None = None,
        shell_g: float = SHELL_G,
        tabletop: Tabletop | None = None,
    ) -> None:
        self.number, self._tabletop = number, tabletop
        self.shell_g = shell_g + SHELL_SPREAD_G * chance.wobble(rng)
        self.stones_g = stones.draw(number, rng)
        self.mass_g = self.shell_g + sum(self.stones_g)
        self._warm_c = WARMING_C * chance.wobble(rng)  # towards this in the hand, as skins differ
        self.motions = [poses.stay(pose or poses.Pose(), 0)]
        self._warmth = [0.0]  # above ambient, when each motion begins
        self._starts = [0]
        self._now = 0  # the motion that was asked for last

    def acceleration_g(self, at_us: int) -> motions.Vector:
        """Return the specific force in the stopper's axes; (0, 0, 1) when it stands."""
        motion = self.motions[self._now]  # nearly always it is the same as before
        if not motion.start_us <= at_us < motion.end_us:
            motion = self.motion(at_us)
        force, table = motion.force_g(at_us), self._tabletop
        if table is None or not (share := _carried(motion, at_us)):
            return force
        (x, y, z), (px, py, pz) = force, table.push_g(at_us)
        return x + share * px, y + share * py, z + share * pz

    @property
    def slope_deg(self) -> float:
        return self._tabletop.slope_deg if self._tabletop else 0.0

    def load_g(self, at_us: int) -> float:
        """Return the true grams on the foot; 0 when lifted, lying or upside down."""
        load_g, table = self._level_g(at_us), self._tabletop
        return load_g * table.weighs(at_us) if table is not None and load_g else load_g

    def _level_g(self, at_us: int) -> float:
        motion = self.motion(at_us)
        if motion.resting:
            standing = motion.before.support is poses.Support.FOOT
            return self.mass_g * cos(motion.before.tilt_rad) if standing else 0.0
        down = motion.tilt_rad(at_us) < UPSIDE_DOWN_RAD
        return self._load_g(motion, at_us) if down else 0.0

    def weight_g(self, at_us: int) -> float:
        """Return the grams on what it stands or lies on, either end down: what a pad feels."""
        motion = self.motion(at_us)
        if motion.resting:
            return 0.0 if motion.before.held else self.mass_g
        return self._load_g(motion, at_us)

    def _load_g(self, motion: poses.Motion, at_us: int) -> float:
        share, pressed = motion.contact.weigh((at_us - motion.start_us) * 1e-6)
        if share <= 0.0:
            return 0.0
        force = motion.force_g(at_us)[2]
        if motion.tilt_rad(at_us) > UPSIDE_DOWN_RAD:
            force = -force
        return max(0.0, share * (self.mass_g * force + pressed))

    def temperature_c(self, at_us: int) -> float:
        """Return the temperature at the cell: ambient, and what hands have warmed it by."""
        self.motion(at_us)
        return AMBIENT_C + self._warmth_at(self._now, at_us)

    def _warmth_at(self, index: int, at_us: int) -> float:
        motion = self.motions[index]
        aim = self._warm_c if motion.before.held or motion.after.held else 0.0
        left = exp(-(at_us - motion.start_us) / WARMING_US)
        return aim + (self._warmth[index] - aim) * left

    def stands(self, at_us: int) -> bool:
        """Return whether the table carries some of it on its foot."""
        motion = self.motion(at_us)
        if motion.resting:
            return motion.before.support is poses.Support.FOOT
        return _carried(motion, at_us) > 0.0 and motion.tilt_rad(at_us) < UPSIDE_DOWN_RAD

    def falls(self, at_us: int) -> bool:
        """Return whether it has slipped out of a hand just now."""
        return self.motion(at_us).name == FALL

    def in_hand(self, at_us: int) -> bool:
        """Return whether a hand has it, or is about to, or was just now."""
        motion = self.motion(at_us)
        return motion.before.held or motion.after.held

    def tilt_deg(self, at_us: int) -> float:
        """Return how far it is truly tilted: 0 upright, 180 upside down."""
        return abs(degrees(self.motion(at_us).tilt_rad(at_us)))

    def rattle(self, from_us: int, to_us: int) -> tuple[StoneKnock, ...]:
        """Return the knocks that begin in a span of time: what a sound is made of."""
        return tuple(
            knock
            for motion in self.motions
            if motion.start_us < to_us and motion.end_us > from_us
            for knock in motion.rattle.between(from_us, to_us)
        )

    def readable(self, from_us: int, to_us: int, from_tilt_deg: float) -> list[tuple[int, int]]:
        """Return the spans in which the label could be read from this tilt on, to about 5 ms."""
        spans: list[tuple[int, int]] = []
        for motion in self.motions:
            if degrees(motion.most_tilt_rad) < from_tilt_deg:
                continue  # as nearly always: no need to look every 5 ms
            begin, end = max(from_us, motion.start_us), min(to_us, motion.end_us)
            step = max(1, end - begin) if motion.resting else READING_STEP_US
            for at in range(begin, end, step):
                if not motion.readable(at, from_tilt_deg):
                    continue
                if spans and spans[-1][1] >= at:
                    spans[-1] = (spans[-1][0], min(at + step, end))
                else:
                    spans.append((at, min(at + step, end)))
        return spans

    # --- what is done to it -------------------------------------------------------------------

    @property
    def free_us(self) -> int:
        """Return from when on something new can be done to it."""
        return self.motions[-1].start_us

    @property
    def pose(self) -> poses.Pose:
        """Return where it will be when everything so far has been done."""
        return self.motions[-1].after

    def motion(self, at_us: int) -> poses.Motion:
        motion = self.motions[self._now]
        if motion.start_us <= at_us < motion.end_us:
            return motion
        self._now = max(0, bisect_right(self._starts, at_us) - 1)
        return self.motions[self._now]

    def add(self, motion: poses.Motion) -> None:
        """Do something to it, after all that has been added before; then it stays as it is."""
        if motion.start_us < self.free_us:
            raise errors.Busy(
                "barrel {number} is busy until {free} µs; begin '{name}' then, not at {start} µs.",
                number=self.number,
                free=self.free_us,
                name=motion.name,
                start=motion.start_us,
            )
        self.motions[-1] = replace(self.motions[-1], end_us=motion.start_us)
        for new in (motion, poses.stay(motion.after, motion.end_us)):
            self._warmth.append(self._warmth_at(len(self.motions) - 1, new.start_us))
            self.motions.append(new)
            self._starts.append(new.start_us)

    def become(self, motion: poses.Motion) -> None:
        """Go on otherwise, without an end, instead of staying as it is."""
        self.motions[-1] = replace(self.motions[-1], end_us=motion.start_us)
        self._warmth.append(self._warmth_at(len(self.motions) - 1, motion.start_us))
        self.motions.append(motion)
        self._starts.append(motion.start_us)

    def forget(self, before_us: int) -> None:
        """Delete what was over before this time; nobody may ask for it any more."""
        over = sum(motion.end_us <= before_us for motion in self.motions)
        del self.motions[:over], self._warmth[:over], self._starts[:over]
        self._now = 0


def _carried(motion: poses.Motion, at_us: int) -> float:
    if motion.resting:
        return 0.0 if motion.before.held else 1.0
    return min(1.0, motion.contact.weigh((at_us - motion.start_us) * 1e-6)[0])
