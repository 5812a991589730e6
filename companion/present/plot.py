"""Plots as SVG, as wide as a phone, in light or dark as its reader's screen is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

WIDE, LEFT, RIGHT, TOP, BOTTOM, LEGEND = 420, 54, 14, 58, 46, 24
STYLE = """<style>
svg { font: 13px sans-serif }
text { fill: #333 } .card { fill: #fff } .field { fill: #f5f5f2 } .grid { stroke: #d4d4d0 }
.small { font-size: 11.5px } .pale { fill: #666 } .on { fill: #fff }
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
Point = tuple[float, float]


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


def percent(share: float) -> str:
    """Return a share as people read it.

    >>> percent(0.5)
    '50 %'
    """
    return f"{share * 100:g} %"


@dataclass(slots=True)
class Plot:
    """A field between two axes, to draw into; `svg` is the drawing."""

    title: str
    x: Axis
    y: Axis
    high: int = 210
    _parts: list[str] = field(default_factory=list)
    _names: list[tuple[str, str]] = field(default_factory=list)

    def at(self, x: float, y: float) -> Point:
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

    def line(self, points: Sequence[Point], look: str) -> None:
        """Draw a line through points."""
        path = " ".join("{:.1f},{:.1f}".format(*self.at(*point)) for point in points)
        self._parts.append(f'<polyline class="line {look}" points="{path}"/>')

    def dot(self, point: Point, look: str, reach: Point | None = None) -> None:
        """Draw a point, and from where to where it may truly lie."""
        x, y = self.at(*point)
        if reach is not None:
            ends = [self.at(point[0], value)[1] for value in reach]
            self._parts.append(
                f'<line class="reach {look}" x1="{x:.1f}" x2="{x:.1f}"'
                f' y1="{ends[0]:.1f}" y2="{ends[1]:.1f}"/>'
            )
        self._parts.append(f'<circle class="fill {look}" cx="{x:.1f}" cy="{y:.1f}" r="3.6"/>')

    def bar(self, x: Point, y: Point, look: str) -> None:
        """Fill what lies between two values on either axis."""
        left, low = self.at(x[0], y[0])
        right, up = self.at(x[1], y[1])
        self._parts.append(
            f'<rect class="fill {look}" x="{left:.1f}" y="{up:.1f}"'
            f' width="{right - left:.1f}" height="{low - up:.1f}"/>'
        )

    def shade(self, x: Point, y: Point, depth: float) -> None:
        """Fill a cell more or less."""
        left, low = self.at(x[0], y[0])
        right, up = self.at(x[1], y[1])
        self._parts.append(
            f'<rect class="fill a" fill-opacity="{depth:.3f}" x="{left:.1f}" y="{up:.1f}"'
            f' width="{right - left - 1:.1f}" height="{low - up - 1:.1f}"/>'
        )

    def words(
        self, at: Point, words: str, look: str = "", *, down: float = 4, beside: bool = False
    ) -> None:
        """Write something at a point or beside it, "on" a filled one in another ink."""
        x, y = self.at(*at)
        anchor = "start" if beside else "middle"
        self._parts.append(_text(x + 6 * beside, y + down, words, anchor, f"small {look}"))

    def level(self, y: float, words: str) -> None:
        """Draw a dashed line at a height that should be reached."""
        left, right = self.at(self.x.least, y), self.at(self.x.most, y)
        path = "{:.1f},{:.1f} {:.1f},{:.1f}".format(*left, *right)
        self._parts.append(f'<polyline class="line d dash" points="{path}"/>')
        self._parts.append(_text(right[0] - 3, right[1] - 4, words, "end", "small pale"))

    @property
    def tall(self) -> int:
        """Return how tall the drawing is, with what stands around its field."""
        return TOP + self.high + BOTTOM - (0 if self._names else LEGEND)

    def svg(self) -> str:
        """Return the drawing."""
        above = 0 if self._names else LEGEND
        height = self.tall
        box = f"0 {above} {WIDE} {height}"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"'
        parts = [
            f'{head} role="img" aria-label="{escape(self.title)}">',
            STYLE,
            f'<rect class="card" y="{above}" width="{WIDE}" height="{height}" rx="6"/>',
            _text(12, above + 22, self.title, "start", "", bold=True),
            *self._legend(),
            *self._axes(),
            *self._parts,
        ]
        return "\n".join([*parts, "</svg>", ""])

    def _legend(self) -> list[str]:
        parts, x = [], 12.0
        for look, words in self._names:
            parts.append(f'<rect class="fill {look}" x="{x:.0f}" y="34" width="14" height="9"/>')
            parts.append(_text(x + 19, 43, words, "start", "small"))
            x += 32 + 6.3 * len(words)
        return parts

    def _axes(self) -> list[str]:
        (left, low), (right, up) = (
            self.at(self.x.least, self.y.least),
            self.at(self.x.most, self.y.most),
        )
        size = f'width="{right - left:.1f}" height="{low - up:.1f}"'
        parts = [f'<rect class="field" x="{left:.1f}" y="{up:.1f}" {size}/>']
        for tick in self.y.ticks:
            y = self.at(self.x.least, tick)[1]
            line = (
                f'<line class="grid" x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
            )
            parts += [line, _text(left - 5, y + 4, self.y.shown(tick), "end", "small")]
        for tick in self.x.ticks:
            x = self.at(tick, self.y.least)[0]
            line = (
                f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{low + 4:.1f}"/>'
            )
            parts += [line, _text(x, low + 17, self.x.shown(tick), "middle", "small")]
        parts.append(_text((left + right) / 2, low + 36, self.x.name, "middle", "small pale"))
        parts.append(
            f'<text class="small pale" text-anchor="middle"'
            f' transform="translate(13 {(low + up) / 2:.0f}) rotate(-90)">'
            f"{escape(self.y.name)}</text>"
        )
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


def _text(  # noqa: PLR0913 - all that a text has
    x: float, y: float, words: str, anchor: str, look: str, *, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text class="{look}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>'
        f"{escape(words)}</text>"
    )
