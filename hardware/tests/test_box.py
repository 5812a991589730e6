"""Thirteen stoppers stand in the charging box, each one way only, and meet its spring pins last."""

import itertools
from collections.abc import Iterator
from math import cos, hypot, sin, sqrt
from typing import Final

import pytest

pytest.importorskip("hardware.tests.solids", reason="trimesh or manifold3d is not installed")

from hardware.tests.solids import block, measure, measures, rod, solid
from hardware.tests.stopper import contacts, things

SEARCH_MM = 3.0
ROWS: Final = (3, 2, 3, 2, 3)
PIN_MM: Final = (1.07, 4.0)  # a spring pin's head; how high it stands above its board
STROKE_MM: Final = 1.4
ASIDE_MM: Final = 0.3  # more than half the room between stopper and nest


def nests() -> list[tuple[float, float]]:
    pitch = measure("box_pitch")
    return [
        ((place - (count - 1) / 2) * pitch, (row - 2) * pitch * sqrt(3) / 2)
        for row, count in enumerate(ROWS)
        for place in range(count)
    ]


def nest_z() -> float:
    return measure("box_under") + measure("box_floor")


def pressed_mm() -> float:
    """Return how far a contact presses its spring pin in."""
    tip = measure("board_z") - measures()["header_pin"][1]
    return PIN_MM[1] - 0.1 - measure("box_floor") - tip


def nest_play_mm() -> float:
    """Return how far a stopper can stand aside in its nest."""
    return (measure("nest_d") - measure("body_d")) / 2


def test_thirteen_stoppers_stand_in_their_nests() -> None:
    assert len(nests()) == 13
    parts = [things("weighing")["foot"].solid, solid("stopper-body")]
    tray = solid("box-tray")
    for x, y in nests():
        for part in parts:
            stands = part.translate((x, y, nest_z() + 0.001))
            assert (stands ^ tray).volume() < 0.01
    assert parts[0].translate((*nests()[6], nest_z())).min_gap(tray, SEARCH_MM) < 0.01
    barrel = measure("barrel_d")
    assert measure("box_pitch") - barrel >= 6  # and can be pulled out by their barrels


@pytest.mark.parametrize("turn", range(20, 360, 20))
def test_a_stopper_that_is_turned_does_not_go_in(turn: int) -> None:
    foot = things("weighing")["foot"].solid.rotate((0, 0, turn))
    x, y = nests()[6]
    peg = measure("peg_h") - 1
    assert (foot.translate((x, y, nest_z() + peg)) ^ solid("box-tray")).volume() > 0.5


def test_the_peg_is_in_before_a_spring_pin_touches_anything() -> None:
    pin_top = PIN_MM[1] - 0.1 - measure("box_floor")  # above the nest's floor
    assert measure("peg_h") - 1 > pin_top
    assert measure("peg_h") < measure("label_opening") / 2  # and it leaves the label alone


def test_every_spring_pin_meets_its_contact_through_deck_and_foot() -> None:
    tray, foot = solid("box-tray"), solid("stopper-foot")
    assert 0.3 < pressed_mm() < STROKE_MM - 0.3  # also when the box is bent by 0.3 mm
    for x, y in nests():
        for u, v in contacts():
            pin = rod(PIN_MM[0], PIN_MM[1], (x + u, y + v, measure("box_under") - 0.1))
            assert (pin ^ tray).volume() < 0.01
    for u, v in contacts():
        pin = rod(PIN_MM[0] + 2 * ASIDE_MM, 4, (u, v, -2))
        assert (pin ^ foot).volume() < 0.01


def poses(aside_mm: float, well_mm: float) -> Iterator[tuple[float, float, float]]:
    """Yield how a stopper may stand: in its nest so far aside, and its well around the peg."""
    steps = [part / 5 for part in range(-5, 6)]
    for u, v, turn in itertools.product(steps, steps, range(-60, 61)):
        x, y, angle = u * aside_mm, v * aside_mm, turn / 500
        off = measure("label_y")
        well = hypot(x - off * sin(angle), y + off * (cos(angle) - 1))
        if hypot(x, y) <= aside_mm and well <= well_mm:
            yield x, y, angle


def farthest_mm(aside_mm: float, well_mm: float) -> float:
    """Return how far the play of a nest lets a contact stand beside its spring pin."""
    return max(
        hypot(x + u * (cos(turn) - 1) - v * sin(turn), y + u * sin(turn) + v * (cos(turn) - 1))
        for x, y, turn in poses(aside_mm, well_mm)
        for u, v in contacts()
    )


def test_a_spring_pin_meets_its_contact_however_askew_a_stopper_stands() -> None:
    """A flat head meets the edge of a square pin, and a hand solders that 0.1 mm off."""
    aside, well = nest_play_mm(), (measure("label_opening") - measure("peg_d")) / 2
    assert aside == pytest.approx(well) == pytest.approx(0.2)  # two faces, each 0.1 mm off
    wide = PIN_MM[0] / 2 + measures()["header_pin"][0] / 2
    assert farthest_mm(aside, well) < wide - 0.1
    assert farthest_mm(0.3, 0.35) > wide  # as it was drawn once
    beside = 2.54 - measures()["header_pin"][0] / 2 - PIN_MM[0] / 2
    assert wide < beside  # and never its neighbour


def test_the_board_lies_below_the_tray_and_is_screwed_there() -> None:
    length, width, thick = measures()["box_board"]
    board = block((length, width, thick), (0, 0, measure("box_under") - 0.1 - thick))
    for name in ("box-tray", "box-floor"):
        assert (board ^ solid(name)).volume() < 0.01, name
    below = block((length, width, measure("box_under") - thick - 0.2), (0, 0, 0.1))
    assert (below ^ solid("box-floor")).volume() < 0.01
    x, y = measures()["box_screws"]
    for u, v in [(x, y), (-x, y), (x, -y), (-x, -y)]:
        assert (rod(2, 9, (u, v, 4)) ^ solid("box-tray")).volume() < 0.01
        assert (rod(4, 3, (u, v, nest_z())) ^ solid("box-tray")).volume() > 20


def test_the_lid_stands_on_the_tray_and_presses_the_barrels() -> None:
    tray, lid = solid("box-tray"), solid("box-lid")
    assert (tray ^ lid).volume() < 0.01
    assert tray.min_gap(lid, SEARCH_MM) < 0.01
    assert (tray ^ solid("box-floor")).volume() < 0.01
    top = nest_z() + measure("rim_z") + measure("barrel_h")
    outer = rod(measure("barrel_d"), top, (0, 0, 0))
    for x, y in nests():
        assert (outer.translate((x, y, 0)) ^ lid).volume() < 0.01
    inside = lid.bounding_box()[5] - 1.6
    assert inside - top == pytest.approx(measure("box_foam"), abs=0.01)
