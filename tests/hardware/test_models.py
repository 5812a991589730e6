"""The printed parts can be printed, go together, and hold what is bought."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.hardware import render, solids
from tests.hardware.solids import (
    Manifold,
    block,
    bought,
    measure,
    measures,
    printed_g,
    solid,
    surface,
)
from tests.programs import need

BED_MM = 180
ALL_STL_BYTES = 1_000_000
TOUCH = {("foot", "cell"), ("deck", "cell")}  # where the load cell is screwed
SEARCH_MM = 5.0
PRINTED = ("foot", "deck", "cap", "plug")
BOUGHT = ("cell", "battery", "xiao", "converter", "accelerometer")


def stopper() -> dict[str, Manifold]:
    printed = {name: solid(f"stopper-{name}") for name in PRINTED}
    return printed | bought()


def test_the_folder_holds_just_these_meshes() -> None:
    assert {file.stem for file in render.STL.glob("*.stl")} == set(render.MESHES)
    assert sum(file.stat().st_size for file in render.STL.iterdir()) < ALL_STL_BYTES


@pytest.mark.parametrize("folder", [render.STL, render.PICTURES], ids=["meshes", "pictures"])
def test_what_is_rendered_is_of_these_models(folder: Path) -> None:
    stamp = (folder / render.STAMP).read_text("utf-8").strip()
    assert stamp == render.models(), "render anew: python -m tests.hardware.render meshes pictures"


@pytest.mark.slow
def test_openscad_still_makes_the_same_mesh(tmp_path: Path) -> None:
    need("openscad")
    render.mesh(render.MESHES["hub-lid"], tmp_path / "again.stl")
    again, kept = solids.load(tmp_path / "again.stl"), surface("hub-lid")
    assert again.volume == pytest.approx(kept.volume)
    assert again.extents.tolist() == pytest.approx(kept.extents.tolist(), abs=1e-3)


@pytest.mark.slow
def test_a_plug_for_another_bore_follows_its_measure(tmp_path: Path) -> None:
    need("openscad")
    coarse = ("-D", "$fn=8")  # it takes a second so
    for plug_d in (27.6, 28.4):
        to = tmp_path / f"{plug_d}.stl"
        render.mesh(render.MESHES["stopper-plug"], to, "-D", f"plug_d={plug_d}", *coarse)
        x, y, z = solids.load(to).vertices.T
        above = z > z.min() + measure("flange_h") + measure("cap_h")
        assert ((x**2 + y**2) ** 0.5)[above].max() == pytest.approx(plug_d / 2, abs=0.01)


@pytest.mark.parametrize("name", list(render.MESHES))
def test_a_part_is_watertight_in_one_piece_and_fits_the_bed(name: str) -> None:
    mesh = surface(name)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0
    assert max(mesh.extents[:2]) <= BED_MM
    assert len(solid(name).decompose()) == (measure("fit_count") if name == "fit-rings" else 1)


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(PRINTED + BOUGHT, 2)))
def test_nothing_in_a_stopper_is_in_the_way_of_anything(one: str, other: str) -> None:
    parts = stopper()
    assert (parts[one] ^ parts[other]).volume() < 0.01
    if (one, other) not in TOUCH and not {one, other} <= {*PRINTED}:
        assert parts[one].min_gap(parts[other], SEARCH_MM) >= 0.19


def test_the_foot_floats() -> None:
    parts, free = stopper(), measure("gap") - 0.01
    for name in ("deck", "cap", "plug", "battery", "xiao", "converter", "accelerometer"):
        assert parts["foot"].min_gap(parts[name], SEARCH_MM) >= free, name


def test_an_overloaded_foot_stops_at_the_skirt_before_it_reaches_anything_else() -> None:
    parts = stopper()
    pressed = parts["foot"].translate((0, 0, measure("gap")))
    assert pressed.min_gap(parts["deck"], SEARCH_MM) < 0.01
    for name in ("battery", "cap", "plug", "xiao", "converter", "accelerometer"):
        assert pressed.min_gap(parts[name], SEARCH_MM) > 0.5, name


def test_the_load_cell_rests_on_its_pedestal_and_hangs_on_its_spacer_alone() -> None:
    parts, (length, width, _) = stopper(), measures()["cell"]
    inset = 2 * measure("cell_hole_inset") + 2
    free = block((length - inset, width, 30), (-inset / 2, 0, 0))  # all but its end on the foot
    assert (parts["cell"] ^ free).min_gap(parts["foot"], SEARCH_MM) > 0.6
    loose = block((length - inset, width, 30), (inset / 2, 0, 0))
    assert (parts["cell"] ^ loose).min_gap(parts["deck"], SEARCH_MM) > 0.6


def test_only_a_ring_touches_the_table_and_the_body_stands_within_it() -> None:
    low = solid("stopper-foot").slice(0.1)
    outer = measure("inside_d") / 2 + measure("wall")
    assert low.num_contour() == 2
    assert low.area() == pytest.approx(
        3.1416 * (outer**2 - (outer - measure("ring_w")) ** 2), rel=0.01
    )


def test_the_label_lies_half_as_deep_as_its_well_is_wide() -> None:
    radius = measure("label_opening") / 2
    x, y, z = surface("stopper-foot").vertices.T
    wall = abs((x**2 + (y - measure("label_y")) ** 2) ** 0.5 - radius) < 0.01
    assert z[wall].max() - z[wall].min() == pytest.approx(measure("label_opening") / 2)
    assert z[wall].min() < measure("ring_h")  # its rim is not hidden behind the ring


def test_the_fit_rings_go_from_27_6_to_28_4_in_steps_of_0_2() -> None:
    widths = []
    for ring in solid("fit-rings").decompose():
        x0, y0, _, x1, y1, _ = ring.bounding_box()
        assert x1 - x0 == pytest.approx(y1 - y0, abs=0.01)
        widths.append(x1 - x0)
    assert sorted(widths) == pytest.approx([27.6, 27.8, 28.0, 28.2, 28.4], abs=0.01)


def test_the_plug_has_a_groove_in_which_the_o_ring_is_pressed() -> None:
    x, y, z = surface("stopper-plug").vertices.T
    radii = set(((x**2 + y**2) ** 0.5).round(2))
    bottom = measure("plug_d") / 2 - measure("groove_depth")
    assert {measure("plug_d") / 2, bottom} <= radii
    assert 0.2 <= measure("oring_cord") - measure("groove_depth") <= 0.5
    assert measure("groove_w") > measure("oring_cord")
    assert z.max() - z.min() >= measure("plug_h")


def test_a_cell_can_swell_in_its_pocket() -> None:
    length, width, height = measures()["battery"]
    room = block((length + 0.5, width + 0.5, height), bought_at("battery"))
    assert (room ^ solid("stopper-deck")).volume() < 0.01


def bought_at(name: str) -> tuple[float, float, float]:
    x0, y0, z0, x1, y1, _ = bought()[name].bounding_box()
    return (x0 + x1) / 2, (y0 + y1) / 2, z0


def test_the_usb_socket_of_a_stopper_can_be_reached() -> None:
    x, y, z = bought_at("xiao")
    cable = block((12, 9, 3.2), (x + measures()["xiao"][0] / 2 + 6, y, z + 1.2))
    assert (cable ^ solid("stopper-cap")).volume() < 0.01


def test_four_quarters_make_a_ring_with_32_lights() -> None:
    quarter = solid("light-quarter")
    assert quarter.genus() == 8  # holes right through: a light each
    for turn in (90, 180, 270):
        assert (quarter ^ quarter.rotate((0, 0, turn))).volume() < 0.01
    x0, y0, _, x1, y1, _ = quarter.bounding_box()
    assert max(x1 - x0, y1 - y0) <= BED_MM
    board = Manifold.cylinder(20, measure("board_d") / 2, circular_segments=360)
    assert (board ^ quarter).volume() < 0.01


@pytest.mark.parametrize(("case", "lid"), [("hub-case", "hub-lid"), ("driver-case", "driver-lid")])
def test_a_lid_fits_its_case(case: str, lid: str) -> None:
    top = solid(case).bounding_box()[5]
    shut = solid(lid).mirror((0, 0, 1)).translate((0, 0, top + measure("shell")))
    assert (shut ^ solid(case)).volume() < 0.01
    assert shut.min_gap(solid(case), SEARCH_MM) < 0.01


def test_the_boards_fit_their_cases() -> None:
    for case, board in (("hub-case", "xiao"), ("driver-case", "driver")):
        inside = block(measures()[board], (0, 0, measure("shell") + measure("tape_h")))
        assert (inside ^ solid(case)).volume() < 0.01, case


def test_a_seats_floor_and_sensor_fit_its_pad() -> None:
    pad, floor = solid("seat-pad"), solid("seat-floor")
    assert pad.min_gap(floor, SEARCH_MM) >= 0.1
    length, width, height = measures()["sensor"]
    bottom = measure("pad_h") - measure("shell") - height
    assert (block((width, length, height), (0, 0, bottom)) ^ pad).volume() < 0.01
    assert bottom > measure("shell")
    stands = measure("inside_d") + 2 * measure("wall")
    assert stands < measure("pad_d")  # the stopper stands on the pad, not over its edge


def test_a_stopper_is_light_enough_for_its_load_cell() -> None:
    printed = sum(printed_g(name) for name in render.MESHES if name.startswith("stopper-"))
    assert 15 < printed < 18
    full_scale_g, stones_g, shell_g = 100, 13 * 1.0, 10
    assert printed + 20 + shell_g + stones_g < 0.7 * full_scale_g
