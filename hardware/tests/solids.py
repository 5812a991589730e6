"""The printed and the flat parts as solids, and what is bought as blocks, where they sit.

It must not know how they were modelled: parts come from hardware/stl and hardware/flat, measures
from measures.scad.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("trimesh", reason="trimesh is not installed: no wheel for this machine")
pytest.importorskip("manifold3d", reason="manifold3d is not installed: no wheel for this machine")

import trimesh
from manifold3d import CrossSection, Mesh
from manifold3d import Manifold as Manifold  # noqa: PLC0414 - tests import it from here

from hardware.tests.plan import HARDWARE

PLA_G_PER_CM3: Final = 1.24
STL, FLAT = HARDWARE / "stl", HARDWARE / "flat"
MEASURE: Final = re.compile(r"^(\w+) = (\[[^\]]+\]|-?[\d.]+);", re.MULTILINE)
Point = tuple[float, float, float]
Flat = tuple[float, float]


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


def loops(dxf: Path) -> list[list[Flat]]:
    """Return the closed lines of an outline, each as its corners."""
    words = dxf.read_text("utf-8").split()
    ends: dict[Flat, Flat] = {}
    for line in range(len(words) - 12):
        if words[line : line + 4] == ["LINE", "8", "0", "10"]:
            x0, y0, x1, y1 = (float(word) for word in words[line + 4 : line + 12 : 2])
            ends[x0, y0] = (x1, y1)
    closed = []
    while ends:
        first, place = ends.popitem()
        corners = [first]
        while place != first:
            corners.append(place)
            place = ends.pop(place)
        closed.append(corners)
    return closed


@cache
def outline(name: str) -> CrossSection:
    """Return what is cut from sheet, holes left out."""
    return CrossSection(loops(FLAT / f"{name}.dxf"))


def length_mm(corners: list[Flat]) -> float:
    """Return how long a closed line is."""
    around = pairwise([*corners, corners[0]])
    return sum(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in around)


def block(size: tuple[float, ...], at: Point) -> Manifold:
    """Return a block, given its size, the middle of its bottom in x and y, and its height z."""
    (x, y, z), (length, width, height) = at, size
    return Manifold.cube((length, width, height)).translate((x - length / 2, y - width / 2, z))


def rod(across: float, height: float, at: Point) -> Manifold:
    """Return an upright cylinder, given the middle of its bottom."""
    return Manifold.cylinder(height, across / 2, circular_segments=96).translate(at)


def printed_g(name: str) -> float:
    """Return the mass of a part that is printed solid."""
    return float(solid(name).volume()) / 1000 * PLA_G_PER_CM3
