"""Draws the symbols of a schematic: two-legged parts along an axis, chips and sockets as boxes.

Lengths are steps of 1.27 mm, the grid of KiCad's schematics; y grows downwards, as on a sheet.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any, Final

from hardware.boards.circuit import Pin

Spot = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

STEP_MM: Final = 1.27
LETTER: Final = 0.86  # width of a letter of the usual size, in steps
AWAY: Final[Mapping[str, Spot]] = {  # the way that a leg leaves its part
    "left": (-1, 0),
    "right": (1, 0),
    "up": (0, -1),
    "down": (0, 1),
}
INWARDS: Final = {"left": 0, "right": 180, "up": 270, "down": 90}  # as KiCad turns a leg
AROUND: Final = {"left": "right", "right": "left", "up": "down", "down": "up"}
REACH: Final = 3  # from the middle of a two-legged part to the end of a leg
NOTHING: Final = "no_connect"  # the type of a leg that hangs on nothing and shows no cross
TYPES: Final = {
    "gives": "power_out",
    "takes": "power_in",
    "ground": "power_in",
    "out": "output",
    "in": "input",
    "strap": "input",
    "enable": "input",
    "sda": "bidirectional",
    "scl": "bidirectional",
    "sink": "open_collector",
    "drain": "open_collector",
}
# Lines of a part's body, along its axis from the first leg to the second, and across it.
BODIES: Final[Mapping[str, tuple[tuple[Spot, ...], ...]]] = {
    "resistor": (((-2, -0.8), (2, -0.8), (2, 0.8), (-2, 0.8), (-2, -0.8)),),
    "fuse": (
        ((-2, -0.8), (2, -0.8), (2, 0.8), (-2, 0.8), (-2, -0.8)),
        ((-2, 0), (2, 0)),
        ((-2.6, 1.6), (-1.6, 1.6), (1.6, -1.6), (2.6, -1.6)),
    ),
    "capacitor": (((-0.4, -1.5), (-0.4, 1.5)), ((0.4, -1.5), (0.4, 1.5))),
    "big": (
        ((-0.4, -1.5), (-0.4, 1.5), (-0.9, 1.5), (-0.9, -1.5), (-0.4, -1.5)),
        ((0.4, -1.5), (0.4, 1.5)),
        ((-2, 0.8), (-2, 1.8)),
        ((-2.5, 1.3), (-1.5, 1.3)),
    ),
    "lipo": (
        ((-0.6, -2), (-0.6, 2)),
        ((0.0, -1), (0.0, 1)),
        ((0.6, -2), (0.6, 2)),
        ((1.2, -1), (1.2, 1)),
        ((-2, 0.8), (-2, 1.8)),
        ((-2.5, 1.3), (-1.5, 1.3)),
    ),
    "diode": (
        ((-1, -1), (-1, 1), (1, 0), (-1, -1)),
        ((0.6, -1), (0.6, -1.3), (1, -1.3), (1, 1.3), (1.4, 1.3), (1.4, 1)),
    ),
    "smd-led": (
        ((-1, -1), (-1, 1), (1, 0), (-1, -1)),
        ((1, -1), (1, 1)),
        ((-0.2, -1.4), (1.0, -2.6)),
        ((0.5, -2.5), (1.0, -2.6), (0.9, -2.1)),
        ((1.0, -1.4), (2.2, -2.6)),
        ((1.7, -2.5), (2.2, -2.6), (2.1, -2.1)),
    ),
    "piezo": (
        ((-1, -1.6), (-1, 1.6)),
        ((1, -1.6), (1, 1.6)),
        ((-0.5, -1.2), (0.5, -1.2), (0.5, 1.2), (-0.5, 1.2), (-0.5, -1.2)),
    ),
}
LEGS: Final = {  # how far a leg reaches inwards
    "resistor": 1, "fuse": 1, "capacitor": 2.6, "big": 2.1, "lipo": 2.4, "diode": 2, "smd-led": 2,
    "piezo": 2,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg: the number of its pad, its name, and where it ends."""

    pin: Pin
    number: str
    name: str
    at: Spot
    side: str
    type: str
    shown: bool = True
    long: float = 2


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a part looks like; its box holds no wires of others."""

    name: str
    legs: tuple[Leg, ...]
    lines: tuple[tuple[Spot, ...], ...]
    box: Box
    named: bool  # whether legs tell their names and numbers
    label: tuple[Spot, Spot]  # where reference and value begin
    centred: bool = False  # … or where their middles are


def two_legged(kind: str, pins: Mapping[str, Pin], way: str) -> Symbol:
    """Return a part whose legs are on one line; its second one points that way."""
    (x, y), body = AWAY[way], BODIES[kind]
    flat = y == 0

    def put(spot: Spot) -> Spot:
        along, across = spot
        return (along * x, across) if flat else (across, along * y)

    ends = ((-REACH, AROUND[way]), (REACH, way))
    legs = tuple(
        Leg(pin, pin.numbers[0], pin.name, put((end, 0)), side, _type(pin), long=LEGS[kind])
        for pin, (end, side) in zip(pins.values(), ends, strict=True)
    )
    lines = tuple(tuple(map(put, line)) for line in body)
    box = (-2.0, -1.0, 2.0, 1.0) if flat else (-1.0, -2.0, 1.0, 2.0)
    high = 3.4 if kind == "smd-led" else 1.9
    label = ((0.0, -high), (0.0, 2.0)) if flat else ((2.2, -0.9), (2.2, 0.9))
    return Symbol(f"{kind}-{way}", legs, lines, box, False, label, centred=flat)


def dot(pin: Pin, way: str) -> Symbol:
    """Return bare copper to solder to: a ring whose leg points that way."""
    x, y = AWAY[way]
    leg = Leg(pin, pin.numbers[0], pin.name, (3 * x, 3 * y), way, "passive")
    ring = tuple((a, b) for a, b in (
        (1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0),
        (0.7, -0.7), (1.0, 0.0),
    ))  # fmt: skip
    label = {
        "left": ((1.6, -0.8), (1.6, 0.8)),
        "right": ((-5.0, -0.8), (-5.0, 0.8)),
        "up": ((1.6, 0.4), (1.6, 2.0)),
        "down": ((1.6, -2.0), (1.6, -0.4)),
    }[way]
    return Symbol(f"pad-{way}", (leg,), (ring,), (-1.0, -1.0, 1.0, 1.0), False, label)


def chip(
    name: str, pins: Mapping[str, Pin], sides: Mapping[str, Any], names: Mapping[str, str]
) -> Symbol:
    """Return a box with its pins on the sides that are told, two steps apart; "" leaves a gap.

    Pads of one pin are one leg. Pads that belong to nobody are each a leg of their own, but those
    of a pair, which lie on each other; and those of a pin under "hidden" have none. A supply that
    comes through a fuse, which KiCad does not see, is under "passive".
    """
    rows = {
        side: [leg for pin in sides.get(side, ()) for leg in _rows(pins.get(pin), sides)]
        for side in AWAY
    }
    letters = {
        side: LETTER * max((len(_text(*leg, names)) for leg in row if leg), default=0)
        for side, row in rows.items()
    }
    wide = max(letters["left"] + letters["right"] + 3, 2 * len(rows["up"]), 2 * len(rows["down"]))
    high = 2.0 * (max(len(rows["left"]), len(rows["right"]), 1) - 1)
    right = ceil((wide + 1) / 4) * 2
    up, down = (ceil(2 + letters[side]) if rows[side] else 1 for side in ("up", "down"))
    box = -right, -up, right, high + down
    legs = [leg for side in rows for leg in _side(rows[side], side, box, sides, names)]
    inside = [
        (pins[pin], number) for pin in sides.get("hidden", ()) for number in pins[pin].numbers
    ]
    legs += [
        Leg(pin, number, pin.name, (0.0, float(i)), "left", NOTHING, shown=False, long=0)
        for i, (pin, number) in enumerate(inside)
    ]
    frame = ((-right, -up), (right, -up), (right, box[3]), (-right, box[3]), (-right, -up))
    corner = (right + 0.6, 0.2 - up) if rows["up"] else (-right, -float(up))
    label = (corner[0], corner[1] - 2.6), (corner[0], corner[1] - 1)
    return Symbol(name, tuple(legs), (frame,), box, True, label)


def _side(
    row: Sequence[tuple[Pin, Sequence[str]] | None],
    side: str,
    box: Box,
    sides: Mapping[str, Any],
    names: Mapping[str, str],
) -> Iterator[Leg]:
    """Return the legs on one side of a box; pads of one pin end in one spot."""
    left, up, right, down = box
    first = -2.0 * ((len(row) - 1) // 2)
    plain = sides.get("passive", ())
    for i, leg in enumerate(row):
        if leg:
            spot = {
                "left": (left - 2, 2.0 * i),
                "right": (right + 2, 2.0 * i),
                "up": (first + 2 * i, up - 2),
                "down": (first + 2 * i, down + 2),
            }[side]
            pin, numbers = leg
            for n, number in enumerate(numbers):
                kind = "passive" if n or pin.name in plain else _type(pin)
                yield Leg(pin, number, _text(pin, numbers, names), spot, side, kind, shown=n == 0)


def _type(pin: Pin) -> str:
    return TYPES.get(pin.does, "passive")


def _rows(
    pin: Pin | None, sides: Mapping[str, Any]
) -> Iterable[tuple[Pin, tuple[str, ...]] | None]:
    if pin is None:
        return [None]
    if pin.does != "free":
        return [(pin, pin.numbers)]
    second = {number: pair.split() for pair in sides.get("pairs", ()) for number in pair.split()}
    pairs = [tuple(second.get(number, [number])) for number in pin.numbers]
    return [(pin, pair) for pair in dict.fromkeys(pairs)]


def _text(pin: Pin, numbers: Sequence[str], names: Mapping[str, str]) -> str:
    """Return what is written beside a leg: with all its pads, if they are many."""
    if pin.does == "free":
        return pin.name
    name = names.get(pin.name, pin.name)
    return name if len(numbers) == 1 else f"{name} ({runs(numbers)})"


def runs(numbers: Sequence[str]) -> str:
    """Return pads in short.

    >>> runs(["1", "2", "11", "36", "37", "38"]), runs(["A4", "B9"])
    ('1 2 11 36-38', 'A4 B9')
    """
    groups: list[list[str]] = [[numbers[0]]]
    for before, number in pairwise(numbers):
        if before.isdigit() and number.isdigit() and int(number) == int(before) + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return " ".join(
        f"{group[0]}-{group[-1]}" if len(group) > 2 else " ".join(group) for group in groups
    )
