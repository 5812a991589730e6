"""The simulated tabletop: it slopes, has a cloth on it, gets knocked, and music plays.

What it does is drawn once, and so is each knock, in the order of time.
"""

from bisect import bisect_right
from dataclasses import dataclass
from math import cos, degrees, exp, fsum, pi, radians, sin
from random import Random
from typing import Final

from companion.simulator.hand_params import HandSpread, between
from companion.simulator.motions import Vector
from companion.system.chance import below, wobble

SLOPE_DEG: Final = 3.0  # at most
BARE: Final = 0.4  # this many tables have no cloth
CLOTH: Final = (0.1, 0.6)  # how much of a touch's ringing a cloth lets through
MUSIC_MG: Final = HandSpread(
    1.5, 1.5, 0.0, 4.0
)  # root mean square, upwards; none at all is usual, too
LEVEL: Final = 0.3  # of it, along the table
NOTES: Final = 8
MUSIC_HZ: Final = (1, 50)
LOOP_US, STEP_US = 8_000_000, 1_000  # music goes round, unheard by any sensor
HEAVE_STEPS: Final = 25  # a load cell's converter averages over so many
KNOCKS_S: Final = (3.0, 60.0)  # from one to the next: glasses, elbows, cards, dice
KNOCK_MG: Final = 60.0  # in the middle…
KNOCK_SPREAD: Final = 0.8  # …with few hard ones, as a deviation of the logarithm
KNOCK_HZ: Final = (12.0, 60.0)
FADES_S: Final = (0.02, 0.06)
RINGS_US: Final = 250_000  # by then nothing is left of it


@dataclass(frozen=True, slots=True)
class Tap:
    """One knock at the table."""

    at_us: int
    omega: float
    fades_s: float
    push_g: Vector


class Tabletop:
    """One table on one evening.

    >>> table = Tabletop(Random(1))
    >>> table.still_until_us(0) > 0, table.push_g(0) == table.push_g(LOOP_US)
    (True, True)
    """

    def __init__(self, rng: Random) -> None:
        slope, way = radians(between(rng, 0.0, SLOPE_DEG)), between(rng, 0.0, 2.0 * pi)
        self.slope_deg = degrees(slope)
        self.slope_g = (sin(slope) * cos(way), sin(slope) * sin(way))
        self.presses = cos(slope)  # this share of a weight
        self.cloth = 1.0 if rng.random() < BARE else between(rng, *CLOTH)
        music_g = MUSIC_MG.draw(rng) / 1000
        self._up = _music(rng, music_g)
        self._along = [_music(rng, LEVEL * music_g) for _ in range(2)]
        round_ = self._up[1 - HEAVE_STEPS :] + self._up
        self._heave = [
            fsum(round_[step : step + HEAVE_STEPS]) / HEAVE_STEPS for step in range(len(self._up))
        ]
        self._rng = rng
        self._taps: list[Tap] = []
        self._starts: list[int] = []
        self._still = (0, 0)  # no knock rings in this time

    def push_g(self, at_us: int) -> Vector:
        """Return how it pushes what stands on it, beyond what a level and silent table does."""
        step = at_us % LOOP_US // STEP_US
        x, y = self.slope_g
        x, y, z = x + self._along[0][step], y + self._along[1][step], self._up[step]
        if self._still[0] <= at_us < self._still[1]:
            return x, y, z
        kx, ky, kz = self._ringing_g(at_us)
        return x + kx, y + ky, z + kz

    def weighs(self, at_us: int) -> float:
        """Return how much one gram weighs on it."""
        heave_g = self._heave[at_us % LOOP_US // STEP_US]
        if not self._still[0] <= at_us < self._still[1]:
            heave_g += self._ringing_g(at_us)[2]
        return self.presses + heave_g

    def still_until_us(self, at_us: int) -> int:
        """Return when it is knocked at next; that very time, if it still rings."""
        self._ringing_g(at_us)
        return self._still[1] if self._still[0] <= at_us < self._still[1] else at_us

    def _ringing_g(self, at_us: int) -> Vector:
        while not self._starts or self._starts[-1] <= at_us:
            self._taps.append(self._next())
            self._starts.append(self._taps[-1].at_us)
        number = bisect_right(self._starts, at_us)
        after_us = self._starts[number - 1] + RINGS_US if number else 0
        if at_us >= after_us:
            self._still = (after_us, self._starts[number])
            return 0.0, 0.0, 0.0
        tap = self._taps[number - 1]
        after_s = (at_us - tap.at_us) * 1e-6
        swing = exp(-after_s / tap.fades_s) * sin(tap.omega * after_s)
        x, y, z = tap.push_g
        return x * swing, y * swing, z * swing

    def _next(self) -> Tap:
        rng, last_us = self._rng, self._starts[-1] if self._starts else 0
        at_us = last_us + round(1e6 * between(rng, *KNOCKS_S))
        hard_g = KNOCK_MG / 1000 * exp(KNOCK_SPREAD * wobble(rng))
        push_g = (0.3 * hard_g * wobble(rng), 0.3 * hard_g * wobble(rng), hard_g)
        return Tap(at_us, 2.0 * pi * between(rng, *KNOCK_HZ), between(rng, *FADES_S), push_g)


def _music(rng: Random, loud_g: float) -> list[float]:
    """Return a push for each step; all its notes are as loud, and fit into the loop."""
    least, most = (round(hz * LOOP_US / 1e6) for hz in MUSIC_HZ)
    notes = [
        (2.0 * pi * (least + below(rng, most - least)) / LOOP_US, between(rng, 0.0, 2.0 * pi))
        for _ in range(NOTES)
    ]
    each_g = loud_g * (2.0 / NOTES) ** 0.5
    times = range(0, LOOP_US, STEP_US)
    waves = [[sin(omega * at_us + phase) for at_us in times] for omega, phase in notes]
    return [each_g * fsum(swings) for swings in zip(*waves, strict=True)]


USUAL_C: Final = 21.0
BEGINS_C, BEGINS_SPREAD_C = 20.0, 0.5
RISES_C, RISES_SPREAD_C = 7.0, 0.7
RISING_US: Final = 3600e6  # two thirds of it in the first hour


class RoomClimate:
    """One room on one evening, which begins at 0.

    >>> room = RoomClimate("1")
    >>> abs(room.above_usual_c(0) + 1) < 2, 4 < room.above_usual_c(5 * 3600_000_000) < 9
    (True, True)
    """

    def __init__(self, seed: str) -> None:
        rng = Random(f"room {seed}")  # noqa: S311 - chance in a game, no secret
        self.begins_c = BEGINS_C + BEGINS_SPREAD_C * wobble(rng)
        self.rises_c = RISES_C + RISES_SPREAD_C * wobble(rng)

    def above_usual_c(self, at_us: int) -> float:
        """Return how much warmer it is than rooms usually are."""
        return self.begins_c - USUAL_C + self.rises_c * (1.0 - exp(-at_us / RISING_US))
