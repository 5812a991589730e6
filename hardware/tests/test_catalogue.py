"""Netlist and catalogue agree, and the lists in hardware/parts/ are made from both."""

import csv
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from hardware.tests import parts, plan, render
from hardware.tests.plan import Plan
from hardware.tests.test_netlist import with_part

PLAN, CATALOGUE = plan.load(), parts.load()
BOARDS = ("stopper", "light_board", "box")


def told(name: str) -> list[dict[str, str]]:
    with (render.PARTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def changed(name: str, reference: str, **fields: Any) -> Plan:
    circuit = with_part(PLAN.circuits[name], reference, **fields)
    return replace(PLAN, circuits={**PLAN.circuits, name: circuit})


def test_netlist_and_catalogue_agree() -> None:
    assert list(parts.faults(PLAN, CATALOGUE)) == []


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (changed("stopper", "R1", value="2 kΩ"), "R1: RC0402FR-0720KL has 20 kΩ, not 2 kΩ"),
        (changed("stopper", "U4", mpn="MCP73831T-2ACI/OT"), "is not in the catalogue"),
        (changed("stopper", "U5", mpn=""), "a part without a number is not in the catalogue"),
        (changed("stopper", "C3", footprint="Capacitor_SMD:C_0402_1005Metric"), "6TPE220MAZB fits"),
        (changed("stopper", "C3", footprint=""), "6TPE220MAZB has no footprint"),
        (changed("box", "F13", value="2 A"), "F13: MF-NSMF020-2 has 0.2 A, not 2 A"),
        (changed("light_board", "U1", mpn="LIS2DW12TR"), "IS31FL3729-TQLS4-TR is used by nobody"),
    ],
    ids=["value", "number", "no-number", "footprint", "no-footprint", "fuse", "nobody"],
)
def test_where_they_do_not_it_is_said(broken: Plan, said: str) -> None:
    assert any(said in fault for fault in parts.faults(broken, CATALOGUE))


def test_a_part_that_nothing_replaces_and_a_price_that_rises_are_said() -> None:
    mpn = "NAU7802SGI"
    odd = {**CATALOGUE.parts[mpn], "or": [], "eur": [1.0, 2.0, 3.0]}
    broken = replace(CATALOGUE, parts={**CATALOGUE.parts, mpn: odd})
    assert len(list(parts.faults(PLAN, broken))) == 2


def test_the_lists_are_made_from_them() -> None:
    assert {file.name for file in render.PARTS.iterdir()} == set(render.lists())
    for name, text in render.lists().items():
        said = "make anew: python -m hardware.tests.render parts"
        assert (render.PARTS / name).read_text("utf-8") == text, said


@pytest.mark.parametrize("name", BOARDS)
def test_every_part_of_a_board_is_listed_once(name: str) -> None:
    listed = Counter(ref for row in told(name) for ref in row["references"].split())
    del listed["TOTAL"]
    soldered = {
        ref for ref, part in PLAN.circuits[name].parts.items() if part.footprint and part.mpn
    }
    assert listed == Counter(soldered)


def assembled(name: str) -> list[str]:
    """Return what a board house is told to solder."""
    with (render.PARTS / f"{name}-assembly.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        assert len(row["Designator"].split(",")) == int(row["Quantity"])
        assert row["Manufacturer Part Number"] in CATALOGUE.parts
    return [ref for row in rows for ref in row["Designator"].split(",")]


@pytest.mark.parametrize(
    ("name", "board"),
    [("stopper-weighing", "stopper"), ("light_board", "light_board"), ("box", "box")],
)
def test_an_assembly_house_gets_a_place_for_every_part_and_a_part_for_every_place(
    name: str, board: str
) -> None:
    file = plan.HARDWARE / "boards" / board / "assembly-positions.csv"
    with file.open(encoding="utf-8", newline="") as opened:
        placed = [row["Designator"] for row in csv.DictReader(opened)]
    assert Counter(assembled(name)) == Counter(placed)
    assert len(set(placed)) == len(placed)


def test_a_light_stopper_is_assembled_without_what_weighs() -> None:
    gone = set(assembled("stopper-weighing")) - set(assembled("stopper-light"))
    out = PLAN.circuits["stopper"].left_out["light"]
    assert gone == {ref for ref in out if PLAN.circuits["stopper"].parts[ref].mpn}


def test_the_totals_are_what_the_rows_add_up_to() -> None:
    for variant in parts.variants(PLAN.circuits["stopper"]):
        rows = [row for row in told("stopper") if variant in (row["variants"] or variant).split()]
        (total,) = (row for row in rows if row["references"] == "TOTAL")
        mine = [row for row in rows if row is not total]
        for column in ("grams_each", "eur_each_at_1", "eur_each_at_100"):
            sum_ = sum(int(row["count"]) * float(row[column]) for row in mine)
            assert float(total[column]) == pytest.approx(sum_, abs=0.006)
        assert int(total["count"]) == sum(int(row["count"]) for row in mine)


def test_what_is_left_out_makes_a_stopper_lighter_and_cheaper() -> None:
    found = parts.lines(PLAN, CATALOGUE, "stopper")
    assert parts.grams(found, "light") < parts.grams(found)
    assert parts.eur(found, "light") < 0.6 * parts.eur(found)
    gone = {ref for row in found if row.variants == ("weighing",) for ref in row.references}
    assert gone == {ref for ref in PLAN.circuits["stopper"].left_out["light"] if ref[0] not in "PG"}


def test_more_sets_cost_less_each() -> None:
    for variant in ("weighing", "light"):
        costs = [parts.set_eur(PLAN, CATALOGUE, variant, at) for at in range(3)]
        assert costs == sorted(costs, reverse=True)


def test_a_place_has_as_many_spring_pins_as_contacts() -> None:
    pins = [row for row in told("box") if "spring" in row["what"]]
    assert sum(int(row["count"]) for row in pins) == 4 + 12 * 2
