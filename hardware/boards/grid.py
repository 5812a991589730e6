"""Knows for each point of a grid whose copper is too near for a track or a via there.

Copper is a polygon on some layers with a radius around it. Each *probe* is something that may be
put on a point: a track of some width, or a via. A net's own copper is lifted before the net is
routed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil, floor, hypot
from typing import Final

Point = tuple[float, float]
NOBODY: Final = "-"  # the net of whatever no net may touch
CORNER_MM: Final = 0.01  # a diagonal step comes this much nearer than its two ends


@dataclass(frozen=True, slots=True)
class Outline:
    """A rectangle with round corners around (0, 0); a circle if the corners are round enough."""

    width: float
    height: float
    corner: float

    def inside(self, at: Point) -> float:
        """Return how far a point lies inside the edge; negative outside.

        >>> Outline(20, 20, 10).inside((0, 6)), Outline(20, 10, 1).inside((-9, 0))
        (4.0, 1.0)
        """
        x = abs(at[0]) - self.width / 2 + self.corner
        y = abs(at[1]) - self.height / 2 + self.corner
        return self.corner - hypot(max(x, 0), max(y, 0)) - min(max(x, y), 0)


@dataclass(frozen=True, slots=True)
class Copper:
    """One piece of copper, or of forbidden ground."""

    net: str
    layers: tuple[int, ...]
    corners: tuple[Point, ...]
    radius: float = 0.0
    gap: float | None = None  # a clearance other than the usual one

    def distance(self, at: Point) -> float:
        """Return how far a point is from it; 0 inside."""
        if len(self.corners) > 2 and _within(at, self.corners):
            return 0.0
        ends = (*self.corners[1:], self.corners[0])
        near = min(_off(at, a, b) for a, b in zip(self.corners, ends, strict=True))
        return max(0.0, near - self.radius)


@dataclass(frozen=True, slots=True)
class Probe:
    """What may be put on a point: half its width, and whether it goes through all layers."""

    half: float
    through: bool = False


@dataclass(frozen=True, slots=True)
class Gaps:
    """How far copper stays from other copper and from the edge; and holes, middle to middle."""

    clearance: float
    edge: float
    spacing: float


@dataclass(slots=True)
class Ledger:
    """How many claim each node for one probe: fixed copper by its net, tracks by their route."""

    hard: bytearray
    soft: bytearray
    fixed: dict[str, set[int]] = field(default_factory=dict)
    tracks: dict[str, set[int]] = field(default_factory=dict)


class Grid:
    """The points of one board, layer after layer."""

    def __init__(self, outline: Outline, layers: int, pitch: float, gaps: Gaps) -> None:
        self.outline, self.layers, self.pitch = outline, layers, pitch
        self.gaps = gaps
        self.columns = 2 * floor(outline.width / 2 / pitch) + 1
        self.rows = 2 * floor(outline.height / 2 / pitch) + 1
        self.cells = self.columns * self.rows
        self.ledgers: dict[Probe, Ledger] = {}
        self.drilled = bytearray(self.cells)  # where a hole would be too near another
        self.nets: dict[str, str] = {}  # of each route
        self.holes: dict[str, set[int]] = {}

    def cell(self, at: Point) -> int:
        """Return the cell nearest to a point."""
        column = round(at[0] / self.pitch) + self.columns // 2
        return (round(at[1] / self.pitch) + self.rows // 2) * self.columns + column

    def point(self, cell: int) -> Point:
        """Return where a cell is."""
        row, column = divmod(cell, self.columns)
        x, y = (column - self.columns // 2), (row - self.rows // 2)
        return round(x * self.pitch, 3), round(y * self.pitch, 3)

    def allow(self, probe: Probe, fixed: Iterable[Copper]) -> None:
        """Prepare for a probe, with all copper that never moves."""
        size = self.cells * (1 if probe.through else self.layers)
        ledger = self.ledgers[probe] = Ledger(bytearray(size), bytearray(size))
        need = self.gaps.edge + probe.half
        shut = [c for c in range(self.cells) if self.outline.inside(self.point(c)) < need]
        for start in range(0, size, self.cells):
            for cell in shut:
                ledger.hard[start + cell] = 1
        for copper in fixed:
            gap = self.gaps.clearance if copper.gap is None else copper.gap
            ledger.fixed.setdefault(copper.net, set()).update(self._claim(copper, probe, gap))
        for nodes in ledger.fixed.values():
            for node in nodes:
                ledger.hard[node] += 1

    def lift(self, net: str) -> None:
        """Take a net's own copper out of everybody's way, before it is routed."""
        self._add(net, -1)

    def lower(self, net: str) -> None:
        """Put it back."""
        self._add(net, 1)

    def lay(self, route: str, net: str, copper: Iterable[Copper]) -> None:
        """Note the tracks of a route whose net is lifted; none: it has lost them."""
        laid = list(copper)
        self.nets[route] = net
        for probe, ledger in self.ledgers.items():
            ledger.tracks[route] = {
                node for piece in laid for node in self._claim(piece, probe, self.gaps.clearance)
            }
        for cell in self.holes.get(route, ()):
            self.drilled[cell] -= 1
        self.holes[route] = {
            cell
            for piece in laid
            if len(piece.corners) == 1
            for cell in self.around(piece.corners[0])
        }
        for cell in self.holes[route]:
            self.drilled[cell] += 1

    def drill(self, holes: Iterable[Point]) -> None:
        """Let no via come too near these holes, whatever its net."""
        for hole in holes:
            for cell in self.around(hole):
                self.drilled[cell] += 1

    def around(self, hole: Point) -> Iterator[int]:
        """Return every cell where another hole would be too near one."""
        piece = Copper(NOBODY, (0,), (hole,))
        return self._claim(piece, Probe(0, through=True), self.gaps.spacing)

    def owners(self, probe: Probe, node: int, net: str) -> set[str]:
        """Return which routes of other nets claim a node."""
        tracks = self.ledgers[probe].tracks
        return {key for key, nodes in tracks.items() if node in nodes and self.nets[key] != net}

    def _add(self, net: str, count: int) -> None:
        routes = [route for route, own in self.nets.items() if own == net]
        for ledger in self.ledgers.values():
            for node in ledger.fixed.get(net, ()):
                ledger.hard[node] += count
            for route in routes:
                for node in ledger.tracks[route]:
                    ledger.soft[node] += count

    def _claim(self, copper: Copper, probe: Probe, gap: float) -> Iterator[int]:
        """Return every node where a probe would be nearer to a piece of copper than allowed."""
        reach = gap + probe.half + CORNER_MM
        border = reach + copper.radius
        xs, ys = [x for x, _ in copper.corners], [y for _, y in copper.corners]
        half_columns, half_rows = self.columns // 2, self.rows // 2
        left = max(ceil((min(xs) - border) / self.pitch), -half_columns)
        right = min(floor((max(xs) + border) / self.pitch), half_columns)
        top = max(ceil((min(ys) - border) / self.pitch), -half_rows)
        bottom = min(floor((max(ys) + border) / self.pitch), half_rows)
        starts = [0] if probe.through else [layer * self.cells for layer in copper.layers]
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                if copper.distance((column * self.pitch, row * self.pitch)) < reach:
                    cell = (row + half_rows) * self.columns + column + half_columns
                    for start in starts:
                        yield start + cell


def _within(at: Point, corners: tuple[Point, ...]) -> bool:
    x, y = at
    inside = False
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def _off(at: Point, a: Point, b: Point) -> float:
    """Return how far a point is from a line between two ends."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    part = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length if length else 0.0
    part = min(1.0, max(0.0, part))
    return hypot(at[0] - a[0] - part * dx, at[1] - a[1] - part * dy)
