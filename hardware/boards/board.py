"""Builds a board with KiCad's own Python: outline, parts in their places, texts, forbidden areas.

Needs the module `pcbnew`, which comes with KiCad 9.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zlib import crc32

import pcbnew

from hardware.boards import rules
from hardware.boards.circuit import Part
from hardware.boards.grid import Point
from hardware.boards.placement import FOLDER, Place, Placement
from hardware.boards.shapes import at, edge, nm, ring, via, zone_of

LIBRARY: Final = Path("/usr/share/kicad/footprints")
SEED: Final = 1


def build(placement: Placement, parts: Mapping[str, Part]) -> Any:
    """Return a board with its outline, parts and texts, not yet routed."""
    board = pcbnew.CreateEmptyBoard()
    board.SetCopperLayerCount(4 if placement.planes else 2)
    board.GetDesignSettings().SetBoardThickness(nm(placement.thickness))
    board.GetTitleBlock().SetTitle(placement.title)
    nets = {name: pcbnew.NETINFO_ITEM(board, name) for name in _names(parts)}
    for net in nets.values():
        board.Add(net)
    pcbnew.KIID.SeedGenerator(SEED)  # the same file every time, whatever was made before
    edge(board, placement.outline)
    for name, part in parts.items():
        _put(board, name, part, placement, nets)
    for net, where in placement.vias.items():
        for middle in where:
            via(board, nets[net], middle)
    for number, middle in enumerate(placement.holes, 1):
        _mark(board, placement.hole, f"H{number}", Place(middle))
    for number, place in enumerate(placement.fiducials, 1):
        _mark(board, placement.fiducial, f"FID{number}", place)
    pcbnew.KIID.SeedGenerator(SEED)
    for says in placement.texts:
        text = pcbnew.PCB_TEXT(board)
        text.SetText(says.says)
        text.SetLayer(pcbnew.B_SilkS if says.below else pcbnew.F_SilkS)
        text.SetMirrored(says.below)
        text.SetPosition(at(says.at))
        text.SetTextAngleDegrees(says.turn)
        text.SetTextSize(pcbnew.VECTOR2I(nm(says.size), nm(says.size)))
        text.SetTextThickness(nm(says.size * 0.15))
        board.Add(text)
    heads = [ring(hole, placement.hole_free) for hole in placement.holes if placement.hole_free]
    for area in (*placement.keep_out, *heads):
        zone = zone_of(board, area)
        zone.SetIsRuleArea(True)
        zone.SetLayerSet(pcbnew.LSET.AllCuMask())
        zone.SetDoNotAllowCopperPour(True)
        zone.SetDoNotAllowTracks(True)
        zone.SetDoNotAllowVias(True)
        zone.SetDoNotAllowPads(False)
        zone.SetDoNotAllowFootprints(False)
    return board


def _names(parts: Mapping[str, Part]) -> list[str]:
    return sorted({net for part in parts.values() for net in part.pads.values()})


def _mark(board: Any, footprint: str, name: str, place: Place) -> None:
    """Put a hole or a mark in its place; neither is bought."""
    foot = _foot(footprint, name)
    foot.Reference().SetVisible(False)
    foot.Value().SetVisible(False)
    none = pcbnew.FP_EXCLUDE_FROM_POS_FILES | pcbnew.FP_EXCLUDE_FROM_BOM
    foot.SetAttributes(none | pcbnew.FP_BOARD_ONLY)
    board.Add(foot)
    foot.SetPosition(at(place.at))
    if place.below:
        foot.Flip(at(place.at), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
    for pad in foot.Pads():
        if margin := pad.GetLocalSolderMaskMargin():  # no pour shows in the opening of the mask
            pad.SetLocalClearance(margin + nm(0.1))


def _put(board: Any, name: str, part: Part, placement: Placement, nets: Mapping[str, Any]) -> None:
    """Put one part in its place, and its pads on their nets."""
    place = placement.places[name]
    foot = _foot(part.footprint, name)
    foot.SetValue(part.value)
    foot.Value().SetVisible(False)  # the map of the parts would be unreadable
    board.Add(foot)
    foot.SetPosition(at(place.at))
    if place.below:
        foot.Flip(at(place.at), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
    foot.SetOrientationDegrees(place.turn)
    label = foot.Reference()
    label.SetVisible(place.label is not None)
    label.SetTextSize(pcbnew.VECTOR2I(nm(place.label_size), nm(place.label_size)))
    label.SetTextThickness(nm(place.label_size * 0.15))
    if place.label is not None:
        label.SetPosition(at((place.at[0] + place.label[0], place.at[1] + place.label[1])))
        label.SetTextAngleDegrees(0)
    unknown = set(part.pads) - {pad.GetNumber() for pad in foot.Pads()}
    if unknown:
        raise LookupError(f"{name}: {part.footprint} has no pad {', '.join(sorted(unknown))}")
    for pad in foot.Pads():
        if pad.GetNumber() in part.pads:
            pad.SetNet(nets[part.pads[pad.GetNumber()]])
    _leave_open(board, foot, part.free)


def _leave_open(board: Any, foot: Any, pins: Mapping[str, str]) -> None:
    """Give pads of pins that hang on nothing a net each, named as KiCad does; one if they touch."""
    open_: dict[tuple[int, int], list[Any]] = {}
    for pad in foot.Pads():
        if pad.GetNumber() in pins:
            open_.setdefault((pad.GetPosition().x, pad.GetPosition().y), []).append(pad)
    for pads in open_.values():
        number = min(pad.GetNumber() for pad in pads)
        name = f"unconnected-({foot.GetReference()}-{pins[number]}-Pad{number})"
        board.Add(net := pcbnew.NETINFO_ITEM(board, name))
        for pad in pads:
            pad.SetNet(net)


def pieces(board: Any, parts: Mapping[str, Part]) -> dict[str, dict[str, Point]]:
    """Return where each part that is bought piece by piece sits, as in KiCad's positions."""
    found: dict[str, dict[str, Point]] = {}
    for foot in board.GetFootprints():
        name = foot.GetReference()
        if name in parts and parts[name].apart:
            found[name] = {
                f"{name}_{pad.GetNumber()}": (pad.GetPosition().x / 1e6, -pad.GetPosition().y / 1e6)
                for pad in foot.Pads()
            }
    return found


def _foot(named: str, reference: str) -> Any:
    """Load a footprint, library:name, of our own or of KiCad's, and give it that name.

    KiCad reads a whole folder, and numbers all that it finds there: hence a folder with this one
    alone, so that a part has the same numbers whatever else lies in its library.
    """
    library, _, shape = named.partition(":")
    own = FOLDER / f"{library}.pretty"
    file = (own if own.is_dir() else LIBRARY / f"{library}.pretty") / f"{shape}.kicad_mod"
    if not file.exists():
        raise LookupError(f"there is no footprint {named}")
    with TemporaryDirectory(suffix=".pretty") as folder:
        shutil.copy(file, folder)
        pcbnew.KIID.SeedGenerator(crc32(reference.encode()))
        foot = pcbnew.FootprintLoad(folder, shape)
    foot.SetFPID(pcbnew.LIB_ID(library, shape))
    foot.SetReference(reference)
    return foot


def again(board: Any, path: Path, hole_mm: float) -> Any:
    """Write a board to a file and read it back, with the rules of the project beside it.

    KiCad 9 crashes when it fills a board that was never saved.
    """
    pcbnew.SaveBoard(str(path), board)
    path.with_suffix(".kicad_pro").write_text(
        rules.project(hole_mm), "utf-8"
    )  # KiCad has written its own
    return pcbnew.LoadBoard(str(path))
