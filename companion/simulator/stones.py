"""The stones of a barrel: what they weigh, and when they knock against its wall.

It knows no hand and no sensor; a knock is as wide as shell and 200 Hz sensor let it be.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import cos, exp, pi, sin
from operator import attrgetter
from random import Random
from typing import Final

from companion.simulator import motions, stopper_kinds
from companion.system.chance import wobble

STEEL_G_MM3: Final = 0.0078  # grams per cubic millimetre: 0.372 g for a ball of 4.5 mm
SHELL_G: Final = stopper_kinds.WEIGHING.empty_g  # shell and stopper
WIDTH_US: Final = 8_000  # of a stone's knock: out and back again, as the hand holds the shell
FREE_WAY_M: Final = 0.025  # what a stone can fly inside
REBOUND: Final = 1.5  # 1 + restitution of steel on plastic
ROLLING_G: Final = 0.25  # shaken more gently than this, stones only roll
FINGERS_G: Final = 40.0  # what the holding fingers add to the shell
DAMPING: Final = 0.1  # how much the fingers' grip on the shell differs, as a log deviation


class Stones(Enum):
    """The kinds of stones: diameter in mm, of balls or of stamped ones as heavy; spread of mass."""

    BALLS_3_MM = (3.0, 0.02)
    BALLS_4_MM = (4.0, 0.02)
    BALLS_4_5_MM = (4.5, 0.02)
    BALLS_5_MM = (5.0, 0.02)
    STAMPED_3_MM = (3.0, 0.08)
    STAMPED_4_MM = (4.0, 0.08)
    STAMPED_4_5_MM = (4.5, 0.08)
    STAMPED_5_MM = (5.0, 0.08)

    @property
    def mass_g(self) -> float:
        """What one weighs on average.

        >>> round(Stones.BALLS_4_5_MM.mass_g, 3), round(Stones.STAMPED_3_MM.mass_g, 3)
        (0.372, 0.11)
        """
        return STEEL_G_MM3 * pi / 6.0 * self.value[0] ** 3

    @property
    def spread(self) -> float:
        """By what share of that one differs from the next, as a deviation."""
        return self.value[1]

    def draw(self, count: int, rng: Random) -> tuple[float, ...]:
        """Return the masses of this many stones, in g."""
        return tuple(self.mass_g * (1.0 + self.spread * wobble(rng)) for _ in range(count))


@dataclass(frozen=True, slots=True)
class StoneKnock:
    """One knock against the barrel: when, how hard (g, in the barrel's axes), how wide."""

    at_us: int
    peak_g: motions.Vector
    width_us: int = WIDTH_US
    stone: int | None = None  # which one; None for the table or a finger

    @property
    def strength_g(self) -> float:
        """How hard, whatever the direction."""
        x, y, z = self.peak_g
        return float((x * x + y * y + z * z) ** 0.5)


class Rattle:
    """Many knocks in the order of time; each swings out and back, so that nothing drifts away."""

    __slots__ = ("_times", "_widest_us", "knocks")

    def __init__(self, knocks: Iterable[StoneKnock] = ()) -> None:
        self.knocks = tuple(sorted(knocks, key=attrgetter("at_us")))
        self._times = [knock.at_us for knock in self.knocks]
        self._widest_us = max((knock.width_us for knock in self.knocks), default=0)

    def __bool__(self) -> bool:
        return bool(self.knocks)

    def between(self, from_us: int, to_us: int) -> tuple[StoneKnock, ...]:
        """Return the knocks that begin in a span of time."""
        times = self._times
        return self.knocks[bisect_left(times, from_us) : bisect_left(times, to_us)]

    def jolt_g(self, at_us: int) -> motions.Vector:
        """Return what the knocks add to the acceleration."""
        times = self._times
        first = bisect_right(times, at_us - self._widest_us)
        x = y = z = 0.0
        for knock in self.knocks[first : bisect_right(times, at_us)]:
            phase = 2.0 * pi * (at_us - knock.at_us) / knock.width_us
            if phase < 2.0 * pi:  # a sine under a bell: smooth, and its integral is 0
                hard = 0.77 * sin(phase) * (1.0 - cos(phase))
                px, py, pz = knock.peak_g
                x, y, z = x + px * hard, y + py * hard, z + pz * hard
        return x, y, z


SILENT: Final = Rattle()


@dataclass(frozen=True, slots=True)
class ShakeSwing:
    """Half a cycle of shaking: the moment the push turns over, how hard it then gets, where to."""

    at_us: int
    peak_g: float
    towards: motions.Vector  # of length 1, in the barrel's axes


def grasped(rng: Random) -> tuple[float, float]:
    """Return one grip for the whole shaking: how it damps, and how many stones fly each time."""
    hold = exp(DAMPING * wobble(rng))
    return hold, 0.75 + 0.2 * rng.random()


def rattle(
    stones: tuple[float, ...],
    shell_g: float,
    swings: Iterable[ShakeSwing],
    rng: Random,
    grip: tuple[float, float] | None = None,
) -> list[StoneKnock]:
    """Return how stones respond to shaking: each flies over and knocks, some bounce once more.

    Whoever tells of one shaking in several parts hands in its grip: a new one for each would
    average out, and betray more of their number than real stones do.
    """
    hold, eager = grip or grasped(rng)
    mass = shell_g + FINGERS_G + sum(stones)
    knocks = []
    for swing in swings:
        push = (swing.peak_g - ROLLING_G) * motions.G
        if push <= 0.0:
            continue
        flight_s = (2.0 * FREE_WAY_M / push) ** 0.5
        speed = push * flight_s
        for number, stone_g in enumerate(stones):
            if rng.random() > eager:
                continue
            late_s = flight_s * (0.8 + 0.5 * rng.random())
            gain = hold * REBOUND * stone_g / mass * speed * (0.5 + 0.5 * rng.random())
            knocks.append(_knock(swing, late_s, gain, number, rng))
            if rng.random() < 0.5:
                knocks.append(
                    _knock(swing, late_s + 0.01 + 0.02 * rng.random(), -gain / 2, number, rng)
                )
    return knocks


def _knock(
    swing: ShakeSwing, late_s: float, gain_m_s: float, stone: int, rng: Random
) -> StoneKnock:
    x, y, z = swing.towards
    hard = 2.0 * gain_m_s / (WIDTH_US * 1e-6 / 2.0) / motions.G
    peak = (
        hard * (x + 0.3 * wobble(rng)),
        hard * (y + 0.3 * wobble(rng)),
        hard * (z + 0.3 * wobble(rng)),
    )
    return StoneKnock(swing.at_us + int(late_s * 1e6), peak, stone=stone)


def tumble(stones: tuple[float, ...], from_us: int, to_us: int, rng: Random) -> list[StoneKnock]:
    """Return the soft knocks of stones that roll to another side."""
    knocks = []
    for number in range(len(stones)):
        at_us = from_us + int((to_us - from_us) * rng.random())
        soft = 0.05 + 0.1 * rng.random()
        peak = (soft * wobble(rng), soft * wobble(rng), soft * wobble(rng))
        knocks.append(StoneKnock(at_us, peak, stone=number))
    return knocks
