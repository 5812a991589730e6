"""Reads a KiCad schematic back, and finds by itself what its wires, names and signs join.

read(file).nets["SDA"]          # frozenset({('U1', '20'), ('U2', '4'), …})
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gerbonara.cad.kicad.sexp import parse_sexp

NOT_PARTS: Final = "#"  # so begin the references of supplies, grounds and flags
Spot = tuple[float, float]
Pad = tuple[str, str]  # part and number


@dataclass(frozen=True, slots=True)
class Schematic:
    """What a schematic says."""

    nets: Mapping[str, frozenset[Pad]]
    open: frozenset[Pad]  # told to hang on nothing
    values: Mapping[str, tuple[str, str]]  # of each part: its value and footprint


def read(file: Path) -> Schematic:
    """Return what a file says."""
    sheet = parse_sexp(file.read_text("utf-8"))
    (library,) = _each(sheet, "lib_symbols")
    legs = {str(one[1]): dict(_legs(one)) for one in _each(library, "symbol")}
    joined = _Joined()
    for wire in _each(sheet, "wire"):
        (points,) = _each(wire, "pts")
        joined.join(*((float(x), float(y)) for _, x, y in points[1:]))
    pads: dict[Pad, Spot] = {}
    names: list[tuple[Spot, str]] = [
        (_at(one), str(one[1])) for one in _each(sheet, "global_label")
    ]
    values: dict[str, tuple[str, str]] = {}
    for part in _each(sheet, "symbol"):
        told = {str(one[1]): str(one[2]) for one in _each(part, "property")}
        ref, (x, y) = told["Reference"], _at(part)
        ((_, symbol),) = _each(part, "lib_id")
        if not ref.startswith(NOT_PARTS):
            values[ref] = told["Value"], told["Footprint"]
        for number, (dx, dy) in legs[str(symbol)].items():
            spot = round(x + dx, 3), round(y - dy, 3)
            if ref.startswith(NOT_PARTS):
                if not ref.startswith("#FLG"):
                    names.append((spot, told["Value"]))
            else:
                pads[ref, number] = spot
    crosses = {_at(one) for one in _each(sheet, "no_connect")}
    return _nets(joined, pads, names, crosses, values)


class _Joined:
    """Which spots are one."""

    def __init__(self) -> None:
        self._of: dict[Spot, Spot] = {}

    def root(self, spot: Spot) -> Spot:
        while (next_ := self._of.get(spot, spot)) != spot:
            spot = next_
        return spot

    def join(self, a: Spot, b: Spot) -> None:
        self._of[self.root(a)] = self.root(b)


def _nets(
    joined: _Joined,
    pads: Mapping[Pad, Spot],
    names: list[tuple[Spot, str]],
    crosses: set[Spot],
    values: Mapping[str, tuple[str, str]],
) -> Schematic:
    called: dict[Spot, str] = {}
    for spot, name in names:
        if called.setdefault(joined.root(spot), name) != name:
            called[joined.root(spot)] = f"{called[joined.root(spot)]} and {name}"
    nets: dict[str, set[Pad]] = {}
    unjoined = set[Pad]()
    for pad, spot in pads.items():
        name = called.get(joined.root(spot), "")
        if name and spot not in crosses:
            nets.setdefault(name, set()).add(pad)
        else:
            unjoined.add(pad)
    frozen = {name: frozenset(every) for name, every in nets.items()}
    return Schematic(frozen, frozenset(unjoined), values)


def _legs(symbol: list[Any]) -> Iterator[tuple[str, Spot]]:
    for unit in _each(symbol, "symbol"):
        for leg in _each(unit, "pin"):
            ((_, number, *_),) = _each(leg, "number")
            yield str(number), _at(leg)


def _at(told: list[Any]) -> Spot:
    ((_, x, y, *_),) = _each(told, "at")
    return round(float(x), 3), round(float(y), 3)


def _each(told: list[Any], name: str) -> Iterator[list[Any]]:
    return (one for one in told if isinstance(one, list) and one and str(one[0]) == name)
