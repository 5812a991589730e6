"""Accidents: a barrel that falls on its side rolls and rocks until it lies still.

It must not know a number, nor how anybody notices. A barrel is 31 mm wide, its rims 33 mm.

Nobody has measured how a rolling barrel shakes. On wood it loses a hundredth of its weight by
rolling, of which micro bumps take a part (Sasaki, Analysis of Rotational Motion based on Rolling
Friction Torque, 2021); bumps of 1 to 5 µm each 5 mm, at 0.2 m/s, come to 5 to 30 mg.
"""

from dataclasses import replace
from math import cos, pi, radians, sin
from random import Random
from typing import Final

from companion.simulator.hand_params import between
from companion.simulator.hands import seconds, sine
from companion.simulator.motions import G, MotionLine, Roll, Wobble
from companion.simulator.poses import STANDING, Motion, Pose

RADIUS_M: Final = 0.016
ROLLS: Final = 0.7  # of all that fall on their side
FALLEN_M_S: Final = (0.0, 0.7)
SLOWS_G: Final = (0.01, 0.03)
ROCKS_DEG, ROCKS_HZ, ROCKS_S = 2.0, (3.0, 8.0), 0.5  # at most, and until that has faded
BUMPS, BUMPS_HZ, BUMPS_G = 6, (15.0, 120.0), 0.08  # sines; for each m/s: 16 mg at 0.2 m/s
LYING_RAD: Final = pi / 2.0


def roll_away(at_us: int, pose: Pose, rng: Random) -> Motion:
    """Let what fell on its side rock and roll until it lies still; some stop at once."""
    fast = between(rng, *FALLEN_M_S)
    span = slows_s(rng, fast) if rng.random() < ROLLS else 0.1
    rolls, rocks = roll(at_us, pose, rng, (fast, span)), rocking(rng)
    end_us = max(rolls.end_us, at_us + seconds(ROCKS_S))
    return replace(rolls, end_us=end_us, pieces=(*rolls.pieces, rocks))


def slows_s(rng: Random, fast_m_s: float) -> float:
    """Return how long it rolls."""
    return min(3.0, fast_m_s / (between(rng, *SLOWS_G) * G))


def roll(at_us: int, pose: Pose, rng: Random, begins: tuple[float, float]) -> Motion:
    """Let it roll, given how fast and for how long."""
    (fast, span), way = begins, pose.lean_rad + pi / 2.0
    far = fast * span / 2.0
    by = (far * cos(way), far * sin(way), 0.0)
    bumps = Wobble(0.0, span, span / 4.0, span / 2.0, bump_lines(rng, BUMPS_G * fast))
    x, y, z = pose.at_m
    after = replace(pose, at_m=(x + by[0], y + by[1], z))
    end_us, spin = at_us + seconds(span), Roll(0.0, span, turn_rad=far / RADIUS_M)
    pieces = (Roll(0.0, span, by), bumps)
    return Motion("roll", at_us, end_us, pose, after, pieces, STANDING, spin=spin)


def rocking(rng: Random) -> Wobble:
    wide, omega = radians(between(rng, 0.0, ROCKS_DEG)), 2.0 * pi * between(rng, *ROCKS_HZ)
    return Wobble(0.0, ROCKS_S, 0.15, ROCKS_S - 0.15, (), ((omega, 0.0, wide),))


def bump_lines(rng: Random, hard_g: float) -> tuple[MotionLine, ...]:
    """Return what a rolling barrel feels of its bumps, root mean square, as some sines."""
    each_g = hard_g * (2.0 / BUMPS) ** 0.5
    return tuple(sine(rng, BUMPS_HZ, each_g) for _ in range(BUMPS))
