"""Plots of many matches as SVG: a histogram, and shares with their intervals.

Colours stand in the style of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import Final

from companion.present import svg
from companion.study_command.figures import Bins, Share, width_for

WIDE, LEFT, RIGHT = 480, 44, 470
TOP, BOTTOM, HIGH = 26, 200, 246
ROW, NAMED = 40, 92
LINES: Final = 5  # at most, across a histogram
LABELS: Final = 9  # at most, below it


@dataclass(frozen=True, slots=True)
class Row:
    """A share by its name."""

    name: str
    share: Share
    kind: str = ""  # as the page's style calls its colour


@dataclass(frozen=True, slots=True)
class Axes:
    """What runs along a histogram, and what is counted in it."""

    x: str
    y: str


def histogram(parts: Sequence[Bins], axes: Axes, told: str, mark: int | None = None) -> str:
    """Draw bins, several kinds of them upon each other, and a line at one value."""
    first, sums = parts[0], [sum(both) for both in zip(*(one.counts for one in parts), strict=True)]
    each, scale = (RIGHT - LEFT) / len(sums), (BOTTOM - TOP) / max(sums)
    drawn = list(_rungs(max(sums), scale))
    feet = [float(BOTTOM)] * len(sums)
    for layer, one in enumerate(parts):
        for place, count in enumerate(one.counts):
            feet[place] -= count * scale
            left = LEFT + place * each + 1
            drawn.append(svg.bar(f"bar layer{layer}", left, feet[place], each - 2, count * scale))
    drawn.append(svg.line("axis", LEFT, BOTTOM, RIGHT, BOTTOM))
    drawn += _values(first, each)
    if mark is not None:
        drawn += _mark(LEFT + (mark + 0.5 - first.start) / first.width * each, BOTTOM)
    drawn.append(svg.text("soft", (LEFT + RIGHT) / 2, HIGH - 8, axes.x))
    drawn.append(svg.text("soft", 2, 12, axes.y, "start"))
    return svg.plot("histogram", WIDE, HIGH, told, drawn)


def shares(rows: Sequence[Row], fair: float, told: str) -> str:
    """Draw shares with their intervals, below each other, and a line at the fair one."""
    most = max(fair, *(row.share.high for row in rows))
    step = 0.05 if most <= 0.3 else 0.1 if most <= 0.6 else 0.25
    end = min(1.0, ceil(most / step) * step)
    foot = TOP + ROW * len(rows)

    def x(share: float) -> float:
        return NAMED + (RIGHT - 14 - NAMED) * share / end

    drawn = []
    for tick in range(round(end / step) + 1):
        at = x(tick * step)
        drawn.append(svg.line("grid", at, TOP, at, foot))
        drawn.append(svg.text("tick", at, foot + 18, f"{tick * step * 100:.0f} %"))
    drawn += _mark(x(fair), foot)
    for place, row in enumerate(rows):
        y = TOP + ROW * (place + 0.5)
        low, high = x(row.share.low), x(row.share.high)
        drawn += [
            f'<g class="{escape(row.kind)}">',
            svg.text("name", NAMED - 10, y + 5, row.name, "end"),
            svg.line("reach", low, y, high, y),
            *(svg.line("reach", end, y - 6, end, y + 6) for end in (low, high)),
            f'<circle class="dot" cx="{x(row.share.share):.1f}" cy="{y:.1f}" r="6"/>',
            "</g>",
        ]
    return svg.plot("shares", WIDE, foot + 26, told, drawn)


def _rungs(most: int, scale: float) -> Iterable[str]:
    step = width_for([0, most], LINES)
    for count in range(0, most + 1, step):
        y = BOTTOM - count * scale
        yield svg.line("grid", LEFT, y, RIGHT, y)
        yield svg.text("tick", LEFT - 6, y + 4, str(count), "end")


def _values(one: Bins, each: float) -> Iterable[str]:
    """Write values below their bins: in the middle, or where a bin of several begins."""
    inside = each / 2 if one.width == 1 else 0.0
    for place in range(0, len(one.counts), ceil(len(one.counts) / LABELS)):
        x = LEFT + place * each + inside
        if not inside:
            yield svg.line("axis", x, BOTTOM, x, BOTTOM + 4)
        yield svg.text("tick", x, BOTTOM + 18, str(one.start + place * one.width))


def _mark(x: float, foot: float) -> Iterable[str]:
    """Draw a line that is seen on every ground."""
    yield svg.line("halo", x, TOP - 8, x, foot)
    yield svg.line("mark", x, TOP - 8, x, foot)
