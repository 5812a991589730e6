"""The printed parts as solids, and what is bought as blocks, in the places where they sit.

It must not know how they were modelled: parts come from hardware/stl, measures from measures.scad.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("trimesh", reason="trimesh is not installed: no wheel for this machine")
pytest.importorskip("manifold3d", reason="manifold3d is not installed: no wheel for this machine")

import trimesh
from manifold3d import Manifold as Manifold  # noqa: PLC0414 - the tests take it from here
from manifold3d import Mesh

from tests.hardware.plan import HARDWARE

PLA_G_PER_CM3: Final = 1.24
STL: Final = HARDWARE / "stl"
MEASURE: Final = re.compile(r"^(\w+) = (\[[^\]]+\]|[\d.]+);", re.MULTILINE)
Point = tuple[float, float, float]


@cache
def measures() -> Mapping[str, tuple[float, ...]]:
    """Return every measure in measures.scad; a single number as a tuple of one."""
    text = (HARDWARE / "models" / "measures.scad").read_text("utf-8")
    return {
        name: tuple(float(number) for number in value.strip("[]").split(","))
        for name, value in MEASURE.findall(text)
    }


def measure(name: str) -> float:
    """Return a measure that is one number."""
    (value,) = measures()[name]
    return value


def load(file: Path) -> trimesh.Trimesh:
    """Return the surface in an STL file, its vertices joined."""
    mesh = trimesh.load_mesh(file)
    assert isinstance(mesh, trimesh.Trimesh)
    return mesh


@cache
def surface(name: str) -> trimesh.Trimesh:
    """Return the surface of a printed part."""
    return load(STL / f"{name}.stl")


@cache
def solid(name: str) -> Manifold:
    """Return a printed part as a solid."""
    mesh = surface(name)
    made = Manifold(Mesh(mesh.vertices.astype("float32"), mesh.faces.astype("uint32")))
    assert made.status().name == "NoError", name
    return made


def block(size: tuple[float, ...], at: Point) -> Manifold:
    """Return a block, given its size, the middle of its bottom in x and y, and its height z."""
    (x, y, z), (length, width, height) = at, size
    return Manifold.cube((length, width, height)).translate((x - length / 2, y - width / 2, z))


def printed_g(name: str) -> float:
    """Return the mass of a part that is printed solid."""
    return float(solid(name).volume()) / 1000 * PLA_G_PER_CM3


def bought() -> dict[str, Manifold]:
    """Return what is bought for a stopper, where stopper.scad puts it."""
    m = measures()
    foot_top = measure("ring_h") + measure("foot_h")
    cell_z = foot_top + measure("pedestal_h")
    deck_z = cell_z + m["cell"][2] + measure("spacer_h")
    boards_z = deck_z + measure("deck_h") + measure("tape_h")
    xiao_x = measure("inside_d") / 2 - 2.1 - m["xiao"][0] / 2
    converter_x = xiao_x - m["xiao"][0] / 2 - 1.2 - m["converter"][0] / 2
    battery_y = -m["cell"][1] / 2 - 1.8 - m["battery"][1] / 2
    return {
        "cell": block(m["cell"], (0, 0, cell_z)),
        "battery": block(m["battery"], (0, battery_y, deck_z - m["battery"][2] - 0.2)),
        "xiao": block(m["xiao"], (xiao_x, 0, boards_z)),
        "converter": block(m["converter"], (converter_x, 0, boards_z)),
        "accelerometer": block(m["accelerometer"], (0, 17, boards_z)),
    }
