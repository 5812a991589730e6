"""Accidents with a barrel on a table: it topples, drops, is laid down, rolls, rocks, lies there.

It must not know any detector, nor how the simulator moves a barrel, and shares no code with it: a
rigid cylinder with a stopper that is a little wider, a contact that bumps, friction, and a hand
that trembles. What a sensor on its axis feels is worked out from how it is turned and pushed.
"""

import math
import random
from dataclasses import dataclass, field

from research.bench._arms import DT, G, Handling

RIM_M, BELLY_M, LONG_M, SENSOR_M = 0.0165, 0.0155, 0.045, 0.012  # sensor: above the foot
MIDDLE_M = 0.025  # height of the centre of mass
IN_SIGHT_DEG, READ_S = 64.0, 0.1  # a hand that holds it further than that, for longer, shows it


@dataclass(slots=True)
class Tumble:
    """One barrel from standing to standing: how it is turned and pushed, row by row."""

    rng: random.Random
    lies_deg: float = 90.0
    tilts: list[float] = field(default_factory=list)
    rolls: list[float] = field(default_factory=list)  # rad/s about its own axis
    pushes: list[tuple[float, float, float]] = field(default_factory=list)  # g: along, over, up
    held: list[bool] = field(default_factory=list)
    _phases: tuple[float, ...] = ()

    @property
    def at_s(self) -> float:
        """Return how long all that takes so far."""
        return len(self.tilts) * DT

    def add(
        self, tilt: float, push: tuple[float, float, float] = (0.0, 0.0, 0.0), **more: float
    ) -> None:
        """Add one row."""
        self.tilts.append(tilt)
        self.pushes.append(push)
        self.rolls.append(more.get("roll", 0.0))
        self.held.append(bool(more.get("held", 0.0)))

    def rest(self, for_s: float) -> None:
        """Stay as it is."""
        tilt = self.tilts[-1] if self.tilts else 0.0
        for _ in range(round(for_s / DT)):
            self.add(tilt)

    def carry(self, to_deg: float, for_s: float, up_m: float, tremor_g: float) -> None:
        """Let a hand turn it and move it up or down."""
        rng, count = self.rng, max(2, round(for_s / DT))
        begin, hertz = self.tilts[-1], rng.uniform(7.0, 12.0)
        late = [rng.uniform(0.0, 6.28) for _ in range(4)]
        sway, slow = rng.uniform(0.3, 1.0), rng.uniform(0.8, 2.5)
        for row in range(count):
            share = row / (count - 1)
            way = share**3 * (10.0 - 15.0 * share + 6.0 * share * share)
            bend = share * (60.0 - 180.0 * share + 120.0 * share * share) / (for_s * for_s)
            swell = math.sin(math.pi * min(1.0, 4.0 * share, 4.0 * (1.0 - share)) / 2.0)
            t = row * DT
            shake = [
                1.4 * tremor_g * swell * math.sin(6.283 * hertz * (1.0 + 0.07 * n) * t + late[n])
                for n in range(3)
            ]
            tilt = begin + (to_deg - begin) * way
            tilt += swell * sway * math.sin(6.283 * slow * t + late[3])
            self.add(tilt, (shake[0], shake[1], shake[2] + up_m * bend / G), held=1.0)

    def strike(self, hard_g: float, for_s: float, held: float = 0.0) -> None:
        """Hit something: half a sine, mostly up, and a little along and over."""
        rng, tilt, count = self.rng, self.tilts[-1], max(2, round(for_s / DT))
        along, over = rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4)
        for row in range(count):
            hit = hard_g * math.sin(math.pi * (row + 0.5) / count)
            self.add(tilt, (along * hit, over * hit, hit), held=held)

    def topple(self) -> None:
        """Fall over its edge, as an upright rod that was pushed."""
        rng, tilt, turn = self.rng, 0.0, self.rng.uniform(1.5, 5.0)
        for row in range(round(0.03 / DT)):  # the push
            self.add(0.0, (0.0, rng.uniform(0.2, 1.0) * math.sin(math.pi * row * DT / 0.03), 0.0))
        edge = math.atan2(RIM_M, MIDDLE_M)
        far = math.hypot(RIM_M, MIDDLE_M)
        while tilt < math.radians(self.lies_deg):
            bend = 0.7 * G / far * math.sin(tilt - edge)
            turn = max(0.8, turn + bend * DT)
            tilt += turn * DT
            here = math.hypot(RIM_M, SENSOR_M)
            self.add(
                math.degrees(min(tilt, math.radians(self.lies_deg))),
                (
                    0.0,
                    here * bend * math.cos(tilt) / G,
                    -here * (bend * math.sin(tilt) + turn * turn * math.cos(tilt)) / G,
                ),
            )
        self.strike(rng.uniform(1.5, 12.0), rng.uniform(0.003, 0.01))

    def drop(self) -> None:
        """Slip out of a hand, and turn in the air until it lies; once or twice it bounces."""
        rng, begin = self.rng, self.tilts[-1]
        fall_s = math.sqrt(2.0 * rng.uniform(0.05, 0.45) / G)
        keep = rng.uniform(0.15, 0.4)
        first = begin + (self.lies_deg - begin) * rng.uniform(0.5, 1.0)
        for number, span in enumerate((fall_s, 2.0 * keep * fall_s, 2.0 * keep * keep * fall_s)):
            to, now = (first if number == 0 else self.lies_deg), self.tilts[-1]
            count = max(2, round(span / DT))
            for row in range(count):
                self.add(now + (to - now) * (row + 1) / count, (0.0, 0.0, -1.0))
            self.strike(
                rng.uniform(0.6, 1.0) * 25.0 * fall_s * keep**number, rng.uniform(0.004, 0.01)
            )

    def rock(self, wide_deg: float, fades_s: float) -> None:
        """Rock on its belly, end up and end down, until that has faded."""
        rng, hertz = self.rng, self.rng.uniform(3.0, 9.0)
        omega = 2.0 * math.pi * hertz
        for row in range(round(4.0 * fades_s / DT)):
            t = row * DT
            swing = math.radians(wide_deg) * math.exp(-t / fades_s)
            bend = -omega * omega * swing * math.cos(omega * t)
            self.add(
                self.lies_deg + math.degrees(swing * math.cos(omega * t)),
                (0.0, 0.0, SENSOR_M * bend / G),
            )
        self.rest(rng.uniform(0.0, 0.2))

    def roll(self, fast_m_s: float, for_s: float, bumps_g: float, *, held: float = 0.0) -> None:
        """Roll along, slower and slower; the faster, the more it bumps."""
        rng, count = self.rng, max(2, round(for_s / DT))
        slows, last = fast_m_s / for_s, [0.0, 0.0, 0.0]
        keep = math.exp(-DT * 2.0 * math.pi * rng.uniform(20.0, 150.0))
        for row in range(count):
            left = 1.0 - row / count
            size = bumps_g * math.sqrt((1.0 + keep) / (1.0 - keep)) * (0.3 + 0.7 * left)
            last = [keep * one + (1.0 - keep) * rng.gauss(0.0, size) for one in last]
            push = (last[0], last[1] - slows / G, last[2])
            self.add(self.lies_deg, push, roll=fast_m_s * left / BELLY_M, held=held)

    def to_and_fro(self, for_s: float, tremor_g: float) -> None:
        """Roll to and fro under a palm."""
        rng, hertz, wide = self.rng, self.rng.uniform(0.8, 2.0), self.rng.uniform(0.02, 0.08)
        omega = 2.0 * math.pi * hertz
        for row in range(round(for_s / DT)):
            t = row * DT
            fast = wide * omega * math.cos(omega * t)
            hard = -wide * omega * omega * math.sin(omega * t) / G
            noise = [rng.gauss(0.0, tremor_g) for _ in range(3)]
            self.add(self.lies_deg, (noise[0], hard + noise[1], noise[2]), roll=fast / BELLY_M)

    def done(self, kind: str) -> Handling:
        """Return what a sensor on its axis feels of all that, and when a hand showed the label."""
        force, turned, spans = list[tuple[float, float, float]](), 0.0, list[list[float]]()
        for row, (tilt, push, roll, held) in enumerate(
            zip(self.tilts, self.pushes, self.rolls, self.held, strict=True)
        ):
            turned += roll * DT
            up, (along, over, lift) = math.radians(tilt), push
            axial = (1.0 + lift) * math.cos(up) + along * math.sin(up)
            across = (1.0 + lift) * math.sin(up) - along * math.cos(up)
            force.append(
                (
                    across * math.cos(turned) + over * math.sin(turned),
                    over * math.cos(turned) - across * math.sin(turned),
                    axial,
                )
            )
            if held and tilt > IN_SIGHT_DEG:
                if spans and row * DT - spans[-1][1] < 2.0 * DT:
                    spans[-1][1] = row * DT
                else:
                    spans.append([row * DT, row * DT, tilt])
        lifted_s = (0.3, self.at_s - 0.1)
        return Handling(kind, force, lifted_s, tuple((a, b, c) for a, b, c in spans))


def lie(tumble: Tumble) -> None:
    """Go on in one of the ways in which a barrel comes to rest."""
    rng = tumble.rng
    match rng.choice(("stops", "rolls", "rolls", "rolls", "rocks", "rocks and rolls")):
        case "rolls":
            tumble.roll(
                rng.uniform(0.05, 0.9), rng.uniform(0.3, 3.0), rng.choice((0.0, 0.003, 0.01, 0.03))
            )
        case "rocks":
            tumble.rock(rng.uniform(0.5, 2.5), rng.uniform(0.1, 0.4))
        case "rocks and rolls":
            tumble.rock(rng.uniform(0.5, 2.0), rng.uniform(0.05, 0.2))
            tumble.roll(rng.uniform(0.05, 0.9), rng.uniform(0.3, 2.0), rng.uniform(0.003, 0.03))
    tumble.rest(rng.uniform(0.3, 4.0))


def accident(kind: str, rng: random.Random) -> Handling:
    """Return one accident of a kind, until the barrel stands again."""
    bias = math.degrees(math.atan2(RIM_M - BELLY_M, LONG_M))
    tumble, tremor = (
        Tumble(rng, lies_deg=90.0 - bias + rng.gauss(0.0, 1.2)),
        rng.uniform(0.008, 0.03),
    )
    tumble.rest(0.3)
    if kind == "knocked over":
        tumble.topple()
        lie(tumble)
    else:
        tumble.carry(rng.uniform(5.0, 50.0), rng.uniform(0.4, 0.8), 0.2, tremor)
    if kind == "dropped":
        tumble.carry(tumble.tilts[-1], rng.uniform(0.2, 1.0), 0.0, tremor)
        tumble.drop()
        lie(tumble)
    if kind in ("laid down", "laid down and rolled", "under a palm"):
        tumble.carry(tumble.lies_deg, rng.uniform(0.35, 0.8), -0.2, tremor)
        tumble.strike(rng.uniform(0.05, 0.6), rng.uniform(0.005, 0.02), held=1.0)
        if kind != "laid down" or rng.random() < 0.5:  # fingers let go
            tumble.roll(0.02, rng.uniform(0.05, 0.3), rng.uniform(0.002, 0.02), held=1.0)
    if kind == "laid down and rolled":
        tumble.rest(rng.choice((0.0, rng.uniform(0.0, 1.0))))
        tumble.roll(
            rng.uniform(0.1, 0.8), rng.uniform(0.4, 3.0), rng.choice((0.0, 0.003, 0.01, 0.03))
        )
    if kind == "under a palm":
        tumble.to_and_fro(rng.uniform(0.8, 3.0), rng.uniform(0.005, 0.03))
    if kind not in ("knocked over", "dropped"):
        tumble.rest(rng.uniform(0.3, 4.0))
    tumble.carry(0.0, rng.uniform(0.4, 0.7), 0.0, tremor)  # somebody stands it up again
    tumble.strike(rng.uniform(0.1, 0.5), 0.01)
    tumble.rest(0.3)
    return tumble.done(kind)


ACCIDENTS = ("knocked over", "dropped", "laid down", "laid down and rolled", "under a palm")
