"""Plots as SVG, drawn on the server: bars, curves, axes and their labels.

Colours and dashes stand in the style sheets; every plot has a sentence for those who hear it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final

from markupsafe import Markup, escape


def plot(kind: str, width: float, height: float, description: str, parts: Iterable[str]) -> Markup:
    """Return a plot with a sentence that says what it shows."""
    head = f'<svg class="plot {escape(kind)}" viewBox="0 0 {width:g} {height:g}" role="img"'
    return Markup(f'{head} aria-label="{escape(description)}">{"".join(parts)}</svg>')  # noqa: S704 - escaped


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle by its upper left corner."""
    size = f'width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" {size}/>'


def text(kind: str, x: float, y: float, words: object, anchor: str = "middle") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{escape(words)}</text>'


def circle(kind: str, x: float, y: float, radius: float) -> str:
    """Return a dot around a spot."""
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'


def way(kind: str, spots: Iterable[tuple[float, float]]) -> str:
    return f'<polyline class="{kind}" points="{_points(spots)}"/>'


def area(kind: str, spots: Iterable[tuple[float, float]]) -> str:
    return f'<polygon class="{kind}" points="{_points(spots)}"/>'


def _points(spots: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)


FARTHEST: Final = 11  # by how much a barrel of 13 misses a magic number of 2
WIDTH: Final = 320
TALLEST_TILT: Final = 180
READABLE_DEG: Final = 60
STILL_G: Final = 0.25


@dataclass(frozen=True, slots=True)
class HeldPoint:
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


def misses(counts: Mapping[int, int], highest: int, seat: str, description: str) -> Markup:
    """Draw how often barrels missed the magic number by how much; those above it are hollow."""
    bottom, top, each = 84, 8, WIDTH / (2 * FARTHEST + 1)
    parts = [line("axis", 0, bottom, WIDTH, bottom)]
    middle = (FARTHEST + 0.5) * each
    parts.append(line("mark", middle, top - 6, middle, bottom + 5))
    for missed, count in sorted(counts.items()):
        if abs(missed) > FARTHEST or not count:
            continue
        tall = (bottom - top) * count / max(highest, 1)
        left = (missed + FARTHEST) * each + 1.5
        kind = "bar hollow" if missed > 0 else "bar"
        parts.append(rect(kind, left, bottom - tall, each - 3, tall))
    for missed in (-10, -5, 0, 5, 10):
        sign = "+" if missed > 0 else "−" if missed < 0 else ""
        at = (missed + FARTHEST + 0.5) * each
        parts.append(text("tick", at, bottom + 18, f"{sign}{abs(missed)}"))
    return plot(f"misses seat-{seat}", WIDTH, 108, description, parts)


def pairs(bars: Sequence[Bar], description: str) -> Markup:
    """Draw two bars for each seat; the second one is hollow."""
    most = max((max(bar.first, bar.second) for bar in bars), default=0)
    left, high = 84, 46
    scale = (WIDTH - left - 36) / max(most, 1)
    parts = []
    for row, bar in enumerate(bars):
        top = row * high + 4
        drawn = [text("name", 0, top + 23, bar.name, anchor="start")]
        for place, (count, kind) in enumerate(((bar.first, "bar"), (bar.second, "bar hollow"))):
            y = top + place * 19
            drawn.append(rect(kind, left, y, max(count * scale, 1), 16))
            drawn.append(text("tick", left + count * scale + 6, y + 13, count, anchor="start"))
        parts.append(f'<g class="seat-{escape(bar.seat)}">{"".join(drawn)}</g>')
    return plot("pairs", WIDTH, high * len(bars) + 4, description, parts)


def lengths(rounds: Sequence[int], mean: float, description: str) -> Markup:
    """Draw how long matches took, the oldest first, and a line at their mean."""
    bottom, top, left = 104, 12, 26
    most = max(rounds, default=1)
    each = min((WIDTH - left) / max(len(rounds), 1), 28.0)
    level = bottom - (bottom - top) * mean / most
    parts = [line("axis", left, bottom, WIDTH, bottom)]
    for place, count in enumerate(rounds):
        tall = (bottom - top) * count / most
        gap = min(3.0, each / 5)
        parts.append(rect("bar", left + place * each + gap, bottom - tall, each - 2 * gap, tall))
    parts.append(line("mark", left, level, WIDTH, level))
    parts.append(text("tick", left - 6, top + 5, most, anchor="end"))
    parts.append(text("tick", left - 6, bottom + 4, 0, anchor="end"))
    return plot("lengths", WIDTH, 116, description, parts)


def trail(points: Sequence[HeldPoint], span_s: float, description: str) -> Markup:
    """Draw tilt, stillness and standing of the last seconds; the newest is at the right."""
    bottom, still, foot, right = 74, 104, 118, WIDTH

    def x(point: HeldPoint) -> float:
        return right - min(point.ago_s, span_s) / span_s * right

    def tilt_y(tilt_deg: float) -> float:
        return bottom - min(tilt_deg, TALLEST_TILT) / TALLEST_TILT * (bottom - 6)

    limit = tilt_y(READABLE_DEG)
    parts = [rect("readable", 0, 6, right, limit - 6), line("mark", 0, limit, right, limit)]
    parts.append(way("tilt", [(x(point), tilt_y(point.tilt_deg)) for point in points]))
    parts.append(line("axis", 0, bottom, right, bottom))
    shaken = [(x(point), still - min(point.deviation_g / STILL_G, 2.0) * 12) for point in points]
    parts += [way("shaken", shaken), line("axis", 0, still, right, still)]
    for stands, run in groupby(pairwise(points), key=lambda pair: pair[0].stands):
        spans = list(run)
        left, end = x(spans[0][0]), x(spans[-1][1])
        kind = {True: "stands", False: "lifted", None: "unknown"}[stands]
        parts.append(rect(kind, left, foot - 6, end - left, 6))
    return plot("trail", WIDTH, 122, description, parts)


WIDE, LEFT, RIGHT, TOP, BOTTOM, LEGEND = 420, 54, 14, 58, 46, 24
STYLE = """<style>
svg { font: 13px sans-serif }
text { fill: #333 } .card { fill: #fff } .field { fill: #f5f5f2 } .grid { stroke: #d4d4d0 }
.title { font-weight: bold } .small { font-size: 11.5px } .pale { fill: #666 } .on { fill: #fff }
.a { --c: #1b6ca8 } .b { --c: #d1495b } .c { --c: #b8860b } .d { --c: #888 }
.line { fill: none; stroke: var(--c); stroke-width: 2 } .fill { fill: var(--c) }
.reach { stroke: var(--c); stroke-width: 1.5 } .dash { stroke-dasharray: 6 4 }
.soft { fill-opacity: .45 }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .card { fill: #1b1d20 } .field { fill: #24272b } .grid { stroke: #43474d }
.pale { fill: #a2a6ab } .on { fill: #111 }
.a { --c: #63b0ea } .b { --c: #f0788a } .c { --c: #dfb23f } .d { --c: #999 }
}
</style>"""
PlotPoint = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axis:
    """What runs along one side: its name with its unit, its ends and its marks."""

    name: str
    least: float
    most: float
    ticks: Sequence[float]
    shown: Callable[[float], str] = "{:g}".format

    @classmethod
    def around(cls, name: str, values: Sequence[float]) -> Axis:
        """Return an axis with some air around all values.

        >>> axis = Axis.around("seconds", [0.0, 10.0])
        >>> axis.least, axis.most, axis.ticks
        (-0.5, 10.5, (0.0, 2.5, 5.0, 7.5, 10.0))
        """
        low, high = min(values), max(values)
        air = 0.05 * (high - low) or 1.0
        ticks = tuple(low + (high - low) * place / 4 for place in range(5))
        return cls(name, low - air, high + air, ticks, "{:.0f}".format)


@dataclass(slots=True)
class Plot:
    """A field between two axes, to draw into; `svg` is the drawing."""

    title: str
    x: Axis
    y: Axis
    high: int = 210
    parts: list[str] = field(default_factory=list)
    _names: list[tuple[str, str]] = field(default_factory=list)

    def at(self, x: float, y: float) -> PlotPoint:
        """Return where a value lies on the paper."""
        right = (x - self.x.least) / (self.x.most - self.x.least)
        up = (y - self.y.least) / (self.y.most - self.y.least)
        return (
            LEFT + (WIDE - LEFT - RIGHT) * min(1.0, max(0.0, right)),
            TOP + self.high * (1.0 - min(1.0, max(0.0, up))),
        )

    def name(self, look: str, words: str) -> None:
        """Say in the legend what a look means."""
        self._names.append((look, words))

    def line(self, points: Sequence[PlotPoint], look: str) -> None:
        self.parts.append(way(f"line {look}", [self.at(*point) for point in points]))

    def dot(self, point: PlotPoint, look: str) -> None:
        self.parts.append(circle(f"fill {look}", *self.at(*point), 3.6))

    @property
    def tall(self) -> int:
        """Return how tall the drawing is, with what stands around its field."""
        return TOP + self.high + BOTTOM - (0 if self._names else LEGEND)

    def svg(self) -> str:
        above = 0 if self._names else LEGEND
        height = self.tall
        box = f"0 {above} {WIDE} {height}"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"'
        parts = [
            f'{head} role="img" aria-label="{escape(self.title)}">',
            STYLE,
            f'<rect class="card" y="{above}" width="{WIDE}" height="{height}" rx="6"/>',
            text("title", 12, above + 22, self.title, "start"),
            *self._legend(),
            *self._axes(),
            *self.parts,
        ]
        return "\n".join([*parts, "</svg>", ""])

    def _legend(self) -> list[str]:
        parts, x = [], 12.0
        for look, words in self._names:
            parts.append(f'<rect class="fill {look}" x="{x:.0f}" y="34" width="14" height="9"/>')
            parts.append(text("small", x + 19, 43, words, "start"))
            x += 32 + 6.3 * len(words)
        return parts

    def _axes(self) -> list[str]:
        (left, low), (right, up) = (
            self.at(self.x.least, self.y.least),
            self.at(self.x.most, self.y.most),
        )
        parts = [rect("field", left, up, right - left, low - up)]
        for tick in self.y.ticks:
            y = self.at(self.x.least, tick)[1]
            parts.append(line("grid", left, y, right, y))
            parts.append(text("small", left - 5, y + 4, self.y.shown(tick), "end"))
        for tick in self.x.ticks:
            x = self.at(tick, self.y.least)[0]
            parts.append(line("grid", x, low, x, low + 4))
            parts.append(text("small", x, low + 17, self.x.shown(tick)))
        parts.append(text("small pale", (left + right) / 2, low + 36, self.x.name))
        turned = f"translate(13 {(low + up) / 2:.0f}) rotate(-90)"
        parts.append(f'<g transform="{turned}">{text("small pale", 0, 0, self.y.name)}</g>')
        return parts


def stacked(plots: Sequence[Plot]) -> str:
    """Return a picture with plots below each other."""
    parts, y = [], 0
    for plot in plots:
        place = f'<svg y="{y}" width="{WIDE}" height="{plot.tall}" '
        parts.append(plot.svg().replace("<svg ", place, 1))
        y += plot.tall
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {y}">'
    return "\n".join([head, *parts, "</svg>", ""])


STRIP_LEFT, STRIP_RIGHT = 10, 310
NAME, DOT = 18, 3.2  # the height of a name, and half a dot
PILE: Final = 5  # dots above each other; more of them overlap, and a count says how many
ALONE: Final = 5  # columns without another pile, in which the count has room
TICKS: Final = 4


@dataclass(frozen=True, slots=True)
class Strip:
    name: str
    values: Sequence[float]
    kind: str = ""  # a class of the style sheet, such as "hollow" or "seat-red"


def strips(rows: Sequence[Strip], unit: str, description: str, mark: float | None = None) -> Markup:
    """Draw rows of dots; a dashed line stands at a mark, which all of them share."""
    every = [value for row in rows for value in row.values] + ([] if mark is None else [mark])
    least, most = _axis(min([0.0, *every]), max([1.0, *every]))

    def x(value: float) -> float:
        return STRIP_LEFT + (STRIP_RIGHT - STRIP_LEFT) * (value - least) / (most - least)

    parts, bottom = [text("tick", WIDTH, 12, unit, "end")], 0.0
    for row in rows:
        piles = _piles([x(value) for value in row.values])
        tallest = max([2, *(min(len(pile), PILE) for pile in piles.values())])
        top, floor = bottom + NAME, bottom + NAME + 2 * DOT * tallest + 4
        parts.append(text("name", 0, bottom + 12, row.name, "start"))
        parts.append(line("axis", STRIP_LEFT, floor, STRIP_RIGHT, floor))
        if mark is not None:
            parts.append(line("mark", x(mark), top, x(mark), floor))
        for column, pile in piles.items():
            parts += _dots(row.kind, pile, floor)
            alone = not any(column < other <= column + ALONE for other in piles)
            if len(pile) > PILE and alone:
                beside = pile[0] + 2 * DOT
                parts.append(text("tick", beside, top + 10, f"× {len(pile)}", "start"))
        bottom = floor + 8
    for tick in range(TICKS + 1):
        value = least + (most - least) * tick / TICKS
        anchor = "start" if not tick else "end" if tick == TICKS else "middle"
        label = f"{value:g}".replace("-", "−")
        parts.append(text("tick", x(value), bottom + 8, label, anchor))
    return plot("strips", WIDTH, round(bottom + 14, 1), description, parts)


def _piles(places: Sequence[float]) -> dict[int, list[float]]:
    """Return dots that would lie on each other, together."""
    piles: dict[int, list[float]] = {}
    for at in sorted(places):
        piles.setdefault(round(at / (2 * DOT)), []).append(at)
    return piles


def _dots(kind: str, pile: Sequence[float], floor: float) -> list[str]:
    kind = escape(f"dot {kind}".strip())
    apart = 2 * DOT * min(1.0, (PILE - 1) / max(1, len(pile) - 1))
    return [
        f'<circle class="{kind}" cx="{at:.4g}" cy="{floor - DOT - 1 - apart * place:.4g}"'
        f' r="{DOT}"/>'
        for place, at in enumerate(pile)
    ]


def _axis(least: float, most: float) -> tuple[float, float]:
    """Return round ends that hold all.

    >>> _axis(0, 940), _axis(-35, 120)
    ((0, 1000), (-50, 150))
    """
    size = 1.0
    while size * TICKS * 10 <= most - least:
        size *= 10
    for step in (size * factor for factor in (1, 2, 2.5, 5, 10, 20)):
        low = step * (least // step)
        if low + TICKS * step >= most:
            return round(low), round(low + TICKS * step)
    return least, most
