"""hardware/parts.csv lists everything that is wired, printed and named in the guides."""

import csv
from collections import Counter
from dataclasses import dataclass

import pytest
from gpiozero import pi_info

from hardware.tests import plan, render

PLAN = plan.load()


@dataclass(frozen=True, slots=True)
class Row:
    stage: int
    references: tuple[str, ...]
    part: str
    quantity: int
    grams_each: float
    look_for: str


def rows() -> list[Row]:
    with (plan.HARDWARE / "parts.csv").open(encoding="utf-8", newline="") as file:
        return [
            Row(
                int(row["stage"]),
                tuple(row["reference"].split()),
                row["part"],
                int(row["quantity"]),
                float(row["grams_each"] or 0),
                row["look_for"],
            )
            for row in csv.DictReader(file)
        ]


ROWS = [row for row in rows() if row.references != ("TOTAL",)]


def quantity_of(reference: str) -> int:
    (found,) = (row for row in ROWS if reference in row.references)
    return found.quantity // len(found.references)


def test_no_reference_stands_twice() -> None:
    every = [reference for row in ROWS for reference in row.references]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("name", ["breadboard", "table"])
def test_everything_that_is_wired_is_listed_as_often_as_it_is_needed(name: str) -> None:
    circuit = PLAN.circuits[name]
    for reference, part in circuit.parts.items():
        assert quantity_of(reference) == circuit.count, reference
        row = next(row for row in ROWS if reference in row.references)
        if part.kind in {"resistor", "capacitor"} and part.value[0].isdigit():
            assert row.part == f"{part.kind} {part.value}"


def test_every_row_tells_what_to_look_for() -> None:
    assert all(row.part and row.look_for and row.quantity > 0 for row in ROWS)


def test_every_mesh_is_listed_and_nothing_else_is_printed() -> None:
    printed = {row.references[0]: row for row in ROWS if row.part.startswith("printed: ")}
    assert set(printed) == set(render.MESHES)
    for name, row in printed.items():
        assert f"stl/{name}.stl" in row.look_for
        if name.startswith("stopper-"):
            assert row.quantity == PLAN.circuits["stopper"].count


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_the_totals_are_right(stage: int) -> None:
    (total,) = (row for row in rows() if row.references == ("TOTAL",) and row.stage == stage)
    assert total.quantity == sum(row.quantity for row in ROWS if row.stage == stage)


def test_the_wires_for_the_header_are_counted() -> None:
    """Each place has a wire of its own to a net of the header, as far as that has pins for it."""
    header = Counter(pin.name for pin in pi_info("a02082").headers["J8"].pins.values())
    pins = {"3V3": header["3V3"], "5V": header["5V"], "GND": header["GND"]}
    wires = 0
    for net, legs in PLAN.circuits["table"].nets.items():
        if any(leg.part == "PI1" for leg in legs) and not net.startswith("USB"):
            places = {place(leg.part) for leg in legs} - {"PI1"}
            wires += min(len(places), pins.get(net, 1))
    assert quantity_of("W2") == wires


def place(part: str) -> str:
    """Return where a part is: at a seat, at the buzzer, in the driver's case."""
    return "driver" if part in {"U5", "R4", "R5", "C1", "C2"} else part.partition("_")[2] or part


def test_there_is_a_stone_for_every_one_in_thirteen_barrels() -> None:
    assert quantity_of("STONES") == sum(range(1, 14))


def test_what_belongs_to_a_stopper_is_of_the_third_stage() -> None:
    for reference in PLAN.circuits["breadboard"].parts:
        assert next(row for row in ROWS if reference in row.references).stage == 3
