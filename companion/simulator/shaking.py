"""Shaking a barrel to hear its stones, and weighing two in the hands; fitted to recorded hands.

It must not know a number: the stones that rattle are handed in.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, radians, sin
from random import Random
from typing import Final

from companion.simulator import hands, motions, stones
from companion.simulator.hand_params import HandParams, ScriptVigour, between
from companion.simulator.poses import Motion, Pose
from companion.system.chance import wobble

LOOK_S: Final = 0.004  # between two looks at how the push turns over
HEFT_HZ: Final = (0.8, 1.6)
SWIRL_DEG: Final = (15.0, 45.0)
SWIRL_M: Final = (0.005, 0.03)


@dataclass(frozen=True, slots=True)
class Shaking:
    stones_g: tuple[float, ...]
    shell_g: float = stones.SHELL_G
    vigour: ScriptVigour = ScriptVigour.AS_USUAL
    for_s: float = 1.2


def shake(hand: hands.Hand, at_us: int, pose: Pose, how: Shaking) -> Motion:
    """Shake a held barrel for a while."""
    rng, habits, for_s = hand.rng, hand.habits, how.for_s
    hard, hertz = habits.shaking(how.vigour, rng)
    tilt = radians(habits.shake_tilt_deg.draw(rng))
    pull = min(0.3, for_s / 3.0)
    swing = shaking(hand, hard, hertz, for_s)
    pieces: list[motions.Piece] = [swing, motions.Glide(0.0, pull, turn_rad=tilt - pose.tilt_rad)]
    pieces.append(motions.Glide(for_s - pull, pull, turn_rad=pose.tilt_rad - tilt))
    if pose.grip:
        pieces.append(pose.grip.during(at_us))
    knocks = stones.rattle(how.stones_g, how.shell_g, swings(swing, at_us), hand.stones or rng)
    end_us = at_us + hands.seconds(for_s)
    inside = [knock for knock in knocks if knock.at_us + knock.width_us <= end_us]
    return Motion("shake", at_us, end_us, pose, pose, tuple(pieces), rattle=stones.Rattle(inside))


def shaking(hand: hands.Hand, hard_g: float, hertz: float, for_s: float) -> motions.Wobble:
    """Return the swings alone, given how hard (root mean square) and how fast."""
    rng, habits = hand.rng, hand.habits
    first, second = _axes(habits, rng)
    omega, beside = 2.0 * pi * hertz, habits.beat.draw(rng)
    wide, quarter = habits.ellipse.draw(rng), between(rng, 0.3, 0.7) * pi
    raw = [
        line_along(omega, 0.0, 1.0, first),
        line_along(omega, quarter, wide, second),
        line_along(omega * between(rng, 1.15, 1.4), between(rng, 0.0, 6.28), beside, first),
        line_along(2.0 * omega, between(rng, 0.0, 6.28), habits.second.draw(rng), second),
        line_along(3.0 * omega, 0.3 * wobble(rng), habits.third.draw(rng), first),
        line_along(5.0 * omega, 0.3 * wobble(rng), habits.fifth.draw(rng), first),
    ]
    power = sum((x * x + y * y + z * z) / 2.0 for _, _, x, y, z in raw)
    scale = hard_g / power**0.5
    lines = tuple((w, p, x * scale, y * scale, z * scale) for w, p, x, y, z in raw)
    turn = radians(habits.wrist_deg_per_g.draw(rng) * hard_g)
    rise = min(0.25, for_s / 3.0)
    return motions.Wobble(0.0, for_s, rise, rise, lines, ((omega, between(rng, 0.0, 6.28), turn),))


def swirl(hand: hands.Hand, at_us: int, pose: Pose, how: Shaking, turns_rad: float) -> Motion:
    """Let a held barrel go round, tilted, so that its stones roll: no back and forth."""
    rng, for_s = hand.rng, how.for_s
    tilt, pull = radians(between(rng, *SWIRL_DEG)), min(0.3, for_s / 3.0)
    omega, wide = turns_rad / for_s, between(rng, *SWIRL_M)
    hard, rise = wide * omega * omega / motions.G, min(0.25, for_s / 3.0)
    lines = ((omega, 0.0, hard, 0.0, 0.0), (omega, pi / 2.0, 0.0, hard, 0.0))
    pieces: list[motions.Piece] = [
        motions.Wobble(0.0, for_s, rise, rise, lines),
        motions.Glide(0.0, pull, turn_rad=tilt - pose.tilt_rad),
        motions.Glide(for_s - pull, pull, turn_rad=pose.tilt_rad - tilt),
    ]
    if pose.grip:
        pieces.append(pose.grip.during(at_us))
    end_us, pivot = at_us + hands.seconds(for_s), hand.pivot_m()
    sweep = motions.Glide(0.0, for_s, turn_rad=turns_rad)
    return Motion("swirl", at_us, end_us, pose, pose, tuple(pieces), pivot_m=pivot, sweep=sweep)


def _axes(habits: HandParams, rng: Random) -> tuple[motions.Vector, motions.Vector]:
    """Return the axis of shaking, and the second axis of the loop that it becomes."""
    way, skew = between(rng, 0.0, 2.0 * pi), 0.15 * wobble(rng)
    level: motions.Vector = (cos(way), sin(way), skew)
    if rng.random() < habits.upright_share:
        return (skew, 0.0, 1.0), level
    return level, (-sin(way), cos(way), 0.15 * wobble(rng))


def line_along(
    omega: float, phase: float, size: float, along: motions.Vector
) -> motions.MotionLine:
    """Return a sine along an axis."""
    return omega, phase, size * along[0], size * along[1], size * along[2]


def swings(swing: motions.Wobble, at_us: int) -> Iterator[stones.ShakeSwing]:
    """Return where a shaking turns over, and how hard each half of it becomes."""
    begun, peak, way, sign = 0.0, 0.0, (0.0, 0.0, 0.0), 0
    for step in range(int(swing.end_s / LOOK_S)):
        x, y, z, *_ = swing.push(step * LOOK_S)
        _, _, ux, uy, uz = swing.lines[0]
        new = 1 if x * ux + y * uy + z * uz >= 0.0 else -1
        if new != sign:
            if peak:
                yield stones.ShakeSwing(at_us + hands.seconds(begun), peak, way)
            begun, peak, sign = step * LOOK_S, 0.0, new
        if (hard := (x * x + y * y + z * z) ** 0.5) > peak:
            peak, way = hard, (x / hard, y / hard, z / hard)


def heft(hand: hands.Hand, at_us: int, pose: Pose, for_s: float) -> Motion:
    """Weigh a held barrel in the hand: slow small swings up and down."""
    rng = hand.rng
    omega, hard = 2.0 * pi * between(rng, *HEFT_HZ), between(rng, 0.08, 0.25)
    lines = ((omega, between(rng, 0.0, 6.28), 0.02 * wobble(rng), 0.02 * wobble(rng), hard),)
    rise = min(0.4, for_s / 2.0)
    pieces: list[motions.Piece] = [motions.Wobble(0.0, for_s, rise, rise, lines)]
    if pose.grip:
        pieces.append(pose.grip.during(at_us))
    return Motion("heft", at_us, at_us + hands.seconds(for_s), pose, pose, tuple(pieces))
