"""What simulated hands are assumed to do, and what recordings of strangers say of it.

Each assumption is one figure of a whole recording, measured in the same way of both; the simulated
hand is sampled at the corpus' rate, rounded as coarsely, and its tilt is known as well or as badly.
An assumption is contradicted if surely more than half of all recordings lie outside of what four of
five simulated ones do, where chance would put one in five.
"""

import statistics
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import acos, comb, cos, degrees, log10, pi, radians, sin
from random import Random
from typing import Any, Final

from companion.present.plots import Axis, stacked
from companion.simulator.hand_params import SHAKY, WRISTS, ScriptVigour, between
from companion.simulator.hands import Hand
from companion.simulator.motions import Vector
from companion.simulator.peeking import PeekPlan, peek
from companion.simulator.people import CARRY_DEG, CARRY_TILTED, TREMBLE
from companion.simulator.poses import Motion, Pose, stay
from companion.simulator.shaking import Shaking, shake
from research.bench._corpora import (
    AXES,
    IN_SIGHT_DEG,
    StrangersMotion,
    look_spans,
    means,
    speeds_of,
)
from research.bench._drawings import Drawing
from research.bench._figures import share
from research.bench._gestures import along, dominant, length, quantile

SECOND_US: Final = 1_000_000
# By the root mean square of a second: who shakes, who moves, who holds still; and what is stiller
# yet is in nobody's hand.
SHAKEN_G, MOVED_G, STILL_G, LIES_G = 1.0, 0.08, 0.06, 0.003
SWINGS: Final = 4  # turns of a shake in a second; other movements have fewer
FINE_G: Final = 0.011  # as fine as browsers round
TREMOR_HZ: Final = (8.0, 11.0)
KNOCK_US, LAID_US, LAID_G = 150_000, 400_000, 0.012  # so still is nothing that a hand holds
TURNED_DEG: Final = 30.0  # from here on it is being turned to be looked at
STANDS_US: Final = 600_000
MODEL: Final = 60  # simulated barrels, seven movements of each
RARE, HALF = 0.2, 0.5  # of the simulated ones, and of the recordings
FEW: Final = 8  # recordings, of which nothing is concluded
SHOWN: Final = 40  # dots of one corpus
PARTS: Final = (0.01, 0.1, 0.5, 0.9, 0.99)
LOOKS: Final = ("a", "b", "c")
Span = tuple[int, int]  # of samples


# --- the figures of one recording -------------------------------------------------------------


def measured(motion: StrangersMotion, axes: Iterable[str] = AXES) -> dict[str, float]:
    """Return the figures of a recording, by name; what it does not show is not there."""
    seconds, halves = _stretches(motion, SECOND_US), _stretches(motion, SECOND_US // 2)
    found = _of_shake(motion, seconds)
    moved = [one for one in seconds if MOVED_G <= one[0] < SHAKEN_G]
    if moved:
        found["push_g"] = statistics.median(rms for rms, _ in moved)
        found["jerk_g_s"] = quantile(sorted(_jerks(motion, [span for _, span in moved])), 0.95)
    if _step_g(motion) < FINE_G:  # else what is still cannot be told from what is rounded
        still = [span for rms, span in seconds if LIES_G <= rms < STILL_G]
        if still and motion.rate_hz > 2.2 * TREMOR_HZ[1]:
            found["tremor_mg"] = _tremor(motion, still[0])
        still = [span for rms, span in halves if LIES_G <= rms < STILL_G]
        if still:
            found["waver_deg"] = min(_wavers(motion.forces_g[slice(*span)]) for span in still)
        if knocks := _knocks(motion):
            found["knock_g"] = max(knocks)
    if motion.truth != "mean":
        found["turn_deg_s"] = _turn_speed(motion)
    return found | _of_looks(motion, axes)


def _stretches(motion: StrangersMotion, span_us: int) -> list[tuple[float, Span]]:
    """Return stretches so long, or all if it is shorter, and how hard each is pushed: least first.

    Each is half of one later than the one before.
    """
    count, every = round(span_us * motion.rate_hz / 1e6), len(motion.forces_g)
    step = max(1, count // 2)
    spans = [(begin, begin + count) for begin in range(0, every - count + 1, step)]
    if not spans and every > 0.6 * count:
        spans = [(0, every)]
    return sorted((_rms(_moved(motion, span)), span) for span in spans)


def _moved(motion: StrangersMotion, span: Span) -> list[list[float]]:
    """Return each axis of a stretch, without its mean."""
    axes = list(zip(*motion.forces_g[slice(*span)], strict=True))
    means_g = [statistics.fmean(axis) for axis in axes]
    return [[value - mean for value in axis] for axis, mean in zip(axes, means_g, strict=True)]


def _rms(moved: Sequence[Sequence[float]]) -> float:
    return float(sum(statistics.fmean(value * value for value in axis) for axis in moved) ** 0.5)


def _of_shake(motion: StrangersMotion, seconds: Sequence[tuple[float, Span]]) -> dict[str, float]:
    """Return how the second is shaken that is pushed hardest, if it goes to and fro."""
    if not seconds or seconds[-1][0] < SHAKEN_G:
        return {}
    rms, span = seconds[-1]
    moved, forces = _moved(motion, span), motion.forces_g[slice(*span)]
    most = max(moved, key=lambda axis: sum(value * value for value in axis))
    ways = [value > 0.0 for value in most if abs(value) > 0.3 * rms]
    if sum(a != b for a, b in pairwise(ways)) < SWINGS:
        return {}
    part, mean = max(1, round(0.45 * motion.rate_hz)), _mean(forces)
    leans = [_mean(forces[at : at + part]) for at in range(max(1, len(forces) - part))]
    return {
        "shake_hz": dominant(moved, motion.rate_hz),
        "shake_g": rms,
        "shake_line_share": along(moved) / (rms * rms),
        "shake_swing_deg": max(_angle(lean, mean) for lean in leans),
    }


def _jerks(motion: StrangersMotion, spans: Sequence[Span]) -> list[float]:
    return [
        length([b - a for a, b in zip(one, other, strict=True)]) * motion.rate_hz
        for begin, end in spans
        for one, other in pairwise(motion.forces_g[begin:end])
    ]


def _tremor(motion: StrangersMotion, span: Span) -> float:
    """Return the root mean square between 8 and 11 Hz, in mg, under a Hann window."""
    moved = _moved(motion, span)
    count, power = len(moved[0]), 0.0
    hann = [0.5 - 0.5 * cos(2.0 * pi * k / (count - 1)) for k in range(count)]
    least, most = (round(hz * count / motion.rate_hz) for hz in TREMOR_HZ)
    for line in range(least, most + 1):
        omega = 2.0 * pi * line / count
        turns = [(h * cos(omega * k), h * sin(omega * k)) for k, h in enumerate(hann)]
        for axis in moved:
            across = sum(v * c for v, (c, _) in zip(axis, turns, strict=True))
            beside = sum(v * s for v, (_, s) in zip(axis, turns, strict=True))
            power += 2.0 * (across**2 + beside**2) / count**2 * 8.0 / 3.0
    return 1000.0 * float(power**0.5)


def _wavers(forces: Sequence[Vector]) -> float:
    """Return the most by which any of its axes is tilted more or less."""
    spans = []
    for axis in range(3):
        shares = [force[axis] / (length(force) or 1.0) for force in forces]
        tilts = [acos(max(-1.0, min(1.0, part))) for part in shares]
        spans.append(max(tilts) - min(tilts))
    return degrees(max(spans))


def _knocks(motion: StrangersMotion) -> list[float]:
    """Return how hard it was put down each time: then it lies still."""
    before, lies = (round(span * motion.rate_hz / 1e6) for span in (KNOCK_US, LAID_US))
    found, lay = list[float](), True
    for at in range(before, len(motion.forces_g) - lies):
        axes = zip(*motion.forces_g[at : at + lies], strict=True)
        laid = all(max(axis) - min(axis) < LAID_G for axis in axes)
        if laid and not lay:
            part = motion.forces_g[at - before : at]
            found.append(max(abs(length(force) - 1.0) for force in part))
        lay = laid
    return found


def _turn_speed(motion: StrangersMotion) -> float:
    """Return how fast it turns at most, within a tenth of a second, in degrees a second."""
    step = max(1, round(0.1 * motion.rate_hz))
    turns = zip(
        motion.ups, motion.ups[step:], motion.times_us, motion.times_us[step:], strict=False
    )
    return max(
        (_angle(one, other) * 1e6 / max(1, then - at) for one, other, at, then in turns),
        default=0.0,
    )


def _of_looks(motion: StrangersMotion, axes: Iterable[str]) -> dict[str, float]:
    """Return what looks are like, whichever of these axes is the barrel's."""
    turns, spans, uneven = list[float](), list[float](), list[float]()
    first_us, last_us = motion.times_us[0], motion.times_us[-1]
    for axis in axes:
        forces, tilts = motion.along(axis)
        for begin_us, end_us in look_spans(motion.times_us, motion, tilts):
            begin, end = (bisect_left(motion.times_us, at) for at in (begin_us, end_us))
            uneven.append(statistics.median(abs(length(one) - 1.0) for one in forces[begin:end]))
            if first_us < begin_us and end_us < last_us:  # else it may have lasted longer
                spans.append((end_us - begin_us) / 1e6)
            before = (at for at in range(begin, -1, -1) if tilts[at] < TURNED_DEG)
            if motion.truth != "mean" and (turning := next(before, None)) is not None:
                turns.append((begin_us - motion.times_us[turning]) / 1e6)
    found = {
        "look_turn_s": turns,
        "look_s": spans,
        "look_uneven_mg": [1000 * one for one in uneven],
    }
    return {name: statistics.median(values) for name, values in found.items() if values}


def _mean(vectors: Sequence[Vector]) -> Vector:
    x, y, z = (statistics.fmean(axis) for axis in zip(*vectors, strict=True))
    return x, y, z


def _angle(one: Vector, other: Vector) -> float:
    size = (length(one) * length(other)) or 1.0
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return degrees(acos(max(-1.0, min(1.0, dot / size))))


ASSUMPTIONS: Final = {
    "shake_hz": "how often it is shaken, Hz",
    "shake_g": "how hard it is shaken, g",
    "shake_line_share": "share of a shake along one line",
    "shake_swing_deg": "how far a shake seems to tilt it, °",
    "push_g": "how hard it is pushed while it is moved, g",
    "jerk_g_s": "jerk while it is moved (95 %), g/s",
    "tremor_mg": "tremor of a hand that holds it still, 8 to 11 Hz, mg",
    "waver_deg": "how far its tilt wavers in the stillest half second, °",
    "turn_deg_s": "its fastest turn, °/s",
    "look_turn_s": "from 30° to 70° before a look, s",
    "look_s": "how long a look lasts, s",
    "look_uneven_mg": "more or less than 1 g during a look, mg",
    "knock_g": "the knock with which it is put down, g",
}


# --- simulated ones ---------------------------------------------------------------------------


def handlings(seed: int) -> list[list[Motion]]:
    """Return how a barrel is lifted, carried, shaken, given, turned, looked at, and put back."""
    rng = Random(f"habits {seed}")
    hand = Hand(rng, SHAKY if rng.random() < TREMBLE else WRISTS)
    lift = hand.lift(STANDS_US, Pose())
    parts = [[stay(Pose(), 0, STANDS_US), lift, _holds(rng, lift)]]

    def joined(motion: Motion) -> None:
        parts.append([motion, _holds(rng, motion)])

    def before() -> tuple[int, Pose]:
        return parts[-1][-1].end_us, parts[-1][-1].after

    tilted = radians(between(rng, *CARRY_DEG)) if rng.random() < CARRY_TILTED else None
    joined(hand.carry(*before(), 2.0, tilted))
    joined(shake(hand, *before(), Shaking((), vigour=ScriptVigour.AS_USUAL, for_s=2.0)))
    joined(hand.hand_over(*before(), (0.3, 0.2, 0.0)))
    joined(hand.turn(*before(), between(rng, 0.0, radians(TURNED_DEG)), 0.5))
    joined(peek(hand, *before(), PeekPlan(between(rng, 0.5, 1.5), IN_SIGHT_DEG)))
    joined(hand.put_down(*before(), (0.0, 0.0, 0.0)))
    return parts


def _holds(rng: Random, motion: Motion) -> Motion:
    """Hold it still after a movement, or let it stand."""
    return stay(
        motion.after, motion.end_us, motion.end_us + round(between(rng, 0.7, 1.5) * SECOND_US)
    )


def recorded(
    name: str, motions: Sequence[Motion], rate_hz: float, step_g: float, truth: str
) -> StrangersMotion:
    """Return a simulated movement as a recorder would have written it."""
    begin_us, times, forces, ups = motions[0].start_us, list[int](), list[Vector](), list[Vector]()
    for number in range(int((motions[-1].end_us - begin_us) * rate_hz / 1e6)):
        at_us = begin_us + round(number * 1e6 / rate_hz)
        motion = next(one for one in motions if at_us < one.end_us)
        x, y, z = motion.force_g(at_us)
        tilt, lean = motion.tilt_rad(at_us), motion.lean_rad
        times.append(at_us - begin_us)
        forces.append((_rounded(x, step_g), _rounded(y, step_g), _rounded(z, step_g)))
        ups.append((-sin(tilt) * cos(lean), -sin(tilt) * sin(lean), cos(tilt)))
    if truth == "mean":
        ups = list(means(times, forces))
    return StrangersMotion(name, times, forces, ups, speeds_of(times, forces, ups, ()), truth)


def _rounded(value: float, step: float) -> float:
    return round(value / step) * step if step else value


def _step_g(motion: StrangersMotion) -> float:
    """Return by how much values differ at least: what they were rounded to."""
    values = sorted({round(force[0], 6) for force in motion.forces_g})
    return min((b - a for a, b in pairwise(values)), default=0.0)


# --- what follows -----------------------------------------------------------------------------


def compared(
    motions: Sequence[StrangersMotion], lying: str | None, model: int = MODEL
) -> dict[str, dict[str, Any]]:
    """Return for each assumption what simulated hands do, what these do, and if that fits."""
    truths = [motion.truth for motion in motions]
    rate_hz = statistics.median(motion.rate_hz for motion in motions)
    step_g = statistics.median(map(_step_g, motions))
    how = rate_hz, step_g, max(set(truths), key=truths.count)
    ours = [
        measured(recorded(f"simulated {seed}", part, *how), ("+z",))
        for seed in range(model)
        for part in handlings(seed)
    ]
    theirs = [measured(one) for one in motions if lying is None or lying not in one.name]
    found = {}
    for name in ASSUMPTIONS:
        expected, seen = (
            sorted(figures[name] for figures in every if name in figures)
            for every in (ours, theirs)
        )
        if expected and seen:
            found[name] = _judged(expected, seen)
    return found


def _judged(expected: Sequence[float], seen: Sequence[float]) -> dict[str, Any]:
    low, high = quantile(expected, RARE / 2), quantile(expected, 1.0 - RARE / 2)
    below, above = sum(value < low for value in seen), sum(value > high for value in seen)
    outside, of = below + above, len(seen)
    chance = sum(
        comb(of, count) * RARE**count * (1.0 - RARE) ** (of - count)
        for count in range(outside, of + 1)
    )
    figures = share("outside", outside, of)
    surely = figures["outside_ci95"][0] > HALF
    verdict = "too few" if of < FEW else "contradicted" if surely else "holds"
    return {
        "model_quantiles": [_short(quantile(expected, part)) for part in PARTS],
        "corpus_quantiles": [_short(quantile(seen, part)) for part in PARTS],
        "below": below,
        "above": above,
        **figures,
        "by_chance": float(f"{chance:.2g}"),
        "verdict": verdict,
        "values": [_short(quantile(seen, at / (SHOWN - 1))) for at in range(SHOWN)]
        if of > SHOWN
        else [_short(value) for value in seen],
    }


def _short(value: float) -> float:
    return float(f"{value:.3g}")


def table(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Return all that was compared as a table in Markdown."""
    lines = [
        "| what | simulated 10 · 50 · 90 % | corpus | 10 · 50 · 90 % | n | outside | chance | |",
        "|---" * 8 + "|",
    ]
    for key, words in ASSUMPTIONS.items():
        for name, judged in ((name, figures.get(key)) for name, figures in found.items()):
            if judged is not None:
                model, corpus = (
                    " · ".join(f"{value:g}" for value in judged[of][1:4])
                    for of in ("model_quantiles", "corpus_quantiles")
                )
                low, high = judged["outside_ci95"]
                lines.append(
                    f"| {words} | {model} | {name} | {corpus} | {judged['outside_of']} | "
                    f"{100 * judged['outside']:.0f} % ({100 * low:.0f} to {100 * high:.0f}) | "
                    f"{judged['by_chance']:.1g} | {judged['verdict']} |"
                )
    return "\n".join(lines)


def drawing(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Draw for each assumption the simulated hands as a band, and each corpus' recordings."""
    plots = list[Drawing]()
    for key, words in ASSUMPTIONS.items():
        rows = [(name, figures[key]) for name, figures in found.items() if key in figures]
        if not rows:
            continue
        plot = _plot(words, rows)
        if not plots:
            plot.name("d", "simulated hands")
            for look, name in zip(LOOKS, found, strict=False):
                plot.name(look, name)
        for turn, (name, judged) in enumerate(rows):
            _band(plot, judged["model_quantiles"], turn)
            look = LOOKS[list(found).index(name) % len(LOOKS)]
            for rank, value in enumerate(judged["values"]):
                plot.dot((_at(value), turn + 0.25 + 0.5 * (0.618 * rank % 1.0)), look)
        plots.append(plot)
    return stacked(plots)


def _plot(words: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> Drawing:
    every = [
        value
        for _, judged in rows
        for value in (*judged["model_quantiles"][1:], *judged["values"])
        if value > 0
    ]
    least, most = log10(min(every) / 1.15), log10(max(every) * 1.15)
    marks = [lead * 10.0**size for size in range(-4, 5) for lead in (1, 1.5, 2, 3, 5, 7)]
    ticks = [at for mark in marks if least <= (at := log10(mark)) <= most]
    ticks = ticks[:: 1 + len(ticks) // 8]
    against = [name for name, judged in rows if judged["verdict"] == "contradicted"]
    few = all(judged["verdict"] == "too few" for _, judged in rows)
    verdict = "too few to say" if few else "not contradicted"
    if against:
        verdict = f"contradicted by {' and '.join(against)}"
    counts = [f"n={judged['outside_of']}" for _, judged in rows]
    middles = [turn + 0.5 for turn in range(len(rows))]
    return Drawing(
        words[0].upper() + words[1:],
        Axis(verdict, least, most, ticks, lambda at: f"{10.0**at:.3g}"),
        Axis("", 0.0, len(rows), middles, lambda at: counts[int(at)]),
        high=30 * len(rows),
    )


def _band(plot: Drawing, quantiles: Sequence[float], turn: int) -> None:
    least, low, middle, high, most = map(_at, quantiles)
    for left, right in ((least, most), (low, high)):
        plot.bar((left, right), (turn + 0.08, turn + 0.92), "d soft")
    plot.line([(middle, turn + 0.08), (middle, turn + 0.92)], "d")


def _at(value: float) -> float:
    """Return where a value stands on an axis that has room for small ones."""
    return log10(max(value, 1e-4))
