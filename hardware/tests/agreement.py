"""Holds everything against everything else: netlist, pins, firmware, configuration, lists, boards.

faults(folder)      # of a folder like hardware/: a sentence for everything that does not agree
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from gpiozero import pi_info

from companion.system import config
from hardware.tests import layout, parts, plan, rules
from hardware.tests.plan import HARDWARE, Plan

FIRMWARE: Final = HARDWARE.parent / "firmware"
STOPPERS: Final = ("stopper", "breadboard")
C3_MEASURES, C3_WAKES = range(5), range(6)  # the GPIOs of an ESP32-C3 that can
C3_STARTS: Final = {2, 8, 9}  # … and that decide how it starts
USB_MINUS, USB_PLUS = 18, 19  # … and that its USB has
S3_USB: Final = {"usb_minus": 19, "usb_plus": 20}
# The pads of a XIAO ESP32-C3, from its maker's wiki and TinyGo's table: D0 and so on.
XIAO: Final = {f"D{pad}": gpio for pad, gpio in enumerate((2, 3, 4, 5, 6, 7, 21, 20, 8, 9, 10))}
# The pads of an ESP32-C3-MINI-1 that have a GPIO, from its data sheet.
MINI_1: Final = {
    "5": 2, "6": 3, "12": 0, "13": 1, "16": 10, "18": 4, "19": 5, "20": 6, "21": 7, "22": 8,
    "23": 9, "26": 18, "27": 19, "30": 20, "31": 21,
}  # fmt: skip
# The legs of every chip from its first on, from its data sheet.
LEGS: Final = {
    "lis2dw12": "SCL CS SDO SDA NC GND RES GND VDD VDDIO INT2 INT1",
    "nau7802": ("REFP VIN1N VIN1P VIN2N VIN2P VBG REFN AVSS DVSS XIN XOUT DRDY SCL SDA DVDD AVDD"),
    "mcp73832": "STAT VSS VBAT VDD PROG",
    "rt9080": "VIN GND EN NC VOUT",
    "usblc6": "IO1 GND IO2 IO2 VBUS IO1",
    "diode": "K A",
    "smd-led": "K A",
}


def faults(folder: Path) -> Iterator[str]:
    """Yield a sentence for everything in a folder that does not agree with the rest."""
    told, catalogue = plan.load(folder), parts.load(folder)
    for name, circuit in told.circuits.items():
        for whole in (circuit, *map(circuit.variant, circuit.left_out)):
            yield from (f"{name}: {said}" for said in rules.faults(whole))
    yield from leg_faults(told)
    yield from pin_faults(told)
    unknown = list(parts.faults(told, catalogue))
    yield from unknown
    for name in () if unknown else catalogue.hours:
        kept = (folder / "parts" / f"{name}.csv").read_text("utf-8")
        if kept != parts.text(told, catalogue, name):
            yield f"parts/{name}.csv is not made from netlist and catalogue"
    for file in sorted((folder / "boards").rglob("*.kicad_pcb")):
        circuit = told.circuits[file.stem]
        yield from (f"{file.name}: {said}" for said in layout.faults(circuit, layout.read(file)))


def leg_faults(told: Plan) -> Iterator[str]:
    """Yield a sentence for each leg of a chip that its data sheet calls otherwise."""
    for name, circuit in told.circuits.items():
        for ref, part in circuit.parts.items():
            if part.kind in LEGS:
                sheet = {str(leg): pin for leg, pin in enumerate(LEGS[part.kind].split(), 1)}
                yield from unlike(f"{name} {ref}", part.pads(), sheet)


def pin_faults(told: Plan) -> Iterator[str]:
    """Yield a sentence for each pin that somebody else has elsewhere."""
    for board in STOPPERS:
        decided = pins(told, board)
        gpios = {name: pin.gpio for name, pin in decided.items() if "usb" not in name}
        yield from unlike(f"firmware, {board}", of_firmware()[board], gpios)
        known = XIAO if board == "breadboard" else MINI_1
        at = {pin.at: pin.gpio for pin in decided.values()}
        yield from unlike(f"pads of the {board}", at, {pad: known.get(pad) for pad in at})
        yield from _unable(board, gpios)
    yield from _on_chip(told, "stopper", "U1", pins(told, "stopper"))
    yield from _on_chip(told, "light_board", "J1", pins(told, "pi"))
    usb = {name: pins(told, "stopper")[f"usb_{name}"].gpio for name in ("minus", "plus")}
    yield from unlike("USB of the stopper", usb, {"minus": USB_MINUS, "plus": USB_PLUS})
    hub = {name: pin.gpio for name, pin in pins(told, "hub").items()}
    yield from unlike("USB of the hub", hub, S3_USB)
    yield from _pi(told)


def pins(told: Plan, board: str) -> dict[str, plan.Pin]:
    """Return a board's pins by their names."""
    first = f"{board}."
    return {n.removeprefix(first): pin for n, pin in told.pins.items() if n.startswith(first)}


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


def unlike(what: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each key that two tables have otherwise."""
    for key in sorted(one.keys() | other.keys()):
        if one.get(key) != other.get(key):
            yield f"{what}: {key} is {one.get(key)}, not {other.get(key)}"


def _unable(board: str, gpios: Mapping[str, int]) -> Iterator[str]:
    for name in {"moved", "box", "charging"} & gpios.keys():
        if gpios[name] not in C3_WAKES:
            yield f"{board}: {name} cannot wake its chip"
    if gpios["battery"] not in C3_MEASURES:
        yield f"{board}: battery cannot be measured"
    for name in gpios:
        if gpios[name] in C3_STARTS:
            yield f"{board}: {name} decides how its chip starts"


def _on_chip(told: Plan, name: str, ref: str, decided: Mapping[str, plan.Pin]) -> Iterator[str]:
    """Yield a sentence for each pin that the netlist has on another pad."""
    roles = told.circuits[name].parts[ref].pins
    pads = {pin: roles[pin].numbers if pin in roles else () for pin in decided}
    yield from unlike(f"{name} {ref}", pads, {n: (pin.at,) for n, pin in decided.items()})


def _pi(told: Plan) -> Iterator[str]:
    table = config.parse(config.EVERY_PART, "table.toml")
    template = {key.removeprefix("seats."): pin for key, pin in table.pins()}
    template["buzzer"] = template.pop("buzzer.pin")
    template |= {"sda": 2, "scl": 3}  # bus 1 of every Pi, as the template's comment says too
    decided = pins(told, "pi")
    yield from unlike("configuration", template, {n: pin.gpio for n, pin in decided.items()})
    header = pi_info("a02082").headers["J8"].pins
    places = {name: header[int(pin.at)].name for name, pin in decided.items()}
    yield from unlike("Pi", places, {n: f"GPIO{pin.gpio}" for n, pin in decided.items()})
    lights = list(told.lights.values())
    if lights != list(config.LIGHT_WIRING):
        yield "the lights are wired otherwise than the companion lights them"
