"""What a board of bare chips needs besides: a sentence for everything that is wrong with one."""

from collections.abc import Iterator
from typing import Final

from hardware.tests.plan import Circuit, Does, Leg
from hardware.tests.ways import across, drawn_a, given, grounded, nets, pulled_up, size

LEAST_F: Final = 100e-9
FED: Final = (Does.TAKES, Does.GIVES, Does.CHARGES)
USB_C_OHMS: Final = 5100


def chips_have_capacitors(circuit: Circuit) -> Iterator[str]:
    """Each supply of a bare chip has a capacitor to ground beside it, and it is on its net."""
    net_of = circuit.net_of()
    beside: dict[Leg, float] = {}
    for name, part in circuit.parts.items():
        if part.near:
            net = net_of.get(part.near, "")
            ends = {net_of.get(Leg(name, pin), "") for pin in part.pins}
            if not net or net not in ends:
                yield f"{name} stands beside {part.near} and is not joined to it"
            elif any(grounded(circuit, end) for end in ends - {net, ""}):
                beside[part.near] = beside.get(part.near, 0) + size(part.value)
    for name, part in circuit.parts.items():
        for pin, role in part.pins.items():
            bare = name.startswith("U") and part.footprint and role.does in FED
            if bare and beside.get(Leg(name, pin), 0) < LEAST_F:
                yield f"{name}.{pin} has no capacitor beside it"


def chips_start(circuit: Circuit) -> Iterator[str]:
    """What decides how a chip starts is pulled up; what lets it run also rises late."""
    for net, roles in nets(circuit):
        for leg, role in roles.items():
            if role.does in {Does.STRAP, Does.ENABLE}:
                if not pulled_up(circuit, net, role.volts[0]):
                    yield f"{leg} is not pulled up to {role.volts[0]} V on {net}"
                driven = [str(other) for other in roles if circuit.role(other).does is Does.OUT]
                if driven:
                    yield f"{leg} is driven by {driven[0]} on {net}"
            if role.does is Does.ENABLE:
                late = [f for _, f in across(circuit, net, "capacitor") if grounded(circuit, f)]
                if not late:
                    yield f"{leg} has no capacitor on {net}"


def cells_are_charged_gently(circuit: Circuit) -> Iterator[str]:
    """A charger gives its cell at most 1C, and no more volts than that bears."""
    net_of = circuit.net_of()
    for name, part in circuit.parts.items():
        for pin, role in part.pins.items():
            if role.does is Does.PROGRAMS:
                found = across(circuit, net_of[Leg(name, pin)], "resistor")
                ohms = [
                    size(circuit.parts[leg.part].value) for leg, f in found if grounded(circuit, f)
                ]
                if len(ohms) != 1:
                    yield f"{name}.{pin} wants one resistor to ground"
                    continue
                (output,) = (p for p, r in part.pins.items() if r.does is Does.CHARGES)
                yield from _charged(circuit, Leg(name, output), role.volts[0] / ohms[0])


def _charged(circuit: Circuit, output: Leg, amps: float) -> Iterator[str]:
    charger = circuit.parts[output.part]
    cells = [
        leg
        for leg in circuit.nets[circuit.net_of()[output]]
        if circuit.parts[leg.part].value.endswith("mAh")
    ]
    if not cells:
        yield f"{output} has no cell"
    for cell in cells:
        if amps > size(circuit.parts[cell.part].value):
            yield f"{output} charges {cell.part} with {amps * 1000:.0f} mA, more than 1C"
        if charger.pins[output.pin].volts[0] > circuit.role(cell).volts[1]:
            yield f"{output} charges {cell.part} to too high a voltage"
    taken = max(role.amps for role in charger.pins.values() if role.does is Does.TAKES)
    if amps > taken:
        yield f"{output} gives more than {output.part} is said to take"


def supplies_suffice(circuit: Circuit) -> Iterator[str]:
    """A supply gives as much as its takers draw, and so does each fuse and diode on the way."""
    for net, roles in nets(circuit):
        for leg, role in roles.items():
            drawn = drawn_a(circuit, net)
            if role.does is Does.GIVES and role.amps and drawn > role.amps:
                yield f"{leg} gives {role.amps} A, and {net} draws {drawn:.3f} A"
        for leg, beyond in across(circuit, net, "fuse", "diode"):
            fed = leg.pin == "A" or (leg.pin == "1" and given(circuit, net) is not None)
            if fed:
                drawn = drawn_a(circuit, beyond, frozenset({leg.part}))
                bears = size(circuit.parts[leg.part].value)
                if drawn > bears:
                    yield f"{leg.part} bears {bears} A, and {beyond} draws {drawn:.3f} A"


def sockets_ask_for_power(circuit: Circuit) -> Iterator[str]:
    """A USB-C source gives its 5 V only to whoever has 5.1 kΩ at each of both pins."""
    for net, roles in nets(circuit):
        for leg, role in roles.items():
            if role.does is Does.CC:
                ohms = [
                    size(circuit.parts[near.part].value)
                    for near, far in across(circuit, net, "resistor")
                    if grounded(circuit, far)
                ]
                if ohms != [USB_C_OHMS]:
                    yield f"{leg} wants one resistor of 5.1 kΩ to ground on {net}"


def drains_bear(circuit: Circuit) -> Iterator[str]:
    """What only pulls down is pulled up by somebody else, to no more than it bears."""
    for net, roles in nets(circuit):
        for leg, role in roles.items():
            if role.does is Does.DRAIN:
                ends = [given(circuit, far) for _, far in across(circuit, net, "resistor")]
                volts = [end.volts[-1] for end in ends if end]
                if not volts or max(volts) > role.volts[0]:
                    yield f"{leg} is not pulled up to at most {role.volts[0]} V on {net}"


def clamps_are_supplied(circuit: Circuit) -> Iterator[str]:
    """What a clamp leads to is always there: else a pull-up reaches through it and feeds it."""
    for net, roles in nets(circuit):
        for leg, role in roles.items():
            own = [
                other
                for other, does in roles.items()
                if does.does is Does.GIVES and circuit.parts[other.part].footprint
            ]
            if role.does is Does.CLAMP and not own:
                yield f"{leg} hangs on {net}, which is not always supplied"


RULES: Final = (
    chips_have_capacitors,
    chips_start,
    cells_are_charged_gently,
    supplies_suffice,
    sockets_ask_for_power,
    drains_bear,
    clamps_are_supplied,
)
