"""Reads the files of a board back that a board house gets: copper by net, holes, outline, pads.

Areas are those of manifold3d, in millimetres, with y upwards.

board = read(folder)
board.copper["F.Cu"]["GND"].area()     # of all that is soldered to ground above
board.pads[("U1", "3")]                # Counter({'3V3': 1}): the nets of that pad
"""

import math
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from gerbonara import ExcellonFile, GerberFile
from gerbonara.graphic_objects import Line as DrawnLine
from gerbonara.graphic_objects import Region
from gerbonara.graphic_primitives import Arc, Circle, Line
from gerbonara.utils import MM
from manifold3d import CrossSection, FillRule, JoinType, OpType

ARC_STEPS: Final = 72  # of a whole circle
NOWHERE: Final = "N/C"
SLACK_MM2: Final = 1e-4

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Hole:
    """A drilled hole."""

    at: Point
    diameter: float
    plated: bool


@dataclass(frozen=True, slots=True)
class Board:
    """What a folder of gerbers and drill files says."""

    copper: Mapping[str, Mapping[str, CrossSection]]  # by layer, from the top, then by net
    pads: Mapping[tuple[str, str], Counter[str]]  # by part and pad: its nets
    holes: tuple[Hole, ...]
    outline: CrossSection
    places: Mapping[tuple[str, str], tuple[Point, ...]] = field(default_factory=dict)  # of pads


def read(folder: Path) -> Board:
    """Return what the files in a folder say, whatever they are called."""
    copper: dict[int, dict[str, CrossSection]] = {}
    pads: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    places: defaultdict[tuple[str, str], set[Point]] = defaultdict(set)
    outline = CrossSection()
    for file in sorted(folder.glob("*.g*")):
        text = file.read_text("utf-8")
        if found := re.search(r"^%TF\.FileFunction,Copper,L(\d+)", text, re.MULTILINE):
            things = GerberFile.from_string(text).objects
            copper[int(found[1])] = _nets(things)
            for thing in things:
                if not isinstance(thing, Region) and ".P" in thing.attrs:
                    ref, pad, *_ = thing.attrs[".P"]
                    pads[ref, pad][_net(thing)] += 1
                    places[ref, pad].add((MM(thing.x, thing.unit), MM(thing.y, thing.unit)))
        elif re.search(r"^%TF\.FileFunction,Profile", text, re.MULTILINE):
            outline = _enclosed(GerberFile.from_string(text).objects)
    layers = {f"L{number}": copper[number] for number in sorted(copper)}
    where = {pad: tuple(sorted(points)) for pad, points in places.items()}
    return Board(layers, dict(pads), tuple(_holes(folder)), outline, where)


def overlapping(nets: Mapping[str, CrossSection]) -> float:
    """Return how much copper of one layer belongs to two nets at once, in mm²."""
    whole = sum((area.area() for area in nets.values()), 0.0)
    return float(max(whole - union(nets.values()).area(), 0.0))


def in_pieces(board: Board) -> dict[str, int]:
    """Return of every net with more than one piece of copper, joined by plated holes, how many."""
    nets = {net for nets in board.copper.values() for net in nets} - {NOWHERE}
    found = {net: len(islands(board, net)) for net in nets}
    return {net: count for net, count in found.items() if count > 1}


def islands(board: Board, net: str, width: float = 0.0) -> list[CrossSection]:
    """Return a net's copper in pieces that plated holes do not join, where it is so wide."""
    wide = [
        nets[net].offset(-width / 2).offset(width / 2) if width else nets[net]
        for nets in board.copper.values()
        if net in nets
    ]
    pieces = [piece for area in wide for piece in area.decompose()]
    groups = list(range(len(pieces)))
    for hole in board.holes:
        if hole.plated:
            round_ = CrossSection.circle(hole.diameter / 2 + 0.05, 12).translate(hole.at)
            here = [n for n, piece in enumerate(pieces) if _touch(piece, round_)]
            if here:
                old = {groups[n] for n in here}
                groups = [groups[here[0]] if group in old else group for group in groups]
    return [
        union(piece for piece, own in zip(pieces, groups, strict=True) if own == group)
        for group in sorted(set(groups))
    ]


def union(areas: Iterable[CrossSection]) -> CrossSection:
    """Return all areas as one."""
    return CrossSection.batch_boolean([CrossSection(), *areas], OpType.Add)


def _nets(things: Iterable[Any]) -> dict[str, CrossSection]:
    """Return the copper of each net; what is drawn clear would take some away, and is refused.

    Of a poured area gerbonara does not keep the net: it belongs to whatever net it touches.
    """
    contours: defaultdict[str, list[CrossSection]] = defaultdict(list)
    poured: list[CrossSection] = []
    for thing in things:
        assert thing.polarity_dark, "clear copper"
        if isinstance(thing, Region):
            poured += _areas(thing)
        else:
            contours[_net(thing)] += _areas(thing)
    nets = {net: union(areas) for net, areas in contours.items()}
    for piece in union(poured).decompose():
        for net in [net for net, area in nets.items() if _touch(piece, area)] or [NOWHERE]:
            contours[net].append(piece)
    return {net: union(areas) for net, areas in contours.items()}


def _net(thing: Any) -> str:
    (net,) = thing.attrs.get(".N", (NOWHERE,))
    free = not net or net.startswith("unconnected-")  # so KiCad names what hangs on nothing
    return NOWHERE if free else str(net)


def _areas(thing: Any) -> Iterator[CrossSection]:
    """Yield the areas of what is drawn, its rounded ends and arcs made here."""
    for primitive in thing.to_primitives(unit=MM):
        match primitive:
            case Line(x1, y1, x2, y2, width):
                yield _stroke([(x1, y1), (x2, y2)], width)
            case Arc():
                yield _stroke(list(_points(primitive)), primitive.width)
            case Circle(x, y, r):
                yield CrossSection.circle(r, ARC_STEPS).translate((x, y))
            case _:
                outline = primitive.to_arc_poly()
                assert not any(outline.arc_centers), "a shape with an arc"
                yield CrossSection([outline.outline], FillRule.NonZero)


def _stroke(points: list[Point], width: float) -> CrossSection:
    """Return what a round pen draws from point to point."""
    dot = CrossSection.circle(width / 2, ARC_STEPS)
    dots = [dot.translate(point) for point in points]
    return union(CrossSection.batch_hull(pair) for pair in pairwise(dots))


def _points(arc: Any) -> Iterator[Point]:
    """Yield points of an arc from its start to its end."""
    begin = math.atan2(arc.y1 - arc.cy, arc.x1 - arc.cx)
    turn = (math.atan2(arc.y2 - arc.cy, arc.x2 - arc.cx) - begin) % math.tau or math.tau
    turn -= math.tau if arc.clockwise and turn < math.tau else 0.0
    radius = math.dist((arc.x1, arc.y1), (arc.cx, arc.cy))
    for step in range(ARC_STEPS + 1):
        angle = begin + turn * step / ARC_STEPS
        yield arc.cx + radius * math.cos(angle), arc.cy + radius * math.sin(angle)


def _enclosed(things: Iterable[Any]) -> CrossSection:
    """Return what the lines of an outline enclose, up to their middle."""
    things = list(things)
    drawn = union(area for thing in things for area in _areas(thing))
    filled = union(CrossSection([line], FillRule.Positive) for line in drawn.to_polygons())
    width = min((thing.aperture.equivalent_width(MM) for thing in things), default=0.0)
    return filled.offset(-width / 2, JoinType.Round, circular_segments=ARC_STEPS)


def _holes(folder: Path) -> Iterator[Hole]:
    for file in sorted(folder.glob("*.drl")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # KiCad says G90 after the header
            drilled = ExcellonFile.open(str(file))
        for thing in drilled.objects:
            x, y = _middle(thing)
            at = MM(x, thing.unit), MM(y, thing.unit)
            diameter = MM(thing.tool.diameter, thing.tool.unit)
            yield Hole(at, diameter, "NPTH" not in file.name and thing.tool.plated is not False)


def _middle(drilled: Any) -> Point:
    """Return the middle of a hole, or of a slot."""
    if isinstance(drilled, DrawnLine):
        return (drilled.x1 + drilled.x2) / 2, (drilled.y1 + drilled.y2) / 2
    return drilled.x, drilled.y


def _touch(one: CrossSection, other: CrossSection) -> bool:
    return bool((one ^ other).area() > SLACK_MM2)
