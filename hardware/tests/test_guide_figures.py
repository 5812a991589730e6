"""What the guides cost, order, measure and tap is what lists, models, circuits and pages say."""

import re

import pytest

from examples.readme.lines import of
from hardware.tests import parts, plan, ways
from hardware.tests.test_guides import FILES, PLAN, table, text


def said(file: str, english: str, german: str) -> bool:
    """Return whether a guide says it, wherever its lines end."""
    wanted = {"build.md": english, "bauen.md": german}[file]
    return wanted in " ".join(text(file).split())


def comma(number: str) -> str:
    return number.replace(".", ",")


@pytest.mark.parametrize("file", FILES)
def test_the_guides_cost_and_take_what_the_lists_say(file: str) -> None:
    catalogue = parts.load()
    bench = parts.eur(parts.lines(PLAN, catalogue, "breadboard"))
    hours = catalogue.hours["breadboard"]
    assert said(
        file,
        f"some {bench:.0f} euros and in {hours:.0f} hours",
        f"etwa {bench:.0f} Euro und in {hours:.0f} Stunden",
    )
    one, ten = (parts.eur(parts.lines(PLAN, catalogue, "stopper"), at=at) for at in (0, 1))
    assert said(
        file,
        f"costs about {one:.0f} euros if you order for one table and {ten:.0f} if you order for",
        f"kostet etwa {one:.0f} Euro, wenn du für einen Tisch bestellst, und {ten:.0f}, wenn du",
    )
    assert catalogue.sets[:2] == (1, 10)


@pytest.mark.parametrize("file", FILES)
def test_the_box_charges_as_its_circuit_does(file: str) -> None:
    charge_ma = 1e6 / ways.size(PLAN.circuits["stopper"].parts["R1"].value)
    assert said(
        file, f"charges with {charge_ma:.0f} mA", f"lädt ein Stopfen mit {charge_ma:.0f} mA"
    )
    amps = f"{PLAN.circuits['box'].parts['J1'].pins['VBUS'].amps:.1f}"
    assert said(file, f"must give {amps} A", f"muss {comma(amps)} A liefern")
    known = " ".join(text("electronics.md").split())
    (hours,) = re.findall(r"Empty to full takes about \d+ hours", known)
    (number,) = re.findall(r"\d+", hours)
    assert said(file, hours, f"Von leer bis voll dauert es etwa {number} Stunden")


@pytest.mark.parametrize("file", FILES)
def test_a_gauge_is_checked_by_what_it_is_and_what_the_leaves_say(file: str) -> None:
    """A bridge of four like arms shows one of them from corner to corner, and ¾ beside it."""
    leaf = pytest.importorskip("hardware.tests.leaf")
    (line,) = (
        one
        for one in parts.lines(PLAN, parts.load(), "stopper")
        if one.what.startswith("full-bridge")
    )
    ohms = float(re.findall(r"(\d+) kΩ", line.what)[0]) * 1000
    assert said(file, f"| {ohms / 1000:.0f} kΩ each |", f"| je {ohms / 1000:.0f} kΩ |")
    assert said(file, f"| {ohms * 3 / 4:.0f} Ω each,", f"| je {ohms * 3 / 4:.0f} Ω,")
    volts, load_g = 3.0, 100
    there = f"{volts * leaf.signal_mv_per_v(load_g):.1f}"
    assert said(file, f"change by about {there} mV", f"um etwa {comma(there)} mV ändern")
    whole = 0.5 / 128 * 1000  # of the converter, in mV/V, at its gain of 128
    zero = int(whole - leaf.signal_mv_per_v(leaf.stop_g()))
    assert said(file, f"less than {volts * zero:.0f} mV |", f"weniger als {volts * zero:.0f} mV |")


@pytest.mark.parametrize("file", FILES)
def test_what_is_ordered_is_as_the_models_have_it(file: str) -> None:
    solids = pytest.importorskip("hardware.tests.solids")
    _, thick = solids.measures()["board"]
    across, high = solids.measures()["screw_head"]
    for english, german in [
        (f"four layers, {thick} mm", f"vier Lagen, {thick} mm"),
        (
            f"1.4310, {solids.measure('leaf_t'):.2f} mm",
            f"1.4310, {solids.measure('leaf_t'):.2f} mm",
        ),
        (f"{solids.measure('leaf_apart'):.1f} mm |",) * 2,
        (f"{across} mm across and at most {high} mm", f"{across} mm breit und höchstens {high} mm"),
        (f"{solids.measure('gauge_at')} mm from the mid", f"{solids.measure('gauge_at')} mm von"),
        (f"click {solids.measure('play')} mm", f"sich {solids.measure('play')} mm"),
    ]:
        assert said(
            file, english, german.replace("1.4310", "1_4310").replace(".", ",").replace("_", ".")
        )
    paper = 0.1
    assert 3 * paper < solids.measure("play") < 5 * paper


@pytest.mark.parametrize("file", FILES)
def test_every_file_that_is_named_is_there(file: str) -> None:
    for name in re.findall(r"`((?:boards|flat|parts|stl)/[^`]+)`", text(file)):
        assert (plan.HARDWARE / name).exists(), name


@pytest.mark.parametrize(("file", "word"), list(zip(FILES, ("tap", "tipp auf"), strict=True)))
def test_what_is_to_be_tapped_stands_on_the_page(file: str, word: str) -> None:
    known = set((plan.HARDWARE.parent / "companion/locale/de.po").read_text("utf-8").split("\n"))
    which = {"build.md": "msgid", "bauen.md": "msgstr"}[file]
    taps = [row[0].strip("*") for row in table(file, word)]
    assert len(taps) == 4
    update = {"build.md": "Update by radio", "bauen.md": "Über Funk aktualisieren"}[file]
    assert f"*{update}*" in text(file)
    taps.append(update)
    assert [one for one in taps if f'{which} "{one}"' not in known] == []


@pytest.mark.parametrize("file", FILES)
def test_the_bench_is_tried_as_its_page_says(file: str) -> None:
    (command,) = of("one stopper")
    assert said(file, f"`{command.text}`", f"`{command.text}`")
