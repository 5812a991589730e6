"""A stopper put together: each thing with its place, its mass, and whether it hangs on the leaves.

things("weighing")               # {'foot': Thing(…), 'body': Thing(…), …}
grams(things("light").values())  # what a light one weighs
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from typing import Final

import trimesh

from hardware.tests import parts, plan
from hardware.tests.solids import (
    PLA_G_PER_CM3,
    Manifold,
    Point,
    block,
    measure,
    measures,
    outline,
    rod,
    solid,
)

STEEL_G_PER_CM3: Final = 7.9
ALUMINIUM_G_PER_CM3: Final = 2.7
FOOT, HALF, BODY = 1.0, 0.5, 0.0  # how much of a thing hangs on the leaves
BESIDES: Final = (
    "LiPo",
    "screw M2 x 8",
    "screw M2 x 6",
    "O-ring",
    "label",
    "sleeve",
)  # have a place


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of a stopper, in its place."""

    solid: Manifold
    grams: float
    hangs: float = BODY

    @property
    def middle(self) -> Point:
        """Return its centre of mass, as if it were all of one stuff."""
        mesh = self.solid.to_mesh()
        x, y, z = trimesh.Trimesh(mesh.vert_properties[:, :3], mesh.tri_verts).center_mass
        return float(x), float(y), float(z)


@cache
def things(variant: str) -> Mapping[str, Thing]:
    """Return what a stopper of a variant is made of."""
    found = {"body": _printed("stopper-body"), "cap": _printed("stopper-cap"), **_bought(variant)}
    if variant == "light":
        return found | {"foot": _printed("stopper-light-foot", BODY)}
    return found | {"foot": _printed("stopper-foot", FOOT)} | _stack()


def grams(some: Iterable[Thing]) -> float:
    """Return what things weigh together."""
    return sum(thing.grams for thing in some)


def middle(some: Iterable[Thing]) -> Point:
    """Return their common centre of mass."""
    every = [(thing.grams, thing.middle) for thing in some]
    total = sum(weight for weight, _ in every)
    x, y, z = (sum(weight * at[axis] for weight, at in every) / total for axis in range(3))
    return x, y, z


def foot_g() -> float:
    """Return what hangs on the leaves when a weighing stopper is lifted."""
    return sum(thing.grams * thing.hangs for thing in things("weighing").values())


def upper_z() -> float:
    """Return the height of the upper leaf."""
    return measure("leaf_z") + measure("leaf_t") + measure("leaf_apart")


def catches() -> list[tuple[float, float]]:
    """Return where the three screws are that hold the foot."""
    first, r = measure("catch_from"), measure("catch_r")
    return [(r * cos(radians(a)), r * sin(radians(a))) for a in (first, 180 - first, 270)]


def contacts() -> list[tuple[float, float]]:
    """Return where the pins for the charging box are: ground and 5 V, then the data."""
    x, y = measures()["header_at"]
    return [(side * x, y + step) for side in (1, -1) for step in (-1.27, 1.27)]


def _printed(name: str, hangs: float = BODY) -> Thing:
    made = solid(name)
    return Thing(made, made.volume() / 1000 * PLA_G_PER_CM3, hangs)


def _stack() -> dict[str, Thing]:
    """Return leaves, spacers and keepers: alike on both sides, and the foot's are on the right."""
    thick, low = measure("leaf_t"), measure("leaf_z")
    leaf, clamp = outline("stopper-leaf"), outline("stopper-spacer")
    below, above = measures()["keeper_h"]
    spacer = clamp.extrude(measure("leaf_apart")).translate((0, 0, low + thick))
    under = clamp.extrude(below).mirror((1, 0, 0)).translate((0, 0, low - below))
    over = clamp.extrude(above).translate((0, 0, upper_z() + thick))
    return {
        "lower leaf": _cut(leaf.extrude(thick).translate((0, 0, low)), STEEL_G_PER_CM3, HALF),
        "upper leaf": _cut(leaf.extrude(thick).translate((0, 0, upper_z())), STEEL_G_PER_CM3, HALF),
        "guided spacer": _cut(spacer, ALUMINIUM_G_PER_CM3, FOOT),
        "fixed spacer": _cut(spacer.mirror((1, 0, 0)), ALUMINIUM_G_PER_CM3, BODY),
        "keeper above": _cut(over, PLA_G_PER_CM3, FOOT),
        "keeper below": _cut(under, PLA_G_PER_CM3, BODY),
    }


def _cut(made: Manifold, g_per_cm3: float, hangs: float) -> Thing:
    return Thing(made, made.volume() / 1000 * g_per_cm3, hangs)


def _bought(variant: str) -> dict[str, Thing]:
    """Return what is bought; all that has no place of its own counts as the board's."""
    lines = parts.lines(plan.load(), parts.load(), "stopper")
    each = {name: next(x.grams for x in lines if x.what.startswith(name)) for name in BESIDES}
    m, hangs, cord = measures(), FOOT if variant == "weighing" else BODY, measure("oring_cord")
    bottom, low = measure("plug_d") - 2 * measure("groove_depth"), measure("groove_z") - cord / 2
    found = {
        "battery": Thing(
            block(m["lipo"], (0, measure("lipo_y"), radio_z() + m["radio"][2] + 0.1)), each["LiPo"]
        ),
        "O-ring": Thing(
            rod(measure("plug_d"), cord, (0, 0, low)) - rod(bottom, cord, (0, 0, low)),
            each["O-ring"],
        ),
        "label": Thing(
            rod(measure("label_opening") - 0.4, 0.1, (0, measure("label_y"), label_z() - 0.1)),
            each["label"],
            hangs,
        ),
    }
    for number, (x, y) in enumerate(catches()):
        at = (x, y, measure("neck_z"))
        found[f"catch {number}"] = Thing(
            _screw(at, 6) + _sleeve(at), each["screw M2 x 6"] + each["sleeve"]
        )
    if variant == "weighing":
        (along, off), reach = m["screw_at"], m["leaf_tongue"][0] / 2
        x, y, fixed_z = (
            reach + along,
            measure("tongue_y") + off,
            measure("leaf_z") - m["keeper_h"][0],
        )
        found["clamp right"] = Thing(_screw((x, y, measure("feet_h")), 8), each[BESIDES[1]], FOOT)
        found["clamp left"] = Thing(_screw((-x, y, fixed_z), 8), each[BESIDES[1]])
    rest = parts.grams(lines, variant) - sum(thing.grams for thing in found.values())
    across, thick = m["board"]
    board = rod(across, thick, (0, 0, measure("board_z")))
    return found | {"board": Thing(board, rest)}


def _screw(at: Point, length: float) -> Manifold:
    """Return a screw from below, given the middle of its head's upper face."""
    x, y, z = at
    across, high = measures()["screw_head"]
    return rod(across, high, (x, y, z - high)) + rod(measure("screw_core") - 0.1, length, at)


def _sleeve(at: Point) -> Manifold:
    """Return the tube around a screw, between its head and the post."""
    (across, bore), high = measures()["sleeve"], measure("shoulder_z") - at[2]
    return rod(across, high, at) - rod(bore, high, at)


def radio_z() -> float:
    """Return the height of the board's upper face."""
    return measure("board_z") + measures()["board"][1]


def label_z() -> float:
    """Return the height of the ceiling on which the label sticks."""
    return measure("label_z") + measure("label_opening") / 2
