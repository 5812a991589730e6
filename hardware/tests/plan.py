"""Reads hardware/pins.toml and hardware/netlist.toml.

plan = load()
plan.pins["stopper.sda"]                # Pin(gpio=6, at='D4')
plan.circuits["stopper"].nets["SDA"]    # (Leg(part='U1', pin='sda'), …)
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

HARDWARE: Final = Path(__file__).parents[2] / "hardware"
LIGHT: Final = "rgb-led"


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin as programs call it, and as it is printed beside it."""

    gpio: int
    at: str


class Does(Enum):
    """What a pin does."""

    GIVES = "gives"
    TAKES = "takes"
    GROUND = "ground"
    PASSIVE = "passive"
    OUT = "out"
    IN = "in"
    SENSES = "senses"
    SDA = "sda"
    SCL = "scl"
    SINK = "sink"
    FREE = "free"
    STRAP = "strap"
    ENABLE = "enable"
    DRAIN = "drain"
    CHARGES = "charges"
    PROGRAMS = "programs"
    CC = "cc"
    CLAMP = "clamp"


@dataclass(frozen=True, slots=True)
class Role:
    """What a pin does, at which voltages."""

    does: Does
    volts: tuple[float, ...] = ()
    pulled: bool = False
    numbers: tuple[str, ...] = ()  # of a chip's legs, or of a footprint's pads
    amps: float = 0.0  # that it draws at most, or can give

    @classmethod
    def read(cls, text: str) -> Role:
        """Return what a text says.

        >>> Role.read("sda 3.3 pulled")
        Role(does=<Does.SDA: 'sda'>, volts=(3.3,), pulled=True, numbers=(), amps=0.0)
        >>> Role.read("ground #9+24").numbers
        ('9', '24')
        >>> Role.read("takes 3.0 3.6 0.335A").amps
        0.335
        """
        text, _, numbers = text.partition("#")
        does, *rest = text.split()
        amps = sum((float(word.removesuffix("A")) for word in rest if word.endswith("A")), 0.0)
        volts = tuple(float(word) for word in rest if word[-1].isdigit())
        return cls(
            Does(does), volts, "pulled" in rest, tuple(filter(None, numbers.split("+"))), amps
        )


@dataclass(frozen=True, slots=True)
class Leg:
    """One pin of one part."""

    part: str
    pin: str

    @classmethod
    def read(cls, text: str) -> Leg:
        """Return what a text says.

        >>> Leg.read("PI1.red.pad")
        Leg(part='PI1', pin='red.pad')
        """
        part, _, pin = text.partition(".")
        return cls(part, pin)

    def __str__(self) -> str:
        return f"{self.part}.{self.pin}"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is soldered."""

    kind: str
    pins: Mapping[str, Role]
    value: str = ""
    address: int | None = None
    footprint: str = ""  # library:name; without, it is not soldered on a board of ours
    mpn: str = ""  # its maker's number
    near: Leg | None = None  # the leg that it stands beside

    def pads(self) -> dict[str, str]:
        """Return which pin is on each pad of its footprint."""
        return {pad: pin for pin, role in self.pins.items() for pad in role.numbers or (pin,)}


@dataclass(frozen=True, slots=True)
class Circuit:
    """Parts, and the nets that join their pins."""

    count: int
    parts: Mapping[str, Part]
    nets: Mapping[str, tuple[Leg, ...]]
    left_out: Mapping[str, frozenset[str]] = field(default_factory=dict)  # of each variant

    def role(self, leg: Leg) -> Role:
        """Return what a pin does; KeyError if there is no such part or pin."""
        return self.parts[leg.part].pins[leg.pin]

    def net_of(self) -> dict[Leg, str]:
        """Return the net of every pin that is connected."""
        return {leg: net for net, legs in self.nets.items() for leg in legs}

    def variant(self, name: str) -> Circuit:
        """Return the circuit as it is when some parts are not fitted."""
        out = self.left_out[name]
        parts = {ref: part for ref, part in self.parts.items() if ref not in out}
        legs = {
            net: tuple(leg for leg in every if leg.part not in out)
            for net, every in self.nets.items()
        }
        return replace(self, parts=parts, nets={n: g for n, g in legs.items() if g}, left_out={})


@dataclass(frozen=True, slots=True)
class Picture:
    """Which parts of which circuit a picture shows; no parts named: all."""

    circuit: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Both files."""

    pins: Mapping[str, Pin]
    lights: Mapping[str, tuple[int, ...]]  # switch line, then three sinks
    circuits: Mapping[str, Circuit]
    pictures: Mapping[str, Picture]
    colours: Mapping[str, str]


def load(folder: Path = HARDWARE) -> Plan:
    """Return what the two files in a folder say."""
    told = tomllib.loads((folder / "pins.toml").read_text("utf-8"))
    lights = {name: tuple(wires) for name, wires in told.pop("lights").items()}
    wired = tomllib.loads((folder / "netlist.toml").read_text("utf-8"))
    pictures = {
        name: Picture(picture["of"], tuple(picture.get("parts", ())))
        for name, picture in wired.pop("pictures").items()
    }
    kinds, colours, stock = wired.pop("kinds"), wired.pop("colours"), wired.pop("stock")
    circuits = {name: _circuit(circuit, kinds, stock) for name, circuit in wired.items()}
    circuits["table"] = with_lights(circuits["table"], "U5", lights, kinds)
    return Plan(dict(_pins("", told)), lights, circuits, pictures, colours)


def with_lights(
    circuit: Circuit, driver: str, lights: Mapping[str, tuple[int, ...]], kinds: Mapping[str, Any]
) -> Circuit:
    """Return a circuit with its lights, D0 and so on, which pins.toml wires to a driver."""
    parts, nets = dict(circuit.parts), dict(circuit.nets)
    for number, (switch, *sinks) in enumerate(lights.values()):
        parts[f"D{number}"] = _part({"kind": LIGHT}, kinds)
        ends = {"A": f"SW{switch}"} | {
            colour: f"CS{sink}" for colour, sink in zip("RGB", sinks, strict=True)
        }
        for pin, net in ends.items():
            nets[net] = (*nets.get(net, (Leg(driver, net),)), Leg(f"D{number}", pin))
    return replace(circuit, parts=parts, nets=nets)


def _circuit(
    told: Mapping[str, Any], kinds: Mapping[str, Any], stock: Mapping[str, Any]
) -> Circuit:
    parts = {
        name: _part(stock.get(part.get("stock", ""), {}) | part, kinds)
        for name, part in told["parts"].items()
    }
    nets = {name: tuple(map(Leg.read, legs)) for name, legs in told["nets"].items()}
    out = {name: frozenset(refs) for name, refs in told.get("left_out", {}).items()}
    return Circuit(told["count"], parts, nets, out)


def _part(told: Mapping[str, Any], kinds: Mapping[str, Any]) -> Part:
    roles = {pin: Role.read(text) for pin, text in kinds[told["kind"]].items()}
    near = Leg.read(told["near"]) if "near" in told else None
    return Part(
        told["kind"],
        roles,
        told.get("value", ""),
        told.get("address"),
        told.get("footprint", ""),
        told.get("mpn", ""),
        near,
    )


def _pins(path: str, told: Mapping[str, Any]) -> Iterator[tuple[str, Pin]]:
    for name, value in told.items():
        if "gpio" in value:
            yield path + name, Pin(value["gpio"], value["at"])
        else:
            yield from _pins(f"{path}{name}.", value)
