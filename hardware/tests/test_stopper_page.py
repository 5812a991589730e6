"""Every figure on the page of the stopper is what the models, the lists and beam theory say."""

import re
from math import radians, tan

import pytest

pytest.importorskip("hardware.tests.solids", reason="trimesh or manifold3d is not installed")

from hardware.tests import leaf, plan, stopper
from hardware.tests import test_box as box
from hardware.tests import test_stopper as own
from hardware.tests import test_stopper_room as room
from hardware.tests.solids import measure, measures, printed_g, solid

LOAD_G = own.FULL_G


def text() -> str:
    return " ".join((plan.HARDWARE / "stopper.md").read_text("utf-8").split())


def row(name: str) -> list[str]:
    """Return what the page's table says of something."""
    (found,) = re.findall(rf"\| {re.escape(name)} \| (.*?) \|(?= \||\s*[A-Z*#])", text() + " Z")
    return [cell.strip() for cell in found.split(" | ")]


def both(name: str) -> list[float]:
    return [float(cell.split()[0]) for cell in row(name)]


def test_the_table_of_both_variants() -> None:
    variants = [stopper.things(name) for name in ("weighing", "light")]
    weights = [round(stopper.grams(things.values()), 1) for things in variants]
    assert both("with its cell and O-ring") == weights
    prints = [round(sum(map(printed_g, own.printed(n))), 1) for n in ("weighing", "light")]
    assert both("of that, printed") == prints
    middles = [round(stopper.middle(things.values())[2], 1) for things in variants]
    assert both("centre of mass, above the table") == middles
    for name, value in {
        "across, below the barrel's edge": measure("body_d"),
        "across, in the bore": measure("plug_d"),
        "height, below the barrel's edge": measure("rim_z"),
        "height, in the bore": measure("top_z") - measure("rim_z"),
    }.items():
        assert both(name) == [value, value], name


def test_the_table_of_beam_theory() -> None:
    off, stop = leaf.PLAY_OFF_MM, measure("play")
    least, most = leaf.stop_g(stop - off), leaf.stop_g(stop + off)
    said = {
        "stiffness of both leaves": f"{leaf.stiffness():.1f} N/mm",
        "under 40 g, a full barrel, they bend by": f"{leaf.bent_mm(LOAD_G) * 1000:.0f} µm",
        "and the gauge reads": f"{leaf.signal_mv_per_v(LOAD_G):.2f} mV/V",
        "a full barrel vibrates on them at": f"{leaf.resonance_hz(LOAD_G):.0f} Hz",
        "the foot, in the air, at": f"{leaf.resonance_hz(stopper.foot_g()):.0f} Hz",
        f"the foot stops after {stop} mm, at": f"{leaf.stop_g():.0f} g",
        f"if the gap is printed {off} mm off, at": f"{least:.0f} to {most:.0f} g",
        "a load 1 mm off to one side is misread by": f"{leaf.eccentric_per_mm():.2%}".replace(
            "%", f" %, if the gauge sits {leaf.GLUED_OFF_MM} mm off"
        ),
    }
    for name, value in said.items():
        assert row(name) == [value], name
    assert f"is then | {leaf.stress_mpa(LOAD_G):.0f} MPa |" in text()
    bears = f"{leaf.stress_mpa(most):.0f} MPa, and the steel takes {leaf.YIELD_MPA}"
    assert f"is then | {bears} |" in text()


def test_the_sentences() -> None:
    m, foot_g = measures(), stopper.foot_g()
    _, (_, _, high) = own.above_the_leaves()
    x0, y0, _, x1, y1, _ = solid("box-tray").bounding_box()
    together = next(
        d for d in range(99, 400) if room.least_gap(d, m["body_d"][0]) >= m["body_d"][0]
    )
    for said in (
        f"**The foot weighs {foot_g:.1f} g.**",
        f"changes the reading by {2 * foot_g:.1f} g",
        f"{2 * foot_g:.1f} g from end to end",
        f"{m['leaf_t'][0]:.2f} mm thick",
        f"a tongue of {m['leaf_tongue'][0]:.0f} × {m['leaf_tongue'][1]:.0f} mm",
        f"{m['leaf_apart'][0]} mm lie between them",
        f"two of its grids {m['gauge_at'][0]} mm to the left",
        f"Seven stones all on one side shift it by {own.wander_mm(7):.1f} mm",
        f"thirteen by {own.wander_mm(13):.1f} mm",
        f"with a slope of 1° by {high * tan(radians(1)):.1f} mm",
        f"let it move {m['play'][0]} mm up and down",
        f"is {m['label_opening'][0]} mm wide and half as deep",
        f"{m['lipo'][0]:.0f} × {m['lipo'][1]} mm, with {m['foam_h'][0]} mm of foam",
        f"{m['box_pitch'][0]:.0f} mm apart, in a box of {x1 - x0:.0f} × {y1 - y0:.0f} mm",
        f"they are pressed by {box.pressed_mm():.1f} mm",
        f"If a fingertip of {m['finger'][0]:.0f} mm is to fit between any two barrels",
        f"thirteen need a plateau of {room.needed_mm(m['body_d'][0])} mm",
        f"pushed together, {together} mm",
        f"With stoppers of 54 mm it would be {room.needed_mm(54)} mm",
        f"the picture assumes {m['plateau_d'][0]:.0f} mm",
        f"up to {m['hand_w'][0]:.0f} mm wide",
        f"A printed face may be {room.PRINT_MM} mm out of place",
        f"{m['float_w'][0]} mm apart sideways and {m['play'][0]} mm vertically",
        f"moving parts still have {room.PRINT_MM} mm",
        f"around their screws, they are {(m['post_d'][0] - m['screw_core'][0]) / 2:.1f} mm thick",
        f"of aluminium, {m['sleeve'][0]:.1f} × {m['shoulder_z'][0] - m['neck_z'][0]:.1f} mm",
        f"comes nearer to it than {room.CLOTH_MM} mm",
        f"nests and pegs have {box.nest_play_mm():.1f} mm of play",
        f"at most {own.MOST_G['weighing']} g and {own.MOST_G['light']} g",
    ):
        assert said in text(), said


def test_it_says_plainly_that_nobody_built_it() -> None:
    assert "**Nobody has built this stopper yet, and nothing here was measured.**" in text()
