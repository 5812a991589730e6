"""Looking at a barrel's label on the sly: how far it is tilted and how long, in hand or standing.

It must not know a number, nor the rule by which it may be noticed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import pi, radians
from random import Random
from typing import Final

from companion.simulator import hands, people
from companion.simulator.hand_params import ScriptVigour, between
from companion.simulator.motions import Glide, Piece, Vector, Wobble
from companion.simulator.poses import Motion, Pose
from companion.simulator.shaking import line_along, shaking
from companion.system.chance import wobble

STEP_US: Final = 2_000
SHORT_S: Final = 0.25  # whoever looks more briefly than this tilts it only just far enough
SHORT_MARGIN_DEG: Final = 2.0
LOW_MARGIN_DEG: Final = (0.5, 4.0)
CREEPING_S: Final = (3.0, 5.0)
TURN_OVER_S: Final = (0.45, 0.8)
ROUGHLY_DEG: Final = 4.0  # how far from exactly upside down it may be
ABOUT_HALF_S: Final = (0.3, 0.8)
JIGGLE_G: Final = (0.1, 0.5)
JIGGLE_HZ: Final = (3.0, 10.0)
OTHER_HAND_M: Final = 0.15
SHAKE_S: Final = (0.6, 1.1)  # before a look that does not wait for it to fade


@dataclass(frozen=True, slots=True)
class PeekPlan:
    """How long somebody wants to see a label, from what tilt on they can, how far they tilt it."""

    for_s: float
    limit_deg: float
    to_deg: float | None = None
    manner: people.Manner = people.Manner.PLAINLY


def peek(hand: hands.Hand, at_us: int, pose: Pose, look: PeekPlan) -> Motion:
    """Tilt a held barrel until its label could be read for that long, then tilt it back."""
    turn = radians(_to_deg(hand, look)) - pose.tilt_rad
    there, back = (hand.habits.peek_turn_s.draw(hand.rng) for _ in range(2))
    pivot, begin = hand.pivot_m(), 0.0
    before: list[Piece] = [pose.grip.during(at_us)] if pose.grip else []
    match look.manner:
        case people.Manner.CREEPING:
            there = between(hand.rng, *CREEPING_S)
        case people.Manner.UPSIDE_DOWN:
            there, back = (between(hand.rng, *TURN_OVER_S) for _ in range(2))
        case people.Manner.SHAKING_OUT:
            for_s = between(hand.rng, *SHAKE_S)
            swing = shaking(hand, *hand.habits.shaking(ScriptVigour.AS_USUAL, hand.rng), for_s)
            before, begin = [*before, swing], for_s - between(hand.rng, 0.1, 0.3)
    meanwhile = _meanwhile(hand, look.manner)

    def holding(hold_s: float) -> Motion:
        held_s = begin + there + hold_s
        pieces = [*before, Glide(begin, there, turn_rad=turn), Glide(held_s, back, turn_rad=-turn)]
        pieces += meanwhile(begin + there, hold_s)
        end_us = at_us + hands.seconds(held_s + back)
        after = replace(pose, at_m=_moved(pose, pieces, held_s + back))
        return Motion("peek", at_us, end_us, pose, after, tuple(pieces), pivot_m=pivot)

    if look.manner is people.Manner.UPSIDE_DOWN:
        return holding(between(hand.rng, *ABOUT_HALF_S))
    quick = holding(0.0)  # for part of the way there and back it can be read already
    steps = range(quick.start_us, quick.end_us, STEP_US)
    seen_us = STEP_US * sum(quick.readable(at, look.limit_deg) for at in steps)
    return holding(max(0.0, look.for_s - seen_us * 1e-6))


def _to_deg(hand: hands.Hand, look: PeekPlan) -> float:
    rng, habits = hand.rng, hand.habits
    margin = habits.peek_margin_deg.draw(rng) if look.for_s > SHORT_S else SHORT_MARGIN_DEG
    if look.to_deg is not None:
        return look.to_deg
    if look.manner is people.Manner.UPSIDE_DOWN:
        return 180.0 + between(rng, -ROUGHLY_DEG, ROUGHLY_DEG)
    if look.manner is people.Manner.LOW:
        margin = between(rng, *LOW_MARGIN_DEG)
    return look.limit_deg + margin


def _meanwhile(hand: hands.Hand, manner: people.Manner) -> Callable[[float, float], list[Piece]]:
    """Return what else is done with a barrel while it is looked at: from when on, for how long."""
    rng = hand.rng
    if manner is people.Manner.JIGGLING:
        omega, hard = 2.0 * pi * between(rng, *JIGGLE_HZ), between(rng, *JIGGLE_G)
        along, across = _way(rng), _way(rng)
        lines = (
            line_along(omega, 0.0, hard, along),
            line_along(1.1 * omega, 1.0, 0.4 * hard, across),
        )
        return lambda at, for_s: [Wobble(at - 0.1, at + for_s + 0.1, 0.1, 0.1, lines)]
    if manner is people.Manner.HANDED:
        x, y, z = _way(rng)
        far = (OTHER_HAND_M * x, OTHER_HAND_M * y, OTHER_HAND_M * z)
        share, span, jerk = between(rng, 0.1, 0.9), between(rng, 0.4, 0.7), hand.unsteady(0.0, 0.3)
        return lambda at, for_s: [
            Glide(at + share * for_s - span / 2.0, span, far),
            replace(jerk, begin_s=at + share * for_s - 0.15, end_s=at + share * for_s + 0.15),
        ]
    return lambda _at, _for_s: []


def _way(rng: Random) -> Vector:
    x, y, z = wobble(rng), wobble(rng), wobble(rng)
    size = (x * x + y * y + z * z) ** 0.5 or 1.0
    return x / size, y / size, z / size


def _moved(pose: Pose, pieces: Sequence[Piece], end_s: float) -> Vector:
    """Return where it is after pieces; all but reaches come back."""
    x, y, z = pose.at_m
    for piece in pieces:
        if isinstance(piece, Glide) and piece.by_m != (0.0, 0.0, 0.0):
            px, py, pz, *_ = piece.move(end_s)
            x, y, z = x + px, y + py, z + pz
    return x, y, z
