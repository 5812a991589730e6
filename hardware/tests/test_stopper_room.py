"""Everything in a stopper has room, also when a printer is off, and its foot floats."""

import csv
import itertools
from math import cos, hypot, radians, sin
from typing import Final

import pytest

pytest.importorskip("hardware.tests.solids", reason="trimesh or manifold3d is not installed")

from hardware.tests.plan import HARDWARE
from hardware.tests.solids import Manifold, block, measure, measures, rod, solid, surface
from hardware.tests.stopper import BODY, FOOT, catches, contacts, radio_z, things

SEARCH_MM = 3.0
PRINT_MM: Final = 0.1  # by which a printed face may lie elsewhere: so two of them by 0.2
CLOTH_MM: Final = 0.6  # so deep a ring sinks into molton, and mostly into terry
PINS_MM: Final = 1.5 + 2 * 0.7  # a spring pin, and how far a stopper may stand beside it
THREADS: Final = {frozenset({"body", f"catch {n}"}) for n in range(3)} | {
    frozenset({"body", "clamp left"})
}


def hanging(share: float) -> dict[str, Manifold]:
    every = things("weighing").items()
    return {name: thing.solid for name, thing in every if thing.hangs == share}


@pytest.mark.parametrize("variant", ["weighing", "light"])
def test_nothing_is_in_the_way_of_anything(variant: str) -> None:
    every = {name: thing.solid for name, thing in things(variant).items()}
    for one, other in itertools.combinations(every, 2):
        cuts = 0.1 if {one, other} in THREADS else 0.01  # a thread cuts itself
        assert (every[one] ^ every[other]).volume() < cuts, (one, other)


def test_the_foot_floats() -> None:
    """Two printed faces may come nearer by 0.2 mm: then a good tenth is left."""
    foot, body = (Manifold.compose([*hanging(share).values()]) for share in (FOOT, BODY))
    assert foot.min_gap(body, 1) == pytest.approx(measure("play"), abs=0.001)
    for aside in ((0.3, 0), (-0.3, 0), (0, 0.3), (0, -0.3)):
        moved = hanging(FOOT)["foot"].translate((*aside, 0))
        assert moved.min_gap(solid("stopper-body"), 1) >= PRINT_MM, aside


@pytest.mark.parametrize("way", [1, -1], ids=["pressed", "pulled"])
def test_it_stops_at_its_three_posts_before_it_reaches_anything_else(way: int) -> None:
    moved = {
        name: part.translate((0, 0, way * measure("play"))) for name, part in hanging(FOOT).items()
    }
    catching = {"body"} if way > 0 else {f"catch {n}" for n in range(3)}
    posts = [rod(5.4, 30, (x, y, -5)) for x, y in catches()]
    catcher = Manifold.compose([hanging(BODY)[name] for name in catching])
    for post in posts:
        assert (moved["foot"] ^ post).min_gap(catcher ^ post, 1) < 0.001
    foot = Manifold.compose([*moved.values()])
    others = [part for name, part in hanging(BODY).items() if name not in catching]
    assert foot.min_gap(Manifold.compose(others), 1) > PRINT_MM
    away = Manifold.compose([part for name, part in moved.items() if name != "foot"])
    assert away.min_gap(catcher, 1) > PRINT_MM
    for post in posts:
        moved["foot"] -= post
    assert moved["foot"].min_gap(catcher, 1) > PRINT_MM


def test_the_leaves_are_held_at_their_ends_alone() -> None:
    long, wide = measures()["leaf_tongue"]
    every = things("weighing")
    free = block((long - 0.1, wide, 30), (0, measure("tongue_y"), 0))
    for name in ("lower leaf", "upper leaf"):
        tongue = every[name].solid ^ free
        for other, thing in every.items():
            if not other.endswith(("leaf", "spacer")) and "keeper" not in other:
                bound = other in {"body", "foot"}
                assert tongue.min_gap(thing.solid, SEARCH_MM) >= (0.04 if bound else 0.4), other


def test_body_and_foot_leave_the_tongues_free_when_they_bend() -> None:
    long, wide = measures()["leaf_tongue"]
    room = block((long - 1, wide + 0.4, 8.5), (0, measure("tongue_y"), 0))
    assert (room ^ things("weighing")["foot"].solid).volume() < 0.01
    assert (room ^ solid("stopper-body")).volume() < 0.01


def test_only_a_ring_touches_the_table() -> None:
    for name in ("stopper-foot", "stopper-light-foot"):
        low = solid(name).slice(0.1)
        outer = measure("body_d") / 2 - measure("skirt_w") - measure("float_w")
        ring = 3.1416 * (outer**2 - (outer - measure("feet_w")) ** 2)
        assert 0.9 * ring < low.area() < 1.01 * ring  # the screws take a bite of it
        assert low.num_contour() == 2
    assert solid("stopper-body").bounding_box()[2] > measure("play") + 2 * PRINT_MM


@pytest.mark.parametrize("variant", ["weighing", "light"])
def test_a_cloth_that_the_ring_sinks_into_bears_none_of_the_load(variant: str) -> None:
    for name, thing in things(variant).items():
        if thing.hangs != FOOT and name not in {"foot", "label"}:
            assert thing.solid.bounding_box()[2] >= CLOTH_MM - 1e-6, name


def test_what_a_fall_strikes_is_metal_or_thick() -> None:
    """A catch goes through the foot on a screw in a sleeve, and stops it at a whole post."""
    m, body = measures(), solid("stopper-body")
    for x, y in catches():
        low = rod(m["post_d"][0], m["shoulder_z"][0] - 0.01, (x, y, 0))
        assert (low ^ body).volume() < 0.01
        stop = body ^ rod(m["post_d"][0], 1, (x, y, m["shoulder_z"][0]))
        assert stop.volume() > 0.85 * 3.1416 / 4 * (m["post_d"][0] ** 2 - m["screw_core"][0] ** 2)
    assert (m["post_d"][0] - m["screw_core"][0]) / 2 > 2 * 0.6
    hole = m["sleeve"][0] + 2 * m["float_w"][0] - 0.1
    assert m["screw_head"][0] > hole + 0.5  # a head holds the foot all around
    assert m["sleeve"][1] > 2.0  # an M2 goes through


def test_the_label_lies_half_as_deep_as_its_well_is_wide() -> None:
    for name in ("stopper-foot", "stopper-light-foot"):
        x, y, z = surface(name).vertices.T
        wall = abs(((x**2 + (y - measure("label_y")) ** 2) ** 0.5) - measure("label_opening") / 2)
        well = z[wall < 0.01]
        assert well.max() - well.min() == pytest.approx(measure("label_opening") / 2, abs=1e-3)
        assert well.min() < measure("feet_h")  # its rim is not hidden behind the ring


def test_a_spring_pin_reaches_each_contact_through_the_foot() -> None:
    pin = measures()["header_pin"]
    tip = measure("board_z") - pin[1]
    assert 0.9 < tip < measure("feet_h") + measure("foot_h")  # in its window, off the table
    for name in ("stopper-foot", "stopper-light-foot"):
        for x, y in contacts():
            assert (rod(PINS_MM, 6, (x, y, -1)) ^ solid(name)).volume() < 0.01, (name, x, y)
            assert rod(pin[0], 9, (x, y, tip)).min_gap(solid("stopper-body"), SEARCH_MM) > 0.4


def test_the_board_drops_onto_its_ledge_and_its_parts_reach_nothing() -> None:
    """What boards are drawn for: 2 mm below it, and beside the clamps of the leaves less."""
    body, across = solid("stopper-body"), measures()["board"][0]
    way = rod(across + 2 * PRINT_MM, 7.5, (0, 0, measure("board_z") + 0.01))
    assert (way ^ body).volume() < 0.01
    lower = rod(across - 1.3, measure("below_h"), (0, 0, measure("board_z") - measure("below_h")))
    for side in (-1, 1):
        lower -= block((6, 7.5, 30), (side * 9.7, -5.25, -1))
    for name, thing in things("weighing").items():
        if name not in {"board", "battery"}:
            lifted = thing.solid.translate((0, 0, measure("play") * thing.hangs))
            assert (lower ^ lifted).volume() < 0.01, name
    shallow = rod(across - 1.3, 0.4, (0, 0, measure("board_z") - 0.4))
    for thing in things("weighing").values():
        lifted = thing.solid.translate((0, 0, measure("play") * thing.hangs))
        assert (shallow ^ lifted).volume() < 0.01


def placed() -> dict[str, tuple[float, float, str]]:
    """Return where the board's file puts each part, from the board's middle, and on which side."""
    with (HARDWARE / "boards/stopper/positions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    middle = 100  # of the sheet on which it is drawn
    return {
        row["Ref"]: (float(row["PosX"]) - middle, float(row["PosY"]) + middle, row["Side"])
        for row in rows
    }


def test_the_drawn_board_has_its_contacts_where_the_box_looks_for_them() -> None:
    where, (x, y) = placed(), measures()["header_at"]
    for name, side in (("J1", 1), ("J2", -1)):
        assert where[name][:2] == pytest.approx((side * x, y - 1.27))
        assert where[name][2] == "bottom"
    assert where["U1"][:2] == pytest.approx((0, measure("radio_y")), abs=0.2)
    assert where["U1"][2] == "top"


def test_no_high_part_of_the_drawn_board_lies_over_a_clamp() -> None:
    """A resistor in 0402 is 0.35 mm high, which is all that has room there."""
    for name, (x, y, side) in placed().items():
        if side == "bottom" and 6.7 < abs(x) < 12.7 and -9 < y < -1.5:
            assert name.startswith("R"), name


def test_the_battery_can_swell_and_leaves_the_antenna_free() -> None:
    battery, m = things("weighing")["battery"].solid, measures()
    swollen = block(
        (*m["lipo"][:2], m["lipo"][2] + measure("foam_h") - 0.01),
        (0, measure("lipo_y"), battery.bounding_box()[2]),
    )
    for name in ("stopper-body", "stopper-cap"):
        assert (swollen ^ solid(name)).volume() < 0.01, name
    antenna = measure("radio_y") + m["radio"][1] / 2 - 5.3  # its clear end, by the data sheet
    assert battery.bounding_box()[4] <= antenna + 0.1
    assert radio_z() + m["radio"][2] <= battery.bounding_box()[2]


def test_the_o_ring_is_pressed() -> None:
    assert 0.15 <= measure("oring_cord") - measure("groove_depth") <= 0.35
    assert measure("groove_w") > measure("oring_cord")
    x, y, _ = surface("stopper-body").vertices.T
    assert {measure("plug_d") / 2, measure("plug_d") / 2 - measure("groove_depth")} <= set(
        ((x**2 + y**2) ** 0.5).round(2)
    )


def places(plateau_d: float, foot_d: float) -> list[tuple[float, float]]:
    """Return thirteen places: ten at the edge, three inside."""
    ring = (plateau_d - foot_d) / 2
    near = min((ring * 2 * sin(radians(18))), ring) / (2 * sin(radians(60)))
    outer = [(ring * cos(radians(a)), ring * sin(radians(a))) for a in range(0, 360, 36)]
    return outer + [(near * cos(radians(a)), near * sin(radians(a))) for a in (18, 138, 258)]


def least_gap(plateau_d: float, foot_d: float) -> float:
    pairs = itertools.combinations(places(plateau_d, foot_d), 2)
    return min(hypot(x - u, y - v) for (x, y), (u, v) in pairs)


def needed_mm(wide: float) -> int:
    """Return across how much thirteen stand with a finger between any two of what is held."""
    held = measure("barrel_d") if wide < 40 else wide
    return next(d for d in range(100, 400) if least_gap(d, wide) >= held + measure("finger"))


def test_thirteen_stand_on_the_plateau_with_a_finger_between_any_two() -> None:
    assert needed_mm(measure("body_d")) <= measure("plateau_d")
    assert needed_mm(54) > measure("plateau_d")  # as wide as a stopper of bought modules was


def test_two_hands_can_take_any_barrel_and_another_at_once() -> None:
    stand = places(measure("plateau_d"), measure("body_d"))
    for x, y in stand:
        apart = [hypot(x - u, y - v) for u, v in stand]
        assert sum(distance >= measure("hand_w") for distance in apart) >= 3
