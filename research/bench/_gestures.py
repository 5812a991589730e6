"""Handheld movements in figures, recorded or simulated; the same measure for both."""

import statistics
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from itertools import pairwise
from math import acos, cos, degrees, pi, sin
from operator import mul
from pathlib import Path
from random import Random

from companion.simulator.hand_params import ScriptVigour
from companion.simulator.hands import Hand
from companion.simulator.motions import Vector
from companion.simulator.poses import Motion, Pose, stay
from companion.simulator.shaking import Shaking, shake

RATE_HZ = 100.0
LSB_G = 0.04  # what the recorded values are rounded to
PICK_UP, SHAKE = 1, 2
Recording = Sequence[Vector]


@dataclass(frozen=True, slots=True)
class Figures:
    """What is compared of one movement."""

    frequency_hz: float  # where most of the power is
    rms_g: float  # about the mean, all axes
    p95_g: float  # 95 % of the time it is less far from the mean
    jerk_g_s: float  # root mean square of the differences
    jerk_p99_g_s: float
    line_share: float  # of the power along the line that it mostly follows
    tilt_deg: float  # median of the apparent tilt, over windows of 0.45 s
    tilt_p95_deg: float


NAMES = tuple(field.name for field in fields(Figures))


def read(folder: Path, kind: int) -> list[Recording]:
    """Return all recordings of a kind: X.tsv, Y.tsv and Z.tsv, the kind in the first column."""
    axes = [_rows(folder / f"{axis}.tsv") for axis in "XYZ"]
    found: list[Recording] = []
    for x, y, z in zip(*axes, strict=True):
        if int(x[0]) == kind:
            rows = zip(x[1:], y[1:], z[1:], strict=True)
            found.append([row for row in rows if all(value == value for value in row)])  # noqa: PLR0124 - NaN differs from itself
    return found


def _rows(file: Path) -> list[list[float]]:
    return [[float(word) for word in line.split()] for line in file.read_text().splitlines()]


def measure(samples: Recording) -> Figures:
    """Return the figures of one movement."""
    axes = list(zip(*samples, strict=True))
    means = [statistics.fmean(axis) for axis in axes]
    moved = [[value - mean for value in axis] for axis, mean in zip(axes, means, strict=True)]
    far = sorted(length(step) for step in zip(*moved, strict=True))
    powers = [statistics.fmean(value * value for value in axis) for axis in moved]
    jerks = sorted(
        RATE_HZ * length((b[0] - a[0], b[1] - a[1], b[2] - a[2])) for a, b in pairwise(samples)
    )
    tilts = apparent_tilts(samples)
    return Figures(
        dominant(moved),
        sum(powers) ** 0.5,
        far[int(0.95 * len(far))],
        statistics.fmean(jerk * jerk for jerk in jerks) ** 0.5,
        jerks[int(0.99 * len(jerks))],
        along(moved) / (sum(powers) or 1.0),
        statistics.median(tilts),
        tilts[int(0.95 * len(tilts))],
    )


def length(vector: Sequence[float]) -> float:
    """Return how long a vector is."""
    return float(sum(value * value for value in vector) ** 0.5)


def along(moved: Sequence[Sequence[float]]) -> float:
    """Return the power along the one direction that has most of it."""
    matrix = [[statistics.fmean(map(mul, a, b)) for b in moved] for a in moved]
    way, size = [1.0, 0.9, 0.8], 0.0
    for _ in range(60):
        way = [sum(map(mul, row, way)) for row in matrix]
        size = length(way) or 1.0
        way = [value / size for value in way]
    return size


def apparent_tilts(samples: Recording, window: int = 44) -> list[float]:
    """Return the angles between z and the mean force of each window, sorted."""
    found = []
    for begin in range(0, max(1, len(samples) - window), 4):
        part = samples[begin : begin + window]
        mean = [statistics.fmean(axis) for axis in zip(*part, strict=True)]
        found.append(degrees(acos(max(-1.0, min(1.0, mean[2] / (length(mean) or 1.0))))))
    return sorted(found)


def dominant(moved: Sequence[Sequence[float]], rate_hz: float = RATE_HZ) -> float:
    """Return the frequency of most power between 0.5 and 10 Hz, under a Hann window."""
    count = len(moved[0])
    hann = [0.5 - 0.5 * cos(2.0 * pi * k / (count - 1)) for k in range(count)]
    tapered = [[value * h for value, h in zip(axis, hann, strict=True)] for axis in moved]
    best, most = 0.0, -1.0
    for tenth in range(5, 101):
        omega = 2.0 * pi * tenth / 10.0 / rate_hz
        turns = [(cos(omega * k), sin(omega * k)) for k in range(count)]
        power = 0.0
        for axis in tapered:
            power += sum(v * c for v, (c, _) in zip(axis, turns, strict=True)) ** 2
            power += sum(v * s for v, (_, s) in zip(axis, turns, strict=True)) ** 2
        if power > most:
            best, most = tenth / 10.0, power
    return best


def sample(motions: Sequence[Motion], from_us: int, count: int) -> Recording:
    """Return a simulated movement as the recorder would have seen it, without its noise."""
    found, step = [], round(1e6 / RATE_HZ)
    for at in range(from_us, from_us + count * step, step):
        motion = next(m for m in motions if m.start_us <= at < m.end_us)
        x, y, z = motion.force_g(at)
        found.append((_round(x), _round(y), _round(z)))
    return found


def _round(value: float) -> float:
    return round(value / LSB_G) * LSB_G


def simulated(kind: int, counts: Sequence[int], copies: int, seed: int) -> list[Recording]:
    """Return simulated movements as long as the recorded ones, so many copies of each length."""
    hand = Hand(Random(seed))
    act = lifted if kind == PICK_UP else shaken
    return [act(hand, count) for _ in range(copies) for count in counts]


def lifted(hand: Hand, count: int) -> Recording:
    """Return one pick-up; longer recordings begin before it, as the recorded ones do."""
    lift = hand.lift(0, Pose())
    spare = round(count * 1e6 / RATE_HZ) - lift.end_us
    before = max(0.0, spare) * (0.1 + 0.5 * hand.rng.random())
    moved = hand.lift(round(before) + 1, Pose())
    motions = (stay(Pose(), 0, moved.start_us), moved, stay(moved.after, moved.end_us))
    return sample(motions, 0 if spare > 0 else 150_000, count)


def shaken(hand: Hand, count: int) -> Recording:
    """Return one shaking, from its middle; the long ones from the beginning."""
    span = count / RATE_HZ
    held = hand.lift(0, Pose())
    after = Shaking((), vigour=ScriptVigour.AS_USUAL, for_s=span + 0.8)
    motion = shake(hand, held.end_us, held.after, after)
    skip = 0 if span > 1.2 else 400_000
    return sample((motion,), motion.start_us + skip, count)


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the Kolmogorov-Smirnov distance of two samples: 0 alike, 1 apart.

    >>> distance([1, 2, 3], [1, 2, 3]), distance([1, 2], [3, 4])
    (0.0, 1.0)
    """
    most = 0.0
    for value in {*one, *other}:
        low = sum(x <= value for x in one) / len(one)
        most = max(most, abs(low - sum(x <= value for x in other) / len(other)))
    return most


def columns(recordings: Sequence[Recording]) -> dict[str, list[float]]:
    """Return the figures of many movements, by name, each sorted."""
    rows = [astuple(measure(recording)) for recording in recordings]
    return {
        name: sorted(column) for name, column in zip(NAMES, zip(*rows, strict=True), strict=True)
    }


def upright(recording: Recording) -> bool:
    """Return whether it begins with about 1 g: else the sensor was off, or moving already."""
    return 0.8 < length([statistics.fmean(axis) for axis in zip(*recording[:8], strict=True)]) < 1.3


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile of a sorted sample.

    >>> quantile([1.0, 2.0, 3.0], 0.5)
    2.0
    """
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
