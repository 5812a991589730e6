"""A second kind of simulated people: handlings that share no code with the simulator's hands.

It must not know any detector, nor how the simulator moves a barrel. Where an arm wants to be jumps;
the arm follows as through three springs; noise trembles; what a sensor feels and how fast a label
moves comes from differences of the way. Whether a label can be read is judged as in the simulator:
by how far it is tilted, how fast it moves and how fast it turns.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

HZ = 400
DT = 1.0 / HZ
G = 9.80665
SENSOR_M, FAST_M_S, FAST_DEG_S = 0.02, 0.3, 120.0
WAYS = ("x", "y", "z", "tilt", "lean")
STANDS_S, MASS_G = 4.0, 26.0
Three = tuple[float, float, float]
Curve = list[float]


@dataclass(slots=True)
class Arm:
    """What somebody does with one barrel: where it is to be over time, in six ways."""

    rng: random.Random
    steps: dict[str, list[tuple[float, float, float]]] = field(default_factory=dict)
    extras: list[Callable[[float], tuple[float, float, float, float, float]]] = field(
        default_factory=list
    )  # metres x, y, z; degrees of tilt and of where it leans
    at_s: float = 0.0
    tremble_g: float = 0.02
    sway: float = 1.0  # as much as that of an arm in the air
    wrist_m: float = 0.0
    limit_deg: float = 75.0

    def go(self, what: str, to: float, lag_s: float, at_s: float | None = None) -> None:
        """From now on want to be elsewhere; the arm follows with a lag."""
        when = self.at_s if at_s is None else at_s
        self.steps.setdefault(what, []).append((when, to, lag_s))

    def also(self, from_s: float, for_s: float, wave: Callable[[float], Sequence[float]]) -> None:
        """Move along a wave for a while, which swells and fades."""

        def part(t: float) -> tuple[float, float, float, float, float]:
            since, left = t - from_s, from_s + for_s - t
            if since <= 0.0 or left <= 0.0:
                return 0.0, 0.0, 0.0, 0.0, 0.0
            edge = min(0.15, for_s / 2.0)
            size = math.sin(0.5 * math.pi * min(1.0, since / edge, left / edge)) ** 2
            a, b, c, d, e = (size * value for value in wave(since))
            return a, b, c, d, e

        self.extras.append(part)

    def wait(self, for_s: float) -> None:
        """Go on later."""
        self.at_s += for_s


@dataclass(frozen=True, slots=True)
class Handling:
    """What came of it: what a sensor feels each 2.5 ms, and when the label could be read."""

    kind: str
    force_g: list[Three]
    lifted_s: tuple[float, float]
    spans: tuple[tuple[float, float, float], ...]  # from, to, tilt on the average

    @property
    def long_s(self) -> float:
        """Return how long it is."""
        return len(self.force_g) * DT


def lagging(steps: Sequence[tuple[float, float, float]], count: int) -> Curve:
    """Return a curve that follows steps as through three springs."""
    found, a, b, c, lag, target, left = [], 0.0, 0.0, 0.0, 0.1, 0.0, sorted(steps)
    for row in range(count):
        while left and left[0][0] <= row * DT:
            _, target, lag = left.pop(0)
        share = min(1.0, 3.0 * DT / lag)
        a += (target - a) * share
        b += (a - b) * share
        c += (b - c) * share
        found.append(c)
    return found


def trembling(rng: random.Random, count: int, low_hz: float, high_hz: float) -> Curve:
    """Return noise around a frequency, as muscles make it; its largest part is about 1."""
    hertz, damped = rng.uniform(low_hz, high_hz), 0.985
    turn, keep = 2.0 * math.pi * hertz * DT, math.exp(-2.0 * math.pi * 1.5 * hertz * DT)
    one = two = a = b = 0.0
    found = []
    for _ in range(count + 400):
        new = 2.0 * damped * math.cos(turn) * one - damped * damped * two + rng.gauss(0.0, 1.0)
        one, two = new, one
        a += (new - a) * (1.0 - keep)
        b += (a - b) * (1.0 - keep)
        found.append(b)
    return found[400:]


def sized(curve: Curve, size: float) -> Curve:
    """Return a curve with this root mean square."""
    now = (sum(value * value for value in curve) / len(curve)) ** 0.5
    return [size * value / now for value in curve]


def pushing(curve: Curve, hard_g: float) -> Curve:
    """Return a curve in metres that pushes so hard, root mean square."""
    pushes = [
        (a - 2.0 * b + c) / (DT * DT * G)
        for a, b, c in zip(curve, curve[1:], curve[2:], strict=False)
    ]
    now = (sum(push * push for push in pushes) / len(pushes)) ** 0.5
    return [hard_g * value / now for value in curve]


def done(kind: str, arm: Arm) -> Handling:
    """Return what a sensor feels of it."""
    rng, count = arm.rng, round((arm.at_s + 1.0) * HZ)
    ways = {what: lagging(arm.steps.get(what, ()), count) for what in WAYS}
    shakes = [pushing(trembling(rng, count, 7.0, 12.0), arm.tremble_g) for _ in range(3)]
    sways = [
        sized(trembling(rng, count, 0.8, 2.5), arm.sway * rng.uniform(0.3, 1.0)) for _ in range(2)
    ]
    air = lagging([(0.3, 1.0, 0.2), (arm.at_s, 0.0, 0.3)], count)
    axes, places, tilts = list[Three](), list[Three](), list[float]()
    for row in range(count):
        t, held = row * DT, min(1.0, max(0.0, air[row]))
        x, y, z = (ways[what][row] for what in "xyz")
        tilt, lean = ways["tilt"][row], ways["lean"][row]
        for extra in arm.extras:
            dx, dy, dz, dt, dl = extra(t)
            x, y, z, tilt, lean = x + dx, y + dy, z + dz, tilt + dt, lean + dl
        x, y, z = (one + held * shake[row] for one, shake in zip((x, y, z), shakes, strict=True))
        tilt += held * sways[0][row]
        lean += held * sways[1][row]
        up, way = math.radians(tilt), math.radians(lean)
        axis = (math.sin(up) * math.cos(way), math.sin(up) * math.sin(way), math.cos(up))
        axes.append(axis)
        tilts.append(math.degrees(math.acos(max(-1.0, min(1.0, axis[2])))))
        places.append((x, y, z))
    far = arm.wrist_m
    labels = [_off(place, axis, far) for place, axis in zip(places, axes, strict=True)]
    sensors = [_off(place, axis, far + SENSOR_M) for place, axis in zip(places, axes, strict=True)]
    force = [_felt(sensors, axes, row) for row in range(1, count - 1)]
    spans = tuple(_readable(labels, axes, tilts, arm.limit_deg))
    return Handling(kind, force, (0.3, arm.at_s + 0.4), spans)


def _off(place: Three, axis: Three, far: float) -> Three:
    return place[0] - far * axis[0], place[1] - far * axis[1], place[2] - far * axis[2]


def _felt(ways: Sequence[Three], axes: Sequence[Three], row: int) -> Three:
    """Return the force in axes of the barrel: turned with it, and never about its own axis."""
    low, mid, high = ways[row - 1], ways[row], ways[row + 1]
    fx, fy, fz = ((a - 2.0 * b + c) / (DT * DT) / G for a, b, c in zip(low, mid, high, strict=True))
    fz += 1.0
    ux, uy, uz = axes[row]
    along = fx * ux + fy * uy + fz * uz
    # the turn that takes the axis to straight up takes the rest of the force with it
    rest = fx - along * ux, fy - along * uy, fz - along * uz
    level = math.hypot(ux, uy)
    if level < 1e-9:
        return rest[0], rest[1] * (1.0 if uz > 0.0 else -1.0), along
    cx, cy = ux / level, uy / level
    over = rest[0] * cx * uz + rest[1] * cy * uz - rest[2] * level
    across = -rest[0] * cy + rest[1] * cx
    return over * cx - across * cy, over * cy + across * cx, along


def _readable(
    labels: Sequence[Three], axes: Sequence[Three], tilts: Sequence[float], limit_deg: float
) -> list[tuple[float, float, float]]:
    """Return the spans in which the label could be read; a blink of 50 ms does not end one."""
    found = list[list[float]]()
    for row in range(1, len(labels) - 1):
        if tilts[row] < limit_deg:
            continue
        speed = math.dist(labels[row + 1], labels[row - 1]) / (2.0 * DT)
        turn = math.degrees(math.dist(axes[row + 1], axes[row - 1])) / (2.0 * DT)
        if speed >= FAST_M_S or turn >= FAST_DEG_S:
            continue
        if found and row * DT - found[-1][1] < 0.05:
            found[-1][1:] = [row * DT, found[-1][2] + tilts[row], found[-1][3] + 1]
        else:
            found.append([row * DT, row * DT, tilts[row], 1])
    return [(begin, end, total / count) for begin, end, total, count in found]


# --- what people do ---------------------------------------------------------------------------


def taken(rng: random.Random, tremble_g: float) -> Arm:
    """Return an arm that takes a barrel off the table."""
    arm = Arm(rng, tremble_g=tremble_g, wrist_m=rng.uniform(0.0, 0.12))
    arm.limit_deg = rng.uniform(70.0, 88.0)
    arm.wait(0.35)
    lag = rng.uniform(0.2, 0.45)
    arm.go("z", rng.uniform(0.1, 0.35), lag)
    arm.go("x", rng.uniform(-0.2, 0.2), lag)
    arm.go("lean", rng.uniform(-180.0, 180.0), 0.05, 0.0)
    arm.go("tilt", rng.uniform(0.0, 50.0), lag)
    arm.wait(rng.uniform(0.6, 1.2))
    return arm


def put_back(arm: Arm) -> None:
    """Set it down again."""
    arm.go("tilt", 0.0, 0.3)
    arm.go("z", 0.0, 0.4, arm.at_s + 0.1)
    arm.wait(0.9)


def shaken(arm: Arm, for_s: float) -> None:
    """Shake it."""
    rng = arm.rng
    hertz, hard = rng.uniform(1.5, 5.0), rng.uniform(0.4, 3.0)
    wide = hard * G / (2.0 * math.pi * hertz) ** 2
    way, up = rng.uniform(0.0, 6.28), rng.choice((0.1, 0.1, 0.2, 1.0))
    snap, wrist = rng.uniform(1.0, 2.5), rng.uniform(0.0, 20.0)

    def wave(t: float) -> Sequence[float]:
        one = math.tanh(snap * math.sin(2.0 * math.pi * hertz * t)) / math.tanh(snap)
        two = 0.4 * math.sin(2.0 * math.pi * 1.07 * hertz * t + 1.0)
        return (
            wide * (one * math.cos(way) - two * math.sin(way)),
            wide * (one * math.sin(way) + two * math.cos(way)),
            wide * up * one,
            wrist * one,
            0.0,
        )

    arm.also(arm.at_s, for_s, wave)
    arm.wait(for_s)


def swung(arm: Arm, for_s: float) -> None:
    """Swing it like a pendulum, slowly and far."""
    rng = arm.rng
    hertz, wide, turn = rng.uniform(0.5, 1.4), rng.uniform(0.05, 0.2), rng.uniform(0.0, 25.0)
    arm.also(
        arm.at_s,
        for_s,
        lambda t: (
            wide * math.sin(6.283 * hertz * t),
            0.0,
            0.2 * wide,
            turn * math.sin(6.283 * hertz * t),
            0.0,
        ),
    )
    arm.wait(for_s)


def swirled(arm: Arm, for_s: float) -> None:
    """Let it go round, tilted."""
    rng = arm.rng
    arm.go("tilt", rng.uniform(10.0, 48.0), 0.3)
    hertz, wide = rng.uniform(0.8, 2.5), rng.uniform(0.0, 0.03)
    turns = max(1, round(hertz * for_s))
    arm.go("lean", arm.steps["lean"][-1][1] + 360.0 * turns, for_s)

    def wave(t: float) -> Sequence[float]:
        turn = 2.0 * math.pi * hertz * t
        return wide * math.cos(turn), wide * math.sin(turn), 0.0, 0.0, 0.0

    arm.also(arm.at_s, for_s, wave)
    arm.wait(for_s)


def carried(arm: Arm, for_s: float) -> None:
    """Carry it about, tilted up to 58°."""
    rng = arm.rng
    arm.go("tilt", rng.uniform(35.0, 58.0), rng.uniform(0.25, 0.6))
    for part in range(3):
        when = arm.at_s + part * for_s / 3.0
        arm.go("x", rng.uniform(-0.3, 0.3), rng.uniform(0.35, 0.7), when)
        arm.go("y", rng.uniform(-0.3, 0.3), rng.uniform(0.35, 0.7), when)
        arm.go("z", rng.uniform(0.05, 0.4), rng.uniform(0.35, 0.7), when)
    arm.wait(for_s)


def struck(arm: Arm) -> None:
    """Knock against something, or have it taken with a jerk."""
    rng, at = arm.rng, arm.at_s
    for_s, hard = rng.uniform(0.03, 0.08), rng.uniform(0.2, 1.0)
    far = hard * G * for_s * for_s / 10.0
    way = rng.uniform(0.0, 6.28)
    arm.also(at, for_s, lambda _t: (far * math.cos(way), far * math.sin(way), far, 0.0, 0.0))
    arm.wait(for_s)


BLAMELESS: dict[str, Callable[[Arm, float], None]] = {
    "shake": shaken,
    "swing": swung,
    "swirl": swirled,
    "carry": carried,
}


def blameless(rng: random.Random) -> Handling:
    """Return a handling without a look: the label is never in sight from below 66°."""
    while True:
        arm = taken(rng, rng.choice((0.01, 0.02, 0.04, 0.07)))
        for _ in range(rng.choice((1, 1, 2, 3))):
            BLAMELESS[rng.choice(list(BLAMELESS))](arm, rng.uniform(0.5, 2.5))
            if rng.random() < 0.3:
                struck(arm)
        put_back(arm)
        arm.limit_deg = 64.0
        found = done("blameless", arm)
        if not any(end - begin >= 0.1 for begin, end, _ in found.spans):
            return found


def jiggle(rng: random.Random, hard_g: float) -> Callable[[float], Sequence[float]]:
    """Return small swings along one line, so hard and never quite even."""
    hertz, late = rng.uniform(3.0, 10.0), rng.uniform(0.0, 6.28)
    wide = hard_g * G / (2.0 * math.pi * hertz) ** 2
    x, y, z = (rng.gauss(0.0, 1.0) for _ in range(3))
    size = math.hypot(x, y, z) / wide

    def wave(t: float) -> Sequence[float]:
        one = math.sin(2.0 * math.pi * hertz * t + late + 0.3 * math.sin(5.0 * t)) / size
        return x * one, y * one, z * one, 0.0, 0.0

    return wave


TREMBLES_G = {"shaky": (0.05, 0.13), "braced": (0.002, 0.006)}  # its elbow stands on the table


def look(kind: str, rng: random.Random) -> Handling:
    """Return a handling with one look of a kind, for about 0.5 to 1 s."""
    arm = taken(rng, rng.uniform(*TREMBLES_G.get(kind, (0.008, 0.04))))
    if kind == "braced":
        arm.sway = 0.25
    if kind == "after a shake":
        shaken(arm, rng.uniform(0.6, 1.2))
        arm.at_s -= rng.uniform(0.0, 0.2)
    for_s = rng.uniform(0.45, 0.9)
    lag = rng.uniform(0.15, 0.4)
    to = arm.limit_deg + rng.uniform(1.0, 15.0)
    match kind:
        case "creeping":
            lag = rng.uniform(2.0, 3.5)
        case "upside down":
            to, lag, for_s = (
                180.0 + rng.uniform(-4.0, 4.0),
                rng.uniform(0.2, 0.4),
                rng.uniform(0.3, 0.8),
            )
        case "60 to 65" | "65 to 70":
            low = float(kind[:2])
            arm.limit_deg = low
            to, for_s = rng.uniform(low + 1.0, low + 5.0), rng.uniform(0.6, 1.0)
    arm.go("tilt", to, lag)
    arm.wait(1.5 * lag)
    at = arm.at_s
    if kind.startswith("jiggled"):
        arm.also(at - 0.2, for_s + 0.4, jiggle(rng, float(kind.split()[1])))
    if kind == "handed over":
        mid, far = at + for_s * rng.uniform(0.1, 0.9), rng.uniform(-0.3, 0.3)
        arm.go("y", far, rng.uniform(0.3, 0.6), mid)
        arm.at_s = mid + 0.2
        struck(arm)
    arm.at_s = at + for_s
    arm.go("tilt", rng.uniform(0.0, 45.0), rng.uniform(0.15, 0.4))
    arm.wait(0.7)
    put_back(arm)
    return done(kind, arm)


LOOKS = (
    "calm",
    "braced",
    "shaky",
    "handed over",
    "upside down",
    "after a shake",
    "creeping",
    "60 to 65",
    "65 to 70",
    "jiggled 0.1",
    "jiggled 0.2",
    "jiggled 0.3",
    "jiggled 0.4",
    "jiggled 0.5",
)
