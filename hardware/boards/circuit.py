"""Reads from ../netlist.toml what is soldered on a board, and the net of each pad."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

NETLIST: Final = Path(__file__).parents[1] / "netlist.toml"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is soldered: its name, its shape, and the net of each of its pads."""

    value: str
    footprint: str
    pads: Mapping[str, str]
    apart: bool = False  # it is bought pad by pad, as spring pins are
    free: Mapping[str, str] = field(default_factory=dict)  # the pin of each pad without a net


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin of a part, as the netlist describes it."""

    name: str
    does: str
    numbers: tuple[str, ...]
    net: str = ""  # none: it is connected to nothing


@dataclass(frozen=True, slots=True)
class Described:
    """One part of a circuit, whether it is on the board or not."""

    kind: str
    value: str
    footprint: str
    pins: Mapping[str, Pin]


def described(name: str, path: Path = NETLIST) -> dict[str, Described]:
    """Return all parts of a circuit with their pins; KeyError if there is no such circuit."""
    told = tomllib.loads(path.read_text("utf-8"))
    nets = {leg: net for net, legs in told[name]["nets"].items() for leg in legs}
    found = {}
    for ref, named in told[name]["parts"].items():
        about = told["stock"].get(named.get("stock", ""), {}) | named
        pins = {
            pin: Pin(
                pin, says.split()[0], tuple(pad_numbers(pin, says)), nets.get(f"{ref}.{pin}", "")
            )
            for pin, says in told["kinds"][about["kind"]].items()
        }
        value = about.get("value") or about.get("mpn", "")
        found[ref] = Described(about["kind"], value, about.get("footprint", ""), pins)
    return found


def read(name: str, path: Path = NETLIST) -> dict[str, Part]:
    """Return the parts of a circuit that sit on its board; KeyError if there is no such circuit."""
    return {
        ref: Part(
            part.value,
            part.footprint,
            {pad: pin.net for pin in part.pins.values() if pin.net for pad in pin.numbers},
            part.kind.startswith("place"),
            {pad: pin.name for pin in part.pins.values() if not pin.net for pad in pin.numbers},
        )
        for ref, part in described(name, path).items()
        if part.footprint
    }


def pad_numbers(pin: str, says: str) -> list[str]:
    """Return the numbers of a pin's pads.

    >>> pad_numbers("GND", "ground #9+24"), pad_numbers("1", "passive")
    (['9', '24'], ['1'])
    """
    _, _, numbers = says.partition("#")
    return numbers.split("+") if numbers else [pin]
