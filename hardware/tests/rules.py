"""What a sound circuit is: returns a sentence for everything that is wrong with one."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from hardware.tests import chip_rules
from hardware.tests.plan import Circuit, Does, Leg
from hardware.tests.ways import across, divided, given, nets, pulled_up

BUS: Final = (Does.SDA, Does.SCL)
FED: Final = (Does.OUT, Does.GIVES)
MEASURING: Final = ("xiao-esp32-c3", "esp32-c3-mini-1")
LAMPS: Final = ("led", "smd-led")
HIGH: Final = 0.75  # of its supply, which an input takes for high


def faults(circuit: Circuit) -> list[str]:
    """Return what is wrong, one sentence each."""
    unknown = list(strangers(circuit))
    return unknown or [fault for rule in RULES for fault in rule(circuit)]


def strangers(circuit: Circuit) -> Iterator[str]:
    """Every pin in a net exists."""
    for net, legs in circuit.nets.items():
        for leg in legs:
            if leg.part not in circuit.parts or leg.pin not in circuit.parts[leg.part].pins:
                yield f"{net}: there is no pin {leg}"


def every_pin_once(circuit: Circuit) -> Iterator[str]:
    """Every pin hangs on one net, and only those that belong to nobody on none."""
    used = Counter(leg for legs in circuit.nets.values() for leg in legs)
    for name, part in circuit.parts.items():
        for pin, role in part.pins.items():
            count, wanted = used[Leg(name, pin)], 0 if role.does is Does.FREE else 1
            if count != wanted:
                yield f"{name}.{pin} is connected {count} times, not {wanted}"


def no_loose_end(circuit: Circuit) -> Iterator[str]:
    """A net joins at least two pins."""
    for net, legs in circuit.nets.items():
        if len(legs) < 2:
            yield f"{net} ends at {', '.join(map(str, legs))}"


def one_driver(circuit: Circuit) -> Iterator[str]:
    """At most one supply or output feeds a net, and none is shorted to ground."""
    for net, roles in nets(circuit):
        fed = [str(leg) for leg, role in roles.items() if role.does in FED]
        if len(fed) > 1:
            yield f"{net} is fed by {' and '.join(fed)}"
        if fed and any(role.does is Does.GROUND for role in roles.values()):
            yield f"{net} shorts {fed[0]} to ground"


def supplied(circuit: Circuit) -> Iterator[str]:
    """What takes a supply gets one of the voltage that it wants."""
    for net, roles in nets(circuit):
        supply = given(circuit, net)
        for leg, role in roles.items():
            if role.does is Does.TAKES:
                low, high = role.volts
                if not supply:
                    yield f"{leg} has no supply on {net}"
                elif not (low <= supply.volts[0] and supply.volts[1] <= high):
                    yield f"{leg} takes {low} to {high} V, and {net} has {supply.volts}"


def one_ground(circuit: Circuit) -> Iterator[str]:
    """All grounds are one, through wires and through the boards."""
    islands: list[set[str]] = []
    for net, roles in nets(circuit):
        grounds = {leg.part for leg, role in roles.items() if role.does is Does.GROUND}
        if grounds:
            ends = {f"net {net}", *grounds}
            joined = [island for island in islands if island & ends]
            islands = [island for island in islands if not island & ends]
            islands.append(ends.union(*joined))
    if len(islands) > 1:
        yield "the ground is in pieces: " + " | ".join(" ".join(sorted(i)) for i in islands)
    grounded = set().union(*islands)
    for name, part in circuit.parts.items():
        powered = any(role.does in {Does.TAKES, Does.GIVES} for role in part.pins.values())
        if powered and name not in grounded:
            yield f"{name} has no ground"


def bus_is_whole(circuit: Circuit) -> Iterator[str]:
    """Only like pins share a line of the bus, at one voltage, pulled up, with one address each."""
    for net, roles in nets(circuit):
        lines = {role for role in roles.values() if role.does in BUS}
        if lines:
            if len({role.does for role in roles.values() if role.does is not Does.PASSIVE}) > 1:
                yield f"{net} mixes the bus with something else"
            if len({role.volts for role in lines}) > 1:
                yield f"{net} joins a bus of different voltages"
            if not any(role.pulled for role in lines) and not any(
                pulled_up(circuit, net, role.volts[0]) for role in lines
            ):
                yield f"{net} has no pull-up"
            addresses = Counter(circuit.parts[leg.part].address for leg in roles)
            del addresses[None]
            yield from (
                f"{net}: {a:#x} is there twice" for a, n in addresses.items() if a and n > 1
            )


def inputs_know(circuit: Circuit) -> Iterator[str]:
    """An input is never left floating, and never gets more than its own voltage."""
    for net, roles in nets(circuit):
        for leg, role in roles.items():
            if role.does is Does.IN:
                fed = [other for other in roles.values() if other.does in FED]
                ground = any(other.does is Does.GROUND for other in roles.values())
                pulled = role.pulled or pulled_up(circuit, net, role.volts[0])
                between = divided(circuit, net)
                if not (fed or ground or pulled or between):
                    yield f"{leg} floats on {net}"
                if (
                    between
                    and not HIGH * role.volts[0] <= between[0] <= between[1] <= role.volts[0]
                ):
                    yield f"{leg} gets {between[0]:.2f} to {between[1]:.2f} V on {net}"
                if any(other.volts[-1] > role.volts[0] for other in fed):
                    yield f"{leg} is for {role.volts[0]} V, and {net} has more"


def senses_within(circuit: Circuit) -> Iterator[str]:
    """What measures is never fed more than it bears: a supply only through two equal resistors."""
    for net, roles in nets(circuit):
        for leg, role in roles.items():
            if role.does is Does.SENSES and circuit.parts[leg.part].kind in MEASURING:
                halves = [near.part for near, _ in across(circuit, net, "resistor")]
                values = {circuit.parts[half].value for half in halves}
                between = divided(circuit, net)
                if len(values) != 1 or not between or between[1] > role.volts[0]:
                    yield f"{leg} wants half a supply of at most {2 * role.volts[0]} V on {net}"


def lamps_have_resistors(circuit: Circuit) -> Iterator[str]:
    """A lamp hangs on a resistor, on another lamp, or on a sink that knows its current."""
    for net, roles in nets(circuit):
        kinds = {leg.part: circuit.parts[leg.part].kind for leg in roles}
        for leg in roles:
            row = any(kinds[other.part] in LAMPS and other.pin == "K" for other in roles)
            alone = "resistor" not in kinds.values() and not row
            if kinds[leg.part] in LAMPS and leg.pin == "A" and alone:
                yield f"{leg} has no resistor on {net}"
            if kinds[leg.part] == "rgb-led" and leg.pin != "A":
                does = {role.does for role in roles.values()}
                if Does.SINK not in does:
                    yield f"{leg} has no sink on {net}"


RULES: Final[tuple[Callable[[Circuit], Iterator[str]], ...]] = (
    every_pin_once,
    no_loose_end,
    one_driver,
    supplied,
    one_ground,
    bus_is_whole,
    inputs_know,
    senses_within,
    lamps_have_resistors,
    *chip_rules.RULES,
)
