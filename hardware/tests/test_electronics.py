"""hardware/electronics.md says what netlist, catalogue and the simulated evenings say."""

import json
import re
from collections.abc import Mapping

import pytest

from hardware.tests import parts, plan, ways

power = pytest.importorskip("hardware.tests.power")

PAGE = (plan.HARDWARE / "electronics.md").read_text("utf-8")
TEXT = " ".join(PAGE.split())
PLAN, CATALOGUE = plan.load(), parts.load()
STOPPER, BOX = PLAN.circuits["stopper"], PLAN.circuits["box"]
KEPT: Mapping[str, Mapping[str, float]] = json.loads(power.FILE.read_text("utf-8"))
VARIANTS = ("weighing", "light")
ENDS = 0.075  # of its current: there a charger MCP73832-2AC lets go
LOSSES = 1.25  # of charging: the last tenth goes slowly


def row(first: str) -> list[str]:
    """Return the other cells of the table's row that begins so."""
    (line,) = (line for line in PAGE.splitlines() if line.startswith(f"| {first}"))
    return [cell.strip() for cell in line.strip("| ").split("|")][1:]


def shares() -> dict[str, float]:
    """Return the mean of all evenings that were counted."""
    return {s: sum(one[s] for one in KEPT.values()) / len(KEPT) for s in power.STATES}


@pytest.mark.parametrize(
    ("first", "name", "variant"),
    [
        ("a weighing stopper", "stopper", "weighing"),
        ("a light stopper", "stopper", "light"),
        ("the light board", "light_board", "weighing"),
        ("the charging box", "box", "weighing"),
    ],
)
def test_the_prices_are_those_of_the_lists(first: str, name: str, variant: str) -> None:
    found = parts.lines(PLAN, CATALOGUE, name)
    assert row(first) == [f"{parts.eur(found, variant, at):.2f}" for at in range(3)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_set_costs_what_its_boards_cost(variant: str) -> None:
    costs = [f"{parts.set_eur(PLAN, CATALOGUE, variant, at):.0f}" for at in range(3)]
    assert row(f"**a set with thirteen {variant} stoppers**") == costs
    heads = [f"{count} set{'s' * (count > 1)}" for count in CATALOGUE.sets]
    assert f"| | {' | '.join(heads)} |" in PAGE


def test_every_link_leads_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (plan.HARDWARE / link).exists(), link


def test_estimates_are_marked_with_their_date() -> None:
    assert TEXT.count(CATALOGUE.date) >= 2
    assert "Nobody has built these boards yet" in TEXT


def test_the_masses_are_those_of_the_lists() -> None:
    found = parts.lines(PLAN, CATALOGUE, "stopper")
    whole, light = (parts.grams(found, variant) for variant in VARIANTS)
    assert f"weighs {whole:.1f} g, or {light:.1f} g for a light one" in TEXT


def test_the_breadboard_costs_and_takes_what_the_catalogue_says() -> None:
    cost = parts.eur(parts.lines(PLAN, CATALOGUE, "breadboard"))
    assert f"about {cost:.0f} euros and {CATALOGUE.hours['breadboard']:.0f} hours" in TEXT


@pytest.mark.parametrize("state", ["listening", "computing", "light sleep", "deep sleep"])
def test_a_state_takes_its_share_and_its_current(state: str) -> None:
    share, *taken = row(state)
    assert share == f"{100 * shares()[state]:.0f} %"
    for cell, variant in zip(taken, VARIANTS, strict=True):
        ma = power.currents(variant).whole[state]
        assert cell == (
            f"{ma:.0f} mA" if ma >= 10 else f"{ma:.1f} mA" if ma > 0.1 else f"{ma:.2f} mA"
        )


def test_sending_takes_little_time_and_much_current() -> None:
    share, *taken = row("sending")
    assert share == f"{100 * shares()['sending']:.1f} %"
    assert taken == [f"{power.currents(v).whole['sending']:.0f} mA" for v in VARIANTS]


def test_a_cell_lasts_as_long_as_the_page_says() -> None:
    weighing, light = (power.currents(variant) for variant in VARIANTS)
    found = shares()
    said = (
        f"takes **{weighing.mean_ma(found):.0f} mA** and plays for "
        f"**{weighing.hours(found):.1f} hours**, a light one {light.mean_ma(found):.0f} mA and "
        f"{light.hours(found):.1f} hours"
    )
    assert said in TEXT
    minutes = sum(one["minutes"] for one in KEPT.values())
    assert f"twice ({minutes:.0f} minutes)" in TEXT
    assert round(60 * weighing.hours(found) / (minutes / len(KEPT))) == 8
    days = weighing.hours({"deep sleep": 1.0}) / 24
    assert f"a full one lasts {days:.0f} days" in TEXT


def test_charging_takes_as_long_and_the_box_gives_as_much_as_the_page_says() -> None:
    cell_a = ways.size(STOPPER.parts["BAT1"].value)
    charge_a = 1000 / ways.size(STOPPER.parts["R1"].value)
    assert f"{1000 * charge_a:.0f} mA**, less than the {1000 * cell_a:.0f} mA" in TEXT
    asleep_a = (
        power.currents("light").mean_ma(power.counted_in_box()) / 1000
    )  # its converter is off
    assert f"that takes {1000 * asleep_a:.1f} mA" in TEXT
    assert f"Empty to full takes about {cell_a / (charge_a - asleep_a) * LOSSES:.0f} hours" in TEXT
    awake_a = power.currents().whole["computing"] / 1000
    assert f"is awake and takes {1000 * awake_a:.0f} mA for itself" in TEXT
    assert f"would take about {cell_a / (charge_a - awake_a) * LOSSES:.0f} hours" in TEXT
    assert f"ends below {1000 * charge_a * ENDS:.2f} mA" in TEXT
    assert asleep_a < charge_a * ENDS < awake_a
    assert f"draw {ways.drawn_a(BOX, '5V'):.2f} A at most" in TEXT
    assert f"must offer **{BOX.parts['J1'].pins['VBUS'].amps:.1f} A**" in TEXT
    assert f"a fuse of {BOX.parts['F1'].value}" in TEXT


def test_the_regulator_gives_what_the_page_says() -> None:
    gives, takes = STOPPER.parts["U5"].pins["VOUT"], STOPPER.parts["U1"].pins["3V3"]
    assert f"gives {1000 * gives.amps:.0f} mA**" in TEXT
    assert f"draws {1000 * takes.amps:.0f} mA" in TEXT
    assert STOPPER.parts["C3"].value in TEXT


def test_every_current_says_where_it_comes_from() -> None:
    assert all(row_["from"] for row_ in power.told()["takes"])


def test_the_light_boards_sockets_have_these_pins() -> None:
    board = PLAN.circuits["light_board"]
    words = {"3V3": "3.3 V", "GND": "ground"}
    for number, colour in enumerate(("red", "green", "blue", "yellow"), 3):
        pads = board.parts[f"J{number}"].pads()
        said = [f"{pad}: {words.get(pin, pin)}" for pad, pin in sorted(pads.items())]
        assert row("`J3` red")[0] == ", ".join(said)
        assert f"`J{number}` {colour}" in TEXT
        assert board.parts[f"J{number}"].value == colour
    ring = board.parts["J2"].pads()
    assert row("`J2`")[0] == "1 to 8: SW1 to SW8; 9 to 20: CS1 to CS12"
    assert [ring[str(pad)] for pad in range(1, 21)] == [
        *(f"SW{n}" for n in range(1, 9)), *(f"CS{n}" for n in range(1, 13)),
    ]  # fmt: skip


@pytest.mark.slow
def test_an_evening_counted_again_is_like_the_one_that_is_kept() -> None:
    session = power.SESSIONS[0]
    found = power.counted(session)
    for state in power.STATES:
        assert found[state] == pytest.approx(KEPT[session.name][state], abs=0.02)
