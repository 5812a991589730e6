"""Lets KiCad's command line check a board and write what a board house needs, without dates."""

import csv
import io
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hardware.boards.grid import Point

DATE: Final = re.compile(rb"20\d\d[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d([+-]\d\d:?\d\d|Z)?")
PDF_DATE: Final = re.compile(rb"D:20\d{12}")
DIGITS: Final = re.compile(r"-?\d+\.\d{4,}")
# A piece that begins where another ended.
GOES_ON: Final = re.compile(r"(?<=[ML])([-\d.]+ [-\d.]+)M\1(?=L)")
NO_DATE: Final = b"2000-01-01T00:00:00+00:00"
INNER: Final = ("In1.Cu", "In2.Cu")
LAYERS: Final = ("F.Cu", "B.Cu", "F.Mask", "B.Mask", "F.Paste", "B.Paste")
PRINTED: Final = ("F.Silkscreen", "B.Silkscreen", "Edge.Cuts")
VIEWS: Final = {
    "top": ("--side", "top"),
    "bottom": ("--side", "bottom"),
    "tilted": ("--side", "top", "--rotate", "320,0,25", "--perspective"),
}
MAPS: Final = {  # where which part sits
    "top": ("-l", "F.Fab,Edge.Cuts"),
    "bottom": ("-l", "B.Fab,Edge.Cuts", "--mirror"),
}
POSITIONS: Final = "positions.csv"
ASSEMBLY: Final = "assembly-positions.csv"
Pieces = Mapping[str, Point]  # where each sits, by its name


class Failed(Exception):
    """KiCad's command line did not do what it was told."""


def faults(board: Path) -> list[str]:
    """Return what KiCad finds wrong with a board, its schematic, and between both; warnings too."""
    sheet = board.with_suffix(".kicad_sch")
    drawn = _report("sch", "erc", sheet)
    made = _report("pcb", "drc", board, "--schematic-parity")
    wrong = [
        *(fault for page in drawn["sheets"] for fault in page["violations"]),
        *made["violations"],
        *made["unconnected_items"],
        *made["schematic_parity"],
    ]
    return [
        f"{fault['severity']}: {fault['description']}: "
        + " and ".join(item["description"] for item in fault["items"])
        for fault in wrong
    ]


def _report(what: str, check: str, file: Path, *more: str) -> Any:
    report = file.with_suffix(f".{check}.json")
    _kicad(what, check, "--severity-all", "--format", "json", *more, "-o", str(report), str(file))
    told = json.loads(report.read_text("utf-8"))
    report.unlink()
    return told


def export(board: Path, inner: bool, pieces: Mapping[str, Pieces]) -> Iterator[str]:
    """Write gerbers, drill file, positions and STEP beside a board; report each."""
    folder, name = board.parent, board.stem
    gerbers = folder / "gerbers"
    gerbers.mkdir(exist_ok=True)
    layers = ",".join((*LAYERS, *(INNER if inner else ()), *PRINTED))
    _kicad("pcb", "export", "gerbers", "-l", layers, "-o", f"{gerbers}/", str(board))
    _kicad(
        "pcb",
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
    positions = folder / POSITIONS
    _kicad(
        "pcb", "export", "pos", "--format", "csv", "--units", "mm", "-o", str(positions), str(board)
    )
    yield positions.name
    assembly = folder / ASSEMBLY
    assembly.write_text(assembled(positions.read_text("utf-8"), pieces), "utf-8")
    yield assembly.name
    step = folder / f"{name}.step"
    _kicad("pcb", "export", "step", "--board-only", "--force", "-o", str(step), str(board))
    yield step.name
    board.with_suffix(".kicad_prl").unlink(missing_ok=True)  # which part of it somebody viewed last
    for file in (*gerbers.iterdir(), step):
        file.write_bytes(DATE.sub(NO_DATE, file.read_bytes()))


def assembled(positions: str, pieces: Mapping[str, Pieces]) -> str:
    r"""Return KiCad's positions with the headings that assembly houses read, each piece by itself.

    >>> print(assembled('Ref,PosX,PosY,Rot,Side\n"R1",1.5,-2.0,90.0,top\n', {}), end="")
    Designator,Mid X,Mid Y,Layer,Rotation
    R1,1.5,-2.0,Top,90.0
    """
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow(("Designator", "Mid X", "Mid Y", "Layer", "Rotation"))
    for row in csv.DictReader(io.StringIO(positions)):
        whole = {row["Ref"]: (float(row["PosX"]), float(row["PosY"]))}
        for name, (x, y) in pieces.get(row["Ref"], whole).items():
            out.writerow((name, x, y, row["Side"].capitalize(), float(row["Rot"])))
    return file.getvalue()


def print_out(sheet: Path) -> Iterator[str]:
    """Write a schematic as PDF and SVG; report each."""
    page = sheet.with_suffix(".svg")
    _kicad("sch", "export", "svg", "--no-background-color", "-o", str(sheet.parent), str(sheet))
    page.write_text(smaller(DATE.sub(NO_DATE, page.read_bytes()).decode()), "utf-8")
    yield page.name
    paper = sheet.with_suffix(".pdf")
    _kicad("sch", "export", "pdf", "-o", str(paper), str(sheet))
    paper.write_bytes(PDF_DATE.sub(b"D:20000101000000", paper.read_bytes()))
    yield paper.name


def smaller(svg: str) -> str:
    r"""Return an SVG with one path for each line that KiCad drew in pieces, and shorter numbers.

    >>> smaller('<path d="M1 2.1234\nL3.0000 4.0000\n" />\n<path d="M3.0000 4.0000\nL5 6\n" />')
    '<path d="M1 2.12L3 4L5 6" />'
    """
    svg = DIGITS.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), svg)
    svg = svg.replace("\nL", "L").replace('\n" />', '" />')
    svg = svg.replace('" />\n<path d="M', "M")
    return GOES_ON.sub(r"\1", svg)


def draw(board: Path) -> Iterator[str]:
    """Draw a board from above, from below and tilted; report each."""
    for view, how in VIEWS.items():
        size = ("--width", "800", "--height", "800", "--background", "opaque")
        file = board.parent / f"{view}.png"
        _kicad("pcb", "render", *how, *size, "-o", str(file), str(board))
        yield file.name
    rows = csv.DictReader(io.StringIO((board.parent / POSITIONS).read_text("utf-8")))
    for side in sorted({row["Side"] for row in rows}):
        file = board.parent / f"parts-{side}.svg"
        sheet = ("--mode-single", "--page-size-mode", "2", "--exclude-drawing-sheet")
        _kicad(
            "pcb",
            "export",
            "svg",
            *MAPS[side],
            *sheet,
            "--black-and-white",
            "-o",
            str(file),
            str(board),
        )
        file.write_bytes(DATE.sub(NO_DATE, file.read_bytes()))
        yield file.name


def _kicad(*words: str) -> None:
    done = subprocess.run(["kicad-cli", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"kicad-cli {' '.join(words)}: {done.stderr or done.stdout}")
