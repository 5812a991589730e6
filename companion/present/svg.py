"""The shapes of which plots are drawn as SVG; what they look like, style sheets say.

Every plot has a sentence for those who do not see it.
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape


def plot(kind: str, width: float, height: float, told: str, parts: Iterable[str]) -> Markup:
    """Return a plot with a sentence that says what it shows."""
    head = f'<svg class="plot {escape(kind)}" viewBox="0 0 {width:g} {height:g}" role="img"'
    return Markup(f'{head} aria-label="{escape(told)}">{"".join(parts)}</svg>')  # noqa: S704 - escaped


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a line from one spot to another."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def bar(kind: str, x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle by its upper left corner."""
    size = f'width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" {size}/>'


def text(kind: str, x: float, y: float, said: object, anchor: str = "middle") -> str:
    """Return words or a figure at a spot."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{escape(said)}</text>'


def way(kind: str, spots: Iterable[tuple[float, float]]) -> str:
    """Return a line through many spots."""
    return f'<polyline class="{kind}" points="{_points(spots)}"/>'


def area(kind: str, spots: Iterable[tuple[float, float]]) -> str:
    """Return what many spots enclose."""
    return f'<polygon class="{kind}" points="{_points(spots)}"/>'


def _points(spots: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
