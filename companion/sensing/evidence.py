"""Collects evidence: samples and messages of a stopper become the points of a chart.

It must not know fouls, nor hand on a load: only whether the foot carries the barrel.

The stopper keeps a sample every 20 ms, for the last four seconds, and sends them when asked. Any of
it may be lost; then there is what its messages said now and again. Points are kept by the stopper's
own clock, so that a sample that comes twice is one.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from companion import wire
from companion.sensing.events import ChartSample, Count, FoulFinding
from companion.sensing.observations import StopperMessage

HEADER: Final = wire.PACKET_SIZE + wire.TAG_SIZE + wire.NAMED["RAW"].size
PER_CHUNK: Final = (wire.MAX_PACKET - HEADER) // wire.SAMPLE.size
STANDS_MG: Final = 10_000  # more than a zero can be off, less than an empty barrel weighs
HEADS_KEPT: Final = 4
POINTS_KEPT: Final = 1_500  # half a minute of samples; a stopper that lies must not fill the host
UPSIDE_DOWN_CDEG: Final = 18_000
NEAR_US: Final = 45_000  # two samples and a bit
LOAD_FAULTS: Final = ("load-silent", "load-stuck", "load-saturated", "load-foreign", "bus-stuck")
MOTION_FAULTS: Final = ("motion-silent", "motion-stuck", "motion-foreign", "bus-stuck")


@dataclass(frozen=True, slots=True)
class EvidencePoint:
    """How a barrel was held at a moment."""

    at_us: int  # on the stopper's clock
    tilt_cdeg: int
    deviation_permille: int
    stands: bool | None
    fine: bool = True  # a kept sample; False: of a message
    joined: bool = False  # of a message: none is missing since the one before
    counts: bool = True  # of a message: no shaking in its time, and no lying
    pace_permille: int | None = None  # how fast it goes up or down; then its tilt is not smoothed


Points = Mapping[int, EvidencePoint]


@dataclass(frozen=True, slots=True)
class Window:
    """What is known of one stopper's movement around something that happened."""

    stopper: int
    ahead_us: int  # the host's clock minus the stopper's
    believed: bool = True  # its load cell
    points: Points = field(default_factory=dict)
    heads: tuple[tuple[int, ...], ...] = ()  # request, start, step and grain of what is on its way

    def host_us(self, at_us: int) -> int:
        """Return a stopper's time as the host's."""
        return at_us + self.ahead_us

    @property
    def last_us(self) -> int | None:
        """Return up to when samples came, on the stopper's clock."""
        return max((point.at_us for point in self.points.values() if point.fine), default=None)


def window_at(felt: StopperMessage, *, believed: bool) -> Window:
    """Return an empty window around an event, which has the time on both clocks."""
    return Window(felt.stopper, felt.moment.at_us - felt.fields["at_us"], believed)


def with_points(window: Window, *points: EvidencePoint) -> Window:
    """Return the window with more points; what was kept counts more than what was told."""
    more = {point.at_us: point for point in points}
    kept = {at: point for at, point in more.items() if point.fine or at not in window.points}
    known = dict(window.points) | kept
    if len(known) > POINTS_KEPT:
        known = {at: known[at] for at in sorted(known)[-POINTS_KEPT:]}
    return replace(window, points=known)


def with_samples(window: Window, felt: StopperMessage) -> Window:
    """Return the window with what a RAW_HEAD announces, or with the samples of a RAW."""
    fields = felt.fields
    match felt.name:
        case "RAW_HEAD":
            grain = fields.get("grain_permille", 0)  # an older recording has none
            head = (fields["request"], fields["start_us"], fields["step_us"], grain)
            return replace(window, heads=(*window.heads, head)[-HEADS_KEPT:])
        case "RAW":
            for request, start_us, step_us, grain in window.heads:
                if request == fields["request"]:
                    from_us = start_us + fields["chunk"] * PER_CHUNK * step_us
                    points = _samples(window, from_us, step_us, grain, fields["samples"])
                    return with_points(window, *points)
    return window


def _samples(
    window: Window, start_us: int, step_us: int, grain: int, data: bytes
) -> list[EvidencePoint]:
    whole = len(data) - len(data) % wire.SAMPLE.size
    points = []
    for row, sample in enumerate(struct.iter_unpack(wire.SAMPLE.format, data[:whole])):
        tilt, deviation, load_mg = sample
        pace = (deviation >> 8) * grain if grain else None
        deviation = (deviation & 255) * grain if grain else deviation
        at_us, tilt = start_us + step_us * row, min(tilt, UPSIDE_DOWN_CDEG)
        stands = _stands(window, load_mg)
        points.append(EvidencePoint(at_us, tilt, deviation, stands, pace_permille=pace))
    return points


def _stands(window: Window, load_mg: int) -> bool | None:
    return load_mg > STANDS_MG if window.believed else None


def features_point(window: Window, felt: StopperMessage, *, counts: bool) -> EvidencePoint:
    """Return what FEATURES says of the moment at which it was sent."""
    fields = felt.fields
    return EvidencePoint(
        felt.moment.at_us - window.ahead_us,
        fields["tilt_cdeg"],
        fields["deviation_permille"],
        _stands(window, fields["load_mg"]),
        fine=False,
        joined=not felt.gap,
        counts=counts,
    )


def without_doubles(points: Sequence[EvidencePoint], near_us: int) -> list[EvidencePoint]:
    """Leave out what messages said about a time for which there are kept samples."""
    if all(point.fine for point in points):
        return list(points)
    fine = [point.at_us for point in points if point.fine]
    kept, at = [], 0
    for point in points:
        if point.fine:
            kept.append(point)
            continue
        while at < len(fine) and fine[at] < point.at_us - near_us:
            at += 1
        if at == len(fine) or fine[at] > point.at_us + near_us:
            kept.append(point)
    return kept


def chart(points: Sequence[EvidencePoint], window: Window) -> tuple[ChartSample, ...]:
    """Return points that are in order, ready to draw."""
    return tuple(
        ChartSample(
            window.host_us(point.at_us),
            point.tilt_cdeg / 100,
            point.deviation_permille / 1000,
            point.stands,
        )
        for point in without_doubles(points, NEAR_US)
    )


Faults = Mapping[int, int]  # of stoppers that say that a sensor is broken, as in HEARTBEAT


def with_faults(faults: Faults, felt: StopperMessage) -> Faults:
    """Return them with what a heartbeat says."""
    if felt.name != "HEARTBEAT" or felt.fields["faults"] == faults.get(felt.stopper, 0):
        return faults
    return {**faults, felt.stopper: felt.fields["faults"]}


def believed(faults: Faults, stopper: int, names: tuple[str, ...]) -> bool:
    """Return whether a stopper can be believed: it has none of these faults."""
    bits = faults.get(stopper, 0)
    return not any(bits >> wire.FAULTS.index(name) & 1 for name in names)


KEPT_US: Final = 20_000_000
BEFORE_US: Final = 5_000_000  # this long before a foul began, to show how it came about

Counts = tuple[Count, ...]


def with_count(counts: Counts, now: Count) -> Counts:
    """Return the counts with the present ones, if those are new; what is too old is forgotten.

    >>> with_count((Count(1, 2, 0),), Count(5, 2, 0))
    (Count(at_us=1, in_air=2, at_seats=0),)
    >>> with_count((Count(1, 2, 0),), Count(5, 3, 0))
    (Count(at_us=1, in_air=2, at_seats=0), Count(at_us=5, in_air=3, at_seats=0))
    """
    if counts and replace(counts[-1], at_us=now.at_us) == now:
        return counts
    return (*counts_since(counts, now.at_us - KEPT_US), now)


def counts_since(counts: Counts, at_us: int) -> Counts:
    """Return the counts from a time on, beginning with those that held then.

    >>> counts_since((Count(1, 0, 0), Count(4, 1, 0), Count(9, 2, 0)), 5)
    (Count(at_us=4, in_air=1, at_seats=0), Count(at_us=9, in_air=2, at_seats=0))
    """
    before = [place for place, count in enumerate(counts) if count.at_us <= at_us]
    return counts[before[-1] if before else 0 :]


def with_counts(finding: FoulFinding, counts: Counts) -> FoulFinding:
    """Return a finding with what led to it."""
    return replace(finding, counts=counts_since(counts, finding.from_us - BEFORE_US))
