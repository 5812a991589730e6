"""What only scripts have people do with a barrel: tip it, knock it over, lay it down and roll it.

It must not know a number, nor how anybody notices.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from math import cos, pi, radians, sin
from typing import Final

from companion.simulator import accidents, actors
from companion.simulator.ground_truth import What
from companion.simulator.hand_params import between
from companion.simulator.hands import SETTLE_S, Hand, seconds
from companion.simulator.motions import STILL, G, Glide, MotionLine, Six, Vector, Wobble
from companion.simulator.poses import STANDING, Motion, Pose, Support, TableContact
from companion.simulator.script import ScriptAct
from companion.simulator.stones import Rattle, StoneKnock
from companion.simulator.world import World
from companion.system.chance import wobble

FOOT_M: Final = -0.025  # the foot's edge, seen from the middle: a barrel topples about it
TOPPLES_S: Final = (0.2, 0.45)  # a rod of its height, let go near its edge or pushed
HITS_G, HITS_US = (1.5, 12.0), (4_000, 12_000)  # when its belly meets the table
PUSHED_M_S: Final = (0.1, 0.8)
PALM_HZ, PALM_M, PALM_G = (0.8, 2.0), (0.02, 0.06), (0.005, 0.03)
TIP_DEG: Final = 30.0


class Mishap(Enum):
    """What is done; its value is the word for it in a script."""

    TIP = "tips"
    TOPPLE = "topples"
    LAY = "lays"
    PUSH = "pushes"
    ROCK = "rocks"
    TRUNDLE = "trundles"


USUAL_S: Final = {Mishap.TIP: 0.6, Mishap.TRUNDLE: 1.5}  # how long, unless a script says otherwise


@dataclass(frozen=True, slots=True)
class Topple:
    """Falling over faster and faster until it hits, and stopping dead."""

    begin_s: float
    span_s: float  # as a whole, of which the last moment is the stop
    turn_rad: float
    stop_s: float = 0.006

    @property
    def most_turn_rad(self) -> float:
        """Return what the turn never exceeds, either way."""
        return abs(self.turn_rad)

    @property
    def hits_s(self) -> float:
        return self.end_s - self.stop_s

    @property
    def end_s(self) -> float:
        """When it lies still."""
        return self.begin_s + self.span_s

    def push(self, at_s: float) -> Six:
        """Return how it turns: with the third power of the time, as a rod at first."""
        t, falls = at_s - self.begin_s, self.span_s - self.stop_s
        if t <= 0.0:
            return STILL
        if t >= self.span_s:
            return 0.0, 0.0, 0.0, self.turn_rad, 0.0, 0.0
        rest = 1.5 * self.stop_s / falls  # what it turns while it stops, as a share
        wide = self.turn_rad / (1.0 + rest)
        share, rate = t / falls, 3.0 * wide / falls
        if share < 1.0:
            slow = share * share
            return 0.0, 0.0, 0.0, wide * slow * share, rate * slow, 2.0 * rate * share / falls
        left = 1.0 - (t - falls) / self.stop_s
        turn = self.turn_rad - rest * wide * left * left
        return 0.0, 0.0, 0.0, turn, rate * left, -rate / self.stop_s

    def move(self, at_s: float) -> Six:  # noqa: ARG002 - it turns on the spot
        """Return that it stays where its foot was."""
        return STILL


def tipped(hand: Hand, at_us: int, pose: Pose, tilt_rad: float, hold_s: float) -> Motion:
    """Tilt a standing barrel on the edge of its foot, hold it like that, and let it down again."""
    span, lean = hand.habits.peek_turn_s.draw(hand.rng), between(hand.rng, -pi, pi)
    end = 2.0 * span + hold_s
    pieces = (
        Glide(0.0, span, turn_rad=tilt_rad),
        Glide(span + hold_s, span, turn_rad=-tilt_rad),
        hand.touch(end),
    )
    carried = between(hand.rng, 0.3, 0.7)  # what the hand takes over while it leans
    ramps = ((0.0, span, -carried), (span + hold_s, span, carried))
    end_us = at_us + seconds(end + 0.15)
    contact = TableContact(ramps, share=1.0)
    return Motion("tip", at_us, end_us, pose, pose, pieces, contact, leans=lean)


def toppled(hand: Hand, at_us: int, pose: Pose) -> Motion:
    """Knock a standing barrel over: it falls about the edge of its foot, and hits the table."""
    rng, lean = hand.rng, between(hand.rng, -pi, pi)
    fall = Topple(0.02, between(rng, *TOPPLES_S), accidents.LYING_RAD - pose.tilt_rad)
    hit_us, hard = at_us + seconds(fall.hits_s), between(rng, *HITS_G) * hand.cloth
    blow = (hard * cos(lean), hard * sin(lean), 0.3 * hard * wobble(rng))
    knock = StoneKnock(hit_us, blow, round(between(rng, *HITS_US)))
    end_us = at_us + seconds(fall.end_s + 0.02)
    after = replace(pose, tilt_rad=accidents.LYING_RAD, lean_rad=lean, support=Support.SIDE)
    contact = TableContact(ramps=((0.02, 0.06, -1.0),), share=1.0)
    pieces, rattle = (fall,), Rattle((knock,))
    return Motion("topple", at_us, end_us, pose, after, pieces, contact, rattle, lean, FOOT_M)


def laid(hand: Hand, at_us: int, pose: Pose, spot: Vector) -> Motion:
    """Lay a held barrel on its side, so that its label is in sight on the way."""
    span = max(hand.habits.lift_s.draw(hand.rng), 0.4)
    (x, y, z), (to_x, to_y, to_z) = pose.at_m, spot
    turn = accidents.LYING_RAD - pose.tilt_rad
    pieces = hand.reach(0.0, span, (to_x - x, to_y - y, to_z - z), turn)
    if pose.grip:
        pieces.append(pose.grip.during(at_us, at_us + seconds(span + 0.1)))
    pieces.append(hand.touch(span))
    after = Pose(spot, accidents.LYING_RAD, pose.lean_rad, Support.SIDE)
    return Motion("lay", at_us, at_us + seconds(span + SETTLE_S), pose, after, tuple(pieces))


def pushed(hand: Hand, at_us: int, pose: Pose) -> Motion:
    """Give a barrel that lies a push, so that it rolls away."""
    fast = between(hand.rng, *PUSHED_M_S)
    return accidents.roll(at_us, pose, hand.rng, (fast, accidents.slows_s(hand.rng, fast)))


def rocked(hand: Hand, at_us: int, pose: Pose) -> Motion:
    """Press an end of a barrel that lies, and let it rock."""
    end_us = at_us + seconds(accidents.ROCKS_S)
    return Motion("rock", at_us, end_us, pose, pose, (accidents.rocking(hand.rng),), STANDING)


def trundled(hand: Hand, at_us: int, pose: Pose, for_s: float) -> Motion:
    """Roll a barrel that lies to and fro under a palm."""
    rng, way = hand.rng, pose.lean_rad + pi / 2.0
    omega, wide = 2.0 * pi * between(rng, *PALM_HZ), between(rng, *PALM_M)
    hard, edge = wide * omega * omega / G, min(0.3, for_s / 3.0)
    there: MotionLine = (omega, 0.0, hard * cos(way), hard * sin(way), 0.0)
    spin = Wobble(0.0, for_s, edge, edge, (), ((omega, pi, wide / accidents.RADIUS_M),))
    lines = (there, *accidents.bump_lines(rng, between(rng, *PALM_G)))
    pieces = (Wobble(0.0, for_s, edge, edge, lines),)
    end_us = at_us + seconds(for_s)
    return Motion("trundle", at_us, end_us, pose, pose, pieces, STANDING, spin=spin)


# --- as a script says it ------------------------------------------------------------------------


def _for_s(act: ScriptAct) -> float:
    assert isinstance(act.verb, Mishap)
    return USUAL_S[act.verb] if act.for_s is None else act.for_s


def _tip(world: World, act: ScriptAct, at_us: int) -> int:
    barrel = world.barrels[act.barrels[0]]
    if barrel.pose.support is not Support.FOOT:
        return actors.peek(world, act, at_us)
    tilt = radians(TIP_DEG if act.to_deg is None else act.to_deg)
    at_us = max(at_us, world.table_us)
    motion = tipped(world.hand, at_us, barrel.pose, tilt, _for_s(act))
    return actors.move(world, act, What.PEEKED, motion)


def _topple(world: World, act: ScriptAct, at_us: int) -> int:
    """Knock over what stands; what does not is stood up before."""
    if world.barrels[act.barrels[0]].pose.support is not Support.FOOT:
        at_us = actors.put_back(world, act, at_us)
    barrel = world.barrels[act.barrels[0]]
    motion = toppled(world.hand, max(at_us, world.table_us), barrel.pose)
    fallen_us = actors.move(world, act, What.TOPPLED, motion)
    barrel.add(accidents.roll_away(fallen_us, barrel.pose, world.rng))
    return fallen_us


def _lay(world: World, act: ScriptAct, at_us: int) -> int:
    barrel = world.barrels[act.barrels[0]]
    if barrel.pose.support is Support.SIDE:
        return at_us
    barrel, at_us = actors.lifted(world, act, at_us)
    x, y, _ = barrel.pose.at_m
    motion = laid(world.hand_of(act.seat), at_us, barrel.pose, (x, y, 0.0))
    return actors.move(world, act, What.LAID, motion, motion.end_us)


def _move_lying(world: World, act: ScriptAct, at_us: int) -> int:
    """Roll, rock or push a barrel that lies."""
    at_us = _lay(world, act, at_us)
    barrel, hand = world.barrels[act.barrels[0]], world.hand_of(act.seat)
    at_us = max(at_us, barrel.free_us, world.table_us)
    match act.verb:
        case Mishap.PUSH:
            motion = pushed(hand, at_us, barrel.pose)
        case Mishap.ROCK:
            motion = rocked(hand, at_us, barrel.pose)
        case _:
            motion = trundled(hand, at_us, barrel.pose, _for_s(act))
    return actors.move(world, act, What.TRUNDLED, motion)


MISHAPS: Final[Mapping[Enum, actors.Doing]] = {
    Mishap.TIP: _tip,
    Mishap.TOPPLE: _topple,
    Mishap.LAY: _lay,
    Mishap.PUSH: _move_lying,
    Mishap.ROCK: _move_lying,
    Mishap.TRUNDLE: _move_lying,
}
