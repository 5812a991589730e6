"""hardware/pins.toml decides, and everything that has pins agrees with it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from gpiozero import pi_info

from companion import config
from tests.hardware import plan

FIRMWARE = plan.HARDWARE.parent / "firmware"
PLAN = plan.load()
C3_MEASURES, C3_WAKES = range(5), range(6)  # the GPIOs of an ESP32-C3 that can
C3_STARTS = {2, 8, 9}  # … and that decide how it starts
# The pads of a XIAO ESP32-C3, from its maker's wiki and TinyGo's table: D0 and so on.
XIAO = {f"D{pad}": gpio for pad, gpio in enumerate((2, 3, 4, 5, 6, 7, 21, 20, 8, 9, 10))}

# The pads of an ESP32-C3-MINI-1 that have a GPIO, from its data sheet.
MINI_1 = {
    "5": 2, "6": 3, "12": 0, "13": 1, "16": 10, "18": 4, "19": 5, "20": 6, "21": 7, "22": 8,
    "23": 9, "26": 18, "27": 19, "30": 20, "31": 21,
}  # fmt: skip


def pins(board: str) -> dict[str, plan.Pin]:
    return {n.removeprefix(board): p for n, p in PLAN.pins.items() if n.startswith(board)}


def constants(file: Path) -> dict[str, int]:
    """Return the whole numbers that a module names, read without running it."""
    found: dict[str, int] = {}
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign):
            (target,) = node.targets
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            for name, value in zip(names, values, strict=True):
                if isinstance(value, ast.Constant) and isinstance(value.value, int):
                    found[ast.unparse(name).lower()] = value.value
    return found


BOARDS = ("stopper", "breadboard")


def of_firmware() -> dict[str, dict[str, int]]:
    """Return the firmware's table of pins by board."""
    tree = ast.parse((FIRMWARE / "board_stopper.py").read_text("utf-8"))
    (found,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PINS"
    )
    table: dict[str, dict[str, int]] = ast.literal_eval(found)
    return table


@pytest.mark.parametrize("board", BOARDS)
def test_the_stoppers_firmware_uses_these_pins(board: str) -> None:
    decided = {n: pin.gpio for n, pin in pins(f"{board}.").items() if "usb" not in n}
    assert of_firmware()[board] == decided
    used = (FIRMWARE / "board_stopper.py").read_text("utf-8").partition("class Board")[2]
    assert set(re.findall(r"\"(\w+)\"", used)) >= set(decided)


def test_the_breadboards_pads_are_those_of_its_module() -> None:
    assert {p.at: p.gpio for p in pins("breadboard.").values()}.items() <= XIAO.items()


def test_the_stoppers_pads_are_those_of_its_chip() -> None:
    chip = PLAN.circuits["stopper"].parts["U1"]
    told = {name: (pin.at,) for name, pin in pins("stopper.").items()}
    assert told == {name: chip.pins[name].numbers for name in told}
    assert {pin.at: pin.gpio for pin in pins("stopper.").values()}.items() <= MINI_1.items()


@pytest.mark.parametrize("board", BOARDS)
def test_the_stoppers_pins_can_do_what_they_are_for(board: str) -> None:
    assert PLAN.pins[f"{board}.moved"].gpio in C3_WAKES
    assert PLAN.pins[f"{board}.battery"].gpio in C3_MEASURES
    assert not {pin.gpio for pin in pins(f"{board}.").values()} & C3_STARTS
    divider = constants(FIRMWARE / "board_stopper.py")["divider"]
    stopper = PLAN.circuits[board]
    half = [leg.part for leg in stopper.nets["HALF"] if stopper.parts[leg.part].kind == "resistor"]
    assert len(half) == divider  # equal ones, as the rules demand


def test_the_box_wakes_a_stopper_and_updates_it_over_the_usb_of_its_chip() -> None:
    assert {PLAN.pins[f"stopper.{name}"].gpio for name in ("box", "charging")} <= set(C3_WAKES)
    assert [PLAN.pins[f"stopper.usb_{pole}"].gpio for pole in ("minus", "plus")] == [18, 19]


def test_the_light_boards_header_is_that_of_the_pi() -> None:
    header = PLAN.circuits["light_board"].parts["J1"]
    told = {name: (pin.at,) for name, pin in pins("pi.").items()}
    assert told == {name: header.pins[name].numbers for name in told}
    names = {"3V3": "3V3", "5V": "5V", "GND": "GND"}
    for place, pin in pi_info("a02082").headers["J8"].pins.items():
        if pin.name in names:
            assert str(place) in header.pins[pin.name].numbers


def test_the_hubs_firmware_uses_no_pin_but_the_usb_sockets() -> None:
    assert "Pin(" not in (FIRMWARE / "board_hub.py").read_text("utf-8")
    assert {name: pin.gpio for name, pin in pins("hub.").items()} == {
        "usb_minus": 19,
        "usb_plus": 20,
    }


def test_the_firmwares_readme_names_these_pads() -> None:
    text = (FIRMWARE / "README.md").read_text("utf-8").partition("## Pins")[2]
    assert re.findall(r"(?<!not )\bD\d+", text.partition("##")[0]) == [
        PLAN.pins[f"breadboard.{name}"].at for name in ("sda", "scl", "moved", "battery", "led")
    ]


def test_the_configurations_template_has_these_pins() -> None:
    table = config.parse(config.EVERY_PART, "table.toml")
    told = {key.removeprefix("seats."): pin for key, pin in table.pins()}
    told["buzzer"] = told.pop("buzzer.pin")
    assert table.light_board is not None
    assert table.light_board.bus == 1
    told |= {"sda": 2, "scl": 3}  # bus 1 of every Pi, as the template's comment says too
    assert told == {name: pin.gpio for name, pin in pins("pi.").items()}
    assert "GPIO 2 (SDA) and GPIO 3 (SCL)" in config.EVERY_PART


def test_the_places_on_the_header_are_those_of_a_pi() -> None:
    header = pi_info("a02082").headers["J8"].pins
    for name, pin in pins("pi.").items():
        assert header[int(pin.at)].name == f"GPIO{pin.gpio}", name


def test_the_lights_are_wired_as_the_companion_lights_them() -> None:
    assert tuple(PLAN.lights.values()) == config.LIGHT_WIRING
    fields = [f"field {number}" for number in range(24)]
    ends = [f"{end} {colour}" for end in ("start", "city") for colour in config.COLOURS]
    assert list(PLAN.lights) == fields + ends


@pytest.mark.parametrize(
    ("file", "part"), [("lis2dw12", "U2"), ("nau7802", "U3")], ids=["accelerometer", "converter"]
)
def test_the_chips_have_the_addresses_that_the_drivers_use(file: str, part: str) -> None:
    told = constants(FIRMWARE / "drivers" / f"{file}.py")["address"]
    assert {PLAN.circuits[board].parts[part].address for board in BOARDS} == {told}


def test_the_light_board_has_the_address_of_the_template() -> None:
    board = config.parse(config.EVERY_PART, "table.toml").light_board
    assert board is not None
    assert PLAN.circuits["table"].parts["U5"].address == board.address
    assert PLAN.circuits["light_board"].parts["U1"].address == board.address
