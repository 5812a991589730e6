"""Reads the file that describes a board: outline, layers, places, widths, zones, holes."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hardware.boards.grid import Outline, Point
from hardware.boards.rules import HOLE_MM

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part sits, seen from above: x to the right and y downwards, as KiCad has it."""

    at: Point
    turn: float = 0.0
    below: bool = False
    label: Point | None = None  # where its name is printed; none: nowhere
    label_size: float = 0.8
    inside: tuple[str, ...] = ()  # pads that vias may pierce


@dataclass(frozen=True, slots=True)
class Text:
    """Something printed on the board."""

    says: str
    at: Point
    size: float = 0.8
    turn: float = 0.0
    below: bool = False


@dataclass(frozen=True, slots=True)
class Placement:
    """Everything about a board that the netlist does not say."""

    name: str
    circuit: str
    title: str
    outline: Outline
    thickness: float
    pitch: float
    planes: Mapping[str, str]  # inner layer -> net; none: two layers
    pours: Mapping[str, str]  # outer layer -> net
    prices: tuple[float, ...]  # of a track's length on each layer
    width: float
    widths: Mapping[str, float]
    places: Mapping[str, Place]
    texts: tuple[Text, ...] = ()
    poured: tuple[str, ...] = ()  # nets that their pour joins; from the other side by a via
    spoke: float = 0.3  # width of what joins a pad to its pour and still lets it be soldered
    hole: str = ""  # the footprint of the holes for screws
    holes: tuple[Point, ...] = ()
    vias: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)  # by net, before all others
    fiducial: str = ""  # the footprint of the marks that a machine looks for
    fiducials: tuple[Place, ...] = ()
    hole_gap: float = HOLE_MM  # from a hole to copper
    hole_free: float = 0.0  # no copper this far around a hole's middle: the screw's head lies there
    keep_out: tuple[tuple[Point, ...], ...] = field(default=())

    def width_of(self, net: str) -> float:
        """Return how wide the tracks of a net are."""
        return self.widths.get(net, self.width)


def read(name: str, folder: Path = FOLDER) -> Placement:
    """Return the placement of a board."""
    told = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
    places = {part: _place(about) for part, about in told.pop("places").items()}
    outline = told.pop("outline")
    return Placement(
        name=name,
        outline=Outline(outline["width"], outline["height"], outline["corner"]),
        places=places,
        texts=tuple(
            Text(text.pop("says"), _point(text.pop("at")), **text) for text in told.pop("texts", [])
        ),
        holes=tuple(map(_point, told.pop("holes", []))),
        keep_out=tuple(tuple(map(_point, area)) for area in told.pop("keep_out", [])),
        vias={net: tuple(map(_point, where)) for net, where in told.pop("vias", {}).items()},
        fiducials=tuple(map(_place, told.pop("fiducials", []))),
        poured=tuple(told.pop("poured", ())),
        **told,
    )


def _place(about: dict[str, Any]) -> Place:
    label = _point(about.pop("label")) if "label" in about else None
    inside = tuple(about.pop("inside", ()))
    return Place(_point(about.pop("at")), label=label, inside=inside, **about)


def _point(pair: list[float]) -> Point:
    x, y = pair
    return float(x), float(y)
