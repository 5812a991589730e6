"""Points in a plane as an SVG file, with a line through them and figures on both axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

WIDE, HIGH, LEFT, TOP, GAP = 460, 220, 70, 40, 84
INK, DOT, LINE, PAPER = "#2a2017", "#63389b", "#a92c20", "#fffaf0"
TICKS: Final = 4
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Panel:
    """One plane."""

    title: str
    across: str  # what the axes say
    up: str
    points: Sequence[Point]
    line: Sequence[Point] = ()
    span: tuple[float, float] | None = None  # across; None: what the points need


def drawn(panels: Sequence[Panel]) -> str:
    """Return a picture with the panels below each other."""
    width, height = LEFT + WIDE + 20, len(panels) * (HIGH + GAP) + TOP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        f'font-family="sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for place, panel in enumerate(panels):
        parts += _panel(panel, TOP + place * (HIGH + GAP))
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel, top: float) -> list[str]:
    every = [*panel.points, *panel.line] or [(0.0, 0.0)]
    x0, x1 = panel.span or _ends([x for x, _ in every])
    y0, y1 = _ends([y for _, y in every])

    def at(point: Point) -> Point:
        x, y = point
        return LEFT + WIDE * (x - x0) / (x1 - x0), top + HIGH * (1 - (y - y0) / (y1 - y0))

    parts = [
        f'<text x="{LEFT}" y="{top - 12}" font-size="15">{escape(panel.title)}</text>',
        f'<rect x="{LEFT}" y="{top}" width="{WIDE}" height="{HIGH}" fill="none" stroke="{INK}"/>',
    ]
    for tick in range(TICKS + 1):
        x, y = x0 + (x1 - x0) * tick / TICKS, y0 + (y1 - y0) * tick / TICKS
        across, up = at((x, y0))[0], at((x0, y))[1]
        parts.append(_text(across, top + HIGH + 18, f"{round(x)}", "middle"))
        parts.append(_text(LEFT - 6, up + 4, f"{round(y)}", "end"))
    parts.append(_text(LEFT + WIDE, top + HIGH + 36, panel.across, "end"))
    parts.append(_text(LEFT + 8, top + 18, panel.up, "start"))
    for point in panel.points:
        x, y = at(point)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{DOT}" opacity=".6"/>')
    if panel.line:
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, panel.line))
        parts.append(f'<polyline points="{way}" fill="none" stroke="{LINE}" stroke-width="1.5"/>')
    return parts


def _text(x: float, y: float, said: str, anchor: str) -> str:
    label = escape(said.replace("-", "−"))
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{label}</text>'


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Return ends with some air around all values.

    >>> _ends([0.0, 10.0]), _ends([3.0])
    ((-0.5, 10.5), (2.0, 4.0))
    """
    low, high = min(values), max(values)
    air = 0.05 * (high - low) or 1.0
    return low - air, high + air
