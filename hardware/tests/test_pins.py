"""hardware/pins.toml decides, and everything that has pins agrees with it."""

import ast
import re
from pathlib import Path

import pytest
from gpiozero import pi_info

from companion.system import config
from hardware.tests import agreement, plan
from hardware.tests.agreement import FIRMWARE, STOPPERS

PLAN = plan.load()


def constants(file: Path) -> dict[str, int]:
    """Return the whole numbers that a module names, read without running it."""
    found: dict[str, int] = {}
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign):
            (target,) = node.targets
            names, values = [target], [node.value]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                names, values = target.elts, node.value.elts
            for name, value in zip(names, values, strict=True):
                if isinstance(value, ast.Constant) and isinstance(value.value, int):
                    found[ast.unparse(name).lower()] = value.value
    return found


def test_everything_that_has_pins_has_these() -> None:
    assert list(agreement.pin_faults(PLAN)) == []


def test_every_leg_is_called_as_its_data_sheet_calls_it() -> None:
    assert list(agreement.leg_faults(PLAN)) == []
    kinds = {part.kind for c in PLAN.circuits.values() for part in c.parts.values()}
    assert set(agreement.LEGS) <= kinds


@pytest.mark.parametrize("board", STOPPERS)
def test_the_firmware_reads_every_pin_and_half_of_the_battery(board: str) -> None:
    used = (FIRMWARE / "board_stopper.py").read_text("utf-8").partition("class Board")[2]
    assert set(re.findall(r"\"(\w+)\"", used)) >= set(agreement.of_firmware()[board])
    divider = constants(FIRMWARE / "board_stopper.py")["divider"]
    stopper = PLAN.circuits[board]
    half = [leg.part for leg in stopper.nets["HALF"] if stopper.parts[leg.part].kind == "resistor"]
    assert len(half) == divider  # equal ones, as the rules demand


def test_the_light_boards_header_has_the_supplies_of_the_pi() -> None:
    header = PLAN.circuits["light_board"].parts["J1"]
    for place, pin in pi_info("a02082").headers["J8"].pins.items():
        if pin.name in {"3V3", "5V", "GND"}:
            assert str(place) in header.pins[pin.name].numbers


def test_the_hubs_firmware_uses_no_pin_but_the_usb_sockets() -> None:
    assert "Pin(" not in (FIRMWARE / "board_hub.py").read_text("utf-8")


def test_the_firmwares_readme_names_these_pads() -> None:
    text = (FIRMWARE / "README.md").read_text("utf-8").partition("## Pins")[2]
    assert re.findall(r"(?<!not )\bD\d+", text.partition("##")[0]) == [
        PLAN.pins[f"breadboard.{name}"].at
        for name in ("sda", "scl", "moved", "battery", "led", "infrared")
    ]


def test_the_configurations_template_names_the_bus() -> None:
    board = config.parse(config.EVERY_PART, "table.toml").light_board
    assert board is not None
    assert board.bus == 1
    assert "GPIO 2 (SDA) and GPIO 3 (SCL)" in config.EVERY_PART


def test_the_lights_are_named_as_they_stand_around_the_board() -> None:
    fields = [f"field {number}" for number in range(24)]
    ends = [f"{end} {colour}" for end in ("start", "city") for colour in config.COLOURS]
    assert list(PLAN.lights) == fields + ends


@pytest.mark.parametrize(
    ("file", "part"), [("lis2dw12", "U2"), ("nau7802", "U3")], ids=["accelerometer", "converter"]
)
def test_the_chips_have_the_addresses_that_the_drivers_use(file: str, part: str) -> None:
    told = constants(FIRMWARE / "drivers" / f"{file}.py")["address"]
    assert {PLAN.circuits[board].parts[part].address for board in STOPPERS} == {told}


def test_the_light_board_has_the_address_of_the_template() -> None:
    board = config.parse(config.EVERY_PART, "table.toml").light_board
    assert board is not None
    assert PLAN.circuits["table"].parts["U5"].address == board.address
    assert PLAN.circuits["light_board"].parts["U1"].address == board.address
