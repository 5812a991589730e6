"""Small charts as SVG, written by hand: cumulative shares of two samples, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDE, HIGH, GAP, LEFT, TOP = 190, 120, 34, 46, 64
INK, RECORDED, SIMULATED = "#333", "#1b6ca8", "#d1495b"


@dataclass(frozen=True, slots=True)
class Panel:
    """One small chart: its title, its unit, and two sorted samples."""

    title: str
    unit: str
    recorded: Sequence[float]
    simulated: Sequence[float]
    note: str = ""


def draw(title: str, rows: Sequence[tuple[str, Sequence[Panel]]]) -> str:
    """Return an SVG with a row of charts for each name."""
    columns = max(len(panels) for _, panels in rows)
    width = LEFT + columns * (WIDE + GAP)
    height = TOP + len(rows) * (HIGH + 86)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        f'font-family="sans-serif" font-size="11" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="15">{title}</text>',
        *_legend(width),
    ]
    for row, (name, panels) in enumerate(rows):
        y = TOP + row * (HIGH + 86)
        parts.append(f'<text x="{LEFT}" y="{y - 4}" font-weight="bold">{name}</text>')
        for column, panel in enumerate(panels):
            parts += _panel(panel, LEFT + column * (WIDE + GAP), y + 24, first=not column)
    return "\n".join([*parts, "</svg>", ""])


def _legend(width: int) -> list[str]:
    parts = []
    for place, (colour, dash, name) in enumerate(
        [(RECORDED, "", "recorded"), (SIMULATED, "5 3", "simulated")]
    ):
        x = width - 210 + place * 95
        parts.append(_path([(x, 18), (x + 22, 18)], colour, dash))
        parts.append(f'<text x="{x + 27}" y="22">{name}</text>')
    return parts


def _panel(panel: Panel, x: float, y: float, *, first: bool) -> list[str]:
    every = [*panel.recorded, *panel.simulated]
    most = _round_up(sorted(every)[int(0.985 * len(every))])
    title = f"{panel.title}, {panel.unit}" if panel.unit else panel.title
    parts = [f'<text x="{x}" y="{y - 6}">{title}</text>']
    parts.append(f'<rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" fill="#f6f6f4"/>')
    for share in (0.0, 0.5, 1.0):
        level = y + HIGH * (1.0 - share)
        parts.append(_path([(x, level), (x + WIDE, level)], "#ccc"))
        if first:
            parts.append(f'<text x="{x - 6}" y="{level + 4}" text-anchor="end">{share:.0%}</text>')
    for tick in range(5):
        at = x + WIDE * tick / 4
        parts.append(_path([(at, y + HIGH), (at, y + HIGH + 4)], "#999"))
        label = f"{most * tick / 4:g}"
        parts.append(f'<text x="{at}" y="{y + HIGH + 16}" text-anchor="middle">{label}</text>')
    for sample, colour, dash in (
        (panel.recorded, RECORDED, ""),
        (panel.simulated, SIMULATED, "5 3"),
    ):
        parts.append(_path(_steps(sample, most, x, y), colour, dash))
    parts.append(f'<text x="{x}" y="{y + HIGH + 32}" fill="#777">{panel.note}</text>')
    return parts


def _steps(sample: Sequence[float], most: float, x: float, y: float) -> list[tuple[float, float]]:
    points, level = [(x, y + HIGH)], float(y + HIGH)
    for rank, value in enumerate(sample, 1):
        at = x + WIDE * min(1.0, value / most)
        points.append((at, level))
        level = y + HIGH * (1.0 - rank / len(sample))
        points.append((at, level))
    return [*points, (x + WIDE, level)]


def _path(points: Sequence[tuple[float, float]], colour: str, dash: str = "") -> str:
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    width = 1 if colour.startswith(("#c", "#9")) else 1.8
    return (
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'
    )


def _round_up(value: float) -> float:
    """Return a round figure that is not less.

    >>> _round_up(3.2), _round_up(87.0), _round_up(0.93)
    (4.0, 100.0, 1.0)
    """
    size = 1.0
    while size * 10 < value:
        size *= 10
    while size > value:
        size /= 10
    return float(next(size * step for step in (1, 2, 4, 6, 8, 10) if size * step >= value))
