"""Reads pads off a board for the router, and puts tracks, vias and poured copper on it."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pcbnew

from hardware.boards import rules
from hardware.boards.grid import NOBODY, Copper
from hardware.boards.placement import Placement
from hardware.boards.router import Task, Terminal, neighbours
from hardware.boards.shapes import around, at, corners, nm, point, via, zone_of

OUTER: Final = (pcbnew.F_Cu, pcbnew.B_Cu)


def tasks(board: Any, placement: Placement) -> list[Task]:
    """Return what has to be joined; for a net with a plane, a few neighbouring pads at a time."""
    ends: dict[str, list[Terminal]] = {}
    for pad in _pads(board):
        on = tuple(i for i, layer in enumerate(layers(placement)) if pad.IsOnLayer(layer))
        if pad.GetNetname() and on:
            ends.setdefault(pad.GetNetname(), []).append(Terminal(point(pad.GetPosition()), on))
    planes = {*placement.planes.values()}
    layer_of = {net: board.GetLayerID(layer) for layer, net in placement.pours.items()}
    found = list[Task]()
    for net, pads in sorted(ends.items()):
        width = placement.width_of(net)
        if net in planes:
            flat = [pad for pad in pads if len(pad.layers) == 1]  # a drilled one meets the plane
            found += [
                Task(f"{net} {i}", net, group, width, plane=True)
                for i, group in enumerate(neighbours(flat), 1)
            ]
        elif net in placement.poured:
            own = layers(placement).index(layer_of[net])
            far = [pad for pad in pads if own not in pad.layers]
            found += [
                Task(f"{net} {i}", net, group, width, plane=True)
                for i, group in enumerate(neighbours(far), 1)
            ]
        elif len(pads) > 1:
            found.append(Task(net, net, tuple(pads), width))
    return found


def _pads(board: Any) -> list[Any]:
    """Return all pads, in our own order: KiCad's is that of its own numbers."""
    return sorted(
        board.GetPads(),
        key=lambda pad: (
            pad.GetParentFootprint().GetReference(), pad.GetNumber(), point(pad.GetPosition())
        ),
    )  # fmt: skip


def layers(placement: Placement) -> tuple[int, ...]:
    """Return the layers that tracks run on: of four, all but the one below the top parts."""
    return (OUTER[0], pcbnew.In2_Cu, OUTER[1]) if placement.planes else OUTER


def fixed(board: Any, placement: Placement) -> list[Copper]:
    """Return the copper of all pads, and what no copper may touch."""
    found, every = list[Copper](), tuple(range(len(layers(placement))))
    for pad in _pads(board):
        net = pad.GetNetname() or NOBODY
        for i, layer in enumerate(layers(placement)):
            if pad.IsOnLayer(layer):
                shape = pad.GetEffectivePolygon(layer, pcbnew.ERROR_OUTSIDE)
                own = (pad.GetLocalClearance() or 0) / 1e6  # how much is wanted around it, if any
                gap = own if own > rules.CLEARANCE_MM else None
                found.append(Copper(net, (i,), corners(shape), gap=gap))
        if pad.HasHole():
            hole = pcbnew.SHAPE_POLY_SET()
            pad.TransformHoleToPolygon(hole, 0, 1000, pcbnew.ERROR_OUTSIDE)
            found.append(Copper(net, every, corners(hole), gap=rules.HOLE_MM))
    for net, where in placement.vias.items():
        found += [Copper(net, every, (middle,), rules.VIA_MM / 2) for middle in where]
    areas = [zone for foot in board.GetFootprints() for zone in foot.Zones()]
    for zone in [*areas, *board.Zones()]:
        if zone.GetIsRuleArea() and zone.GetDoNotAllowTracks():
            found.append(Copper(NOBODY, every, corners(zone.Outline()), gap=0.0))
    return found


def solder(board: Any, placement: Placement) -> Iterator[Copper]:
    """Return the pads that no via may pierce, because solder would run away."""
    for foot in board.GetFootprints():
        place = placement.places.get(foot.GetReference())
        free = place.inside if place else ()
        for pad in foot.Pads():
            if pad.GetNumber() not in free and not pad.HasHole():
                layer = next(layer for layer in OUTER if pad.IsOnLayer(layer))
                shape = pad.GetEffectivePolygon(layer, pcbnew.ERROR_OUTSIDE)
                yield Copper(NOBODY, (0,), corners(shape), gap=rules.VIA_TO_PAD_MM)


def lay(board: Any, placement: Placement, tracks: Iterable[Copper]) -> None:
    """Put tracks and vias on the board."""
    for piece in tracks:
        net = board.FindNet(piece.net)
        if len(piece.corners) == 1:
            via(board, net, piece.corners[0])
        else:
            track = pcbnew.PCB_TRACK(board)
            track.SetStart(at(piece.corners[0]))
            track.SetEnd(at(piece.corners[1]))
            track.SetWidth(nm(2 * piece.radius))
            track.SetLayer(layers(placement)[piece.layers[0]])
            track.SetNet(net)
            board.Add(track)


def pour(board: Any, placement: Placement) -> None:
    """Fill planes and pours."""
    for layer, net in {**placement.planes, **placement.pours}.items():
        zone = zone_of(board, around(placement.outline))
        zone.SetLayer(board.GetLayerID(layer))
        zone.SetNet(board.FindNet(net))
        zone.SetLocalClearance(nm(0.2))
        zone.SetMinThickness(nm(0.2))
        zone.SetThermalReliefGap(nm(0.2))
        zone.SetThermalReliefSpokeWidth(nm(placement.spoke))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)


def fill(board: Any) -> None:
    """Fill planes and pours."""
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
