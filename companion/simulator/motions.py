"""Pieces of motion: smooth curves of a barrel's position and tilt with exact derivatives.

A piece says how it pushes (accelerations in g, and turn, turning, twist of the tilt in rad, rad/s,
rad/s²) and how it moves (metres, metres a second). World axes: z up. Several pieces add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Protocol

G = 9.80665
STILL = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
Vector = tuple[float, float, float]
Six = tuple[float, float, float, float, float, float]
MotionLine = tuple[
    float, float, float, float, float
]  # rad/s, phase, and amplitude in g along x, y, z
Turn = tuple[float, float, float]  # rad/s, phase, amplitude in rad


class Piece(Protocol):
    """One part of a movement; seconds count from the beginning of the whole."""

    @property
    def most_turn_rad(self) -> float:
        """Return what the turn never exceeds, either way."""

    def push(self, at_s: float) -> Six:
        """Return acceleration x, y, z in g, then turn, turning and twist of the tilt."""

    def move(self, at_s: float) -> Six:
        """Return the distance x, y, z in m and the speed x, y, z in m/s."""


def ease(share: float) -> tuple[float, float, float]:
    """Return the minimum-jerk way from 0 to 1, and its two derivatives.

    >>> ease(0.0), ease(0.5)[0], ease(2.0)
    ((0.0, 0.0, 0.0), 0.5, (1.0, 0.0, 0.0))
    """
    if share <= 0.0:
        return 0.0, 0.0, 0.0
    if share >= 1.0:
        return 1.0, 0.0, 0.0
    rest = 1.0 - share
    way = share * share * share * (10.0 + share * (6.0 * share - 15.0))
    return way, 30.0 * share * share * rest * rest, 60.0 * share * rest * (rest - share)


@dataclass(frozen=True, slots=True)
class Glide:
    """One reach: velocity and acceleration vanish at both ends, as hands do it."""

    begin_s: float
    span_s: float
    by_m: Vector = (0.0, 0.0, 0.0)
    turn_rad: float = 0.0

    @property
    def most_turn_rad(self) -> float:
        """Return what the turn never exceeds, either way."""
        return abs(self.turn_rad)

    def push(self, at_s: float) -> Six:
        way, speed, bend = ease((at_s - self.begin_s) / self.span_s)
        turn = self.turn_rad
        if not speed:
            return (0.0, 0.0, 0.0, turn, 0.0, 0.0) if way else STILL
        bend /= self.span_s * self.span_s
        x, y, z = self.by_m
        hard = bend / G
        return x * hard, y * hard, z * hard, turn * way, turn * speed / self.span_s, turn * bend

    def move(self, at_s: float) -> Six:
        """Return how far it got, and how fast it is."""
        way, speed, _ = ease((at_s - self.begin_s) / self.span_s)
        x, y, z = self.by_m
        fast = speed / self.span_s
        return x * way, y * way, z * way, x * fast, y * fast, z * fast


@dataclass(frozen=True, slots=True)
class Roll:
    """Rolling on and slowing down evenly until it stops, from one moment to the next."""

    begin_s: float
    span_s: float
    by_m: Vector = (0.0, 0.0, 0.0)
    turn_rad: float = 0.0

    @property
    def most_turn_rad(self) -> float:
        """Return what the turn never exceeds, either way."""
        return abs(self.turn_rad)

    def push(self, at_s: float) -> Six:
        left = 1.0 - (at_s - self.begin_s) / self.span_s
        if left >= 1.0:
            return STILL
        if left <= 0.0:
            return 0.0, 0.0, 0.0, self.turn_rad, 0.0, 0.0
        bend = -2.0 / (self.span_s * self.span_s)
        x, y, z = (by * bend / G for by in self.by_m)
        turn, rate = self.turn_rad, 2.0 * left / self.span_s
        return x, y, z, turn * (1.0 - left * left), turn * rate, turn * bend

    def move(self, at_s: float) -> Six:
        """Return how far it got, and how fast it is."""
        left = min(1.0, max(0.0, 1.0 - (at_s - self.begin_s) / self.span_s))
        way, rate = 1.0 - left * left, 2.0 * left / self.span_s
        fast = rate if 0.0 < left < 1.0 else 0.0
        x, y, z = self.by_m
        return x * way, y * way, z * way, x * fast, y * fast, z * fast


@dataclass(frozen=True, slots=True)
class Wobble:
    """A sum of sines that swells and fades: shaking, trembling, a ringing table."""

    begin_s: float
    end_s: float
    rise_s: float
    fade_s: float
    lines: tuple[MotionLine, ...]
    turns: tuple[Turn, ...] = ()

    @property
    def most_turn_rad(self) -> float:
        """Return what the turn never exceeds, either way."""
        return sum(abs(wide) for _, _, wide in self.turns)

    def push(self, at_s: float) -> Six:
        t = at_s - self.begin_s
        if t <= 0.0 or at_s >= self.end_s:
            return STILL
        if t < self.rise_s or at_s > self.end_s - self.fade_s:
            return self._push_at_ends(at_s)
        ax = ay = az = turn = turning = twist = 0.0
        for omega, phase, x, y, z in self.lines:
            swing = sin(omega * t + phase)
            ax += x * swing
            ay += y * swing
            az += z * swing
        for omega, phase, wide in self.turns:
            swing = wide * sin(omega * t + phase)
            turn += swing
            turning += wide * omega * cos(omega * t + phase)
            twist -= omega * omega * swing
        return ax, ay, az, turn, turning, twist

    def _envelope(self, at_s: float) -> tuple[float, float, float]:
        up, faster, bend = ease((at_s - self.begin_s) / self.rise_s)
        down, slower, back = ease((self.end_s - at_s) / self.fade_s)
        faster, slower = faster / self.rise_s, -slower / self.fade_s
        bend, back = bend / self.rise_s**2, back / self.fade_s**2
        bent = bend * down + 2.0 * faster * slower + up * back
        return up * down, faster * down + up * slower, bent

    def _push_at_ends(self, at_s: float) -> Six:
        t = at_s - self.begin_s
        size, growth, bend = self._envelope(at_s)
        ax = ay = az = turn = turning = twist = 0.0
        for omega, phase, x, y, z in self.lines:
            wave, lead = sin(omega * t + phase), cos(omega * t + phase)
            hard = size * wave - 2.0 * growth * lead / omega - bend * wave / (omega * omega)
            ax += x * hard
            ay += y * hard
            az += z * hard
        for omega, phase, wide in self.turns:
            wave, lead = wide * sin(omega * t + phase), wide * omega * cos(omega * t + phase)
            turn += size * wave
            turning += growth * wave + size * lead
            twist += bend * wave + 2.0 * growth * lead - size * omega * omega * wave
        return ax, ay, az, turn, turning, twist

    def move(self, at_s: float) -> Six:
        """Return how far it swung, and how fast it is."""
        t = at_s - self.begin_s
        if t <= 0.0 or at_s >= self.end_s:
            return STILL
        size, growth, _ = self._envelope(at_s)
        px = py = pz = vx = vy = vz = 0.0
        for omega, phase, x, y, z in self.lines:
            far = -G / (omega * omega) * sin(omega * t + phase)
            way, fast = size * far, growth * far - size * G / omega * cos(omega * t + phase)
            px, py, pz = px + x * way, py + y * way, pz + z * way
            vx, vy, vz = vx + x * fast, vy + y * fast, vz + z * fast
        return px, py, pz, vx, vy, vz


@dataclass(frozen=True, slots=True)
class Fall:
    """Falling onto the table and bouncing to rest: free flights and stops, z only."""

    stages: tuple[tuple[float, float, float, float, float], ...]
    # of each: beginning, its span (s), speed gained (m/s); and height (m), speed (m/s) before it

    @classmethod
    def from_height(cls, begin_s: float, height_m: float, bounce: float, stop_s: float) -> Fall:
        """Return the fall from a height: two bounces, each stop as long as stop_s.

        >>> fall = Fall.from_height(0.0, 0.3, 0.3, 0.006)
        >>> [round(span, 3) for _, span, *_ in fall.stages], fall.move(9.0)[5]
        ([0.247, 0.006, 0.148, 0.006, 0.045, 0.006], 0.0)
        """
        stages, at, high, speed = [], begin_s, height_m, 0.0
        up = (2.0 * G * height_m) ** 0.5
        span = up / G
        for keep in (bounce, bounce, 0.0):
            stages.append((at, span, -G * span, high, speed))
            at, high, speed = at + span, high + (speed - G * span / 2.0) * span, speed - G * span
            rebound = -speed * keep
            stages.append((at, stop_s, rebound - speed, high, speed))
            at, high, speed = at + stop_s, high + (speed + rebound) / 2.0 * stop_s, rebound
            span = 2.0 * speed / G
        return cls(tuple(stages))

    @property
    def most_turn_rad(self) -> float:
        """Return what the turn never exceeds: it falls as it is."""
        return 0.0

    @property
    def end_s(self) -> float:
        """When it lies still."""
        return self.stages[-1][0] + self.stages[-1][1]

    def push(self, at_s: float) -> Six:
        for begin, span, gain, _, _ in self.stages:
            if begin <= at_s < begin + span:
                if gain < 0.0:
                    return 0.0, 0.0, -1.0, 0.0, 0.0, 0.0
                hard = gain / span * (1.0 - cos(2.0 * pi * (at_s - begin) / span)) / G
                return 0.0, 0.0, hard, 0.0, 0.0, 0.0
        return STILL

    def move(self, at_s: float) -> Six:
        """Return its way down from where it was let go, and how fast it is."""
        top = self.stages[0][3]
        for begin, span, gain, high, speed in reversed(self.stages):
            if at_s >= begin:
                t = min(at_s - begin, span)
                turns, mean = 2.0 * pi * t / span, gain / span
                if gain < 0.0:
                    return (
                        0.0,
                        0.0,
                        high + speed * t + mean * t * t / 2.0 - top,
                        0.0,
                        0.0,
                        speed + mean * t,
                    )
                lag = span / (2.0 * pi)
                far = speed * t + mean * (t * t / 2.0 + lag * lag * (cos(turns) - 1.0))
                fast = 0.0 if at_s >= self.end_s else speed + mean * (t - lag * sin(turns))
                return 0.0, 0.0, high + far - top, 0.0, 0.0, fast
        return STILL
