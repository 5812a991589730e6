"""A fault in netlist, pin map, catalogue or parts list is found, whatever it is."""

import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("gerbonara", reason="gerbonara is not installed")

from hardware.tests import agreement, layout, plan
from hardware.tests.plan import HARDWARE

BOARDS = HARDWARE / "boards"
KEPT = ("pins.toml", "netlist.toml", "catalogue.toml")
# File, what stands there, what stands there by mistake.
MISTAKES = [
    ("pins.toml", 'box = { gpio = 0, at = "12" }', 'box = { gpio = 1, at = "13" }'),
    ("pins.toml", 'charging = { gpio = 1, at = "13" }', 'charging = { gpio = 5, at = "19" }'),
    ("pins.toml", 'sda = { gpio = 6, at = "20" }', 'sda = { gpio = 6, at = "21" }'),
    ("pins.toml", 'led = { gpio = 10, at = "D10" }', 'led = { gpio = 8, at = "D8" }'),
    ("pins.toml", 'usb_minus = { gpio = 18, at = "26" }', 'usb_minus = { gpio = 19, at = "27" }'),
    ("pins.toml", 'buzzer = { gpio = 18, at = "12" }', 'buzzer = { gpio = 19, at = "35" }'),
    ("pins.toml", 'pad = { gpio = 17, at = "11" }', 'pad = { gpio = 17, at = "13" }'),
    ("pins.toml", '"field 3" = [1, 10, 11, 12]', '"field 3" = [1, 12, 11, 10]'),
    ("netlist.toml", 'battery = "senses 2.5 #18"', 'battery = "senses 2.5 #19"'),
    ("netlist.toml", 'VBAT = "charges 4.2 #3"', 'VBAT = "charges 4.2 #5"'),
    ("netlist.toml", 'RES = "ground #7"', 'RES = "free #7"'),
    ("netlist.toml", 'VIN1N = "senses 3.0 #2"', 'VIN1N = "senses 3.0 #4"'),
    ("netlist.toml", '"red.pad" = "in 3.3 pulled #11"', '"red.pad" = "in 3.3 pulled #13"'),
    ("netlist.toml", 'U4 = { kind = "mcp73832"', 'U4 = { kind = "rt9080"'),
    ("netlist.toml", 'mpn = "MCP73832T-2ACI/OT"', 'mpn = "MCP73831T-2ACI/OT"'),
    ("netlist.toml", 'R1 = { stock = "20 kΩ" }', 'R1 = { stock = "10 kΩ" }'),
    ("netlist.toml", 'R4 = { stock = "150 kΩ" }', 'R4 = { stock = "220 kΩ" }'),
    ("netlist.toml", 'R13 = { stock = "1 kΩ" }', 'R13 = { stock = "10 kΩ" }'),
    ("netlist.toml", 'C12 = { stock = "10 nF"', 'C12 = { stock = "100 nF"'),
    ("netlist.toml", 'C9 = { stock = "100 nF", near = "U3.REFP" }', ""),
    ("netlist.toml", "SOIC-16_3.9x9.9mm_P1.27mm", "SOIC-16W_7.5x10.3mm_P1.27mm"),
    ("netlist.toml", '"U4.STAT", "R2.2"', '"R2.2"'),
    ("netlist.toml", '"BOX1.5V", "J1.2"', '"BOX1.5V", "U6.VBUS", "J1.2"'),
    ("netlist.toml", '"U2.SDO", "U2.CS", "U3.DVDD"', '"U2.SDO", "U3.DVDD"'),
    ("netlist.toml", '"C12", "P3", "P4"', '"P3", "P4"'),
    ("netlist.toml", 'J2 = { kind = "usb-c-data"', 'J2 = { kind = "usb-c-power"'),
    ("catalogue.toml", '"RT9080-33GJ5" = {', '"RT9080-18GJ5" = {'),
    ("catalogue.toml", "eur = [2.9, 2.4, 2.1]", "eur = [2.1, 2.4, 2.9]"),
    ("catalogue.toml", 'what = "O-ring 26 x 1.0 mm", count = 1', 'what = "O-ring", count = 2'),
    ("parts/stopper.csv", "RC0402FR-0720KL", "RC0402FR-072KL"),
    ("parts/stopper.csv", "R5 R6,2,", "R5 R6,1,"),
    ("parts/box.csv", "TOTAL,", "SUM,"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in KEPT:
        shutil.copy(HARDWARE / file, tmp_path)
    shutil.copytree(HARDWARE / "parts", tmp_path / "parts")
    return tmp_path


def test_all_agree() -> None:
    assert list(agreement.faults(HARDWARE)) == []


@pytest.mark.slow(but=8)
@pytest.mark.parametrize(
    ("file", "right", "wrong"), MISTAKES, ids=[f"{n}" for n in range(len(MISTAKES))]
)
def test_a_mistake_is_found(folder: Path, file: str, right: str, wrong: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong, 1), "utf-8")
    assert _found(folder)


def _found(folder: Path) -> bool:
    try:
        return any(agreement.faults(folder))
    except (KeyError, ValueError):  # it does not even make sense
        return True


DRAWN = sorted(BOARDS.rglob("stopper.kicad_pcb"))


@pytest.mark.skipif(not DRAWN, reason="the stopper's board is not drawn yet")
def test_each_leg_that_hangs_on_the_next_net_is_seen_on_the_board() -> None:
    """Whatever the rules let pass, the board shows: its copper goes elsewhere."""
    stopper, board = plan.load().circuits["stopper"], layout.read(DRAWN[0])
    soldered = {
        net: [leg for leg in legs if stopper.parts[leg.part].footprint]
        for net, legs in stopper.nets.items()
    }
    for (one, legs), (other, others) in pairwise(soldered.items()):
        for leg in legs:
            moved = tuple(each for each in stopper.nets[one] if each != leg)
            nets = {**stopper.nets, one: (*moved, others[0])}
            nets[other] = tuple(leg if each == others[0] else each for each in stopper.nets[other])
            said = list(layout.faults(replace(stopper, nets=nets), board))
            assert any(fault.startswith(f"{leg.part} pad") for fault in said), leg
