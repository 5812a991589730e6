"""The wiring pictures are drawn from the plan."""

import re
from collections import Counter
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware.tests import harness, plan, render
from tests.programs import need

PLAN = plan.load()
SVG = "{http://www.w3.org/2000/svg}"


def test_every_source_is_what_the_plan_says() -> None:
    kept = {file.name for file in render.WIRING.iterdir()}
    assert kept == set(render.sources()) | {f"{name}.svg" for name in PLAN.pictures}
    for name, text in render.sources().items():
        said = "render anew: python -m hardware.tests.render wiring"
        assert (render.WIRING / name).read_text("utf-8") == text, said


@pytest.mark.parametrize("name", list(PLAN.pictures))
def test_a_picture_shows_every_part_pin_and_wire_of_its_source(name: str) -> None:
    drawn = (render.WIRING / f"{name}.svg").read_text("utf-8")
    shown = {" ".join(unescape(text).split()) for text in re.findall(r">([^<>]+)</text>", drawn)}
    circuit = PLAN.circuits[PLAN.pictures[name].circuit]
    parts = PLAN.pictures[name].parts or tuple(circuit.parts)
    for part in parts:
        assert part in shown
        assert circuit.parts[part].value in shown | {""}
    nets = circuit.net_of()
    for leg, net in nets.items():
        others = [one for one in circuit.nets[net] if one.part in parts and one != leg]
        if leg.part in parts and others:
            assert harness.label(PLAN, circuit.parts[leg.part], leg.pin) in shown, leg
            assert any(text.endswith(f":{net}") for text in shown), net


def test_the_seats_picture_has_the_numbers_of_the_header() -> None:
    source = render.sources()["seat.yml"]
    for part in ("pad", "button", "light"):
        pin = PLAN.pins[f"pi.red.{part}"]
        assert f'"pin {pin.at} = GPIO {pin.gpio}, red {part}"' in source


def test_every_light_stands_in_the_matrix() -> None:
    drawn = render.sources()["lights.svg"]
    for number, name in enumerate(PLAN.lights):
        assert f"D{number}: {name}<" in drawn
    for line in [f"SW{n}" for n in range(1, 9)] + [f"CS{n}" for n in range(1, 13)]:
        assert f">{line}<" in drawn


@pytest.fixture(scope="module")
def drawn_anew(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("wireviz", reason="WireViz is not for 32 bits")
    need("dot")
    folder = tmp_path_factory.mktemp("wiring")
    for name, text in render.sources().items():
        (folder / name).write_text(text, "utf-8")
    render.draw(folder)
    return folder


def seen(picture: Path) -> Counter[tuple[str, ...]]:
    """Return boxes and wires of a picture, wherever this Graphviz places them.

    A box has its words, line by line: those of a cable name both ends of each wire. A wire's title
    says which sides of which boxes it joins, and its lines have its colours.
    """
    found: Counter[tuple[str, ...]] = Counter()
    for group in ElementTree.parse(picture).iter(f"{SVG}g"):
        kind, title = group.get("class", ""), group.findtext(f"{SVG}title") or ""
        if kind == "node":
            words = [" ".join((text.text or "").split()) for text in group.iter(f"{SVG}text")]
            found[kind, title, *words] += 1
        elif kind == "edge":
            colours = {path.get("stroke", "") for path in group.iter(f"{SVG}path")}
            found[kind, title, *sorted(colours)] += 1
    return found


@pytest.mark.parametrize("name", list(PLAN.pictures))
def test_wireviz_draws_what_is_kept(drawn_anew: Path, name: str) -> None:
    kept = seen(render.WIRING / f"{name}.svg")
    assert {kind for kind, *_ in kept} == {"node", "edge"}
    assert seen(drawn_anew / f"{name}.svg") == kept


def test_a_wire_that_is_moved_is_seen(drawn_anew: Path, tmp_path: Path) -> None:
    source = (drawn_anew / "hub.yml").read_text("utf-8")
    moved = re.sub(r"PI1: \[(.*?), (.*?)\]$", r"PI1: [\2, \1]", source, flags=re.MULTILINE)
    assert moved != source
    (tmp_path / "hub.yml").write_text(moved, "utf-8")
    render.draw(tmp_path)
    assert seen(tmp_path / "hub.svg") != seen(drawn_anew / "hub.svg")
