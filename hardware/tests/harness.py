"""Draws the wiring: WireViz sources, and the matrix of the lights as SVG.

A net with more than two pins is drawn as a star from its first pin, and all wires between the same
two parts as one cable.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from hardware.tests.plan import Circuit, Leg, Part, Plan

BOARDS: Final = {"xiao-esp32-c3": "breadboard.", "pi": "pi.", "esp32-s3": "hub."}
TITLES: Final = {
    "xiao-esp32-c3": "Seeed XIAO ESP32-C3",
    "lis2dw12-module": "accelerometer LIS2DW12",
    "nau7802-module": "converter NAU7802",
    "load-cell": "load cell 100 g",
    "lipo": "LiPo 3.7 V 100 mAh",
    "battery-socket": "socket for the cell's plug",
    "esp32-s3": "hub: ESP32-S3",
    "is31fl3729": "light driver IS31FL3729",
    "pi": "Raspberry Pi",
    "piezo": "buzzer",
    "pad-sensor": "pad: TCRT5000 with comparator",
    "receiver": "receiver TSSP4038, seen from its lens",
    "led": "LED",
}
GREY: Final = "GY"
CELL, MARGIN, TOP = 84, 76, 72  # of the matrix, in pixels


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire of a cable."""

    net: str
    start: Leg
    end: Leg


def source(plan: Plan, name: str) -> str:
    """Return the WireViz source of one picture."""
    picture = plan.pictures[name]
    circuit = plan.circuits[picture.circuit]
    shown = picture.parts or tuple(circuit.parts)
    cables = _cables(circuit, shown)
    used = {leg for wires in cables.values() for wire in wires for leg in (wire.start, wire.end)}
    lines = ["# Drawn from netlist.toml and pins.toml by hardware/tests/render.py: change those."]
    lines.append("options: {fontname: DejaVu Sans, bgcolor: WH, color_mode: SHORT}")
    lines.append("connectors:")
    for part in shown:
        lines += _connector(plan, part, circuit.parts[part], used)
    lines.append("cables:")
    for cable, wires in cables.items():
        lines += _cable(plan.colours, cable, wires)
    lines.append("connections:")
    for cable, wires in cables.items():
        lines += _connection(plan, circuit, cable, wires)
    return "\n".join(lines) + "\n"


def label(plan: Plan, part: Part, pin: str) -> str:
    """Return what is printed beside a pin, and what programs call it."""
    found = plan.pins.get(BOARDS.get(part.kind, "?") + pin)
    if found is None:
        if numbers := part.pins[pin].numbers:
            return f"{pin} = leg {', '.join(numbers)}"
        return f"pin {pin}" if part.kind == "pi" and pin.isdigit() else pin
    if part.kind == "pi":
        return f"pin {found.at} = GPIO {found.gpio}, {pin.replace('.', ' ')}"
    return f"{found.at} = GPIO {found.gpio}"


def _cables(circuit: Circuit, shown: tuple[str, ...]) -> dict[str, list[Wire]]:
    cables: dict[str, list[Wire]] = {}
    for net, legs in circuit.nets.items():
        here = [leg for leg in legs if leg.part in shown]
        for leg in here[1:]:
            start = here[0]
            if start.part != leg.part:
                cables.setdefault(f"{start.part} to {leg.part}", []).append(Wire(net, start, leg))
            else:  # two pins of one part that are joined: a bridge
                cables.setdefault(f"bridge on {leg.part}", []).append(Wire(net, start, leg))
    return cables


def _connector(plan: Plan, name: str, part: Part, used: set[Leg]) -> Iterator[str]:
    pins = [pin for pin in part.pins if Leg(name, pin) in used]
    yield f"  {name}:"
    yield f'    type: "{TITLES.get(part.kind, part.kind)}"'
    if part.value:
        yield f"    subtype: {part.value}"
    if part.address is not None:
        yield f"    subtype: I2C address 0x{part.address:02x}"
    yield "    show_pincount: false"
    yield "    pins: [" + ", ".join(_quoted(label(plan, part, pin)) for pin in pins) + "]"


def _cable(colours: Mapping[str, str], name: str, wires: list[Wire]) -> Iterator[str]:
    yield f'  "{name}":'
    yield f"    wirecount: {len(wires)}"
    yield "    show_wirecount: false"
    yield "    show_name: false"
    yield "    show_wirenumbers: false"
    yield "    colors: [" + ", ".join(colours.get(wire.net, GREY) for wire in wires) + "]"
    yield "    wirelabels: [" + ", ".join(f'"{wire.net}"' for wire in wires) + "]"


def _connection(plan: Plan, circuit: Circuit, name: str, wires: list[Wire]) -> Iterator[str]:
    def end(legs: list[Leg]) -> str:
        part = circuit.parts[legs[0].part]
        labels = ", ".join(_quoted(label(plan, part, leg.pin)) for leg in legs)
        return f"{legs[0].part}: [{labels}]"

    yield f"  - - {end([wire.start for wire in wires])}"
    yield f'    - "{name}": [1-{len(wires)}]'
    yield f"    - {end([wire.end for wire in wires])}"


def _quoted(text: str) -> str:
    return text if text.isdigit() else f'"{text}"'  # WireViz takes "1" for 1, but only at times


def _leg(plan: Plan, pin: str, x: int, y: int) -> str:
    """Return the number of the driver's leg, small."""
    (number,) = plan.circuits["table"].parts["U5"].pins[pin].numbers
    return f'<text x="{x}" y="{y}" font-size="9" text-anchor="middle">leg {number}</text>'


def matrix(plan: Plan) -> str:
    """Return the light board's matrix as SVG: a row a switch line, a column three sinks."""
    width, height = MARGIN + 4 * CELL * 2 + 24, TOP + 8 * CELL // 2 + 24
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
        f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans, sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for place in range(4):
        x = MARGIN + 2 * CELL * place
        for offset, colour in enumerate(("#c22", "#282", "#24c")):
            at = x + 40 + 40 * offset
            lines.append(
                f'<path d="M{at} {TOP - 18}V{height - 24}" stroke="{colour}" stroke-width="1.5"/>'
                f'<text x="{at}" y="{TOP - 24}" text-anchor="middle" fill="{colour}">'
                f"CS{3 * place + offset + 1}</text>"
                + _leg(plan, f"CS{3 * place + offset + 1}", at, TOP - 38)
            )
    for number, (name, (switch, *_)) in enumerate(plan.lights.items()):
        x = MARGIN + 2 * CELL * (number % 4)
        y = TOP + (switch - 1) * CELL // 2
        if number % 4 == 0:
            lines.append(
                f'<path d="M{MARGIN - 14} {y + 16}H{width - 24}" stroke="#a60" stroke-width="2"/>'
                f'<text x="{MARGIN - 20}" y="{y + 20}" text-anchor="end" fill="#a60">'
                f"SW{switch}</text>" + _leg(plan, f"SW{switch}", MARGIN - 34, y + 32)
            )
        lines.append(
            f'<rect x="{x + 14}" y="{y + 2}" width="132" height="28" rx="8" fill="#fff" '
            f'stroke="#444"/><text x="{x + 80}" y="{y + 20}" text-anchor="middle">'
            f"D{number}: {escape(name)}</text>"
        )
    lines.append(
        f'<text x="{MARGIN - 62}" y="18" fill="#a60">SW = the lamp\'s anode</text>'
        f'<text x="{MARGIN + 150}" y="18">CS = its cathodes: '
        '<tspan fill="#c22">red</tspan>, <tspan fill="#282">green</tspan>, '
        '<tspan fill="#24c">blue</tspan></text></svg>'
    )
    return "\n".join(lines) + "\n"
