"""Bench test of one stopper: its chips, noise, drift and curve of its load cell, radio, battery.

It must not know how it was listened to: what comes in are its messages, first of a time at rest,
then of a time in which it was lifted and turned over. The curve of load against tilt decides
whether the mass of a foot that hangs on the cell is understood.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, radians, sqrt
from statistics import linear_regression, median
from typing import Final

from companion import wire
from companion.maintenance.checks.result import CheckResult, check_result
from companion.maintenance.stopper_status import battery_percent
from companion.sensing.evidence import PER_CHUNK, STANDS_MG
from companion.sensing.observations import Observation
from companion.sensing.settings import WeighingSettings
from companion.system.format_names import format_name
from companion.system.status import Fine, Status

STONE_MG: Final = 372
LOUD_MG: Final = STONE_MG / 2  # the ends of twenty readings, whose mean is far surer
DRIFT_MG: Final = STONE_MG / 3
CURVE_MG: Final = STONE_MG / 4
FOOT_MG: Final = STONE_MG / 2
CALM_PERMILLE: Final = 60  # held so, and not on the move
TURNED_DEG: Final = 60.0  # the curve needs tilts this far apart
ENOUGH: Final = 20
TOUCHES, AIRY = 10, 40  # samples before and after one that stands: it touches, or has no new zero
BIN_DEG, FEW = 15.0, 5  # the curve is judged by the middle of this many samples at least
LANDS: Final = ("SET", "STILL")
WEAK_PERCENT: Final = 90


@format_name("Chips")
class Chips(Status):
    ANSWER = Fine("Accelerometer and load cell answer.")
    ILL = "The stopper reports: {faults}. Look at the solder joints and wires of that chip."
    UNKNOWN = "It has not reported on its chips; wake it, and try for longer."


@format_name("Noticing")
class Noticing(Status):
    NOTICED = Fine("It reported at once that it was lifted and turned ({count} events).")
    NOTHING = "It did not report being lifted and turned; look at the wire of INT1 and at the cell."


@format_name("Noise")
class Noise(Status):
    """How much its load trembles at rest."""

    QUIET = Fine("At rest its load is noisy by {mg} mg; a stone weighs {stone} mg.")
    LOUD = (
        "At rest its load is noisy by {mg} mg, which is too much; look at the cell's wires "
        "and supply."
    )
    UNKNOWN = Fine("It is not known how noisy its load is: it never came to rest.")


@format_name("Drift")
class Drift(Status):
    """How far its load wanders at rest."""

    STEADY = Fine("In {s} s at rest its load drifted by {mg} mg.")
    WANDERS = (
        "In {s} s at rest its load drifted by {mg} mg; let it warm up, and check whether the "
        "foot rubs anywhere."
    )
    UNKNOWN = Fine(
        "How far its load drifts is not known yet; listen for longer, for example with "
        "--listen 600."
    )


@format_name("Curve")
class Curve(Status):
    """Whether its load in the air is understood."""

    HOLDS = Fine(
        "Turned in the air, its load follows the tilt to within {rest} mg; {foot} mg of it go with "
        "the tilt."
    )
    FOOT = (
        "Turned in the air, {foot} mg of its load go with the tilt (the rest: {rest} mg): it does "
        "not know yet how heavy its foot is. Weigh it in the workshop."
    )
    ROUGH = (
        "Turned in the air, its load differs by {rest} mg from what the tilt explains; check "
        "whether a wire pulls at the cell or the foot rubs."
    )
    UNKNOWN = Fine(
        "It is not known how its load follows the tilt: turn it over slowly, from upright."
    )


@format_name("Radio")
class RadioCheck(Status):
    GOOD = Fine("{percent} % of its packets arrived, at {dbm} dBm.")
    WEAK = "Only {percent} % of its packets arrived, at {dbm} dBm; look at its antenna and battery."
    SILENT = "Nothing was heard from stopper {stopper}; lift it to wake it, and charge it."


@format_name("Charge")
class BatteryCheck(Status):
    GOOD = Fine("Its battery has {percent} % ({mv} mV).")
    LOW = "Its battery has only {percent} % ({mv} mV); charge it."
    UNKNOWN = Fine("It has not reported its battery; listen for longer than ten seconds.")


@format_name("Pace")
class LoopRateCheck(Status):
    """How fast its loop goes round."""

    KNOWN = Fine("Its samples lie {ms} ms apart.")
    UNKNOWN = Fine("It sent no samples, so how often it takes them is not known.")


@dataclass(frozen=True, slots=True)
class KeptSample:
    tilt_deg: float
    deviation_permille: int
    load_mg: int

    @property
    def stands(self) -> bool:
        """Whether the foot carries the barrel."""
        return self.load_mg > STANDS_MG


@dataclass(frozen=True, slots=True)
class Tested:
    samples: tuple[KeptSample, ...]
    zeros: tuple[tuple[float, float], ...]  # seconds, and the load in mg above the first, at rest
    steps_ms: tuple[float, ...]
    trembles_mg: tuple[int, ...]  # by its own reckoning, each time that it came to rest

    @property
    def airborne(self) -> tuple[KeptSample, ...]:
        """Return the samples on the curve of load against tilt: calm, and off the table."""
        touched = [place for place, sample in enumerate(self.samples) if sample.stands]
        near = {place + beside for place in touched for beside in range(-TOUCHES, AIRY + 1)}
        return tuple(
            sample
            for place, sample in enumerate(self.samples)
            if place not in near and sample.deviation_permille < CALM_PERMILLE
        )

    def curve(self) -> tuple[float, float, float] | None:
        """Return load at right angles, share that goes with the tilt, and what is left, in mg."""
        points = [
            (cos(radians(sample.tilt_deg)), float(sample.load_mg)) for sample in self.airborne
        ]
        tilts = [sample.tilt_deg for sample in self.airborne]
        if len(points) < ENOUGH or max(tilts) - min(tilts) < TURNED_DEG:
            return None
        slope, level = linear_regression([x for x, _ in points], [y for _, y in points])
        bins: dict[int, list[float]] = {}
        for deg, (x, y) in zip(tilts, points, strict=True):
            bins.setdefault(int(deg // BIN_DEG), []).append(y - level - slope * x)
        held = [off for off in bins.values() if len(off) >= FEW]  # one alone is noise
        squares = sum(len(off) * median(off) ** 2 for off in held)
        return level, slope, sqrt(squares / max(1, sum(map(len, held))))


def bench_test(heard: Sequence[Observation], rest_until_us: int) -> Tested:
    """Return what its messages say; up to that time it stood untouched."""
    steps = [message.fields["step_us"] / 1000 for message in heard if message.name == "RAW_HEAD"]
    stood_us = max(
        (
            message.at_us
            for message in heard
            if message.name in LANDS and message.at_us <= rest_until_us
        ),
        default=0,
    )
    beats = [
        (message.at_us / 1e6, message.fields["load_raw"] * 1000 / WeighingSettings().counts_per_g)
        for message in heard
        if message.name == "HEARTBEAT" and stood_us <= message.at_us <= rest_until_us
    ]
    zeros = tuple((at_s - beats[0][0], mg - beats[0][1]) for at_s, mg in beats)
    spreads = tuple(message.fields["spread_mg"] for message in heard if message.name == "STILL")
    return Tested(tuple(_samples(heard)), zeros, tuple(steps), spreads)


def _samples(heard: Sequence[Observation]) -> Iterator[KeptSample]:
    """Yield every kept sample once, though windows that were asked for overlap."""
    heads: dict[int, tuple[int, int]] = {}
    known: set[int] = set()
    for message in heard:
        if message.name == "RAW_HEAD":
            heads[message.fields["request"]] = message.fields["start_us"], message.fields["step_us"]
        elif message.name == "RAW" and message.fields["request"] in heads:
            start_us, step_us = heads[message.fields["request"]]
            data = message.fields["samples"]
            whole = len(data) - len(data) % wire.SAMPLE.size
            rows = struct.iter_unpack(wire.SAMPLE.format, data[:whole])
            for row, (tilt, deviation, load_mg) in enumerate(
                rows, message.fields["chunk"] * PER_CHUNK
            ):
                at = start_us + row * step_us
                if at not in known:
                    known.add(at)
                    yield KeptSample(tilt / 100, deviation, load_mg)


def judge(heard: Sequence[Observation], rest_until_us: int, stopper: int) -> Iterator[CheckResult]:
    if not heard:
        yield check_result("radio", RadioCheck.SILENT, stopper=stopper)
        return
    result = bench_test(heard, rest_until_us)
    yield _chips(heard)
    events = [
        message for message in heard if "event" in message.fields and message.at_us > rest_until_us
    ]
    state = Noticing.NOTICED if events else Noticing.NOTHING
    yield check_result("interrupt", state, **({"count": len(events)} if events else {}))
    yield _noise(result)
    yield _drift(result)
    yield _curve(result)
    yield _radio(heard)
    yield _charge(heard)
    if result.steps_ms:
        yield check_result("pace", LoopRateCheck.KNOWN, ms=round(median(result.steps_ms), 1))
    else:
        yield check_result("pace", LoopRateCheck.UNKNOWN)


def _chips(heard: Sequence[Observation]) -> CheckResult:
    beats = [message.fields["faults"] for message in heard if message.name == "HEARTBEAT"]
    if not beats:
        return check_result("chips", Chips.UNKNOWN)
    faults = [name for bit, name in enumerate(wire.FAULTS) if beats[-1] >> bit & 1]
    if faults:
        return check_result("chips", Chips.ILL, faults=tuple(faults))
    return check_result("chips", Chips.ANSWER)


def _noise(result: Tested) -> CheckResult:
    if not result.trembles_mg:
        return check_result("noise", Noise.UNKNOWN)
    mg = median(result.trembles_mg)
    if mg > LOUD_MG:
        return check_result("noise", Noise.LOUD, mg=round(mg))
    return check_result("noise", Noise.QUIET, mg=round(mg), stone=STONE_MG)


def _drift(result: Tested) -> CheckResult:
    if len(result.zeros) < 2:
        return check_result("drift", Drift.UNKNOWN)
    mg = max(mg for _, mg in result.zeros) - min(mg for _, mg in result.zeros)
    state = Drift.WANDERS if mg > DRIFT_MG else Drift.STEADY
    return check_result("drift", state, mg=round(mg), s=round(result.zeros[-1][0]))


def _curve(result: Tested) -> CheckResult:
    curve = result.curve()
    if curve is None:
        return check_result("curve", Curve.UNKNOWN)
    _, slope, rest = curve
    values = {"foot": round(abs(slope)), "rest": round(rest)}
    if rest > CURVE_MG:
        return check_result("curve", Curve.ROUGH, rest=round(rest))
    return check_result("curve", Curve.FOOT if abs(slope) > FOOT_MG else Curve.HOLDS, **values)


def _radio(heard: Sequence[Observation]) -> CheckResult:
    missed = sum(message.gap for message in heard[1:])
    share = round(100 * len(heard) / (len(heard) + missed))
    state = RadioCheck.GOOD if share >= WEAK_PERCENT else RadioCheck.WEAK
    return check_result(
        "radio", state, percent=share, dbm=round(median(message.rssi for message in heard))
    )


def _charge(heard: Sequence[Observation]) -> CheckResult:
    volts = [message.fields["battery_mv"] for message in heard if message.name == "HEARTBEAT"]
    if not volts:
        return check_result("battery", BatteryCheck.UNKNOWN)
    full = battery_percent(volts[-1])
    state = BatteryCheck.LOW if full < 30 else BatteryCheck.GOOD
    return check_result("battery", state, percent=full, mv=volts[-1])
