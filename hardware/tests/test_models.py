"""The printed parts can be printed, go together, and hold what is bought."""

from pathlib import Path

import pytest

from hardware.tests import render, solids
from hardware.tests.solids import (
    Manifold,
    block,
    measure,
    measures,
    solid,
    surface,
)
from tests.programs import need

BED_MM = 180
ALL_STL_BYTES = 2_500_000
SEARCH_MM = 5.0
PIECES = {"fit-rings": int(measure("fit_count")), "stopper-keepers": 2}


def test_the_folder_holds_just_these_meshes() -> None:
    assert {file.stem for file in render.STL.glob("*.stl")} == set(render.MESHES)
    assert sum(file.stat().st_size for file in render.STL.iterdir()) < ALL_STL_BYTES


@pytest.mark.parametrize("folder", [render.STL, render.PICTURES], ids=["meshes", "pictures"])
def test_what_is_rendered_is_of_these_models(folder: Path) -> None:
    stamp = (folder / render.STAMP).read_text("utf-8").strip()
    assert stamp == render.models(), "render anew: python -m hardware.tests.render meshes pictures"


@pytest.mark.slow
def test_openscad_still_makes_the_same_mesh(tmp_path: Path) -> None:
    need("openscad")
    render.mesh(render.MESHES["hub-lid"], tmp_path / "again.stl")
    again, kept = solids.load(tmp_path / "again.stl"), surface("hub-lid")
    assert again.volume == pytest.approx(kept.volume)
    assert again.extents.tolist() == pytest.approx(kept.extents.tolist(), abs=1e-3)


@pytest.mark.slow
def test_a_body_for_another_bore_follows_its_measure(tmp_path: Path) -> None:
    need("openscad")
    coarse = ("-D", "$fn=8")  # it takes seconds so
    for plug_d in (27.6, 28.4):
        to = tmp_path / f"{plug_d}.stl"
        render.mesh(render.MESHES["stopper-body"], to, "-D", f"plug_d={plug_d}", *coarse)
        x, y, z = solids.load(to).vertices.T
        above = z > measure("rim_z") + 0.1
        assert ((x**2 + y**2) ** 0.5)[above].max() == pytest.approx(plug_d / 2, abs=0.01)


def test_the_breadboards_cell_hangs_free_between_foot_and_deck() -> None:
    foot, deck = solid("breadboard-foot"), solid("breadboard-deck")
    length, width, high = measures()["cell"]
    bottom = foot.bounding_box()[5]
    cell = block((length, width, high), (0, 0, bottom))
    assert cell.min_gap(foot, SEARCH_MM) < 0.01
    assert cell.min_gap(deck, SEARCH_MM) < 0.01
    assert foot.min_gap(deck, 20) > high
    nut = measures()["nut"]
    x, y = length / 2 - measure("cell_hole_inset"), measure("cell_hole_pitch") / 2
    for side in (-1, 1):
        below = solids.rod(nut[0], nut[1], (-x, side * y, bottom - nut[1]))
        assert below.min_gap(foot, SEARCH_MM) > 0.5
        for end, part in ((1, foot), (-1, deck)):
            assert (solids.rod(3, 60, (end * x, side * y, -10)) ^ part).volume() < 0.01


@pytest.mark.parametrize("name", list(render.MESHES))
def test_a_part_is_watertight_in_one_piece_and_fits_the_bed(name: str) -> None:
    mesh = surface(name)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0
    assert max(mesh.extents[:2]) <= BED_MM
    assert len(solid(name).decompose()) == PIECES.get(name, 1)


def test_the_fit_rings_go_from_27_6_to_28_4_in_steps_of_0_2() -> None:
    widths = []
    for ring in solid("fit-rings").decompose():
        x0, y0, _, x1, y1, _ = ring.bounding_box()
        assert x1 - x0 == pytest.approx(y1 - y0, abs=0.01)
        widths.append(x1 - x0)
    assert sorted(widths) == pytest.approx([27.6, 27.8, 28.0, 28.2, 28.4], abs=0.01)


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


def test_a_seats_floor_eye_window_and_receiver_fit_its_pad() -> None:
    pad, floor, m = solid("seat-pad"), solid("seat-floor"), measures()
    top, eye = measure("pad_h"), m["sensor_eye"]
    assert pad.min_gap(floor, SEARCH_MM) >= 0.1
    held = block(eye, (0, measure("eye_y"), top - measure("eye_z") - eye[2]))
    assert (held ^ pad).volume() < 0.01
    assert held.min_gap(pad, SEARCH_MM) < 0.01  # it lies at its ledge
    window = solid("seat-window").translate((0, 0, top - m["seat_window"][1]))
    assert (window ^ pad).volume() < 0.01
    assert (window.translate((0, 0, -0.2)) ^ pad).volume() > 1  # it cannot fall in
    lens = top - measure("receiver_z")
    receiver = block(m["receiver"], (0, 0, lens - m["receiver"][2]))
    assert (receiver ^ floor).volume() < 0.01
    assert receiver.min_gap(floor, SEARCH_MM) < 0.01
    for x, y in ((5, 5), (-5, 5), (5, -8), (-5, -8)):  # what it sees, up through the window
        ray = solids.rod(0.5, top - lens - 1, (x / 2, y / 2, lens))
        assert (ray ^ pad).volume() < 0.01
    assert measure("body_d") < measure("pad_d")  # the stopper stands on the pad, not over its edge


@pytest.mark.parametrize("foot", ["stopper-foot", "stopper-light-foot"])
def test_an_led_shines_through_a_thin_floor_of_the_foot(foot: str) -> None:
    """The same place in all thirteen, below an LED of the board; closed, so no dirt gets in."""
    (x, y), (across, thin) = measures()["pocket_at"], measures()["pocket"]
    bottom = measure("feet_h")
    way = solids.rod(across - 0.2, 1, (x, y, bottom + thin + 0.01))
    assert (way ^ solid(foot)).volume() < 0.01
    floor = solids.rod(across - 0.2, thin, (x, y, bottom))
    assert (floor ^ solid(foot)).volume() == pytest.approx(floor.volume(), rel=0.01)
