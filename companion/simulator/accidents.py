"""Barrels on their side: they topple, are laid down, roll, rock and are rolled under a hand.

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
from companion.simulator.hands import SETTLE_S, Hand, seconds
from companion.simulator.motions import G, MotionLine, Roll, Topple, Vector, Wobble
from companion.simulator.poses import STANDING, Motion, Pose, Support, TableContact
from companion.simulator.stones import Rattle, StoneKnock
from companion.system.chance import wobble

RADIUS_M: Final = 0.016
FOOT_M: Final = -0.025  # the foot's edge, seen from the middle: a barrel topples about it
TOPPLES_S: Final = (0.2, 0.45)  # a rod of its height, let go near its edge or pushed
HITS_G, HITS_US = (1.5, 12.0), (4_000, 12_000)  # when its belly meets the table
ROLLS: Final = 0.7  # of all that fall on their side
FALLEN_M_S, PUSHED_M_S = (0.0, 0.7), (0.1, 0.8)
SLOWS_G: Final = (0.01, 0.03)
ROCKS_DEG, ROCKS_HZ, ROCKS_S = 2.0, (3.0, 8.0), 0.5  # at most, and until that has faded
BUMPS, BUMPS_G = 6, 0.08  # sines; for each m/s: 16 mg at 0.2 m/s
PALM_HZ, PALM_M, PALM_G = (0.8, 2.0), (0.02, 0.06), (0.005, 0.03)
LYING_RAD: Final = pi / 2.0


def topple(hand: Hand, at_us: int, pose: Pose) -> Motion:
    """Knock a standing barrel over: it falls about the edge of its foot, and hits the table."""
    rng, lean = hand.rng, between(hand.rng, -pi, pi)
    fall = Topple(0.02, between(rng, *TOPPLES_S), LYING_RAD - pose.tilt_rad)
    hit_us, hard = at_us + seconds(fall.hits_s), between(rng, *HITS_G) * hand.cloth
    blow = (hard * cos(lean), hard * sin(lean), 0.3 * hard * wobble(rng))
    knock = StoneKnock(hit_us, blow, round(between(rng, *HITS_US)))
    end_us = at_us + seconds(fall.end_s + 0.02)
    after = replace(pose, tilt_rad=LYING_RAD, lean_rad=lean, support=Support.SIDE)
    contact = TableContact(ramps=((0.02, 0.06, -1.0),), share=1.0)
    pieces, rattle = (fall,), Rattle((knock,))
    return Motion("topple", at_us, end_us, pose, after, pieces, contact, rattle, lean, FOOT_M)


def lay(hand: Hand, at_us: int, pose: Pose, spot: Vector) -> Motion:
    """Lay a held barrel on its side, so that its label is in sight on the way."""
    span = max(hand.habits.lift_s.draw(hand.rng), 0.4)
    (x, y, z), (to_x, to_y, to_z) = pose.at_m, spot
    turn = LYING_RAD - pose.tilt_rad
    pieces = hand.reach(0.0, span, (to_x - x, to_y - y, to_z - z), turn)
    if pose.grip:
        pieces.append(pose.grip.during(at_us, at_us + seconds(span + 0.1)))
    pieces.append(hand.touch(span))
    after = Pose(spot, LYING_RAD, pose.lean_rad, Support.SIDE)
    return Motion("lay", at_us, at_us + seconds(span + SETTLE_S), pose, after, tuple(pieces))


def roll_away(at_us: int, pose: Pose, rng: Random) -> Motion:
    """Let what fell on its side rock and roll until it lies still; some stop at once."""
    fast = between(rng, *FALLEN_M_S)
    span = _slows_s(rng, fast) if rng.random() < ROLLS else 0.1
    rolls, rocks = _roll(at_us, pose, rng, (fast, span)), _rocking(rng)
    end_us = max(rolls.end_us, at_us + seconds(ROCKS_S))
    return replace(rolls, end_us=end_us, pieces=(*rolls.pieces, rocks))


def push(hand: Hand, at_us: int, pose: Pose) -> Motion:
    """Give a barrel that lies a push, so that it rolls away."""
    fast = between(hand.rng, *PUSHED_M_S)
    return _roll(at_us, pose, hand.rng, (fast, _slows_s(hand.rng, fast)))


def rock(hand: Hand, at_us: int, pose: Pose) -> Motion:
    """Press an end of a barrel that lies, and let it rock."""
    end_us = at_us + seconds(ROCKS_S)
    return Motion("rock", at_us, end_us, pose, pose, (_rocking(hand.rng),), STANDING)


def trundle(hand: Hand, at_us: int, pose: Pose, for_s: float) -> Motion:
    """Roll a barrel that lies to and fro under a palm."""
    rng, way = hand.rng, pose.lean_rad + pi / 2.0
    omega, wide = 2.0 * pi * between(rng, *PALM_HZ), between(rng, *PALM_M)
    hard, edge = wide * omega * omega / G, min(0.3, for_s / 3.0)
    there: MotionLine = (omega, 0.0, hard * cos(way), hard * sin(way), 0.0)
    spin = Wobble(0.0, for_s, edge, edge, (), ((omega, pi, wide / RADIUS_M),))
    lines = (there, *_bumps(rng, between(rng, *PALM_G)))
    pieces = (Wobble(0.0, for_s, edge, edge, lines),)
    end_us = at_us + seconds(for_s)
    return Motion("trundle", at_us, end_us, pose, pose, pieces, STANDING, spin=spin)


def _slows_s(rng: Random, fast_m_s: float) -> float:
    """Return how long it rolls."""
    return min(3.0, fast_m_s / (between(rng, *SLOWS_G) * G))


def _roll(at_us: int, pose: Pose, rng: Random, begins: tuple[float, float]) -> Motion:
    """Let it roll, given how fast and for how long."""
    (fast, span), way = begins, pose.lean_rad + pi / 2.0
    far = fast * span / 2.0
    by = (far * cos(way), far * sin(way), 0.0)
    bumps = Wobble(0.0, span, span / 4.0, span / 2.0, _bumps(rng, BUMPS_G * fast))
    x, y, z = pose.at_m
    after = replace(pose, at_m=(x + by[0], y + by[1], z))
    end_us, spin = at_us + seconds(span), Roll(0.0, span, turn_rad=far / RADIUS_M)
    pieces = (Roll(0.0, span, by), bumps)
    return Motion("roll", at_us, end_us, pose, after, pieces, STANDING, spin=spin)


def _rocking(rng: Random) -> Wobble:
    wide, omega = radians(between(rng, 0.0, ROCKS_DEG)), 2.0 * pi * between(rng, *ROCKS_HZ)
    return Wobble(0.0, ROCKS_S, 0.15, ROCKS_S - 0.15, (), ((omega, 0.0, wide),))


def _bumps(rng: Random, hard_g: float) -> tuple[MotionLine, ...]:
    """Return what a rolling barrel feels of its bumps, root mean square, as some sines."""
    each_g = hard_g * (2.0 / BUMPS) ** 0.5
    return tuple(
        (
            2.0 * pi * between(rng, 15.0, 120.0),
            between(rng, 0.0, 2.0 * pi),
            each_g * wobble(rng),
            each_g * wobble(rng),
            each_g * wobble(rng),
        )
        for _ in range(BUMPS)
    )
