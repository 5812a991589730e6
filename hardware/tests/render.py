"""Makes every drawing, mesh and picture of hardware/ anew: python -m hardware.tests.render [what].

`what` is "parts", "wiring", "meshes" or "pictures"; without, all. It must not run whole in a test:
it needs WireViz, Graphviz, OpenSCAD, xvfb and trimesh, and takes minutes.
"""

import hashlib
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hardware.tests import harness, parts
from hardware.tests.plan import HARDWARE, load

WIRING, MODELS, STL, FLAT, PICTURES = (
    HARDWARE / name for name in ("wiring", "models", "stl", "flat", "pictures")
)
PARTS: Final = HARDWARE / "parts"
BOARDS: Final = ("stopper", "light_board", "box")  # that a board house solders
STAMP: Final = "made-from.txt"


@dataclass(frozen=True, slots=True)
class View:
    """What OpenSCAD makes: a part of a model, for a picture with where the camera stands."""

    model: str
    part: str
    camera: str = ""  # where it looks, three angles, how far away


MESHES: Final[Mapping[str, View]] = {
    "stopper-body": View("stopper", "body"),
    "stopper-foot": View("stopper", "foot"),
    "stopper-light-foot": View("stopper", "light foot"),
    "stopper-cap": View("stopper", "cap"),
    "stopper-keepers": View("stopper", "keepers"),
    "box-tray": View("box", "tray"),
    "box-floor": View("box", "floor"),
    "box-lid": View("box", "lid"),
    "fit-rings": View("fit_rings", "rings"),
    "breadboard-foot": View("breadboard", "foot"),
    "breadboard-deck": View("breadboard", "deck"),
    "seat-pad": View("seat_pad", "pad"),
    "seat-floor": View("seat_pad", "floor"),
    "seat-window": View("seat_pad", "window"),
    "hub-case": View("case", "hub"),
    "hub-lid": View("case", "hub lid"),
    "driver-case": View("case", "driver"),
    "driver-lid": View("case", "driver lid"),
    "light-quarter": View("light_ring", "quarter"),
}
OUTLINES: Final[Mapping[str, View]] = {  # of what is cut or etched from sheet
    "stopper-leaf": View("stopper", "leaf outline"),
    "stopper-spacer": View("stopper", "spacer outline"),
}
SHOTS: Final[Mapping[str, View]] = {
    "stopper-parts": View("stopper", "exploded", "0,0,38,68,0,35,255"),
    "stopper-section": View("stopper", "section", "0,0,26,82,0,8,165"),
    "stopper-across": View("stopper", "across", "0,0,12,80,0,8,100"),
    "stopper-leaf": View("stopper", "leaf", "0,-4.6,0,40,0,20,75"),
    "stopper-leaves": View("stopper", "with leaves", "0,0,4,50,0,25,105"),
    "stopper-posts": View("stopper", "with posts", "0,0,6,140,0,25,120"),
    "stopper-board": View("stopper", "with board", "0,0,9,55,0,25,120"),
    "stopper-below": View("stopper", "below", "0,0,4,150,0,20,110"),
    "stopper-light": View("stopper", "light", "0,0,31,68,0,35,210"),
    "plateau": View("plateau", "shown", "0,0,20,38,0,35,640"),
    "box": View("box", "open", "0,0,42,60,0,25,640"),
    "box-parts": View("box", "shown", "0,0,16,55,0,25,520"),
    "box-nest": View("box", "nest", "0,0,28,72,0,12,175"),
    "fit-rings": View("fit_rings", "rings", "32,-15,0,40,0,10,240"),
    "breadboard": View("breadboard", "shown", "0,0,14,62,0,25,260"),
    "seat": View("seat_pad", "shown", "0,-12,2,55,0,150,300"),
    "seat-below": View("seat_pad", "inside", "0,-14,10,140,0,20,270"),
    "seat-trimming": View("seat_pad", "trimming", "0,0,12,72,0,15,230"),
    "cases": View("case", "shown", "32,0,14,60,0,25,230"),
    "light-ring": View("light_ring", "shown", "0,0,0,30,0,0,900"),
    "light-measured": View("light_ring", "measured", "0,0,0,12,0,0,900"),
    "light-quarter": View("light_ring", "labelled", "85,80,0,150,0,20,560"),
}


def sources() -> dict[str, str]:
    """Return every text file in wiring/ that is drawn from the plan."""
    plan = load()
    made = {f"{name}.yml": harness.source(plan, name) for name in plan.pictures}
    return made | {"lights.svg": harness.matrix(plan)}


def wiring() -> None:
    """Write the sources, and let WireViz draw them."""
    for name, text in sources().items():
        (WIRING / name).write_text(text, "utf-8")
    draw(WIRING)


def draw(folder: Path) -> None:
    """Let WireViz draw the sources in a folder."""
    sources = map(str, sorted(folder.glob("*.yml")))
    _run(sys.executable, "-m", "wireviz.wv_cli", "-f", "s", *sources)


def meshes() -> None:
    """Render every part that is printed, as small binary STL, and every outline."""
    for name, view in MESHES.items():
        mesh(view, STL / f"{name}.stl")
    for name, view in OUTLINES.items():
        for kind in ("dxf", "svg"):
            _run("openscad", "-q", "-o", str(FLAT / f"{name}.{kind}"), *_part(view), _model(view))
    (STL / STAMP).write_text(models() + "\n", "utf-8")


def models() -> str:
    """Return a fingerprint of all models, by which a rendering that is out of date is known."""
    everything = b"".join(file.read_bytes() for file in sorted(MODELS.glob("*.scad")))
    return hashlib.sha256(everything).hexdigest()


def mesh(view: View, to: Path, *more: str) -> None:
    """Render one part; `more` are OpenSCAD's own options."""
    import trimesh  # noqa: PLC0415 - only whoever renders needs it

    with TemporaryDirectory() as folder:
        wordy = Path(folder) / "part.stl"
        _run("openscad", "-q", "-o", str(wordy), *_part(view), *more, _model(view))
        trimesh.load_mesh(wordy).export(to)


def pictures() -> None:
    """Take every picture of a model."""
    for name, view in SHOTS.items():
        shot = ("--imgsize=900,720", "--colorscheme=Tomorrow", f"--camera={view.camera}")
        to = str(PICTURES / f"{name}.png")
        _run("xvfb-run", "-a", "openscad", "-q", "-o", to, *shot, *_part(view), _model(view))
    (PICTURES / STAMP).write_text(models() + "\n", "utf-8")


def _part(view: View) -> tuple[str, str]:
    return "-D", f'part="{view.part}"'


def _model(view: View) -> str:
    return str(MODELS / f"{view.model}.scad")


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def lists() -> dict[str, str]:
    """Return every parts list, by its file's name."""
    plan, catalogue = load(), parts.load()
    found = {f"{name}.csv": parts.text(plan, catalogue, name) for name in catalogue.hours}
    for name in BOARDS:
        variants = parts.variants(plan.circuits[name])
        for variant in variants:
            file = f"{name}-{variant}" if len(variants) > 1 else name
            found[f"{file}-assembly.csv"] = parts.assembly(plan, catalogue, name, variant)
    return found


def write_lists() -> None:
    """Write every parts list."""
    for name, text in lists().items():
        (PARTS / name).write_text(text, "utf-8")


WHAT: Final[Mapping[str, Callable[[], None]]] = {
    "parts": write_lists,
    "wiring": wiring,
    "meshes": meshes,
    "pictures": pictures,
}

if __name__ == "__main__":
    for what in sys.argv[1:] or WHAT:
        WHAT[what]()
