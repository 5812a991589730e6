"""The wiring pictures are drawn from the plan."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from tests.hardware import harness, plan, render

PLAN = plan.load()


def test_every_source_is_what_the_plan_says() -> None:
    kept = {file.name for file in render.WIRING.iterdir()}
    assert kept == set(render.sources()) | {f"{name}.svg" for name in PLAN.pictures}
    for name, text in render.sources().items():
        said = "render anew: python -m tests.hardware.render wiring"
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


@pytest.mark.skipif(
    not (shutil.which("wireviz") and shutil.which("dot")),
    reason="WireViz or Graphviz is not installed, so the pictures are not drawn again",
)
def test_wireviz_still_draws_the_sources(tmp_path: Path) -> None:
    (tmp_path / "hub.yml").write_text(render.sources()["hub.yml"], "utf-8")
    subprocess.run(["wireviz", "-f", "s", "hub.yml"], check=True, cwd=tmp_path, timeout=60)  # noqa: S607
    assert (tmp_path / "hub.svg").stat().st_size > 1000
