"""Makes the parts list of a circuit from the netlist and hardware/catalogue.toml.

plan, catalogue = plan.load(), load()
lines(plan, catalogue, "stopper")       # (Line(references=('C1', 'C5', …), count=8, …), …)
eur(found, "light", sets=10)            # what one light stopper costs when ten sets are made
"""

import csv
import io
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any, Final

from hardware.tests.plan import HARDWARE, Circuit, Part, Plan

ALL: Final = "weighing"  # the variant in which nothing is left out
BARE: Final = {"pad", "box-contacts"}  # no thing that anybody buys
BESIDES: Final = {"gauge", "lipo"}  # of a stopper: [besides] tells more of them
ASSEMBLY_HEAD: Final = (
    "Comment",
    "Designator",
    "Footprint",
    "Quantity",
    "Manufacturer",
    "Manufacturer Part Number",
)
HEAD: Final = [
    "references",
    "count",
    "what",
    "value",
    "footprint",
    "maker",
    "number",
    "or_else",
    "variants",
    "grams_each",
]


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of thing, of which one circuit takes some."""

    references: tuple[str, ...]
    count: int
    what: str
    value: str = ""
    footprint: str = ""
    maker: str = ""
    number: str = ""
    or_else: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()  # those that have it; none named: all
    grams: float = 0.0
    eur: tuple[float, ...] = ()

    def fitted(self, variant: str) -> bool:
        """Return whether a variant has it."""
        return not self.variants or variant in self.variants


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The whole file."""

    date: str
    sets: tuple[int, ...]
    parts: Mapping[str, Mapping[str, Any]]
    modules: Mapping[str, Mapping[str, Any]]
    besides: Mapping[str, tuple[Mapping[str, Any], ...]]
    hours: Mapping[str, float]


def load(folder: Path = HARDWARE) -> Catalogue:
    """Return what the file in a folder says."""
    told = tomllib.loads((folder / "catalogue.toml").read_text("utf-8"))
    besides = {name: tuple(rows) for name, rows in told["besides"].items()}
    return Catalogue(
        told["date"], tuple(told["sets"]), told["parts"], told["modules"], besides, told["hours"]
    )


def variants(circuit: Circuit) -> tuple[str, ...]:
    """Return the variants of a circuit: the whole one, and those with something left out."""
    return (ALL, *circuit.left_out)


def lines(plan: Plan, catalogue: Catalogue, name: str) -> tuple[Line, ...]:
    """Return the parts list of a circuit: like parts in one line, then what hangs on no net."""
    circuit = plan.circuits[name]
    alike: dict[tuple[str, ...], list[str]] = {}
    for reference, part in circuit.parts.items():
        if part.kind not in BARE and (part.mpn or part.kind not in BESIDES or name == "breadboard"):
            fitted = [v for v in circuit.left_out if reference not in circuit.left_out[v]]
            key = (part.mpn or part.kind, part.value * (not part.mpn), part.footprint, *fitted)
            alike.setdefault(key, []).append(reference)
    found = [_line(circuit, catalogue, refs) for refs in alike.values()]
    return (*found, *(_beside(row) for row in catalogue.besides.get(name, ())))


def grams(found: Iterable[Line], variant: str = ALL) -> float:
    """Return what a variant's bought things weigh, by estimate."""
    return fsum(line.count * line.grams for line in found if line.fitted(variant))


def eur(found: Iterable[Line], variant: str = ALL, at: int = 0) -> float:
    """Return what a variant's things cost, by estimate; `at` is the place in `sets`.

    By fsum: a plain sum that ends in half a cent is rounded otherwise from Python 3.12 on.
    """
    return fsum(line.count * line.eur[at] for line in found if line.fitted(variant))


def set_eur(plan: Plan, catalogue: Catalogue, variant: str, at: int) -> float:
    """Return what the boards of one table cost with all that hangs on them."""
    return fsum(
        plan.circuits[name].count * eur(lines(plan, catalogue, name), variant, at)
        for name in ("stopper", "light_board", "box")
    )


def text(plan: Plan, catalogue: Catalogue, name: str) -> str:
    """Return a list as CSV, with a last row a variant."""
    found = lines(plan, catalogue, name)
    prices = [f"eur_each_at_{count}" for count in catalogue.sets]
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow([*HEAD, *prices])
    for line in found:
        words = (line.what, line.value, line.footprint, line.maker, line.number)
        more = ("; ".join(line.or_else), " ".join(line.variants), _number(line.grams))
        out.writerow(
            [" ".join(line.references), line.count, *words, *more, *map(_number, line.eur)]
        )
    several = bool(plan.circuits[name].left_out)
    for variant in variants(plan.circuits[name]):
        count = sum(line.count for line in found if line.fitted(variant))
        costs = [f"{eur(found, variant, at):.2f}" for at in range(len(catalogue.sets))]
        weight = f"{grams(found, variant):.2f}"
        out.writerow(["TOTAL", count, *[""] * 6, variant * several, weight, *costs])
    return file.getvalue()


def assembly(plan: Plan, catalogue: Catalogue, name: str, variant: str = ALL) -> str:
    """Return what a board house solders, with the heads that assembly houses read.

    What is bought piece by piece has a name for each, as in assembly-positions.csv.
    """
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow(ASSEMBLY_HEAD)
    for line in lines(plan, catalogue, name):
        if line.footprint and line.fitted(variant):
            pieces = line.count // len(line.references)
            refs = [ref for ref in line.references for _ in range(pieces)]
            if pieces > 1:
                refs = [f"{ref}_{n % pieces + 1}" for n, ref in enumerate(refs)]
            shape = line.footprint.partition(":")[2]
            says = line.what if line.value in line.what else f"{line.what} {line.value}"
            out.writerow([says, ",".join(refs), shape, line.count, line.maker, line.number])
    return file.getvalue()


def faults(plan: Plan, catalogue: Catalogue) -> Iterator[str]:
    """Yield a sentence for everything in which netlist and catalogue do not agree."""
    used = set()
    for name, circuit in plan.circuits.items():
        for reference, part in circuit.parts.items():
            if part.footprint and part.kind not in BARE:
                used.add(part.mpn)
                yield from (f"{name} {reference}: {said}" for said in _unlike(part, catalogue))
            if part.mpn and not part.footprint:
                yield f"{name} {reference}: {part.mpn} has no footprint"
    yield from (f"{mpn} is used by nobody" for mpn in catalogue.parts if mpn not in used)
    for mpn, told in catalogue.parts.items():
        if not told["or"]:
            yield f"{mpn}: nothing may stand in for it"
        if list(told["eur"]) != sorted(told["eur"], reverse=True):
            yield f"{mpn} costs more when more are bought"


def _unlike(part: Part, catalogue: Catalogue) -> Iterator[str]:
    told = catalogue.parts.get(part.mpn)
    if told is None:
        yield f"{part.mpn or 'a part without a number'} is not in the catalogue"
        return
    if "value" in told and told["value"] != part.value:
        yield f"{part.mpn} has {told['value']}, not {part.value}"
    if "footprint" in told and told["footprint"] != part.footprint:
        yield f"{part.mpn} fits {told['footprint']}, not {part.footprint}"


def _line(circuit: Circuit, catalogue: Catalogue, references: list[str]) -> Line:
    part = circuit.parts[references[0]]
    told = catalogue.parts[part.mpn] if part.mpn else catalogue.modules[part.kind]
    pieces = len(part.pads()) if part.kind.startswith("place") else 1
    fitted = [v for v in variants(circuit) if references[0] not in circuit.left_out.get(v, ())]
    price = told["eur"]
    return Line(
        tuple(references),
        len(references) * pieces,
        told["what"],
        told.get("value", "") if part.mpn else part.value,
        part.footprint,
        told["maker"],
        part.mpn or told["number"],
        tuple(told["or"]),
        tuple(fitted) if len(fitted) < len(variants(circuit)) else (),
        told["grams"],
        tuple(price) if isinstance(price, list) else (price,) * len(catalogue.sets),
    )


def _beside(row: Mapping[str, Any]) -> Line:
    return Line(
        (),
        row["count"],
        row["what"],
        number=row.get("number", ""),
        or_else=tuple(row.get("or", ())),
        variants=tuple(row.get("variants", ())),
        grams=row["grams"],
        eur=tuple(row["eur"]),
    )


def _number(value: float) -> str:
    return f"{value:g}"
