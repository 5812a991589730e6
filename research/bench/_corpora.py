"""Recordings of motion as strangers publish them: tables, read by the names of their columns.

A table is CSV, TSV or JSON, gzipped or not. It has three columns of acceleration, and may have a
time, a quaternion and a gravity vector, which tell how the thing was truly tilted. Without either,
gravity is the force's mean over a second, in which moments of about 1 g count most. Units are read
from the heading, or from the size of the values: at rest all of it is 1 g. What our own page has
recorded of a phone (`.link`) is read, too.
"""

import csv
import gzip
import json
import re
import statistics
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import acos, degrees, log
from pathlib import Path
from typing import Any, Final

from companion.devices.recording import replay_all
from companion.simulator.motions import Vector
from companion.system.errors import CompanionError
from rappelwacht_research.phone_recordings import handlings
from research.bench import _gestures
from research.bench._gestures import Recording, length

G: Final = 9.80665
UNITS_G: Final = {"g": 1.0, "mg": 1e-3, "m/s^2": 1 / G, "m/s2": 1 / G, "m/s²": 1 / G}
UNITS_US: Final = {"s": 1e6, "ms": 1e3, "us": 1.0, "µs": 1.0, "ns": 1e-3}
STEMS: Final = {  # what columns are called, without their axis, by what they hold
    "force": ("accelerationincludinggravity", "accelerometer", "acceleration", "accel", "acc", "a"),
    "linear": ("linearacceleration", "useracceleration", "linear", "lin"),
    "gravity": ("gravity", "grav", "gr"),
    "turned": ("quaternion", "orientation", "rotationvector", "quat", "q"),
}
TIMES: Final = ("timestamp", "time", "elapsed", "secondselapsed", "millis", "t")
IN_SIGHT_DEG, STILL_DEG_S, STILL_M_S = 70.0, 120.0, 0.3  # hardware/hand-model.md says why
LOOK_US: Final = 500_000
MEAN_US: Final = 500_000  # gravity is the mean of what lies so far before and after
MOMENT_US: Final = 50_000  # likewise, as a force is felt at a moment
AGREE: Final = 0.9  # the cosine of 26°; what lies further off is another convention's quaternion
AXES: Final[
    dict[str, Callable[[Vector], Vector]]
] = {  # how a thing is turned so that one of its axes is a barrel's, and points up
    "+z": lambda v: v,
    "-z": lambda v: (v[0], -v[1], -v[2]),
    "+x": lambda v: (v[1], v[2], v[0]),
    "-x": lambda v: (v[2], v[1], -v[0]),
    "+y": lambda v: (v[2], v[0], v[1]),
    "-y": lambda v: (v[0], v[2], -v[1]),
}
Columns = Mapping[str, Sequence[float]]
Quaternion = tuple[float, float, float, float]  # w, x, y, z: turns a thing into the room


class NotReadableError(Exception):
    """A file that holds no motion, and why."""


@dataclass(frozen=True, slots=True)
class StrangersMotion:
    """One recording: forces in g, and where up truly was, both along the thing's own axes."""

    name: str
    times_us: Sequence[int]  # from 0
    forces_g: Recording
    ups: Recording
    speeds: Sequence[float]  # in m/s, without what lasts longer than a second
    truth: str  # quaternion, gravity, or mean: of the force

    def along(self, axis: str) -> tuple[Recording, list[float]]:
        """Return the forces and the true tilts of a barrel whose axis is one of the thing's."""
        turn = AXES[axis]
        tilts = [degrees(acos(max(-1.0, min(1.0, turn(up)[2])))) for up in self.ups]
        return [turn(force) for force in self.forces_g], tilts

    @property
    def rate_hz(self) -> float:
        """Return how many samples a second it has, by its middle step."""
        return 1e6 / statistics.median(b - a for a, b in pairwise(self.times_us))


def look_spans(
    ats: Sequence[int], motion: StrangersMotion, tilts: Sequence[float]
) -> list[tuple[int, int]]:
    """Return the spans in which a label was in sight for long enough.

    A mean over a second cannot say that a thing did not turn; the force may, moment by moment.
    """
    known = motion.truth != "mean"
    ways = motion.ups if known else _around(motion.times_us, motion.forces_g, MOMENT_US)
    seen = []
    for (at, one), (then, other) in pairwise(zip(ats, map(_unit, ways), strict=True)):
        across = sum(a * b for a, b in zip(one, other, strict=True))
        turn = degrees(acos(max(-1.0, min(1.0, across))))
        seen.append(turn * 1e6 < STILL_DEG_S * max(1, then - at))
    seen = [
        still and speed < STILL_M_S for still, speed in zip(seen, motion.speeds[1:], strict=True)
    ]
    spans: list[tuple[int, int]] = []
    begun: int | None = None
    for at, tilt, still in zip(ats, tilts, [*seen, False], strict=True):
        if tilt >= IN_SIGHT_DEG and still:
            begun = at if begun is None else begun
        elif begun is not None:
            spans.append((begun, at))
            begun = None
    return [span for span in spans if span[1] - span[0] >= LOOK_US]


def read_folder(folder: Path, rate_hz: float | None) -> Iterator[StrangersMotion]:
    """Yield all recordings below a folder; NotReadableError names a file that is none."""
    if (folder / "X.tsv").exists():  # one file an axis, one recording a line
        for kind in range(1, 100):
            yield from _gestures_of(folder, kind)
        return
    for path in sorted(folder.rglob("*")):
        ending = re.search(r"\.(csv|tsv|json|link)(\.txt)?(\.gz)?$", path.name)
        if ending is not None and path.is_file():
            try:
                if ending[1] == "link":
                    yield from _phone(path)
                else:
                    yield read_table(path, rate_hz)
            except (
                CompanionError,
                NotReadableError,
                LookupError,
                ValueError,
                TypeError,
                OSError,
            ) as error:
                raise NotReadableError(f"{path.relative_to(folder)}: {error}") from None


def _phone(path: Path) -> Iterator[StrangersMotion]:
    """Yield what was done with a phone that was recorded by our own page, each by its task."""
    for turn, done in enumerate(handlings(replay_all(path)), 1):
        if len(done.times_us) > 2:
            ups = means(done.times_us, done.forces_g)
            speeds = speeds_of(done.times_us, done.forces_g, ups, ())
            name = f"{path.name.split('.')[0]}-{turn}-{done.task}"
            yield StrangersMotion(name, done.times_us, done.forces_g, ups, speeds, "mean")


def _gestures_of(folder: Path, kind: int) -> Iterator[StrangersMotion]:
    step_us = round(1e6 / _gestures.RATE_HZ)
    for turn, recording in enumerate(_gestures.read(folder, kind), 1):
        times = [step_us * step for step in range(len(recording))]
        ups = means(times, recording)
        speeds = speeds_of(times, recording, ups, ())
        yield StrangersMotion(f"{kind}-{turn}", times, recording, ups, speeds, "mean")


def read_table(path: Path, rate_hz: float | None) -> StrangersMotion:
    """Return the recording that one file holds."""
    columns, units, said_hz = _columns(path)
    found = {what: _axes(columns, stems) for what, stems in STEMS.items()}
    gravity, quaternions = found["gravity"], _quaternions(columns)
    force, names = found["force"], _names(columns, STEMS["force"])
    if not force and (bare := _axes(columns, ("",))):  # x, y and z alone
        if gravity and _size(bare) < 0.5 * _size(gravity):
            found["linear"] = bare
        else:
            force, names = bare, _names(columns, ("",))
    if not force and found["linear"] and gravity:
        force = [_sum(a, b) for a, b in zip(found["linear"], gravity, strict=True)]
    if not force:
        raise NotReadableError(f"no acceleration in three columns, but {', '.join(columns)}")
    times = _times(columns, units, said_hz or rate_hz, len(force))
    unit = next((UNITS_G[units[name]] for name in names if units.get(name) in UNITS_G), None)
    scale = _scale(_size(gravity or force)) if unit is None else unit
    forces = [_times_by(vector, scale) for vector in force]
    ups, truth = means(times, forces), "mean"
    for known, name in (([_up(one) for one in quaternions], "quaternion"), (gravity, "gravity")):
        along = _agreement([_unit(up) for up in known], ups) if known else 0.0
        if abs(along) > AGREE:
            ups, truth = [_unit(up) for up in known], name
            if along < 0:  # an iPhone's acceleration points down
                forces = [_times_by(one, -1.0) for one in forces]
            break
    speeds = speeds_of(times, forces, ups, quaternions if truth == "quaternion" else ())
    return StrangersMotion(path.name.split(".")[0], times, forces, ups, speeds, truth)


# --- columns ----------------------------------------------------------------------------------


def _columns(path: Path) -> tuple[dict[str, list[float]], dict[str, str], float | None]:
    """Return the numbers by name, their units, and the rate if the file says it."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8-sig")
    said_hz: float | None = None
    rows: Sequence[Mapping[str, Any]]
    if ".json" in path.name:
        held = json.loads(text)
        if isinstance(held, dict):
            rate = held.get("sample_rate_hz", held.get("rate_hz"))
            said_hz = None if rate is None else float(rate)
            held = next((v for v in held.values() if isinstance(v, list) and len(v) > 1), [])
        rows = held
    else:
        first = text.partition("\n")[0]
        mark = max("\t,;", key=first.count)
        rows = list(csv.DictReader(text.splitlines(), delimiter=mark))
    if len(rows) < 3:
        raise NotReadableError("fewer than three samples")
    columns: dict[str, list[float]] = {}
    units = {}
    for heading in rows[0]:
        name, _, unit = re.sub(r"[\])]", "", heading).replace("(", "[").partition("[")
        try:
            values = [float(row[heading]) for row in rows]
        except (ValueError, TypeError, KeyError):
            continue  # words, or a column that is not always there
        key = re.sub(r"[^a-z0-9]", "", name.lower())
        columns[key], units[key] = values, unit.strip().lower()
    return columns, units, said_hz


def _names(columns: Columns, stems: Sequence[str], axes: str = "xyz") -> list[str]:
    for stem in stems:
        for pattern in (f"{stem}{{}}", f"{{}}{stem}"):
            names = [pattern.format(axis) for axis in axes]
            if all(name in columns for name in names):
                return names
    return []


def _axes(columns: Columns, stems: Sequence[str]) -> list[Vector]:
    names = _names(columns, stems)
    return list(zip(*(columns[name] for name in names), strict=True)) if names else []


def _quaternions(columns: Columns) -> list[Quaternion]:
    names = _names(columns, STEMS["turned"], "wxyz")
    return list(zip(*(columns[name] for name in names), strict=True)) if names else []


def _times(
    columns: Columns, units: Mapping[str, str], rate_hz: float | None, count: int
) -> list[int]:
    """Return when each sample was, in µs from the first."""
    name = next((name for name in TIMES if name in columns), None)
    if name is None:
        if rate_hz is None:
            raise NotReadableError("no column of times; say how many samples a second with --rate")
        return [round(1e6 * step / rate_hz) for step in range(count)]
    at = columns[name]
    step = statistics.median(b - a for a, b in pairwise(at))
    if step <= 0:
        raise NotReadableError("its times do not go on")
    by_size = "s" if step < 0.5 else "ms" if step < 500 else "us" if step < 500_000 else "ns"
    scale = UNITS_US.get(units.get(name, ""), UNITS_US[by_size])
    found = [round((one - at[0]) * scale) for one in at]
    if any(b < a for a, b in pairwise(found)):
        raise NotReadableError("its times go back")
    return found


# --- vectors ----------------------------------------------------------------------------------


def _scale(size: float) -> float:
    """Return what brings values of this usual size to g.

    >>> round(1 / _scale(10.2), 2), _scale(990.0), _scale(2.1)
    (9.81, 0.001, 1.0)
    """
    return min((1.0, 1 / G, 1e-3), key=lambda scale: abs(log(max(size, 1e-9) * scale)))


def _size(vectors: Sequence[Vector]) -> float:
    return statistics.median(length(one) for one in vectors)


def _unit(vector: Vector) -> Vector:
    return _times_by(vector, 1 / (length(vector) or 1.0))


def _times_by(vector: Vector, scale: float) -> Vector:
    return vector[0] * scale, vector[1] * scale, vector[2] * scale


def _sum(one: Vector, other: Vector) -> Vector:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def means(times: Sequence[int], forces: Recording) -> Recording:
    """Return the direction of the mean force around each sample; what is pushed counts little."""
    quiet = [_times_by(one, 1 / (0.05**2 + (length(one) - 1.0) ** 2)) for one in forces]
    return [_unit(mean) for mean in _around(times, quiet)]


def _around(times: Sequence[int], vectors: Recording, far_us: int = MEAN_US) -> list[Vector]:
    """Return the mean of what is so near to each sample."""
    sums: list[Vector] = [(0.0, 0.0, 0.0)]
    for vector in vectors:
        sums.append(_sum(sums[-1], vector))
    spans = [(bisect_left(times, at - far_us), bisect_left(times, at + far_us + 1)) for at in times]
    return [
        _times_by(_sum(sums[end], _times_by(sums[begin], -1.0)), 1 / (end - begin))
        for begin, end in spans
    ]


def _up(turned: Quaternion) -> Vector:
    """Return where up is along a thing's own axes.

    >>> _up((1.0, 0.0, 0.0, 0.0))
    (0.0, 0.0, 1.0)
    """
    w, x, y, z = turned
    return 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


def _in_room(turned: Quaternion, vector: Vector) -> Vector:
    """Return what a thing's vector is in the room."""
    w, x, y, z = turned
    vx, vy, vz = vector
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


def speeds_of(
    times: Sequence[int], forces: Recording, ups: Recording, turned: Sequence[Quaternion]
) -> list[float]:
    """Return how fast a thing moves: its acceleration added up, less the mean around it."""
    moved = [_sum(force, _times_by(up, -1.0)) for force, up in zip(forces, ups, strict=True)]
    if turned:
        moved = [_in_room(way, one) for way, one in zip(turned, moved, strict=True)]
    added: list[Vector] = [(0.0, 0.0, 0.0)]
    for (at, one), (then, other) in pairwise(zip(times, moved, strict=True)):
        step = _times_by(_sum(one, other), 0.5 * G * (then - at) / 1e6)
        added.append(_sum(added[-1], step))
    means = _around(times, added)
    return [
        length(_sum(one, _times_by(mean, -1.0))) for one, mean in zip(added, means, strict=True)
    ]


def _agreement(ups: Recording, means: Recording) -> float:
    """Return the usual cosine between what is said of up and what the force says of it."""
    return statistics.median(
        sum(a * b for a, b in zip(up, mean, strict=True))
        for up, mean in zip(ups, means, strict=True)
    )
