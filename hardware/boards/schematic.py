"""Draws a board's schematic from ../netlist.toml; a file of sheets/ says what is where.

Legs of one net that face each other on a straight line are wired; all others get the net's name.
Supplies point upwards, grounds downwards.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from hardware.boards import circuit, symbols
from hardware.boards.circuit import Described
from hardware.boards.symbols import AROUND, AWAY, LETTER, Box, Leg, Spot, Symbol

SHEETS: Final = Path(__file__).parent / "sheets"
PINS: Final = Path(__file__).parents[1] / "pins.toml"
BIG_UF: Final = 100  # from here on a capacitor has a plus
LINE: Final = 2.0  # from a line of a note to the next, in steps
NOTE: Final = 1.05  # how much larger a note's letters are
STUB: Final = 2


@dataclass(frozen=True, slots=True)
class Block:
    """A frame with a title, its parts, and why they are what they are."""

    title: str
    box: tuple[float, float, float, float]  # left, top, width, height
    notes: str
    beside: tuple[float, float, float]  # where the notes are: left, bottom, width
    places: Mapping[str, tuple[Spot, str]]
    labels: Mapping[str, tuple[Spot, str]] = field(default_factory=dict)
    flags: tuple[tuple[str, Spot], ...] = ()  # where a supply comes in that KiCad cannot see


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything about a schematic that the netlist does not say."""

    circuit: str
    title: str
    paper: str
    supplies: tuple[str, ...]
    grounds: tuple[str, ...]
    shapes: Mapping[str, Mapping[str, Any]]
    gpios: Mapping[str, str]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Put:
    """A symbol in its place."""

    ref: str
    symbol: Symbol
    at: Spot
    part: Described

    def end(self, leg: Leg) -> Spot:
        return self.at[0] + leg.at[0], self.at[1] + leg.at[1]

    def box(self) -> Box:
        (x, y), (left, up, right, down) = self.at, self.symbol.box
        return x + left, y + up, x + right, y + down


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a net; a supply's or ground's is a symbol."""

    net: str
    at: Spot
    side: str


@dataclass(slots=True)
class Drawing:
    """All that is on a sheet."""

    puts: list[Put] = field(default_factory=list)
    wires: list[tuple[Spot, Spot]] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    supplies: list[Label] = field(default_factory=list)
    flags: list[Label] = field(default_factory=list)
    open: list[Spot] = field(default_factory=list)


def read(name: str, folder: Path = SHEETS) -> Sheet:
    """Return what a file says of a board's schematic."""
    told = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
    blocks = tuple(_block(about) for about in told["blocks"])
    return Sheet(
        told["circuit"],
        told["title"],
        told["paper"],
        tuple(told["supplies"]),
        tuple(told["grounds"]),
        told.get("symbols", {}),
        told.get("gpios", {}),
        blocks,
    )


def _block(about: Mapping[str, Any]) -> Block:
    left, top, width, height = about["box"]

    def spot(x: float, y: float) -> Spot:
        return float(left + x), float(top + y)

    note = about.get("note", (1.5, height - 1.2, width - 3))
    return Block(
        about["title"],
        (left, top, width, height),
        about["notes"],
        (*spot(*note[:2]), note[2]),
        {
            ref: (spot(*place[:2]), place[2] if len(place) > 2 else "down")
            for ref, place in about["places"].items()
        },
        {net: (spot(x, y), side) for net, (x, y, side) in about.get("labels", {}).items()},
        tuple((net, spot(x, y)) for net, x, y in about.get("flags", ())),
    )


def drawn(sheet: Sheet) -> Drawing:
    """Return the drawing of a sheet; KeyError where a part has no place, or a place no part."""
    parts = circuit.described(sheet.circuit)
    placed = [ref for block in sheet.blocks for ref in block.places]
    if sorted(placed) != sorted(parts):
        raise LookupError(f"not placed once each: {', '.join(sorted({*placed} ^ {*parts}))}")
    drawing = Drawing()
    for block in sheet.blocks:
        puts = [
            Put(ref, _symbol(sheet, ref, parts[ref], way), at, parts[ref])
            for ref, (at, way) in block.places.items()
        ]
        drawing.puts += puts
        _Wiring(sheet, block, puts).into(drawing)
        for net, at in block.flags:
            drawing.flags.append(Label(net, at, "up" if net in sheet.grounds else "down"))
            drawing.supplies.append(Label(net, at, _up(sheet, net)))
    return drawing


def _up(sheet: Sheet, net: str) -> str:
    return "down" if net in sheet.grounds else "up"


def _symbol(sheet: Sheet, ref: str, part: Described, way: str) -> Symbol:
    kind = part.kind
    if kind == "pad":
        return symbols.dot(part.pins["1"], way)
    if kind == "capacitor" and part.value.endswith("µF") and float(part.value.split()[0]) >= BIG_UF:
        kind = "big"
    if kind in symbols.BODIES:
        return symbols.two_legged(kind, part.pins, way)
    names = {}
    if ref in sheet.gpios:
        every = _gpios(tomllib.loads(PINS.read_text("utf-8"))[sheet.gpios[ref]])
        names = {pin: f"GPIO{gpio} {pin}" for pin, gpio in every if pin in part.pins}
    shape = ref if ref in sheet.shapes else kind
    return symbols.chip(shape, part.pins, sheet.shapes[shape], names)


def _gpios(told: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, int]]:
    for name, value in told.items():
        if "gpio" in value:
            yield f"{before}{name}", value["gpio"]
        else:
            yield from _gpios(value, f"{before}{name}.")


class _Wiring:
    """Joins the legs of one block."""

    def __init__(self, sheet: Sheet, block: Block, puts: Sequence[Put]) -> None:
        self.sheet, self.block, self.puts = sheet, block, puts
        self.ends: dict[str, dict[Spot, str]] = {}  # by net: where a leg ends, and which way
        self.open: list[Spot] = []
        for put in puts:
            for leg in put.symbol.legs:
                net = leg.pin.net
                if net:
                    self.ends.setdefault(net, {})[put.end(leg)] = leg.side
                elif leg.type != symbols.NOTHING:
                    self.open.append(put.end(leg))
        self.taken = [*self.open, *(end for ends in self.ends.values() for end in ends)]
        self.wires: list[tuple[Spot, Spot]] = []

    def into(self, drawing: Drawing) -> None:
        """Put wires, names, supplies and grounds on a drawing."""
        drawing.open += dict.fromkeys(self.open)
        for net, ends in self.ends.items():
            if net in self.sheet.supplies or net in self.sheet.grounds:
                for end, side in ends.items():
                    drawing.supplies.append(self._supply(net, end, side))
        for net, ends in self.ends.items():
            if net not in self.sheet.supplies and net not in self.sheet.grounds:
                for group in self._joined(ends):
                    drawing.labels.append(self._name(net, group, ends))
        drawing.wires += self.wires

    def _supply(self, net: str, end: Spot, side: str) -> Label:
        """Let a supply point upwards and ground downwards, beside a leg that points elsewhere."""
        up = _up(self.sheet, net)
        if side != up:
            x, y = AWAY[side]
            beside = end[0] + STUB * x, end[1] + STUB * y
            self.wires.append((end, beside))
            end = beside
        return Label(net, end, up)

    def _joined(self, ends: Mapping[Spot, str]) -> list[list[Spot]]:
        """Wire what faces each other; return the groups."""
        groups = [[end] for end in ends]
        for row in (0, 1):
            lines: dict[float, list[Spot]] = {}
            for end in ends:
                lines.setdefault(end[1 - row], []).append(end)
            for spots in lines.values():
                for a, b in pairwise(sorted(spots)):
                    mine = next(group for group in groups if a in group)
                    if b not in mine and self._clear(a, b):
                        theirs = next(group for group in groups if b in group)
                        groups.remove(theirs)
                        mine += theirs
                        self.wires.append((a, b))
        return groups

    def _clear(self, a: Spot, b: Spot) -> bool:
        """Return whether nothing lies between two spots on a line."""
        between = [spot for spot in self.taken if spot not in (a, b) and _within(spot, a, b)]
        crossed = any(_cuts(a, b, put.box()) for put in self.puts)
        met = any(
            _within(end, a, b) or (end in (a, b) and not {a, b} & {*self.taken})
            for wire in self.wires
            for end in wire
            if end not in (a, b)
        )
        return not (between or crossed or met)

    def _name(self, net: str, group: Sequence[Spot], ends: Mapping[Spot, str]) -> Label:
        """Return where a net's name stands: beside a leg, or at the end of a wire."""
        if net in self.block.labels:
            at, side = self.block.labels[net]
            near = [at] if self._on_wire(at) else self._near(at, group)
            if near:
                end = min(near, key=lambda spot: _far(spot, at))
                self.wires += [(end, at)] if end != at else []
                return Label(net, at, side)
        if len(group) == 1:
            return Label(net, group[0], ends[group[0]])
        for side, pick in (("left", min), ("right", max)):
            end = pick(group)
            beside = end[0] + STUB * AWAY[side][0], end[1]
            if ends[end] != AROUND[side] and self._clear(end, beside):
                self.wires.append((end, beside))
                return Label(net, beside, side)
        raise LookupError(f"{self.block.title}: say where the name of {net} is to stand")

    def _near(self, at: Spot, group: Sequence[Spot]) -> list[Spot]:
        """Return where a group can be reached from a spot on a straight line."""
        mine = [sorted(wire) for wire in self.wires if wire[0] in group]
        return [
            *(spot for spot in group if at[0] == spot[0] or at[1] == spot[1]),
            *((at[0], a[1]) for a, b in mine if a[0] < at[0] < b[0]),
            *((a[0], at[1]) for a, b in mine if a[1] < at[1] < b[1]),
        ]

    def _on_wire(self, at: Spot) -> bool:
        return any(at in wire or _within(at, *wire) for wire in self.wires)


def _within(spot: Spot, a: Spot, b: Spot) -> bool:
    """Return whether a spot lies on the line between two others, ends not counted."""
    if spot in (a, b):
        return False
    if a[1] == b[1] == spot[1]:
        return min(a[0], b[0]) < spot[0] < max(a[0], b[0])
    return a[0] == b[0] == spot[0] and min(a[1], b[1]) < spot[1] < max(a[1], b[1])


def _cuts(a: Spot, b: Spot, box: Box) -> bool:
    left, up, right, down = box
    return (
        max(min(a[0], b[0]), left) < min(max(a[0], b[0]), right) and up <= a[1] <= down
        if a[1] == b[1]
        else max(min(a[1], b[1]), up) < min(max(a[1], b[1]), down) and left <= a[0] <= right
    )


def _far(a: Spot, b: Spot) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def pieces(wires: Iterable[tuple[Spot, Spot]], ends: Iterable[Spot]) -> list[tuple[Spot, Spot]]:
    """Return wires cut wherever something ends on them, as KiCad joins only their ends."""
    wires = list(wires)
    spots = {*ends, *(end for wire in wires for end in wire)}
    found: dict[tuple[Spot, Spot], None] = {}
    for a, b in wires:
        cuts = sorted({a, b, *(spot for spot in spots if _within(spot, a, b))})
        found.update(dict.fromkeys(pairwise(cuts)))
    return list(found)


def noted(block: Block) -> list[str]:
    """Return a block's note in lines as wide as it is."""
    wide = int(block.beside[2] / (LETTER * NOTE))
    return [line for note in block.notes.strip().splitlines() for line in wrap(note, wide)]


def junctions(wires: Sequence[tuple[Spot, Spot]], ends: Iterable[Spot]) -> list[Spot]:
    """Return where three or more ends meet."""
    met: dict[Spot, int] = {}
    for spot in (*(end for wire in wires for end in wire), *dict.fromkeys(ends)):
        met[spot] = met.get(spot, 0) + 1
    return sorted(spot for spot, count in met.items() if count > 2)
