"""Has KiCad's command line check a board, and write what a board house needs, without dates."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DATE: Final = re.compile(rb"20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d([+-]\d\d:?\d\d|Z)?")
NO_DATE: Final = b"2000-01-01T00:00:00+00:00"
INNER: Final = ("In1.Cu", "In2.Cu")
LAYERS: Final = ("F.Cu", "B.Cu", "F.Mask", "B.Mask", "F.Paste", "B.Paste")
PRINTED: Final = ("F.Silkscreen", "B.Silkscreen", "Edge.Cuts")
VIEWS: Final = {
    "top": ("--side", "top"),
    "bottom": ("--side", "bottom"),
    "tilted": ("--side", "top", "--rotate", "320,0,25", "--perspective"),
}


class Failed(Exception):
    """KiCad's command line did not do what it was told."""


def faults(board: Path) -> list[str]:
    """Return what KiCad's check finds wrong with a board, errors and warnings alike."""
    report = board.with_suffix(".drc.json")
    _kicad("drc", "--severity-all", "--format", "json", "-o", str(report), str(board))
    told = json.loads(report.read_text("utf-8"))
    report.unlink()
    return [
        f"{fault['severity']}: {fault['description']}: "
        + " and ".join(item["description"] for item in fault["items"])
        for fault in (*told["violations"], *told["unconnected_items"])
    ]


def export(board: Path, inner: bool) -> Iterator[str]:
    """Write gerbers, drill file, positions and STEP beside a board; tell of each."""
    folder, name = board.parent, board.stem
    gerbers = folder / "gerbers"
    gerbers.mkdir(exist_ok=True)
    layers = ",".join((*LAYERS, *(INNER if inner else ()), *PRINTED))
    _kicad("export", "gerbers", "-l", layers, "-o", f"{gerbers}/", str(board))
    _kicad(
        "export",
        "drill",
        "--excellon-separate-th",
        "--excellon-oval-format",
        "route",
        "-o",
        f"{gerbers}/",
        str(board),
    )
    yield f"gerbers/: {len(list(gerbers.iterdir()))} files"
    positions = folder / "positions.csv"
    _kicad("export", "pos", "--format", "csv", "--units", "mm", "-o", str(positions), str(board))
    yield positions.name
    step = folder / f"{name}.step"
    _kicad("export", "step", "--board-only", "--force", "-o", str(step), str(board))
    yield step.name
    board.with_suffix(".kicad_prl").unlink(missing_ok=True)  # where somebody looked last
    for file in (*gerbers.iterdir(), step):
        file.write_bytes(DATE.sub(NO_DATE, file.read_bytes()))


def draw(board: Path) -> Iterator[str]:
    """Draw a board from above, from below and tilted; tell of each."""
    for view, how in VIEWS.items():
        size = ("--width", "800", "--height", "800", "--background", "opaque")
        file = board.parent / f"{view}.png"
        _kicad("render", *how, *size, "-o", str(file), str(board))
        yield file.name


def _kicad(*words: str) -> None:
    done = subprocess.run(["kicad-cli", "pcb", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"kicad-cli pcb {' '.join(words)}: {done.stderr or done.stdout}")
