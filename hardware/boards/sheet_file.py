"""Writes a schematic as KiCad 9 reads it. What is drawn has the same number every time."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from hardware.boards import schematic
from hardware.boards.circuit import Described
from hardware.boards.schematic import LINE, NOTE, SHEETS, Block, Drawing, Label, Put, Sheet
from hardware.boards.symbols import AWAY, INWARDS, STEP_MM, Spot, Symbol

VERSION: Final = 20250114  # of the format
TURNS: Final = {"right": 0, "up": 90, "left": 180, "down": 270}
WIRE_MM: Final = 0.2
WIDE: Final = 96  # of a line; what is longer is broken
NAME: Final = "rappelwacht"
FLAG: Final = "PWR_FLAG"
HIDE: Final = ("hide", "yes")
Line = tuple[Spot, ...]
ARROW: Final[tuple[Line, ...]] = (((0, 0), (0, -1.5)), ((-0.7, -0.9), (0, -1.7), (0.7, -0.9)))
GROUND: Final[tuple[Line, ...]] = (((0, 0), (0, 1)), ((-1, 1), (1, 1), (0, 2), (-1, 1)))


class Quoted(str):
    """A text that stands between quotation marks."""

    __slots__ = ()


def text(name: str, folder: Path = SHEETS) -> str:
    """Return the schematic of a board."""
    sheet = schematic.read(name, folder)
    return "\n".join(_lines(_Writer(name, sheet, schematic.drawn(sheet)).whole())) + "\n"


def _lines(told: Any) -> Iterator[str]:
    """Return something in brackets, on one line if it fits."""
    flat = _flat(told)
    if len(flat) <= WIDE or not isinstance(told, tuple):
        yield flat
        return
    heads = [one for one in told if not isinstance(one, tuple)]
    yield "(" + " ".join(map(_flat, heads))
    for one in told:
        if isinstance(one, tuple):
            yield from (f"  {line}" for line in _lines(one))
    yield ")"


def _flat(told: Any) -> str:
    if isinstance(told, tuple):
        return f"({' '.join(map(_flat, told))})"
    if isinstance(told, Quoted):
        escaped = told.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return f"{told:g}" if isinstance(told, float) else str(told)


def _at(spot: Spot, *turn: int) -> tuple[Any, ...]:
    return ("at", *_mm(spot), *turn)


def _mm(spot: Spot) -> tuple[float, float]:
    x, y = (round(value * STEP_MM, 4) + 0.0 for value in spot)  # no -0
    return x, y


def _up(spot: Spot) -> Spot:
    """Return a spot of a symbol, where y grows upwards."""
    return spot[0], -spot[1]


def _effects(size: float = STEP_MM, *how: Any, bold: bool = False) -> tuple[Any, ...]:
    thick = (("bold", "yes"),) if bold else ()
    return ("effects", ("font", ("size", size, size), *thick), *how)


def _property(name: str, says: str, at: Spot, *how: Any) -> tuple[Any, ...]:
    return ("property", Quoted(name), Quoted(says), _at(at, 0), _effects(STEP_MM, *how))


def _shape(lines: Iterable[Line], fill: str) -> Iterator[tuple[Any, ...]]:
    for line in lines:
        points = tuple(("xy", *_mm(_up(spot))) for spot in line)
        stroke = ("stroke", ("width", 0.2), ("type", "default"))
        yield ("polyline", ("pts", *points), stroke, ("fill", ("type", fill)))


def _in_library(symbol: Symbol, part: Described) -> tuple[Any, ...]:
    """Return a symbol as it stands in the sheet's own library."""
    fill = "background" if symbol.named else "none"
    hidden = () if symbol.named else (("pin_numbers", HIDE),)
    names = ("pin_names", ("offset", 0.762), *(() if symbol.named else (HIDE,)))
    legs = tuple(
        (
            "pin", leg.type, "line", _at(_up(leg.at), INWARDS[leg.side]),
            ("length", leg.long * STEP_MM), *(() if leg.shown else (HIDE,)),
            ("name", Quoted(leg.name), _effects()), ("number", Quoted(leg.number), _effects(1.0)),
        )
        for leg in symbol.legs
    )  # fmt: skip
    return (
        "symbol", Quoted(f"{NAME}:{symbol.name}"), *hidden, names, *_flags("yes", "yes"),
        *_blank("U", part.kind),
        ("symbol", Quoted(f"{symbol.name}_0_1"), *_shape(symbol.lines, fill)),
        ("symbol", Quoted(f"{symbol.name}_1_1"), *legs), ("embedded_fonts", "no"),
    )  # fmt: skip


def _supply_in_library(net: str, lines: Iterable[Line], side: str) -> tuple[Any, ...]:
    """Return a sign for a net, whose name is its value; or the flag that says that it is fed."""
    name, kind = f"{net} {side}", "power_out" if net == FLAG else "power_in"
    pin = ("pin", kind, "line", _at((0, 0), 90), ("length", 0))
    leg = (*pin, ("name", Quoted(""), _effects()), ("number", Quoted("1"), _effects()))
    return (
        "symbol", Quoted(f"{NAME}:{name}"), ("power",), ("pin_numbers", HIDE),
        ("pin_names", ("offset", 0), HIDE), *_flags("no", "no"), *_blank("#PWR", net),
        ("symbol", Quoted(f"{name}_0_1"), *_shape(lines, "none")),
        ("symbol", Quoted(f"{name}_1_1"), leg), ("embedded_fonts", "no"),
    )  # fmt: skip


def _flags(bought: str, on: str) -> tuple[Any, ...]:
    return ("exclude_from_sim", "no"), ("in_bom", bought), ("on_board", on)


def _blank(ref: str, value: str) -> Iterator[tuple[Any, ...]]:
    yield _property("Reference", ref, (0, 0))
    yield _property("Value", value, (0, 0))
    for name in ("Footprint", "Datasheet", "Description"):
        yield _property(name, "", (0, 0), HIDE)


class _Writer:
    """Puts a drawing into brackets."""

    def __init__(self, name: str, sheet: Sheet, drawing: Drawing) -> None:
        self.name, self.sheet, self.drawing = name, sheet, drawing
        self.signs = 0

    def _id(self, *what: object) -> tuple[str, Quoted]:
        words = " ".join(map(str, (NAME, self.name, *what)))
        return "uuid", Quoted(uuid5(NAMESPACE_URL, words))

    def whole(self) -> tuple[Any, ...]:
        drawing = self.drawing
        ends = [put.end(leg) for put in drawing.puts for leg in put.symbol.legs]
        ends += [label.at for label in (*drawing.labels, *drawing.supplies)]
        wires = schematic.pieces(drawing.wires, ends)
        title = (
            "title_block", ("title", Quoted(self.sheet.title)), ("company", Quoted("Rappelwacht")),
            ("comment", 1, Quoted("made by python3 -m hardware.boards from hardware/netlist.toml")),
            ("comment", 2, Quoted("nobody has built one yet")),
        )  # fmt: skip
        return (
            "kicad_sch", ("version", VERSION), ("generator", Quoted(NAME)),
            ("generator_version", Quoted("9.0")), self._id("sheet"),
            ("paper", Quoted(self.sheet.paper)), title, ("lib_symbols", *self._library()),
            *(line for block in self.sheet.blocks for line in self._frame(block)),
            *(self._wire(*wire) for wire in wires),
            *map(self._dot, schematic.junctions(wires, ends)),
            *(("no_connect", _at(spot), self._id("open", spot)) for spot in drawing.open),
            *map(self._label, drawing.labels),
            *map(self._part, drawing.puts),
            *(self._sign(label.net, label) for label in drawing.supplies),
            *(self._sign(FLAG, label) for label in drawing.flags),
            ("sheet_instances", ("path", Quoted("/"), ("page", Quoted("1")))),
            ("embedded_fonts", "no"),
        )  # fmt: skip

    def _library(self) -> Iterator[tuple[Any, ...]]:
        known = {put.symbol.name: (put.symbol, put.part) for put in self.drawing.puts}
        for _, (symbol, part) in sorted(known.items()):
            yield _in_library(symbol, part)
        for net, side in sorted({(label.net, label.side) for label in self.drawing.supplies}):
            yield _supply_in_library(net, ARROW if side == "up" else GROUND, side)
        for side in sorted({label.side for label in self.drawing.flags}):
            y = AWAY[side][1]
            lines = (((0, 0), (0, y), (-0.7, 1.5 * y), (0, 2 * y), (0.7, 1.5 * y), (0, y)),)
            yield _supply_in_library(FLAG, lines, side)

    def _frame(self, block: Block) -> Iterator[tuple[Any, ...]]:
        left, top, width, height = block.box
        yield (
            "rectangle", ("start", *_mm((left, top))), ("end", *_mm((left + width, top + height))),
            ("stroke", ("width", 0.15), ("type", "dash")), ("fill", ("type", "none")),
            self._id("frame", block.title),
        )  # fmt: skip
        yield self._text(block.title, (left + 1.5, top + 2), _effects(2.0, _LEFT, bold=True))
        lines = schematic.noted(block)
        for i, line in enumerate(lines):
            at = block.beside[0], block.beside[1] - LINE * (len(lines) - 1 - i)
            yield self._text(line, at, _effects(STEP_MM * NOTE, _LEFT))

    def _text(self, says: str, at: Spot, how: tuple[Any, ...]) -> tuple[Any, ...]:
        number = self._id("text", says, at)
        return ("text", Quoted(says), ("exclude_from_sim", "no"), _at(at, 0), how, number)

    def _wire(self, a: Spot, b: Spot) -> tuple[Any, ...]:
        stroke = ("stroke", ("width", WIRE_MM), ("type", "default"))
        points = ("pts", ("xy", *_mm(a)), ("xy", *_mm(b)))
        return ("wire", points, stroke, self._id("wire", a, b))

    def _dot(self, at: Spot) -> tuple[Any, ...]:
        return ("junction", _at(at), ("diameter", 0), ("color", 0, 0, 0, 0), self._id("dot", at))

    def _label(self, label: Label) -> tuple[Any, ...]:
        how = ("justify", "right" if label.side in ("left", "down") else "left")
        return (
            "global_label", Quoted(label.net), ("shape", "passive"),
            _at(label.at, TURNS[label.side]), _effects(STEP_MM, how),
            self._id("label", label.net, label.at),
        )  # fmt: skip

    def _part(self, put: Put) -> tuple[Any, ...]:
        ref, value = ((put.at[0] + x, put.at[1] + y) for x, y in put.symbol.label)
        how = () if put.symbol.centred else (_LEFT,)
        bought = "yes" if put.part.footprint and put.part.kind != "pad" else "no"
        told = (
            _property("Reference", put.ref, ref, *how),
            _property("Value", put.part.value or put.part.kind, value, *how),
            _property("Footprint", put.part.footprint, put.at, HIDE),
        )
        flags = _flags(bought, "yes" if put.part.footprint else "no")
        numbers = [leg.number for leg in put.symbol.legs]
        return self._instance((put.ref, put.symbol.name, put.at), flags, told, numbers)

    def _sign(self, name: str, label: Label) -> tuple[Any, ...]:
        """Return a supply, a ground, or the flag of one."""
        self.signs += 1
        ref = f"{'#FLG' if name == FLAG else '#PWR'}{self.signs:03d}"
        (x, y), away = label.at, AWAY[label.side][1]
        how = (HIDE,) if name in self.sheet.grounds else ()
        told = (
            _property("Reference", ref, label.at, HIDE),
            _property("Value", name, (x, y + away * (2.8 if away < 0 else 3.0)), *how),
        )
        what = (ref, f"{name} {label.side}", label.at)
        return self._instance(what, _flags("no", "no"), told, ["1"])

    def _instance(
        self, what: tuple[str, str, Spot], flags: Any, told: Any, numbers: Iterable[str]
    ) -> tuple[Any, ...]:
        ref, symbol, at = what
        _, root = self._id("sheet")
        path = ("path", Quoted(f"/{root}"), ("reference", Quoted(ref)), ("unit", 1))
        return (
            "symbol", ("lib_id", Quoted(f"{NAME}:{symbol}")), _at(at, 0), ("unit", 1), *flags,
            ("dnp", "no"), self._id("part", ref), *told,
            *(("pin", Quoted(number), self._id("pin", ref, number)) for number in numbers),
            ("instances", ("project", Quoted(self.name), path)),
        )  # fmt: skip


_LEFT: Final = ("justify", "left")
