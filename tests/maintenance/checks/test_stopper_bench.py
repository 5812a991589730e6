"""One stopper on the bench: a sound one is found well, and each thing that is amiss is named."""

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from math import cos, radians, sin
from pathlib import Path

import pytest

from companion import wire
from companion.cli.doctor_parts import BenchTrial, DoctorWiring
from companion.devices.stopper_registry import simulated_stopper
from companion.maintenance.checks.result import CheckResult, severity
from companion.maintenance.checks.stopper_bench import judge
from companion.present.terminal import TerminalScreen
from companion.sensing.evidence import PER_CHUNK
from companion.sensing.observations import Observation
from companion.simulator.live.live import SIMULATED, Live
from companion.simulator.traits import KIND
from companion.system import config
from rappelwacht_research.scene import play
from rappelwacht_research.script_reader import read

NODE = simulated_stopper(3).node
REST_US = 30_000_000


def said(name: str, at_us: int, gap: int = 0, **fields: object) -> Observation:
    return Observation(at_us, NODE, name, 1, 1, at_us, at_us, -60, fields, gap)


def beat(at_us: int, *, faults: int = 0, load_raw: int = 0, mv: int = 3900) -> Observation:
    return said("HEARTBEAT", at_us, faults=faults, load_raw=load_raw, battery_mv=mv)


def raw(at_us: int, samples: list[tuple[int, int, int]], request: int) -> Iterator[Observation]:
    """Yield a window of samples: hundredths of a degree, thousandths of g, milligrams."""
    chunks = [samples[at : at + PER_CHUNK] for at in range(0, len(samples), PER_CHUNK)]
    yield said("RAW_HEAD", at_us, request=request, start_us=at_us, step_us=20_000)
    for place, chunk in enumerate(chunks):
        data = b"".join(wire.SAMPLE.pack(_sample(*one)) for one in chunk)
        yield said("RAW", at_us, request=request, chunk=place, samples=data)


def _sample(tilt: int, deviation: int, load_mg: int) -> dict[str, int]:
    return {"tilt_cdeg": tilt, "deviation_permille": deviation, "load_mg": load_mg}


def heard(
    *, noise_mg: int = 4, drift: int = 0, foot_mg: float = 0.0, rough_mg: int = 0, gap: int = 0
) -> list[Observation]:
    """Return what a stopper says that stands for half a minute, and is turned over then."""
    found = [beat(at * 10_000_000, load_raw=drift * at) for at in range(1, 4)]
    found.append(said("STILL", 2_000_000, spread_mg=noise_mg, event=0))
    found.append(said("SET", 1, event=9))
    found.append(beat(0, load_raw=900_000))  # in the air, before it stood
    found.append(said("LIFT", REST_US + 1, event=1, gap=gap))
    turned = [
        (100 * deg, 20, round(foot_mg * (1 - cos(radians(deg))) + rough_mg * sin(4 * radians(deg))))
        for deg in range(0, 180, 2)
    ]
    found += raw(REST_US + 5_000_000, turned, 2)
    return sorted(found, key=lambda one: one.at_us)


def states(found: list[Observation]) -> dict[str, str]:
    return {one.check: one.condition.state.name for one in judge(found, REST_US, 3)}


def test_a_sound_stopper_is_found_well() -> None:
    found = list(judge(heard(), REST_US, 3))
    assert all(severity(one.condition) != "see-to" for one in found)
    assert states(heard()) == {
        "chips": "ANSWER",
        "interrupt": "NOTICED",
        "noise": "QUIET",
        "drift": "STEADY",
        "curve": "HOLDS",
        "radio": "GOOD",
        "battery": "GOOD",
        "pace": "KNOWN",
    }


@pytest.mark.parametrize(
    ("found", "check", "state"),
    [
        (heard(noise_mg=300), "noise", "LOUD"),
        (heard(drift=5_000), "drift", "WANDERS"),
        (heard(foot_mg=5_000), "curve", "FOOT"),
        (heard(rough_mg=300), "curve", "ROUGH"),
        (heard(gap=9), "radio", "WEAK"),
        ([*heard(), beat(40_000_000, faults=1)], "chips", "ILL"),
        ([*heard(), beat(40_000_000, mv=3400)], "battery", "LOW"),
        ([message for message in heard() if message.name != "LIFT"], "interrupt", "NOTHING"),
        ([], "radio", "SILENT"),
    ],
)
def test_what_is_amiss_is_named(found: list[Observation], check: str, state: str) -> None:
    assert states(found)[check] == state


def test_what_was_not_heard_is_not_judged() -> None:
    few = [said("FEATURES", 5)]
    told = states(few)
    assert (told["chips"], told["noise"], told["curve"], told["drift"], told["battery"]) == (
        ("UNKNOWN",) * 5
    )


def test_samples_that_are_sent_twice_count_once() -> None:
    once, twice = heard(), [*heard(), *raw(REST_US + 5_000_000, [(100, 5, 9_000)] * 90, 9)]
    assert states(once) == states(twice)


def test_a_simulated_stopper_is_tried_through_hub_and_cable(tmp_path: Path) -> None:
    ports, out = tmp_path / "ports", StringIO()
    ports.mkdir()
    assert isinstance(SIMULATED.hub, config.Hub)
    with Live(ports, 7, 12.0, KIND) as live:
        outside = DoctorWiring(live.ports, live.outside.open_pins, live.clock_us)
        screen = TerminalScreen(out, "en")
        trial = BenchTrial(SIMULATED.hub, simulated_stopper(3), outside, 12.0, screen)
        (barrel,) = (one for one, stopper in live.table.world.stoppers.items() if stopper == 3)
        script = (
            f"4 red lifts {barrel}\n+1 red puts back {barrel}\n"
            f"19 red lifts {barrel}\nred peeks {barrel} to 90° for 2\n"
            f"red peeks {barrel} to 160° for 2\nred puts back {barrel}"
        )
        live.carry_out(lambda: play(live.table, read(script)))
        found: dict[str, CheckResult] = {finding.check: finding for finding in trial.findings()}
        trial.draw(tmp_path / "stopper.svg", screen)
    told = {check: str(one.condition) for check, one in found.items()}
    names = {check: one.condition.state.name for check, one in found.items()}
    assert names["chips"] == "ANSWER", told
    assert names["interrupt"] == "NOTICED", told
    assert names["noise"] == "QUIET", told
    assert names["curve"] != "UNKNOWN", told  # these hands turn it faster than they should
    assert names["radio"] in {"GOOD", "WEAK"}, told
    assert (tmp_path / "stopper.svg").read_text("utf-8").count("<circle") > 20


def test_a_hub_that_is_not_there_is_all_that_is_told() -> None:
    class NoPorts:
        def find(self, _: object) -> list[str]:
            return []

        def open(self, path: str) -> object:
            raise AssertionError(path)

    outside = replace(DoctorWiring(answers_us=200_000), ports=NoPorts())  # type: ignore[arg-type]
    (only,) = BenchTrial(config.Hub(), simulated_stopper(3), outside, 1.0, None).findings()
    assert only.check == "hub"
