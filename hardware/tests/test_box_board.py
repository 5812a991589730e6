"""The charging box's board fits the printed box, and its copper bears what the charger gives."""

import csv
from functools import cache
from math import dist, sqrt
from typing import Final

import pytest

pytest.importorskip("hardware.tests.solids", reason="trimesh or manifold3d is not installed")

from manifold3d import CrossSection

from hardware.tests import copper, plan
from hardware.tests.copper import Point
from hardware.tests.solids import block, measure, measures, rod, solid
from hardware.tests.stopper import contacts
from hardware.tests.test_box import nests

FOLDER: Final = plan.HARDWARE / "boards/box"
SHEET: Final = 100  # where the board's middle is on KiCad's sheet
SOCKET: Final = (3.675, 3.26, 8.94)  # USB4105: its front, from its middle; height and width
PLUG: Final = (12.35, 6.5)  # the grip of a USB-C plug is at most so large
SCREW_HEAD: Final = 5.0  # M2.5, pan head
SCREW_ROOM: Final = 6.0
PIN_HOLE: Final = 0.55
COPPER_UM: Final = 35
WARMER_K: Final = 10


@cache
def made() -> copper.Board:
    return copper.read(FOLDER / "gerbers")


def on_board(at: Point) -> Point:
    """Return a place of a gerber by the box's axes."""
    return at[0] - SHEET, at[1] + SHEET


def positions() -> dict[str, tuple[Point, str]]:
    with (FOLDER / "positions.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["Ref"]: (on_board((float(row["PosX"]), float(row["PosY"]))), row["Side"])
            for row in csv.DictReader(file)
        }


def screws() -> list[Point]:
    x, y = measures()["box_screws"]
    pitch = measure("box_pitch")
    return [(x, y), (-x, y), (x, -y), (-x, -y), (pitch / 2, pitch * sqrt(3) / 6)]


def near(one: Point, others: list[Point], reach: float = 0.02) -> bool:
    return any(dist(one, other) < reach for other in others)


def test_every_pin_stands_below_its_contact() -> None:
    """Four in the place with USB, two in all others."""
    found = [on_board(hole.at) for hole in made().holes if hole.diameter == PIN_HOLE]
    wanted = [
        (x + u, y + v)
        for x, y in nests()
        for u, v in contacts()
        if u > 0 or dist(positions()["X1"][0], (x, y)) < 1
    ]
    assert len(found) == len(wanted) == 4 + 12 * 2
    assert all(near(pin, wanted) for pin in found)


def test_each_pin_carries_what_the_stopper_wants_there() -> None:
    wanted = {"1": (10, 2.54), "2": (10, 0), "3": (-10, 0), "4": (-10, 2.54)}
    for (ref, pad), places in made().places.items():
        if ref.startswith("X"):
            x, y = positions()[ref][0]
            u, v = wanted[pad]
            assert [on_board(at) for at in places] == [pytest.approx((x + u, y + v), abs=0.02)]


def test_an_assembly_house_puts_each_pin_on_its_pad() -> None:
    with (FOLDER / "assembly-positions.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["Designator"]: row for row in csv.DictReader(file)}
    for (ref, pad), places in made().places.items():
        if ref.startswith("X"):
            row = rows[f"{ref}_{pad}"]
            assert (float(row["Mid X"]), float(row["Mid Y"])) == pytest.approx(places[0], abs=0.01)
            assert row["Layer"] == "Top"


def test_screws_find_their_holes_and_touch_no_copper() -> None:
    found = [on_board(hole.at) for hole in made().holes if not hole.plated and hole.diameter > 2]
    assert len(found) == len(screws())
    assert all(near(hole, screws()) for hole in found)
    for x, y in screws():
        head = CrossSection.circle(SCREW_HEAD / 2).translate((x + SHEET, y - SHEET))
        for nets in made().copper.values():
            assert (copper.union(nets.values()) ^ head).area() == 0
        for ref, (at, _) in positions().items():
            assert ref[0] == "X" or dist(at, (x, y)) > SCREW_ROOM, ref


def test_the_board_has_the_models_size_and_only_pins_above() -> None:
    left, bottom, right, top = made().outline.bounds()
    assert (right - left, top - bottom) == pytest.approx(measures()["box_board"][:2], abs=0.05)
    assert {ref[0] for ref, (_, side) in positions().items() if side == "top"} == {"X"}


@pytest.mark.parametrize(("ref", "which"), [("J1", 0), ("J2", 1)])
def test_a_plug_reaches_its_socket_through_the_wall(ref: str, which: int) -> None:
    (x, y), side = positions()[ref]
    assert side == "bottom"
    assert y == pytest.approx(measures()["box_sockets"][which])
    edge = measures()["box_board"][0] / 2
    assert x + SOCKET[0] == pytest.approx(edge, abs=0.05)
    below = measure("box_under") - 0.1 - measures()["box_board"][2]
    grip = block((20, *PLUG), (edge + 10.1, y, below - SOCKET[1] / 2 - PLUG[1] / 2))
    for name in ("box-floor", "box-tray"):
        assert (grip ^ solid(name)).volume() < 0.01, name
    assert dist(positions()["J1"][0], positions()["J2"][0]) > PLUG[0] + 2


def test_the_lamp_shines_out() -> None:
    (x, y), side = positions()["D1"]
    assert side == "bottom"
    below = measure("box_under") - 0.1 - measures()["box_board"][2]
    ray = rod(0.8, 10, (0, 0, 0)).rotate((0, 90, 0)).translate((x, y, below - 0.4))
    assert (ray ^ solid("box-floor")).volume() < 0.01


def test_the_place_with_usb_is_the_nearest_to_its_socket() -> None:
    """So reads what is printed beside the socket."""
    socket = positions()["J2"][0]
    places = {ref: dist(at, socket) for ref, (at, _) in positions().items() if ref[0] == "X"}
    assert min(places, key=places.__getitem__) == "X1"


def needed_mm(amps: float) -> float:
    """Return how wide a track must be, by IPC-2221: I = 0.048 K^0.44 A^0.725, A in square mils.

    >>> round(needed_mm(1.0), 2)
    0.3
    """
    square_mils = (amps / (0.048 * WARMER_K**0.44)) ** (1 / 0.725)
    return float(square_mils * 0.0254**2 / (COPPER_UM / 1000))


def joined(net: str, amps: float, *pads: tuple[str, str]) -> bool:
    """Return whether copper that bears a current joins pads of a net."""
    whole = copper.islands(made(), net, needed_mm(amps))
    dots = [CrossSection.circle(0.05).translate(at) for pad in pads for at in made().places[pad]]
    return any(all((dot ^ piece).area() > 0 for dot in dots) for piece in whole)


BOX: Final = plan.load().circuits["box"]
CHARGER_A: Final = BOX.parts["J1"].pins["VBUS"].amps
PLACES: Final = range(1, 14)


def test_copper_is_wide_enough_for_all_that_the_charger_gives() -> None:
    """Also if one stopper were a short circuit and its fuse did not open."""
    socket = [("J1", pad) for pad in ("A4", "A9", "B4", "B9")]
    assert joined("5V", CHARGER_A, *socket, *((f"F{n}", "1") for n in PLACES))
    for n in PLACES:
        assert joined(f"5V {n}", CHARGER_A, (f"F{n}", "2"), (f"X{n}", "1"))
    assert joined("GND", CHARGER_A, ("J1", "A1"), ("J1", "A12"), *((f"X{n}", "2") for n in PLACES))


def test_a_current_that_the_copper_does_not_bear_is_told() -> None:
    assert not joined("5V 1", 2 * CHARGER_A, ("F1", "2"), ("X1", "1"))
    assert not joined("5V 1", CHARGER_A, ("F1", "2"), ("F2", "2"))


def test_the_readme_tells_how_many_pins_and_what_the_copper_bears() -> None:
    told = " ".join((plan.HARDWARE / "boards/README.md").read_text("utf-8").split())
    assert f"{len([h for h in made().holes if h.diameter == PIN_HOLE])} of them" in told
    assert f"wide enough for all {CHARGER_A} A" in told
    assert f"(IPC-2221, {WARMER_K} K warmer)" in told
