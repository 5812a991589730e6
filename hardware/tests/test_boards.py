"""What a board house gets, read back: the netlist's nets are those of its copper."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("manifold3d", reason="manifold3d is not installed")

from manifold3d import CrossSection

from hardware.tests import copper, layout, plan
from hardware.tests.plan import Circuit, Leg
from hardware.tests.test_netlist import with_part

PLAN = plan.load()
BOARDS = plan.HARDWARE / "boards"
FOLDERS = {file.relative_to(BOARDS).parts[0]: file.parent for file in BOARDS.rglob("*.drl")}
NAMES = sorted(FOLDERS)


@cache
def drawn(name: str) -> Mapping[str, layout.Placed]:
    (file,) = (BOARDS / name).rglob("*.kicad_pcb")
    return layout.read(file)


@cache
def made(name: str) -> copper.Board:
    return copper.read(FOLDERS[name])


def copper_faults(circuit: Circuit, board: copper.Board) -> list[str]:
    """Return in what the pads of the gerbers hang on other nets than the netlist says."""
    found = []
    for ref, part in circuit.parts.items():
        if part.footprint:
            nets = {
                pad: frozenset("" if net == copper.NOWHERE else net for net in nets)
                for (name, pad), nets in board.pads.items()
                if name == ref
            }
            found += list(layout.pad_faults(circuit, ref, nets))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_board_is_what_the_netlist_says(name: str) -> None:
    assert list(layout.faults(PLAN.circuits[name], drawn(name))) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_copper_is_what_the_netlist_says(name: str) -> None:
    assert copper_faults(PLAN.circuits[name], made(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_copper_of_two_nets_touches_and_each_net_is_in_one_piece(name: str) -> None:
    for nets in made(name).copper.values():
        assert copper.overlapping(nets) < copper.SLACK_MM2
    assert copper.in_pieces(made(name)) == {}


@pytest.mark.parametrize("name", NAMES)
def test_all_copper_and_all_holes_are_on_the_board(name: str) -> None:
    board = made(name)
    assert board.outline.area() > 1
    for nets in board.copper.values():
        assert (copper.union(nets.values()) - board.outline).area() < copper.SLACK_MM2
    left, bottom, right, top = board.outline.bounds()
    for hole in board.holes:
        assert left < hole.at[0] < right
        assert bottom < hole.at[1] < top


def swapped(circuit: Circuit, one: str, other: str) -> Circuit:
    """Return a circuit with two legs on each other's nets."""
    swap = {Leg.read(one): Leg.read(other), Leg.read(other): Leg.read(one)}
    nets = {net: tuple(swap.get(leg, leg) for leg in legs) for net, legs in circuit.nets.items()}
    return replace(circuit, nets=nets)


def renumbered(circuit: Circuit, ref: str, one: str, other: str) -> Circuit:
    """Return a circuit in which two pins of a part have each other's pads."""
    pins = dict(circuit.parts[ref].pins)
    a, b = pins[one], pins[other]
    pins |= {one: replace(a, numbers=b.numbers), other: replace(b, numbers=a.numbers)}
    return with_part(circuit, ref, pins=pins)


def without(circuit: Circuit, ref: str) -> Circuit:
    nets = {n: tuple(leg for leg in g if leg.part != ref) for n, g in circuit.nets.items()}
    parts = {name: part for name, part in circuit.parts.items() if name != ref}
    return replace(circuit, parts=parts, nets=nets)


STOPPER = PLAN.circuits["stopper"]


@pytest.mark.skipif("stopper" not in FOLDERS, reason="the stopper's board is not drawn yet")
@pytest.mark.parametrize(
    ("broken", "ref"),
    [
        (swapped(STOPPER, "U1.usb_minus", "U1.usb_plus"), "U1"),
        (swapped(STOPPER, "R5.1", "R6.2"), "R5"),
        (renumbered(STOPPER, "U2", "SDA", "SCL"), "U2"),
        (renumbered(STOPPER, "U4", "STAT", "PROG"), "U4"),
        (renumbered(STOPPER, "D1", "A", "K"), "D1"),
        (with_part(STOPPER, "U5", footprint="Package_TO_SOT_SMD:SOT-23-5"), "U5"),
        (without(STOPPER, "C5"), "C5"),
    ],
    ids=["usb", "half", "bus", "charger", "diode", "footprint", "missing"],
)
def test_a_fault_in_the_netlist_is_seen_on_the_board(broken: Circuit, ref: str) -> None:
    said = list(layout.faults(broken, drawn("stopper")))
    assert any(fault.startswith(ref) for fault in said)
    if ref not in {"U5", "C5"}:  # a gerber knows no footprints, and tells of all pads
        assert any(fault.startswith(ref) for fault in copper_faults(broken, made("stopper")))


def test_nine_holes_carry_the_drivers_warmth_away() -> None:
    board = made("light_board")
    ((x, y),) = board.places["U1", "33"]
    near = [hole for hole in board.holes if max(abs(hole.at[0] - x), abs(hole.at[1] - y)) <= 1.5]
    assert len(near) >= 9
    assert all(hole.plated for hole in near)


def test_a_stoppers_board_is_as_large_as_its_body_takes() -> None:
    if "stopper" not in FOLDERS:
        pytest.skip("the stopper's board is not drawn yet")
    left, bottom, right, top = made("stopper").outline.bounds()
    assert (right - left, top - bottom) == pytest.approx((25.4, 25.4), abs=0.05)


@pytest.mark.parametrize(
    ("nets", "area"), [(("A", "B"), 0.5), (("A", "A"), 0.0)], ids=["two", "one"]
)
def test_what_touches_is_measured(nets: tuple[str, str], area: float) -> None:
    square = CrossSection.square((1, 1))
    found: dict[str, CrossSection] = {}
    for net, piece in zip(nets, (square, square.translate((0.5, 0))), strict=True):
        found[net] = copper.union([piece, *([found[net]] if net in found else [])])
    assert copper.overlapping(found) == pytest.approx(area)


def test_a_net_in_two_pieces_is_counted_until_a_hole_joins_them() -> None:
    square = CrossSection.square((1, 1))
    layers = {"L1": {"A": square}, "L2": {"A": square}}
    apart = copper.Board(layers, {}, (), square)
    assert copper.in_pieces(apart) == {"A": 2}
    hole = copper.Hole((0.5, 0.5), 0.3, plated=True)
    assert copper.in_pieces(replace(apart, holes=(hole,))) == {}
    assert copper.in_pieces(replace(apart, holes=(replace(hole, plated=False),))) == {"A": 2}


TOP = """%TF.FileFunction,Copper,L1,Top*%
%FSLAX46Y46*%
%MOMM*%
%LPD*%
G01*
%ADD10C,0.200000*%
%ADD11R,1.000000X1.000000*%
%TO.P,R1,1*%
%TO.N,A*%
D11*
X0Y0D03*
%TD*%
%TO.N,A*%
D10*
X0Y0D02*
X3000000Y4000000D01*
%TD*%
G36*
X2900000Y3900000D02*
X4900000Y3900000D01*
X4900000Y5900000D01*
X2900000Y5900000D01*
X2900000Y3900000D01*
G37*
M02*
"""
EDGE = """%TF.FileFunction,Profile,NP*%
%FSLAX46Y46*%
%MOMM*%
%LPD*%
G01*
%ADD10C,0.100000*%
D10*
G75*
X10000000Y0D02*
G02*
X10000000Y0I-10000000J0D01*
G01*
M02*
"""
DRILL = """M48
FMAT,2
METRIC
T1C0.300
%
G90
G05
T1
X3.0Y4.0
M30
"""


def test_what_is_drawn_is_measured(tmp_path: Path) -> None:
    """A pad, a slanting track with round ends, a poured square that it reaches, a round board."""
    for name, text in (("b.gtl", TOP), ("b.gm1", EDGE), ("b-PTH.drl", DRILL)):
        (tmp_path / name).write_text(text, "utf-8")
    board = copper.read(tmp_path)
    assert board.pads == {("R1", "1"): {"A": 1}}
    (area,) = board.copper["L1"].values()
    assert area.area() == pytest.approx(1 + 0.2 * 5 + 4, abs=0.2)  # they overlap a little
    assert len(area.decompose()) == 1
    assert board.outline.area() == pytest.approx(math.pi * 100, rel=0.002)
    assert board.holes == (copper.Hole((3.0, 4.0), 0.3, plated=True),)
