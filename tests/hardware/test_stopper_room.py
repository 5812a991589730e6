"""What is bought for a stopper and must not be touched, or must pass through, has room."""

from __future__ import annotations

import pytest

pytest.importorskip("tests.hardware.solids", reason="trimesh or manifold3d is not installed")

from tests.hardware.solids import Manifold, block, bought, measure, measures, solid

SEARCH_MM = 5.0
PLUGGED = (12.0, 6.8, 3.8)  # the plug of a cell in its socket, with 1.25 mm between its pins
HATCH = 315  # where in the cap's wall, in degrees


def cell_bottom() -> float:
    return float(bought()["cell"].bounding_box()[2])


def coats() -> list[Manifold]:
    """Return what covers the cell's gauges, below and above."""
    coat, bottom = measures()["cell_coat"], cell_bottom()
    return [block(coat, (0, 0, z)) for z in (bottom - coat[2], bottom + measures()["cell"][2])]


def holes(end: int) -> list[tuple[float, float]]:
    """Return where the holes of one end of the cell are."""
    x = end * (measures()["cell"][0] / 2 - measure("cell_hole_inset"))
    return [(x, side * measure("cell_hole_pitch") / 2) for side in (-1, 1)]


def nuts() -> Manifold:
    """Return the nuts below the cell's end that is screwed to the deck."""
    across, height = measures()["nut"]
    nut = Manifold.cylinder(height, across / 2)
    one, other = (nut.translate((x, y, cell_bottom() - height)) for x, y in holes(-1))
    return one + other


def pressed(foot: Manifold) -> Manifold:
    """Return the foot as somebody presses it who leans on the barrel."""
    return foot.translate((0, 0, measure("gap")))


def test_nothing_touches_the_gauges_also_when_somebody_leans_on_the_barrel() -> None:
    below, above = coats()
    assert below.min_gap(solid("stopper-foot"), SEARCH_MM) >= 0.6
    assert below.min_gap(pressed(solid("stopper-foot")), SEARCH_MM) > 0.1
    assert (above ^ solid("stopper-deck")).volume() < 0.01
    assert above.min_gap(solid("stopper-deck"), SEARCH_MM) >= 0.5


def test_the_nuts_of_the_fixed_end_hang_free_in_the_foot() -> None:
    foot = solid("stopper-foot")
    assert nuts().min_gap(foot, SEARCH_MM) >= 0.5
    assert (nuts() ^ pressed(foot)).volume() < 0.01  # it stops there, as at the skirt


@pytest.mark.parametrize(("part", "end"), [("stopper-foot", 1), ("stopper-deck", -1)])
def test_a_screw_reaches_each_hole_of_the_load_cell(part: str, end: int) -> None:
    for x, y in holes(end):
        screw = Manifold.cylinder(60, 1.5).translate((x, y, -10))
        assert (screw ^ solid(part)).volume() < 0.01
        around = Manifold.cylinder(60, 2.5).translate((x, y, -10))
        assert (around ^ solid(part)).volume() > 1  # and its head finds something to press on


def test_a_cells_plug_passes_through_deck_and_hatch() -> None:
    length, width, height = PLUGGED
    upright = block((width, height, 60), (0, -11.9, -10))
    assert (upright ^ solid("stopper-deck")).volume() < 0.01
    deck_top = solid("stopper-deck").bounding_box()[5]
    lying = block((length, width, height), (measure("inside_d") / 2, 0, deck_top + 1.4))
    assert (lying.rotate((0, 0, HATCH)) ^ solid("stopper-cap")).volume() < 0.01
