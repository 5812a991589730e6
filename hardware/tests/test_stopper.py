"""A stopper is as light and small as it was meant to be, and its weight stands over its leaves."""

import re
from functools import cache
from math import hypot, pi, radians, sin, tan

import pytest

pytest.importorskip("hardware.tests.solids", reason="trimesh or manifold3d is not installed")

from companion.sensing.settings import Settings
from companion.simulator.stopper_kinds import BARREL_G, LEAVES, WEIGHING
from hardware.tests import parts, plan, render, stopper
from hardware.tests.solids import (
    PLA_G_PER_CM3,
    Manifold,
    measure,
    measures,
    printed_g,
    rod,
    surface,
)
from hardware.tests.stopper import grams, middle, things
from rappelwacht_research.breadboard import KINDS

MOST_G = {"weighing": 18, "light": 10}
SHELL_G, STONE_G, STONE_MM = 22, 0.372, 4.5
FULL_G = 40  # what the leaves are reckoned with: shell, stopper, thirteen stones
SHEETS = {"leaf", "spacer"}
VARIANTS = list(MOST_G)


def printed(variant: str) -> list[str]:
    light = variant == "light"
    other = {"stopper-foot", "stopper-keepers"} if light else {"stopper-light-foot"}
    return [name for name in render.MESHES if name.startswith("stopper-") and name not in other]


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_weighs_what_its_parts_weigh_and_not_too_much(variant: str) -> None:
    bought = parts.grams(parts.lines(plan.load(), parts.load(), "stopper"), variant)
    made = sum(map(printed_g, printed(variant)))
    sheets = [thing.grams for name, thing in things(variant).items() if name.split()[-1] in SHEETS]
    total = grams(things(variant).values())
    assert total == pytest.approx(bought + made + sum(sheets), abs=0.01)
    assert total < MOST_G[variant]
    assert len(sheets) == (4 if variant == "weighing" else 0)


def test_a_print_has_the_mass_of_its_volume() -> None:
    """By the surface of the mesh, whose volume is summed otherwise than that of the solid."""
    for name in render.MESHES:
        by_surface = surface(name).volume / 1000 * PLA_G_PER_CM3
        assert printed_g(name) == pytest.approx(by_surface, rel=1e-3), name


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_is_as_wide_and_high_as_it_was_meant_to_be(variant: str) -> None:
    every = Manifold.compose([thing.solid for thing in things(variant).values()])
    below, above = every.split_by_plane((0, 0, -1), -measure("rim_z"))
    assert across(below) <= 34
    assert across(above.trim_by_plane((0, 0, 1), measure("rim_z") + 0.01)) <= 28 + 1e-3
    *_, bottom, _, _, top = every.bounding_box()
    assert bottom == pytest.approx(0, abs=1e-5)
    assert measure("rim_z") <= 7.5
    assert top - measure("rim_z") <= 10.5 + 1e-3


def across(some: Manifold) -> float:
    """Return how wide something is, but for the O-ring, which is pressed together."""
    ring = rod(40, measure("groove_w"), (0, 0, measure("groove_z") - measure("groove_w") / 2))
    x0, y0, _, x1, y1, _ = (some - ring).bounding_box()
    return float(max(x1 - x0, y1 - y0))


def test_the_foot_is_light() -> None:
    assert 1 < stopper.foot_g() < 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_simulated_stopper_weighs_what_its_models_do(variant: str) -> None:
    assert KINDS[variant].mass_g == pytest.approx(grams(things(variant).values()), abs=0.05)
    assert BARREL_G == SHELL_G


def test_firmware_and_companion_believe_what_the_models_weigh() -> None:
    source = {
        name: (plan.HARDWARE.parent / f"firmware/stopper/{name}.py").read_text("utf-8")
        for name in ("empty", "scale")
    }
    (counts,) = re.findall(r"^COUNTS_PER_G = ([\d_]+)", source["scale"], re.MULTILINE)
    (foot,) = re.findall(r"^FOOT, \w+ = ([\d_]+)", source["empty"], re.MULTILINE)
    assert int(foot) / int(counts) == pytest.approx(stopper.foot_g(), abs=0.05)
    assert LEAVES.foot_g == pytest.approx(stopper.foot_g(), abs=0.05)
    settings = Settings()
    assert settings.enrolment.shell_mg == pytest.approx(1000 * WEIGHING.empty_g)
    (stands,) = re.findall(r"^STANDS, \w+ = (\d+) \*", source["scale"], re.MULTILINE)
    (floats,) = re.findall(r"^STANDS.* (\d+) \* COUNTS_PER_G  #", source["scale"], re.MULTILINE)
    for limits in (settings.tracking, settings.seating):
        assert (limits.stands_mg, limits.floats_mg) == (1000 * int(stands), 1000 * int(floats))
    assert 3 * int(stands) < WEIGHING.empty_g
    assert int(floats) > 4 * stopper.foot_g()  # upside down it weighs twice itself


@pytest.mark.parametrize("variant", VARIANTS)
def test_its_weight_stands_in_its_middle(variant: str) -> None:
    x, y, z = middle(things(variant).values())
    assert hypot(x, y) < 1
    assert 7 < z < 11


@cache
def above_the_leaves() -> tuple[float, tuple[float, float, float]]:
    """Return mass and centre of mass of what an empty barrel lays on the leaves."""
    own = [thing for thing in things("weighing").values() if thing.hangs == stopper.BODY]
    shell = stopper.Thing(barrel(), SHELL_G)
    return grams([*own, shell]), middle([*own, shell])


def barrel() -> Manifold:
    """Return a barrel with a round top."""
    wide, wall, bottom = measure("barrel_d"), measure("barrel_wall"), measure("rim_z")
    straight = measure("barrel_h") - wide / 2

    def full(across: float) -> Manifold:
        dome = Manifold.sphere(across / 2, 64).translate((0, 0, bottom + straight))
        return rod(across, straight, (0, 0, bottom)) + dome

    return full(wide) - full(wide - 2 * wall) - rod(measure("plug_d"), 12, (0, 0, bottom - 1))


def wander_mm(stones: int) -> float:
    """Return how far the load line goes off when all stones lie together at the barrel's wall."""
    empty_g, (_, _, _) = above_the_leaves()
    reach = measure("barrel_d") / 2 - measure("barrel_wall") - STONE_MM / 2
    places = sorted(
        (
            (reach - column * STONE_MM * sin(pi / 3), (row + column % 2 / 2) * STONE_MM)
            for column in range(6)
            for row in range(-4, 5)
        ),
        key=lambda at: hypot(at[0] - reach, at[1]),
    )
    near = [x for x, y in places if hypot(x, y) <= reach + 1e-9][:stones]
    return sum(near) * STONE_G / (empty_g + stones * STONE_G)


def test_a_full_barrel_weighs_what_the_leaves_are_reckoned_with() -> None:
    empty_g, _ = above_the_leaves()
    assert empty_g + 13 * STONE_G <= FULL_G


def test_the_load_line_wanders_little() -> None:
    assert wander_mm(1) < 0.2
    assert max(map(wander_mm, range(1, 14))) < 1
    _, (x, y, z) = above_the_leaves()
    assert hypot(x, y) < 0.5
    assert z * tan(radians(1)) < 0.45  # a degree of slope


def test_it_stands_where_its_leaves_can_bear_it() -> None:
    """Its weight falls well within the ring that touches the table, up to a slope of 20°."""
    _, (_, _, z) = above_the_leaves()
    ring = measure("body_d") / 2 - measure("skirt_w") - measure("float_w")
    assert z * tan(radians(20)) < ring - measure("feet_w")


def test_nothing_on_its_outside_marks_a_barrel() -> None:
    """What can be seen of a standing stopper is round: it has no side, no sign, no number."""
    x, y, z = surface("stopper-body").vertices.T
    r = (x**2 + y**2) ** 0.5
    outside = r > measure("body_d") / 2 - measure("skirt_w") + 0.01
    shown = outside & (z < measure("rim_z") + 0.01)
    for height in set(z[shown].round(3)):
        level = r[shown & (abs(z - height) < 1e-3)]
        assert len(set(level.round(2))) <= 2, height
    assert measures()["header_at"][0] < measure("body_d") / 2 - 4
