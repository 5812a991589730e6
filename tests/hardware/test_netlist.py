"""The wiring of hardware/netlist.toml is sound, and the rules notice what is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.hardware import plan, rules
from tests.hardware.plan import Circuit, Leg

PLAN = plan.load()
STOPPER, TABLE = PLAN.circuits["stopper"], PLAN.circuits["table"]

FIVE_VOLTS = {"SDA": plan.Role.read("sda 5")}


def rewired(circuit: Circuit, **nets: str) -> Circuit:
    """Return a circuit with some nets as told: pins apart by blanks, none for no such net."""
    legs = {net: tuple(map(Leg.read, told.split())) for net, told in nets.items()}
    return replace(circuit, nets={n: g for n, g in {**circuit.nets, **legs}.items() if g})


def with_part(circuit: Circuit, name: str, **changed: object) -> Circuit:
    parts: Mapping[str, plan.Part] = {
        **circuit.parts,
        name: replace(circuit.parts[name], **changed),  # type: ignore[arg-type]
    }
    return replace(circuit, parts=parts)


@pytest.mark.parametrize("name", list(PLAN.circuits))
def test_a_circuit_is_sound(name: str) -> None:
    assert rules.faults(PLAN.circuits[name]) == []


def test_every_rule_is_asked() -> None:
    asked = {rule.__name__ for rule in rules.RULES}
    assert asked == {
        name for name, rule in vars(rules).items()
        if callable(rule) and getattr(rule, "__module__", "") == rules.__name__
    } - {"faults", "strangers", "_nets", "_pull_ups", "_other_ends"}  # fmt: skip


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (rewired(STOPPER, INT1="U1.moved U2.INT3"), "there is no pin U2.INT3"),
        (rewired(STOPPER, INT1="U1.moved U9.INT1"), "there is no pin U9.INT1"),
        (rewired(STOPPER, LAMP=""), "U1.led is connected 0 times"),
        (rewired(STOPPER, EXTRA="U1.sda R3.1"), "U1.sda is connected 2 times"),
        (rewired(TABLE, CS13="U5.CS13 C1.1"), "U5.CS13 is connected 1 times, not 0"),
        (rewired(STOPPER, LAMP="U1.led"), "LAMP ends at U1.led"),
        (rewired(STOPPER, INT1="U1.moved U2.INT1 U1.led"), "fed by U2.INT1 and U1.led"),
        (rewired(STOPPER, GND="U1.GND U1.3V3"), "GND shorts U1.3V3 to ground"),
        (rewired(STOPPER, **{"E+": "CELL1.E+ R1.1"}), "CELL1.E+ has no supply"),
        (
            rewired(STOPPER, **{"BAT+": "U2.VCC J1.+ R1.1"}),
            "U2.VCC takes 1.7 to 3.6 V, and BAT+ has (3.0, 4.2)",
        ),
        (rewired(STOPPER, **{"E-": ""}), "CELL1 has no ground"),
        (rewired(STOPPER, **{"BAT-": "J1.- R1.1"}), "the ground is in pieces"),
        (rewired(STOPPER, **{"cell +": "J1.plug+ R1.1"}), "J1.plug+ has no supply"),
        (rewired(STOPPER, SDA="U1.sda U2.SDA"), "SDA has no pull-up"),
        (rewired(STOPPER, SDA="U1.sda U2.SCL U3.SDA"), "SDA mixes the bus with something else"),
        (with_part(STOPPER, "U2", address=0x2A), "0x2a is there twice"),
        (
            with_part(STOPPER, "U3", pins={**STOPPER.parts["U3"].pins, **FIVE_VOLTS}),
            "SDA joins a bus of different voltages",
        ),
        (rewired(TABLE, SDB="U5.SDB C1.1"), "U5.SDB floats on SDB"),
        (rewired(TABLE, **{"red pad": "PI1.red.pad U5.SW1"}), "PI1.red.pad is for 3.3 V"),
        (rewired(TABLE, **{"red pad": "PI1.red.pad PI1.2"}), "PI1.red.pad is for 3.3 V"),
        (rewired(STOPPER, HALF="U1.battery R1.2"), "U1.battery wants half a supply"),
        (with_part(STOPPER, "R2", value="100 kΩ"), "U1.battery wants half a supply"),
        (rewired(STOPPER, LAMP_A="U1.led LED1.A"), "LED1.A has no resistor"),
        (rewired(TABLE, CS1="D0.R R6.1"), "D0.R has no sink"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(broken: Circuit, fault: str) -> None:
    assert any(fault in said for said in rules.faults(broken)), rules.faults(broken)


def test_three_lights_of_one_field_hang_on_one_switch_line() -> None:
    nets = TABLE.net_of()
    for number, (switch, *sinks) in enumerate(PLAN.lights.values()):
        assert nets[Leg(f"D{number}", "A")] == f"SW{switch}"
        assert [nets[Leg(f"D{number}", c)] for c in "RGB"] == [f"CS{sink}" for sink in sinks]
