"""The boards that lie in hardware/boards are those of their placements, and can be made again."""

import csv
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from math import dist
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytest.importorskip("PIL", reason="pillow is not installed")

from PIL import Image, ImageChops

from examples.readme.lines import ROOT, of
from hardware.boards import circuit, placement, rules
from hardware.boards.grid import Copper, Gaps, Grid, Outline, Probe
from hardware.boards.router import Router, Task, Terminal
from hardware.tests import plan

BOARDS = sorted(file.stem for file in placement.FOLDER.glob("*.toml"))
PYTHON = "/usr/bin/python3"  # KiCad's module is of the system's Python
PLAN = plan.load()
SHADES = 16  # of 255, by which KiCad draws a few shades of a picture by chance


@pytest.mark.parametrize("board", BOARDS)
def test_positions_are_those_of_the_placement(board: str) -> None:
    placed = placement.read(board)
    with (placement.FOLDER / board / "positions.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["Ref"]: row for row in csv.DictReader(file)}
    assert rows.keys() <= placed.places.keys()
    assert rows
    for name, row in rows.items():
        place = placed.places[name]
        assert (row["Side"] == "bottom") == place.below
        at = float(row["PosX"]) - 100, -float(row["PosY"]) - 100
        assert dist(at, place.at) < 0.01, name


@pytest.mark.parametrize("board", BOARDS)
def test_board_files_carry_no_date(board: str) -> None:
    folder = placement.FOLDER / board
    for file in (*folder.glob("gerbers/*"), *folder.glob("*.step"), *folder.glob("*.svg")):
        dates = set(re.findall(r"20\d\d[-/]\d\d[-/]\d\d", file.read_text("utf-8")))
        assert dates <= {"2000-01-01"}, file.name


def test_no_copper_lies_below_the_antenna() -> None:
    placed = placement.read("stopper")
    text = (placement.FOLDER / "stopper/stopper.kicad_pcb").read_text("utf-8")
    ((_, top), (_, _), (_, low), (_, _)) = placed.keep_out[0]
    fill = re.findall(r"\(filled_polygon(.*?)^\t\t\)$", text, re.MULTILINE | re.DOTALL)
    corners = [corner for one in fill for corner in re.findall(r"\(xy ([\d.]+) ([\d.]+)\)", one)]
    tracks = re.findall(r"\((?:segment|via)\n\t\t\((?:start|at) [\d.]+ ([\d.]+)\)", text)
    assert tracks
    assert corners
    for y in (*tracks, *(y for _, y in corners)):
        assert not top < float(y) - 100 < low


def net(name: str, *ends: tuple[float, float]) -> Task:
    return Task(name, name, tuple(Terminal(end, (0,)) for end in ends), 0.2)


def routed(*tasks: Task, fixed: tuple[Copper, ...] = ()) -> tuple[Router, list[str]]:
    grid = Grid(Outline(10, 10, 1), 2, 0.1, Gaps(0.15, 0.3, 0.5))
    pads = [
        Copper(task.net, end.layers, (end.at,), 0.2) for task in tasks for end in task.terminals
    ]
    grid.allow(Probe(0.1), [*pads, *fixed])
    grid.allow(via := Probe(0.3, through=True), [*pads, *fixed])
    router = Router(grid, via, (1, 1))
    return router, list(router.route(tasks))


def spaces(router: Router, tasks: tuple[Task, ...]) -> Iterator[float]:
    """Yield how far tracks of different nets are apart on the same layer."""
    laid = [(task.net, piece) for task in tasks for piece in router.copper(task)]
    for name, a in laid:
        for other, b in laid:
            if name < other and set(a.layers) & set(b.layers):
                steps = [i / 50 for i in range(51)]
                (x, y), (p, q) = a.corners[0], a.corners[-1]
                yield min(b.distance((x + (p - x) * s, y + (q - y) * s)) for s in steps) - a.radius


def test_tracks_that_cross_take_two_layers_and_keep_their_distance() -> None:
    tasks = (net("A", (-4, 0), (4, 0)), net("B", (0, -4), (0, 4)), net("C", (-4, -1), (4, 1)))
    router, told = routed(*tasks)
    assert not any("no way" in line or "gave up" in line for line in told)
    assert {task.net for task in tasks} == set(router.routes)
    assert sum(len(route.vias) for route in router.routes.values()) >= 2
    assert min(spaces(router, tasks)) >= 0.15


def test_a_walled_pad_is_told_of() -> None:
    wall = Copper("-", (0, 1), ((1, -5), (2, -5), (2, 5), (1, 5)))
    _, told = routed(net("A", (-4, 0), (4, 0)), fixed=(wall,))
    assert told == ["A: no way"]


def test_the_rules_are_those_that_the_project_file_gives_kicad() -> None:
    for board in BOARDS:
        project = placement.FOLDER / board / f"{board}.kicad_pro"
        assert project.read_text("utf-8") == rules.project(placement.read(board).hole_gap)


def test_a_part_without_footprint_is_on_no_board() -> None:
    assert "BAT1" not in circuit.read("stopper")


def test_the_readme_tells_the_rules() -> None:
    told = (placement.FOLDER / "README.md").read_text("utf-8")
    assert f"track width, and space between tracks | {rules.TRACK_MM} mm" in told
    assert rules.TRACK_MM == rules.CLEARANCE_MM
    assert f"| {rules.DRILL_MM} mm in {rules.VIA_MM} mm |" in told
    assert f"copper to the edge | {rules.EDGE_MM} mm" in told
    gap = placement.read("box").hole_gap
    assert (
        f"hole to hole | {rules.HOLE_MM} mm; next to the pegs of the USB sockets {gap} mm" in told
    )


def test_the_readme_tells_what_to_order() -> None:
    told = (placement.FOLDER / "README.md").read_text("utf-8")
    placed = [placement.read(board) for board in ("stopper", "light_board", "box")]
    made = [PLAN.circuits[one.circuit].count for one in placed]
    sides = [{place.below for place in one.places.values()} for one in placed]
    rows = {
        "boards for a table": [str(count) for count in made],
        "layers": ["4" if one.planes else "2" for one in placed],
        "size": [f"{one.outline.width:g} × {one.outline.height:g} mm" for one in placed],
        "thickness": [f"{one.thickness} mm" for one in placed],
        "parts": ["on top" if side == {False} else "on both sides" for side in sides],
    }
    for name, cells in rows.items():
        assert f"| {name} | {' | '.join(cells)} |" in told
    for link in re.findall(r"\]\(([^)#]+)\)", told):
        assert (placement.FOLDER / link).exists(), link


def test_the_readme_tells_which_socket_is_whose() -> None:
    told = (placement.FOLDER / "README.md").read_text("utf-8")
    parts = circuit.read("light_board")
    assert ", ".join(f"J{n} {parts[f'J{n}'].value}" for n in range(3, 7)) in told


def test_the_readme_names_boards_that_there_are() -> None:
    for command in of("boards"):
        assert set(command.text.split()[3:]) <= set(BOARDS)


def unlike(one: Path, other: Path) -> int:
    """Return by how much two pictures differ where they do most, in squares of 8 pixels."""
    with Image.open(one) as left, Image.open(other) as right:
        both = [picture.convert("RGB").reduce(8) for picture in (left, right)]
    assert both[0].size == both[1].size
    return max(ImageChops.difference(*both).tobytes())


@pytest.mark.slow
def test_one_command_makes_the_same_files_again(tmp_path: Path) -> None:
    """All boards in one run: none depends on what was made before it. KiCad finds no faults."""
    kicad = Kicad(tmp_path)
    plots = [next((placement.FOLDER / board).glob("gerbers/*.gtl")) for board in BOARDS]
    (version,) = {re.findall(r"KiCad,Pcbnew,([\d.]+)", plot.read_text())[0] for plot in plots}
    here = kicad.run("kicad-cli", "version").strip()
    if here.split("+")[0] != version:
        pytest.skip(f"This KiCad is {here}; the boards were made with {version}")
    made_in, told = kicad.boards()
    for board in BOARDS:
        assert f"{board}: no faults, nothing unconnected" in told
        folders = placement.FOLDER / board, made_in / board
        files = [{f.relative_to(folder) for f in folder.rglob("*.*")} for folder in folders]
        assert files[0] == files[1]
        for kept, made in ([folder / file for folder in folders] for file in sorted(files[0])):
            if kept.suffix == ".png":
                assert unlike(made, kept) <= SHADES, kept
            else:
                assert made.read_bytes() == kept.read_bytes(), kept


class Kicad:
    """KiCad of this computer, or of the Debian in a folder that KICAD_ROOT names (only as root)."""

    def __init__(self, work: Path) -> None:
        self._root = Path(os.environ.get("KICAD_ROOT", "/")).absolute()
        self._work = work
        path = None if self._root == Path("/") else str(self._root / "usr/bin")
        if not shutil.which("kicad-cli", path=path):
            pytest.skip("no KiCad in PATH or KICAD_ROOT: see hardware/boards/README.md")

    def boards(self) -> tuple[Path, str]:
        """Make every board in an empty folder; return it, and what was said."""
        if self._root == Path("/"):
            line = f"cd {shlex.quote(str(ROOT))} && {PYTHON} -m hardware.boards --into"
            return self._work, self.run("sh", "-c", f"{line} {shlex.quote(str(self._work))}")
        with TemporaryDirectory(dir=self._root) as folder:
            shutil.copytree(ROOT / "hardware/boards", Path(folder, "hardware/boards"))
            for name in ("__init__.py", "netlist.toml", "pins.toml"):
                shutil.copy(ROOT / "hardware" / name, Path(folder, "hardware"))
            inside = f"/{Path(folder).name}"
            told = self.run("sh", "-c", f"cd {inside} && {PYTHON} -m hardware.boards --into made")
            shutil.copytree(Path(folder, "made"), self._work / "made")
        return self._work / "made", told

    def run(self, *line: str) -> str:
        """Carry out a line where KiCad is."""
        where = () if self._root == Path("/") else ("chroot", str(self._root), "env", "HOME=/root")
        done = subprocess.run([*where, *line], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
        return done.stdout


def test_a_picture_of_another_board_is_unlike() -> None:
    for view in ("top", "bottom", "tilted"):
        pictures = [placement.FOLDER / board / f"{view}.png" for board in BOARDS]
        for one, other in pairwise(pictures):
            assert unlike(one, other) > 4 * SHADES


def test_a_word_that_is_missing_in_a_picture_is_seen(tmp_path: Path) -> None:
    whole = placement.FOLDER / "box/top.png"
    with Image.open(whole) as picture:
        wiped = picture.convert("RGB")
    wiped.paste("darkolivegreen", (160, 20, 215, 45))  # X13
    wiped.save(tmp_path / "wiped.png")
    assert unlike(whole, tmp_path / "wiped.png") > 4 * SHADES
