"""Every fault that can be had by command: no phantom, no wrong barrel, and the game goes on."""

import errno
import os
from functools import partial
from pathlib import Path

import pytest

from companion import wire
from companion.sensing.observations import PadChanged
from companion.simulator.boards import node
from companion.simulator.run import SimulatedTable
from companion.simulator.traits import HONEST, RADIO
from rappelwacht_research.sim_driver import SimulatedParts
from tests.scenarios.evenings import CLEAR, Told

MOVES = """
4 blue lifts 7
+0 red lifts 3
blue shakes 7 for 1
red shakes 3 for 1
blue puts back 7
red puts back 3
"""
AGAIN = "+1 blue lifts 7\nblue shakes 7 for 0.8\nblue places 7\n"
FAULTLESS = HONEST - RADIO  # or packets are lost without any fault
BOTH = ["LIFT", "SET", "LIFT", "SET"]


def told(folder: Path, script: str, seed: int = 1) -> Told:
    return Told(folder, script, seed, traits=FAULTLESS).play()


def faults_of(evening: Told, barrel: int) -> set[str]:
    """Return what a stopper complained of, ever."""
    bits = [int(str(one.fields["faults"])) for one in evening.of(barrel, "HEARTBEAT")]
    names = enumerate(wire.FAULTS)
    return {name for bit, name in names if any(faults >> bit & 1 for faults in bits)}


def well_at_last(evening: Told, barrel: int) -> bool:
    """Return whether a stopper's last word is that nothing is wrong."""
    return bool(evening.of(barrel, "HEARTBEAT")[-1].fields["faults"] == 0)


def pace_ppm(evening: Told, barrel: int, from_s: float, to_s: float) -> float:
    """Return by how much a stopper's clock is faster than the hub's, by its own times."""
    span = range(round(from_s * 1e6), round(to_s * 1e6))
    first, *_, last = (one for one in evening.of(barrel, "FEATURES") if one.at_us in span)
    return 1e6 * ((last.sent_us - first.sent_us) / (last.hub_us - first.hub_us) - 1)


def test_without_faults_all_is_heard_once_and_nothing_else(tmp_path: Path) -> None:
    evening = told(tmp_path, MOVES + AGAIN)
    assert evening.phantoms() == []
    assert evening.events(7) == BOTH
    assert evening.events(3) == ["LIFT", "SET"]
    assert not evening.evening.listening.losses
    assert {evening.barrel_of(message) for message in evening.heard if message.name == "LIFT"} == {
        3,
        7,
    }


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", range(2))
def test_a_third_of_all_packets_lost(tmp_path: Path, seed: int) -> None:
    evening = told(tmp_path, f"3 fault loss 30%\n{MOVES}fault clear\n{AGAIN}", seed)
    assert evening.phantoms() == []
    assert evening.events(7)[-2:] == ["LIFT", "SET"]
    assert evening.table.air.traffic.lost > 20
    assert evening.evening.listening.losses["missed"] > 5
    assert evening.table.air.weather == CLEAR


def test_packets_that_come_twice_are_one(tmp_path: Path) -> None:
    evening = told(tmp_path, f"3 fault duplicate 40%\n{MOVES}fault clear\n{AGAIN}")
    assert evening.phantoms() == []
    assert evening.events(7) == BOTH
    assert evening.evening.listening.losses["duplicated"] > 10
    assert evening.table.air.weather == CLEAR


@pytest.mark.slow
def test_packets_in_disorder_are_sorted_out(tmp_path: Path) -> None:
    evening = told(tmp_path, f"3 fault reorder 40%\n{MOVES}fault clear\n{AGAIN}")
    assert evening.phantoms() == []
    assert sorted(evening.events(7)) == sorted(BOTH)
    assert evening.evening.listening.losses["reordered"] > 0
    assert evening.table.air.weather == CLEAR


def test_a_stopper_that_boots_in_the_hand(tmp_path: Path) -> None:
    script = "4 blue lifts 7\nblue carries 7 for 3\n6 fault reboot 7\nblue puts back 7\n+2 "
    evening = told(tmp_path, script + AGAIN.removeprefix("+1 "))
    (found,) = [one for one in evening.of(7, "LIFT") if one.boot == 2][:1]
    assert found.fields["at_us"] == 1000 * found.fields["blind_ms"]  # so it may have been long ago
    assert found.fields["load_mg"] == 0  # it says that it is in the air, and never stood before
    assert [phantom.endswith("LIFT of 7") for phantom in evening.phantoms()] == [True]
    assert {one.boot for one in evening.of(7, "HELLO")} == {1, 2}
    assert evening.events(7)[-2:] == ["LIFT", "SET"]
    assert [
        message for message in evening.heard if message.boot > 1 and evening.barrel_of(message) != 7
    ] == []


def test_a_flat_battery_is_told_then_silent_and_with_a_new_one_it_plays(tmp_path: Path) -> None:
    evening = told(tmp_path, f"3 fault flat 7\n19 blue lifts 3\n22.5 fault clear\n+4 {AGAIN[3:]}")
    assert evening.phantoms() == []
    assert "battery-low" in faults_of(evening, 7)
    silent = [one for one in evening.of(7, "HEARTBEAT") if 18e6 < one.at_us < 22e6]
    assert silent == []
    assert {one.boot for one in evening.of(7, "HELLO")} == {1, 2}
    assert evening.events(7) == ["LIFT", "SET"]
    assert evening.events(3) == ["LIFT"]


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ("stuck 7 accelerometer", "motion-stuck"),
        ("stuck 7 cell", "load-stuck"),
        ("saturated 7 accelerometer", "motion-saturated"),
        ("saturated 7 cell", "load-saturated"),
        ("bus 7", "bus-stuck"),
        ("bus 7 cell", "load-silent"),
        ("bus 7 accelerometer", "motion-silent"),
    ],
)
def test_a_broken_sensor_is_told_not_believed(tmp_path: Path, fault: str, complaint: str) -> None:
    script = f"3 fault {fault}\n9 red lifts 3\nred puts back 3\n12 fault clear\n+4 {AGAIN[3:]}"
    evening = told(tmp_path, script)
    assert evening.phantoms() == []
    assert complaint in faults_of(evening, 7)
    assert well_at_last(evening, 7)
    assert evening.events(7) == ["LIFT", "SET"]
    assert evening.events(3) == ["LIFT", "SET"]
    others = set().union(*(faults_of(evening, number) for number in range(1, 14) if number != 7))
    assert others == set()


def test_a_bus_that_fails_for_a_moment_heals_by_itself(tmp_path: Path) -> None:
    evening = told(tmp_path, f"10 fault bus 7 for 2\n18 {AGAIN[3:]}")
    assert evening.phantoms() == []
    assert faults_of(evening, 7) == {"bus-stuck"}
    assert well_at_last(evening, 7)
    assert evening.events(7) == ["LIFT", "SET"]


@pytest.mark.slow
def test_a_clock_that_drifts(tmp_path: Path) -> None:
    evening = told(tmp_path, f"3 fault drift 7 10000 ppm\n{MOVES}+1.5 fault clear\n{AGAIN}")
    assert evening.phantoms() == []
    assert evening.events(7) == BOTH
    (cleared,) = (cut.at_us / 1e6 for cut in evening.table.breaks if cut.fault.name == "clear")
    assert pace_ppm(evening, 7, 3, cleared) == pytest.approx(10_000, abs=500)
    assert pace_ppm(evening, 3, 3, cleared) == pytest.approx(0, abs=500)
    assert pace_ppm(evening, 7, cleared, 60) == pytest.approx(0, abs=500)


@pytest.mark.slow
def test_unplugged_and_back_under_another_name(tmp_path: Path) -> None:
    evening = told(tmp_path, f"{MOVES}+1 fault unplug for 3\n+5 {AGAIN[3:]}")
    assert evening.phantoms() == []
    assert evening.events(7) == BOTH
    said = [condition for condition in evening.conditions() if "hub" in condition.lower()]
    assert said[-3:-1] == [
        "The hub was unplugged from simulated-hub-0; plug it in again, at any USB port.",
        "The hub 7c:df:a1:00:00:ff is at simulated-hub-1.",
    ]


def test_what_happens_while_unplugged_is_missing_but_never_wrong(tmp_path: Path) -> None:
    evening = told(tmp_path, f"3 fault absent hub\n{MOVES}fault clear\n+2 {AGAIN[3:]}")
    assert evening.phantoms() == []
    assert evening.events(7)[-2:] == ["LIFT", "SET"]
    assert [message for message in evening.heard if 4e6 < message.at_us < 7e6] == []


def test_a_hub_that_falls_silent_is_noticed_within_3_s(tmp_path: Path) -> None:
    evening = told(tmp_path, f"{MOVES}10 fault silent for 6\n18 {AGAIN[3:]}")
    assert evening.phantoms() == []
    assert evening.events(7) == BOTH
    silent = next(at for at, one in evening.news if "has gone silent" in str(one))
    assert 10e6 < silent < 13.1e6
    assert "The hub 7c:df:a1:00:00:ff is at simulated-hub-0." in evening.conditions()[-20:]


def test_garbage_on_the_line(tmp_path: Path) -> None:
    script = "".join(f"+0.5 fault garbage {50 * n} bytes\n" for n in range(1, 9))
    evening = told(tmp_path, f"4 blue lifts 7\n{script}blue puts back 7\n{AGAIN}")
    assert evening.phantoms() == []
    assert evening.events(7) == BOTH
    assert evening.evening.port.losses.total() > 5


def test_lights_that_are_absent_or_fail_and_come_back(tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def fail(table: SimulatedTable, parts: SimulatedParts) -> None:
        table.at(14_000_000, partial(setattr, parts.bus, "write", refuse))
        table.at(16_000_000, partial(setattr, parts.bus, "write", parts.bus.write))

    script = f"4 fault absent lights\n{MOVES}10 fault clear\n20 {AGAIN[3:]}"
    evening = Told(tmp_path, script, parts=True).play(fail)
    assert evening.events(7) == BOTH
    said = [
        condition.split(";")[0] for condition in evening.conditions() if "ight board" in condition
    ]
    assert said == [
        "The light board works.",
        "No light board answers at address 0x34 on I2C bus 1",
        "The light board works.",
        "I2C bus 1 fails (Input/output error), so the light board is dark",
        "The light board works.",
        "The light board is switched off.",
    ]


@pytest.mark.slow
def test_pads_that_are_absent_report_nothing(tmp_path: Path) -> None:
    moves = "4 blue places 7\nblue puts back 7\ngreen places 5\n"
    script = f"3 fault absent pads\n{moves}fault clear\n+1 red places 3\n"
    evening = Told(tmp_path, script, parts=True).play()
    pads = [one.colour for _, one in evening.news if isinstance(one, PadChanged)]
    assert pads == ["green", "red"]  # Green's when it is mended; of Blue's nothing was felt
    assert evening.events(7) == BOTH


def test_nobody_else_is_blamed(tmp_path: Path) -> None:
    evening = told(tmp_path, f"3 fault loss 20%\n3 fault reorder 20%\n{MOVES}{AGAIN}", seed=3)
    moved = {node(evening.table.stopper_of(barrel)) for barrel in (3, 7)}
    events = [
        message
        for message in evening.heard
        if "event" in message.fields and message.name != "STILL"
    ]
    assert {event.node for event in events} == moved
    assert evening.table.air.traffic.lost > 20
    assert evening.evening.listening.losses["reordered"] > 0
