"""hardware/measured.md says what the bench judges by, and names nobody who has built nothing."""

import json
import re

import pytest

from companion.maintenance.checks import stopper_bench
from companion.maintenance.checks.stopper_bench import (
    CURVE_MG,
    DRIFT_MG,
    FOOT_MG,
    LOUD_MG,
    STONE_MG,
)
from companion.sensing.settings import WeighingSettings
from hardware.tests import parts, plan

power = pytest.importorskip("hardware.tests.power")

PAGE = (plan.HARDWARE / "measured.md").read_text("utf-8")
FORM = plan.HARDWARE.parent / ".github/ISSUE_TEMPLATE/measured.md"
EMPTY = "nobody"


def rows(head: str) -> list[list[str]]:
    """Return the rows of the table whose head begins so."""
    lines = PAGE.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"| {head} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


@pytest.mark.parametrize(
    ("said", "good"),
    [
        ("at rest its load trembles by", f"at most {LOUD_MG:.0f} mg"),
        ("in ten minutes it wandered by", f"at most {DRIFT_MG:.0f} mg"),
        ("turned in the air, its load differs", f"at most {CURVE_MG:.0f} mg"),
        ("and so much of it goes with the tilt", f"at most {FOOT_MG:.0f} mg"),
        ("packets that arrived", f"at least {stopper_bench.WEAK_PERCENT} %"),
    ],
)
def test_the_page_judges_as_the_doctor_does(said: str, good: str) -> None:
    (row,) = (row for row in rows("what it says") if row[0].startswith(said))
    assert row[1] == good
    assert f"A stone weighs {STONE_MG} mg" in PAGE


def test_the_bench_listens_for_the_ten_minutes_that_the_page_names() -> None:
    assert "--listen 600 " in PAGE
    assert "--listen 600 " in FORM.read_text("utf-8")


def test_a_line_has_a_column_for_all_that_the_doctor_measures() -> None:
    (head,) = re.findall(r"^\| built \|.*$", PAGE, re.MULTILINE)
    columns = [cell.strip() for cell in head.strip("|").split("|")]
    assert columns[2:-1] == [
        "trembles", "wanders", "differs", "with the tilt", "packets", "samples",
    ]  # fmt: skip
    assert columns[-1] == "recording"


def test_whoever_measured_gave_a_recording_or_figures() -> None:
    """As long as nobody has, the page says so, and at its beginning, too."""
    built = rows("built")
    given = [row for row in built if EMPTY not in row[0]]
    assert all(any(row[2:-1]) for row in given)
    measured = [row for row in rows("what") if EMPTY not in row[-1]]
    nothing = not given and not measured
    assert nothing == ("Nobody has built a stopper yet" in PAGE)


def test_what_is_supposed_stands_where_the_page_says() -> None:
    told = {row[0]: row[1] for row in rows("what")}
    kept = json.loads(power.FILE.read_text("utf-8"))
    shares = {s: sum(one[s] for one in kept.values()) / len(kept) for s in power.STATES}
    found = power.currents("weighing")
    assert told["what a stopper draws while it computes"] == f"{found.whole['computing']:.0f} mA"
    assert told["… in light sleep between two steps"] == (f"{found.whole['light sleep']:.1f} mA")
    assert told["… in deep sleep"] == f"{found.whole['deep sleep']:.2f} mA"
    assert told["how long one charge plays"] == f"{found.hours(shares):.1f} hours"
    catalogue = parts.load()
    cost = parts.eur(parts.lines(plan.load(), catalogue, "breadboard"))
    assert told["what the breadboard cost"] == f"{cost:.0f} euros"
    assert told["how long it took to build"] == f"{catalogue.hours['breadboard']:.0f} hours"


def test_what_a_bought_cell_shows_is_taken_out_by_the_number_that_is_named() -> None:
    """The firmware expects the cell of a stopper; a bought one says 1 mV/V at 100 g."""
    whole = 0.5 / 128 * 1000  # of the converter, in mV/V, at its gain of 128
    bought = 2**23 / whole / 100
    assert f"shows {bought / WeighingSettings().counts_per_g:.2f} times" in PAGE
