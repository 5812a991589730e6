"""What hands do with a barrel, as motions that flow into each other; fitted to recorded hands.

A hand knows where the barrel is and how it is held, never its number nor who watches.
"""

from dataclasses import dataclass, replace
from math import cos, exp, pi, radians, sin
from random import Random
from typing import Final

from companion.simulator.hand_params import HABITS, HandParams, HandSpread, between
from companion.simulator.motions import Fall, Glide, MotionLine, Piece, Vector, Wobble
from companion.simulator.poses import STANDING, Grip, Motion, Pose, Support, TableContact
from companion.simulator.stones import Rattle, StoneKnock, tumble
from companion.system.chance import wobble

GRASP_S: Final = 0.18  # fingers close before anything rises
SETTLE_S: Final = 0.35  # fingers leave after it stands
ENDLESS_S: Final = 1e9
TURNED: Final = pi
UNSTEADY_HZ: Final = (4.0, 8.0)


def seconds(span_s: float) -> int:
    """Return seconds as whole µs.

    >>> seconds(0.25)
    250000
    """
    return round(span_s * 1e6)


def sine(rng: Random, hz: tuple[float, float], hard_g: float) -> MotionLine:
    """Return a sine between two frequencies, from any phase on, and any way."""
    omega, phase = 2.0 * pi * between(rng, *hz), between(rng, 0.0, 2.0 * pi)
    return omega, phase, hard_g * wobble(rng), hard_g * wobble(rng), hard_g * wobble(rng)


@dataclass(frozen=True, slots=True)
class Hand:
    """Somebody's hands; every act draws from the same chance, in order."""

    rng: Random
    habits: HandParams = HABITS
    stones: Random | None = None  # the stones' own chance, so that no hand moves by it
    cloth: float = 1.0  # how much of a touch rings

    def _any(self, spread: HandSpread) -> float:
        return spread.draw(self.rng)

    def pivot_m(self) -> float:
        """Return how far beyond the barrel its pivot is: a wrist, perhaps."""
        far = self.habits.pivot_m
        return 0.0 if far is None else self._any(far)

    def trembling(self, since_us: int) -> Grip:
        """Return a fresh grip: it trembles until it lets go."""
        rng, lines = self.rng, list[MotionLine]()
        for _ in range(2):
            omega, phase = 2.0 * pi * between(rng, 8.0, 11.0), between(rng, 0.0, 2.0 * pi)
            hard = self._any(self.habits.tremor_g)
            lines.append((omega, phase, hard * wobble(rng), hard * wobble(rng), hard * wobble(rng)))
        turn = 2.0 * pi * between(rng, 1.0, 3.0), phase, radians(0.5)
        return Grip(since_us, Wobble(0.0, ENDLESS_S, 0.2, 0.2, tuple(lines), (turn,)))

    def unsteady(self, begin_s: float, end_s: float) -> Wobble:
        """Return the small swings of an arm under way."""
        hard = self._any(self.habits.unsteady_g)
        lines = tuple(sine(self.rng, UNSTEADY_HZ, hard) for _ in range(2))
        return Wobble(begin_s, end_s, 0.15, 0.15, lines)

    def reach(self, begin_s: float, span_s: float, by_m: Vector, turn: float) -> list[Piece]:
        """Return one reach as people make it: a first one, and corrections that overlap it."""
        rng, count = self.rng, self.habits.corrections
        parts = [self.habits.correction_share * rng.random() for _ in range(count)]
        first, pieces = 1.0 - sum(parts), list[Piece]()
        share_s = span_s * between(rng, 0.75, 0.9)
        for number, part in enumerate([first, *parts]):
            late = span_s - share_s * (1.0 if not number else between(rng, 0.5, 0.7))
            span = share_s if not number else span_s - late
            begin = begin_s if not number else begin_s + late
            by = (by_m[0] * part, by_m[1] * part, by_m[2] * part)
            pieces.append(Glide(begin, span, by, turn * part))
        pieces.append(self.unsteady(begin_s, begin_s + span_s))
        return pieces

    def lift(self, at_us: int, pose: Pose) -> Motion:
        """Take a standing barrel off the table, or pick up one that lies or stands on its head."""
        span = self._any(self.habits.lift_s)
        by = (
            self._any(self.habits.reach_m),
            self._any(self.habits.reach_m),
            self._any(self.habits.rise_m),
        )
        flipped = pose.support is Support.HEAD
        tilt = TURNED if flipped else radians(self._any(self.habits.lift_tilt_deg))
        lean = between(self.rng, -pi, pi) if pose.support is Support.FOOT else pose.lean_rad
        grip = self.trembling(at_us + seconds(GRASP_S))
        pieces = self.reach(GRASP_S, span, by, tilt - pose.tilt_rad)
        contact = TableContact(
            share=1.0,
            ramps=((GRASP_S, 0.05, -1.0),),
            presses=((0.0, GRASP_S + 0.04, self._any(self.habits.press_g)),),
        )
        end_us = at_us + seconds(GRASP_S + span)
        after = Pose(_plus(pose.at_m, by), tilt, lean, Support.HAND, grip)
        bumps = self._bumps(at_us + seconds(GRASP_S), end_us)
        pieces.append(grip.during(at_us))
        return Motion("lift", at_us, end_us, pose, after, tuple(pieces), contact, bumps, lean)

    def _bumps(self, from_us: int, to_us: int) -> Rattle:
        """Return the nudges that a hand gets on its way."""
        rng, knocks = self.rng, []
        for _ in range(3):
            width = seconds(between(rng, 0.03, 0.08))
            at = from_us + round((to_us - width - from_us) * rng.random())
            hard = self._any(self.habits.bump_g) * exp(self.habits.bump_spread * wobble(rng))
            x, y, z = hard * wobble(rng), hard * wobble(rng), hard * wobble(rng)
            knocks.append(StoneKnock(at, (x / 2.0, y / 2.0, z), width))
        return Rattle(knocks)

    def put_down(self, at_us: int, pose: Pose, spot: Vector, *, name: str = "put back") -> Motion:
        """Stand a held barrel on the table, on the end that points down."""
        span = max(self._any(self.habits.lift_s), 0.4)
        head = pose.tilt_rad > pi / 2
        tilt = TURNED if head else 0.0
        pieces = self.reach(0.0, span, _minus(spot, pose.at_m), tilt - pose.tilt_rad)
        end_us = at_us + seconds(span + SETTLE_S)
        if pose.grip:
            pieces.append(pose.grip.during(at_us, at_us + seconds(span + 0.1)))
        ring = self.touch(span)
        early = between(self.rng, 0.005, 0.03)
        contact = TableContact(
            ramps=((span - early, 0.02, 0.6), (span, 0.03, 0.4)),
            presses=((span, between(self.rng, 0.15, SETTLE_S), self._any(self.habits.press_g)),),
        )
        support = Support.HEAD if head else Support.FOOT
        after = Pose(spot, tilt, pose.lean_rad, support)
        return Motion(name, at_us, end_us, pose, after, (*pieces, ring), contact)

    def touch(self, at_s: float) -> Wobble:
        """Return how foot and table ring when it touches down."""
        hard, omega = between(self.rng, 0.2, 1.0), 2.0 * pi * between(self.rng, 25.0, 40.0)
        hard *= self.cloth
        side = 0.2 * hard * wobble(self.rng)
        return Wobble(at_s - 0.01, at_s + 0.13, 0.02, 0.11, ((omega, 0.0, side, -side, hard),))

    def hand_over(self, at_us: int, pose: Pose, by_m: Vector) -> Motion:
        """Give a held barrel to somebody, or carry it, as it is held; a new grip jerks a little."""
        span = between(self.rng, 0.6, 1.0)
        pieces = self.reach(0.0, span, by_m, 0.0)
        end_us = at_us + seconds(span + 0.1)
        if pose.grip:
            pieces.append(pose.grip.during(at_us, end_us))
        grip = self.trembling(at_us + seconds(span - 0.2))
        jerk = self.unsteady(span - 0.2, span + 0.1)
        after = replace(pose, at_m=_plus(pose.at_m, by_m), grip=grip)
        taking = (jerk, grip.during(at_us))
        return Motion("hand over", at_us, end_us, pose, after, (*pieces, *taking))

    def carry(self, at_us: int, pose: Pose, for_s: float, tilt_rad: float | None = None) -> Motion:
        """Carry a held barrel about for a while, either without turning it or tilted further."""
        span = for_s / 3.0
        pieces: list[Piece] = [pose.grip.during(at_us)] if pose.grip else []
        at = pose.at_m
        for number in range(3):
            by = (0.15 * wobble(self.rng), 0.15 * wobble(self.rng), 0.03 * wobble(self.rng))
            pieces += self.reach(number * span, span, by, 0.0)
            at = _plus(at, by)
        tilt = pose.tilt_rad if tilt_rad is None else tilt_rad
        if tilt_rad is not None:
            pieces.append(Glide(0.0, min(0.6, span), turn_rad=tilt - pose.tilt_rad))
        after = replace(pose, at_m=at, tilt_rad=tilt)
        return Motion("carry", at_us, at_us + seconds(for_s), pose, after, tuple(pieces))

    def turn(
        self, at_us: int, pose: Pose, tilt_rad: float, span_s: float, *, name: str = "turn"
    ) -> Motion:
        """Tilt a held barrel to another angle; upside down is pi."""
        pieces: list[Piece] = [pose.grip.during(at_us)] if pose.grip else []
        pieces.append(Glide(0.0, span_s, turn_rad=tilt_rad - pose.tilt_rad))
        after = replace(pose, tilt_rad=tilt_rad)
        return Motion(name, at_us, at_us + seconds(span_s), pose, after, tuple(pieces))

    def turn_over(
        self, at_us: int, pose: Pose, tilt_rad: float, stones_g: tuple[float, ...]
    ) -> Motion:
        """Turn a held barrel upside down (pi) or upright (0); its stones tumble over."""
        span = between(self.rng, 0.45, 0.8)
        motion = self.turn(at_us, pose, tilt_rad, span, name="flip")
        begin, end = at_us + seconds(span / 3), at_us + seconds(span) - 8_000
        return replace(motion, rattle=Rattle(tumble(stones_g, begin, end, self.stones or self.rng)))

    def drop(self, at_us: int, pose: Pose, height_m: float) -> Motion:
        """Let a held barrel slip: it falls, bounces, and lies on its side."""
        fall = Fall.from_height(0.03, height_m, between(self.rng, 0.2, 0.4), 0.006)
        pieces: list[Piece] = [pose.grip.during(at_us, at_us + 20_000)] if pose.grip else []
        pieces += [fall, Glide(0.0, fall.end_s, turn_rad=pi / 2 - pose.tilt_rad)]
        x, y, _ = pose.at_m
        after = Pose((x, y, 0.0), pi / 2, pose.lean_rad, Support.SIDE)
        end_us = at_us + seconds(fall.end_s + 0.05)
        return Motion("drop", at_us, end_us, pose, after, tuple(pieces))

    def jolt(self, at_us: int, pose: Pose, table: Wobble) -> Motion:
        """Return how one standing barrel takes a kick against the table."""
        own = 1.0 + 0.1 * wobble(self.rng)
        lines = tuple(
            (omega, phase, x * own, y * own, z * own) for omega, phase, x, y, z in table.lines
        )
        end_us = at_us + seconds(table.end_s)
        pieces = (replace(table, lines=lines),)
        return Motion("kick", at_us, end_us, pose, pose, pieces, STANDING)

    def kick(self) -> Wobble:
        """Return how the table rings after somebody's knee or foot hit it."""
        rng, hard = self.rng, self._any(self.habits.kick_g)
        way = between(rng, 0.0, 2.0 * pi)
        lines = tuple(
            (
                2.0 * pi * between(rng, 7.0, 15.0),
                between(rng, 0.0, 2.0 * pi),
                hard * cos(way) * between(rng, 0.6, 1.0),
                hard * sin(way) * between(rng, 0.6, 1.0),
                hard * between(rng, 0.2, 0.9),
            )
            for _ in range(2)
        )
        return Wobble(0.0, between(rng, 0.4, 0.8), 0.05, 0.35, lines)


def _plus(first: Vector, second: Vector) -> Vector:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def _minus(first: Vector, second: Vector) -> Vector:
    return first[0] - second[0], first[1] - second[1], first[2] - second[2]
