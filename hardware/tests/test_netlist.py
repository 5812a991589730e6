"""The wiring of hardware/netlist.toml is sound, and the rules notice what is not."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from hardware.tests import chip_rules, plan, rules, ways
from hardware.tests.plan import Circuit, Leg

PLAN = plan.load()
STOPPER, TABLE = PLAN.circuits["breadboard"], PLAN.circuits["table"]
BOARD, BOX = PLAN.circuits["stopper"], PLAN.circuits["box"]

LOW = 0.25  # of its supply, which an input takes for low
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


def weaker(circuit: Circuit, name: str, pin: str) -> dict[str, plan.Role]:
    """Return the pins of a part whose supply gives 0.3 A."""
    pins = circuit.parts[name].pins
    return {**pins, pin: replace(pins[pin], amps=0.3)}


@pytest.mark.parametrize("name", list(PLAN.circuits))
def test_a_circuit_is_sound(name: str) -> None:
    assert rules.faults(PLAN.circuits[name]) == []


def test_the_light_stopper_is_sound_with_what_is_left_out() -> None:
    light = BOARD.variant("light")
    assert rules.faults(light) == []
    assert set(BOARD.parts) - set(light.parts) == BOARD.left_out["light"]
    assert not {"U3", "GAUGE1"} & set(light.parts)


@pytest.mark.parametrize("name", ["stopper", "light_board", "box"])
def test_every_leg_of_a_chip_is_named_once(name: str) -> None:
    for ref, part in PLAN.circuits[name].parts.items():
        pads = [pad for pin, role in part.pins.items() for pad in role.numbers or (pin,)]
        assert len(pads) == len(set(pads)), ref
        if part.footprint and all(pad.isdigit() for pad in pads):
            assert sorted(map(int, pads)) == list(range(1, len(pads) + 1)), ref


def test_every_rule_is_asked() -> None:
    asked = {rule.__name__ for rule in rules.RULES}
    assert asked == {
        name
        for module in (rules, chip_rules)
        for name, rule in vars(module).items()
        if callable(rule) and getattr(rule, "__module__", "") == module.__name__
    } - {"faults", "strangers", "_charged"}


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
        (with_part(BOARD, "C5", near=None), "U2.VDD has no capacitor beside it"),
        (with_part(BOARD, "C5", value="100 pF"), "U2.VDD has no capacitor beside it"),
        (with_part(BOARD, "C5", near=Leg("U5", "VIN")), "C5 stands beside U5.VIN and is not"),
        (rewired(BOARD, GPIO8="U1.gpio8 D2.A"), "U1.gpio8 is not pulled up"),
        (rewired(BOARD, BOOT="U1.boot R10.2 U2.INT1"), "U1.boot is driven by U2.INT1"),
        (rewired(BOARD, EN="U1.EN R7.2 P8.1"), "U1.EN has no capacitor"),
        (with_part(BOARD, "R1", value="10 kΩ"), "charges BAT1 with 100 mA, more than 1C"),
        (with_part(BOARD, "R1", value="13 kΩ"), "gives more than U4 is said to take"),
        (rewired(BOARD, PROG="U4.PROG R2.1"), "U4.PROG wants one resistor"),
        (with_part(BOARD, "BAT1", value="40 mAh"), "charges BAT1 with 50 mA, more than 1C"),
        (with_part(BOARD, "U5", pins=weaker(BOARD, "U5", "VOUT")), "U5.VOUT gives 0.3 A"),
        (with_part(BOX, "J1", pins=weaker(BOX, "J1", "VBUS")), "J1.VBUS gives 0.3 A"),
        (with_part(BOX, "F3", value="0.05 A"), "F3 bears 0.05 A"),
        (with_part(BOARD, "D1", value="0.02 A"), "D1 bears 0.02 A"),
        (with_part(BOX, "R2", value="56 kΩ"), "J1.CC2 wants one resistor of 5.1 kΩ"),
        (rewired(BOARD, CHARGING="U1.charging U4.STAT"), "U4.STAT is not pulled up"),
        (rewired(BOARD, **{"BOX 5V": "BOX1.5V J1.2 D1.A U6.VBUS R3.1"}), "U6.VBUS hangs on BOX 5V"),
        (with_part(BOARD, "R4", value="220 kΩ"), "U1.box gets 3.27 to 3.61 V"),
        (with_part(BOARD, "R4", value="100 kΩ"), "U1.box gets 2.38 to 2.62 V"),
        (rewired(BOARD, **{"5V": "D1.A U4.VDD C13.1", "BOX 5V": "BOX1.5V D1.K"}), "U4.VDD has no"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(broken: Circuit, fault: str) -> None:
    assert any(fault in said for said in rules.faults(broken)), rules.faults(broken)


def test_three_lights_of_one_field_hang_on_one_switch_line() -> None:
    nets = TABLE.net_of()
    for number, (switch, *sinks) in enumerate(PLAN.lights.values()):
        assert nets[Leg(f"D{number}", "A")] == f"SW{switch}"
        assert [nets[Leg(f"D{number}", c)] for c in "RGB"] == [f"CS{sink}" for sink in sinks]


def test_what_leaks_through_a_charger_without_power_makes_no_box() -> None:
    """Out of its drain's pull-up into its supply, backwards through D1, into the box's divider."""
    pull_up, below = (ways.size(BOARD.parts[ref].value) for ref in ("R2", "R4"))
    box = BOARD.role(Leg("U1", "box")).volts[0]
    assert box / pull_up * below < LOW * box
