"""Turns points in millimetres into KiCad's, and outlines into what KiCad draws."""

from collections.abc import Iterable
from math import cos, pi, sin
from typing import Any, Final

import pcbnew

from hardware.boards import rules
from hardware.boards.grid import Outline, Point

MIDDLE: Final = (100.0, 100.0)  # where (0, 0) of a placement is on KiCad's sheet


def zone_of(board: Any, corners: Iterable[Point]) -> Any:
    """Put a zone with these corners on the board."""
    zone = pcbnew.ZONE(board)
    zone.Outline().NewOutline()
    for corner in corners:
        zone.Outline().Append(at(corner))
    board.Add(zone)
    return zone


def via(board: Any, net: Any, middle: Point) -> None:
    """Put a via on the board."""
    hole = pcbnew.PCB_VIA(board)
    hole.SetPosition(at(middle))
    hole.SetWidth(pcbnew.F_Cu, nm(rules.VIA_MM))  # the same on all layers
    hole.SetDrill(nm(rules.DRILL_MM))
    hole.SetNet(net)
    board.Add(hole)


def corners(shape: Any) -> tuple[Point, ...]:
    """Return the corners of one of KiCad's polygons."""
    outline = shape.Outline(0)
    return tuple(point(outline.CPoint(i)) for i in range(outline.PointCount()))


def nm(mm: float) -> int:
    """Return a length in KiCad's units."""
    return round(mm * 1_000_000)


def at(point: Point) -> Any:
    """Return where a point is on KiCad's sheet."""
    return pcbnew.VECTOR2I(nm(MIDDLE[0] + point[0]), nm(MIDDLE[1] + point[1]))


def point(at: Any) -> Point:
    """Return the point at a place on the sheet."""
    return at.x / 1_000_000 - MIDDLE[0], at.y / 1_000_000 - MIDDLE[1]


def around(outline: Outline) -> list[Point]:
    """Return the corners of an outline, round ones in steps of five degrees."""
    x, y = outline.width / 2 - outline.corner, outline.height / 2 - outline.corner
    middles = ((x, y, 0), (-x, y, 90), (-x, -y, 180), (x, -y, 270))
    return [
        (a + outline.corner * cos(turn * pi / 180), b + outline.corner * sin(turn * pi / 180))
        for a, b, start in middles
        for turn in range(start, start + 91, 5)
    ]


def ring(middle: Point, radius: float) -> list[Point]:
    """Return the corners of something close to a circle."""
    turns = [turn * pi / 12 for turn in range(24)]
    return [(middle[0] + radius * cos(turn), middle[1] + radius * sin(turn)) for turn in turns]


def edge(board: Any, outline: Outline) -> None:
    """Draw the outline: a circle, or straight lines with steps for the round corners."""
    if outline.corner * 2 >= max(outline.width, outline.height):
        shape = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_CIRCLE)
        shape.SetCenter(at((0, 0)))
        shape.SetEnd(at((outline.width / 2, 0)))
        _draw(board, shape)
        return
    corners = around(outline)
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        if a != b:
            shape = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_SEGMENT)
            shape.SetStart(at(a))
            shape.SetEnd(at(b))
            _draw(board, shape)


def _draw(board: Any, shape: Any) -> None:
    shape.SetLayer(pcbnew.Edge_Cuts)
    shape.SetWidth(nm(0.1))
    board.Add(shape)
