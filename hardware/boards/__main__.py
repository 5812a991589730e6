"""Makes boards: python3 -m hardware.boards stopper"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from hardware.boards import circuit, files, placement, rules, sheet_file
from hardware.boards.grid import Gaps, Grid, Probe
from hardware.boards.placement import FOLDER, Placement
from hardware.boards.router import Router

try:
    from hardware.boards import board, copper
except ImportError:
    sys.exit("This needs KiCad 9 and its Python: sudo apt-get install kicad")


def make(name: str, into: Path) -> Iterator[str]:
    """Make one board, and say how far it has come."""
    placed = placement.read(name)
    parts = circuit.read(placed.circuit)
    into.mkdir(parents=True, exist_ok=True)
    file = into / f"{name}.kicad_pcb"
    made = board.again(board.build(placed, parts), file, placed.hole_gap)
    yield f"{len(parts)} parts placed"
    yield from join(made, placed)
    copper.pour(made, placed)
    made = board.again(made, file, placed.hole_gap)
    copper.fill(made)
    board.again(made, file, placed.hole_gap)
    yield "copper poured"
    sheet = file.with_suffix(".kicad_sch")
    sheet.write_text(sheet_file.text(name), "utf-8")
    yield sheet.name
    wrong = files.faults(file)
    yield from wrong
    if wrong:
        raise files.Failed(f"{len(wrong)} faults in {name}")
    yield "no faults, nothing unconnected"
    yield from files.export(file, bool(placed.planes), board.pieces(made, parts))
    yield from files.draw(file)
    yield from files.print_out(sheet)


def join(made: Any, placed: Placement) -> Iterator[str]:
    """Route a board's nets and lay their tracks."""
    layers = copper.layers(placed)
    grid = Grid(
        placed.outline,
        len(layers),
        placed.pitch,
        Gaps(rules.CLEARANCE_MM, rules.EDGE_MM, rules.DRILL_MM + rules.HOLE_MM),
    )
    tasks = copper.tasks(made, placed)
    fixed = copper.fixed(made, placed)
    for width in sorted({task.width for task in tasks}):
        grid.allow(Probe(width / 2), fixed)
    via = Probe(rules.VIA_MM / 2, through=True)
    grid.allow(via, [*fixed, *copper.solder(made, placed)])
    for where in placed.vias.values():
        grid.drill(where)
    yield f"{len(tasks)} connections to make"
    router = Router(grid, via, placed.prices)
    yield from router.route(tasks)
    for task in tasks:
        if task.key in router.routes:
            copper.lay(made, placed, router.copper(task))


def main() -> None:
    """Make the boards named on the command line."""
    parser = argparse.ArgumentParser(prog="hardware.boards", description="Make boards.")
    parser.add_argument("boards", nargs="*", help="names of boards; none: all")
    parser.add_argument("--into", type=Path, help="another folder than hardware/boards")
    told = parser.parse_args()
    start = monotonic()
    for name in told.boards or sorted(file.stem for file in FOLDER.glob("*.toml")):
        try:
            for done in make(name, (told.into or FOLDER) / name):
                print(f"{monotonic() - start:6.1f} s  {name}: {done}", flush=True)
        except files.Failed as failed:
            sys.exit(str(failed))


main()
