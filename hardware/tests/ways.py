"""What a net reaches through resistors, fuses and diodes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hardware.tests.plan import Circuit, Does, Leg, Role

DIODE_V: Final = 0.4
SCALE: Final = {"p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6}
PASSED: Final = ("fuse", "diode")

Roles = dict[Leg, Role]


def size(value: str) -> float:
    """Return what a part's value says, in ohms, farads, amperes or ampere-hours; 0 for words.

    >>> size("4.7 kΩ"), size("80 mAh"), size("red")
    (4700.0, 0.08, 0.0)
    """
    found = re.fullmatch(r"([0-9.]+) ([pnµmkM]?)(?:Ω|F|A|Ah)", value)
    return float(found[1]) * SCALE[found[2]] if found else 0.0


def nets(circuit: Circuit) -> Iterator[tuple[str, Roles]]:
    """Yield each net with what its pins do."""
    for net, legs in circuit.nets.items():
        yield net, {leg: circuit.role(leg) for leg in legs}


def across(circuit: Circuit, net: str, *kinds: str) -> Iterator[tuple[Leg, str]]:
    """Yield the near leg of each part of some kinds with two pins, and the net at its far leg."""
    net_of = circuit.net_of()
    for leg in circuit.nets.get(net, ()):
        part = circuit.parts[leg.part]
        if part.kind in kinds:
            (far,) = (pin for pin in part.pins if pin != leg.pin)
            if beyond := net_of.get(Leg(leg.part, far)):
                yield leg, beyond


def given(circuit: Circuit, net: str, passed: frozenset[str] = frozenset()) -> Role | None:
    """Return the supply of a net, also through fuses and diodes; None if it has none."""
    for leg in circuit.nets[net]:
        if circuit.role(leg).does is Does.GIVES:
            return circuit.role(leg)
    for leg, beyond in across(circuit, net, *PASSED):
        if leg.part not in passed and leg.pin != "A":
            supply = given(circuit, beyond, passed | {leg.part})
            if supply and leg.pin == "K":
                low, high = supply.volts
                return replace(supply, volts=(low - DIODE_V, high))
            if supply:
                return supply
    return None


def drawn_a(circuit: Circuit, net: str, passed: frozenset[str] = frozenset()) -> float:
    """Return the amperes that a net's takers draw at most, also those behind fuses and diodes."""
    amps = sum(circuit.role(leg).amps for leg in circuit.nets[net] if _takes(circuit, leg))
    for leg, beyond in across(circuit, net, *PASSED):
        if leg.part not in passed and leg.pin != "K":
            amps += drawn_a(circuit, beyond, passed | {leg.part})
    return amps


def grounded(circuit: Circuit, net: str) -> bool:
    """Return whether a net is ground."""
    return any(circuit.role(leg).does is Does.GROUND for leg in circuit.nets[net])


def pulled_up(circuit: Circuit, net: str, volts: float) -> bool:
    """Return whether a resistor leads from a net to a supply of so many volts."""
    ends = (given(circuit, far) for _, far in across(circuit, net, "resistor"))
    return any(end is not None and set(end.volts) == {volts} for end in ends)


def divided(circuit: Circuit, net: str) -> tuple[float, float] | None:
    """Return the lowest and highest voltage that resistors to a supply and to ground give a net."""
    up = down = 0.0
    supply: Role | None = None
    for leg, far in across(circuit, net, "resistor"):
        siemens = 1 / size(circuit.parts[leg.part].value)
        if grounded(circuit, far):
            down += siemens
        elif end := given(circuit, far):
            supply, up = end, up + siemens
    if not supply or not down:
        return None
    low, high = supply.volts
    return low * up / (up + down), high * up / (up + down)


def _takes(circuit: Circuit, leg: Leg) -> bool:
    return circuit.role(leg).does is Does.TAKES
