"""Plots as SVG, drawn on the server.

Colours and dashes stand in the style sheets; every plot has a sentence for those who hear it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from markupsafe import Markup, escape

from companion.present import svg

FARTHEST: Final = 11  # by how much a barrel of 13 misses a magic number of 2
WIDTH: Final = 320
TALLEST_TILT: Final = 180
READABLE_DEG: Final = 60
STILL_G: Final = 0.25


@dataclass(frozen=True, slots=True)
class Point:
    """How a barrel was held at one time."""

    ago_s: float
    tilt_deg: float
    deviation_g: float  # of what is felt from what stillness feels
    stands: bool | None


@dataclass(frozen=True, slots=True)
class Bar:
    """Two figures of one seat, side by side."""

    seat: str
    name: str
    first: int
    second: int


def misses(counts: Mapping[int, int], highest: int, seat: str, told: str) -> Markup:
    """Draw how often barrels missed the magic number by how much; those above it are hollow."""
    bottom, top, each = 84, 8, WIDTH / (2 * FARTHEST + 1)
    parts = [svg.line("axis", 0, bottom, WIDTH, bottom)]
    middle = (FARTHEST + 0.5) * each
    parts.append(svg.line("mark", middle, top - 6, middle, bottom + 5))
    for missed, count in sorted(counts.items()):
        if abs(missed) > FARTHEST or not count:
            continue
        tall = (bottom - top) * count / max(highest, 1)
        left = (missed + FARTHEST) * each + 1.5
        kind = "bar hollow" if missed > 0 else "bar"
        parts.append(svg.bar(kind, left, bottom - tall, each - 3, tall))
    for missed in (-10, -5, 0, 5, 10):
        sign = "+" if missed > 0 else "−" if missed < 0 else ""
        at = (missed + FARTHEST + 0.5) * each
        parts.append(svg.text("tick", at, bottom + 18, f"{sign}{abs(missed)}"))
    return svg.plot(f"misses seat-{seat}", WIDTH, 108, told, parts)


def pairs(bars: Sequence[Bar], told: str) -> Markup:
    """Draw two bars for each seat; the second one is hollow."""
    most = max((max(bar.first, bar.second) for bar in bars), default=0)
    left, high = 84, 46
    scale = (WIDTH - left - 36) / max(most, 1)
    parts = []
    for row, bar in enumerate(bars):
        top = row * high + 4
        drawn = [svg.text("name", 0, top + 23, bar.name, anchor="start")]
        for place, (count, kind) in enumerate(((bar.first, "bar"), (bar.second, "bar hollow"))):
            y = top + place * 19
            drawn.append(svg.bar(kind, left, y, max(count * scale, 1), 16))
            drawn.append(svg.text("tick", left + count * scale + 6, y + 13, count, anchor="start"))
        parts.append(f'<g class="seat-{escape(bar.seat)}">{"".join(drawn)}</g>')
    return svg.plot("pairs", WIDTH, high * len(bars) + 4, told, parts)


def lengths(rounds: Sequence[int], mean: float, told: str) -> Markup:
    """Draw how long matches took, the oldest first, and a line at their mean."""
    bottom, top, left = 104, 12, 26
    most = max(rounds, default=1)
    each = min((WIDTH - left) / max(len(rounds), 1), 28.0)
    level = bottom - (bottom - top) * mean / most
    parts = [svg.line("axis", left, bottom, WIDTH, bottom)]
    for place, count in enumerate(rounds):
        tall = (bottom - top) * count / most
        gap = min(3.0, each / 5)
        parts.append(svg.bar("bar", left + place * each + gap, bottom - tall, each - 2 * gap, tall))
    parts.append(svg.line("mark", left, level, WIDTH, level))
    parts.append(svg.text("tick", left - 6, top + 5, most, anchor="end"))
    parts.append(svg.text("tick", left - 6, bottom + 4, 0, anchor="end"))
    return svg.plot("lengths", WIDTH, 116, told, parts)


def trail(points: Sequence[Point], span_s: float, told: str) -> Markup:
    """Draw tilt, stillness and standing of the last seconds; the newest is at the right."""
    bottom, still, foot, right = 74, 104, 118, WIDTH

    def x(point: Point) -> float:
        return right - min(point.ago_s, span_s) / span_s * right

    def tilt_y(tilt_deg: float) -> float:
        return bottom - min(tilt_deg, TALLEST_TILT) / TALLEST_TILT * (bottom - 6)

    limit = tilt_y(READABLE_DEG)
    parts = [svg.bar("readable", 0, 6, right, limit - 6), svg.line("mark", 0, limit, right, limit)]
    parts.append(svg.way("tilt", [(x(one), tilt_y(one.tilt_deg)) for one in points]))
    parts.append(svg.line("axis", 0, bottom, right, bottom))
    shaken = [(x(one), still - min(one.deviation_g / STILL_G, 2.0) * 12) for one in points]
    parts += [svg.way("shaken", shaken), svg.line("axis", 0, still, right, still)]
    for stands, run in groupby(pairwise(points), key=lambda pair: pair[0].stands):
        spans = list(run)
        left, end = x(spans[0][0]), x(spans[-1][1])
        kind = {True: "stands", False: "lifted", None: "unknown"}[stands]
        parts.append(svg.bar(kind, left, foot - 6, end - left, 6))
    return svg.plot("trail", WIDTH, 122, told, parts)
