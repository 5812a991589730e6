"""Reads from ../netlist.toml what is soldered on a board, and the net of each pad."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

NETLIST: Final = Path(__file__).parents[1] / "netlist.toml"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is soldered: its name, its shape, and the net of each of its pads."""

    value: str
    footprint: str
    pads: Mapping[str, str]
    apart: bool = False  # it is bought pad by pad, as spring pins are


def read(name: str, path: Path = NETLIST) -> dict[str, Part]:
    """Return the parts of a circuit that sit on its board; KeyError if there is no such circuit."""
    told = tomllib.loads(path.read_text("utf-8"))
    nets = {leg: net for net, legs in told[name]["nets"].items() for leg in legs}
    parts = {
        ref: told["stock"].get(about.get("stock", ""), {}) | about
        for ref, about in told[name]["parts"].items()
    }
    return {
        ref: Part(
            about.get("value") or about.get("mpn", ""),
            about["footprint"],
            _pads(ref, told["kinds"][about["kind"]], nets),
            about["kind"].startswith("place"),
        )
        for ref, about in parts.items()
        if "footprint" in about
    }


def _pads(ref: str, pins: Mapping[str, Any], nets: Mapping[str, str]) -> dict[str, str]:
    """Return the net of each pad; pads without a net are left out."""
    return {
        pad: nets[f"{ref}.{pin}"]
        for pin, says in pins.items()
        if f"{ref}.{pin}" in nets
        for pad in pad_numbers(pin, says)
    }


def pad_numbers(pin: str, says: str) -> list[str]:
    """Return the numbers of a pin's pads.

    >>> pad_numbers("GND", "ground #9+24"), pad_numbers("1", "passive")
    (['9', '24'], ['1'])
    """
    _, _, numbers = says.partition("#")
    return numbers.split("+") if numbers else [pin]
