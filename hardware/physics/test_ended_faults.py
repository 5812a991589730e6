"""Faults on top of each other: each ends in its own time, and mends nothing but itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.simulator.boards import FLAT_MV, FULL_MV, StopperBoard
from companion.simulator.cable import IN_FLIGHT
from companion.simulator.chips.board_bus import SensorFault as Broken
from rappelwacht_research.scene import AFTER_US, ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.stepped import SteppedCable

S = 1_000_000


def power_only(table: ScriptedTable, *barrels: int) -> None:
    """Switch off all other stoppers once they are on: nobody asks for them, and they cost most."""
    asked_for = {table.stopper_of(barrel) for barrel in barrels}

    def switch_off() -> None:
        for number, board in table.stoppers.items():
            if number not in asked_for:
                board.power_off()
                table.wake(number)

    table.at(60_000, switch_off)  # each is switched on within 50 ms


class Bench:
    """A table without a host, of whose stoppers one has power, and what is broken at a time."""

    def __init__(self, cable: SteppedCable) -> None:
        self.cable = cable

    def play(self, script: str) -> Bench:
        self.table = ScriptedTable(read(script), self.cable, 1)
        power_only(self.table, 7)
        return self

    def at(self, at_s: float) -> Bench:
        self.table.advance(round(at_s * S))
        return self

    @property
    def board(self) -> StopperBoard:
        return self.table.stoppers[self.table.stopper_of(7)]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Provide a table that is not laid yet."""
    with SteppedCable(tmp_path) as cable:
        yield Bench(cable)


def test_a_second_silence_is_not_cut_short_by_the_end_of_the_first(bench: Bench) -> None:
    bench.play("1 fault silent for 3\n2 fault silent for 6")
    assert not bench.at(0.9).cable.mute
    assert bench.at(4.5).cable.mute
    assert bench.at(7.9).cable.mute
    assert not bench.at(8.1).cable.mute


def test_a_later_command_may_also_end_earlier(bench: Bench) -> None:
    bench.play("1 fault silent for 20\n2 fault silent for 1")
    assert bench.at(2.9).cable.mute
    assert not bench.at(3.1).cable.mute


def test_a_second_unplugging_keeps_the_plug_out(bench: Bench) -> None:
    bench.play("1 fault unplug for 2\n2 fault unplug for 4")
    assert not bench.at(3.5).cable.is_plugged
    assert not bench.at(5.9).cable.is_plugged
    assert bench.at(6.1).cable.is_plugged
    assert bench.cable.plugged == 2


def test_an_absent_hub_stays_so_although_it_was_to_be_unplugged_for_a_moment(bench: Bench) -> None:
    bench.play("1 fault unplug for 2\n2 fault absent hub\n9 fault clear")
    assert not bench.at(8.9).cable.is_plugged
    assert bench.at(9.1).cable.is_plugged


def test_no_time_at_all_is_a_time(bench: Bench) -> None:
    bench.play("1 fault unplug for 0\n2 fault silent for 0")
    assert bench.at(1.1).cable.is_plugged
    assert bench.cable.name == "simulated-hub-1"
    assert not bench.at(2.1).cable.mute


@pytest.mark.parametrize(("fault", "for_s"), [("unplug", 3), ("silent", 5), ("flat 7", 15)])
def test_what_lasts_as_long_as_usual_is_waited_for(bench: Bench, fault: str, for_s: int) -> None:
    bench.play(f"2 fault {fault}")
    assert bench.table.end_us == (2 + for_s) * S + AFTER_US


def test_a_mended_bus_leaves_the_chips_as_stuck_as_they_were(bench: Bench) -> None:
    bench.play("1 fault stuck 7 cell\n2 fault bus 7 for 1\n2.5 fault saturated 7 accelerometer")
    assert bench.at(2.5).board.i2c.stuck
    assert not bench.at(3.5).board.i2c.stuck
    assert bench.board.load_chip.fault is Broken.STUCK
    assert bench.board.motion_chip.fault is Broken.SATURATED


def test_the_bus_and_each_chip_on_it_are_mended_on_their_own(bench: Bench) -> None:
    bench.play("1 fault bus 7\n2 fault bus 7 cell for 2\n3 fault bus 7 accelerometer for 4")
    works = []
    for at_s in (2.5, 3.5, 4.5, 7.5):
        board = bench.at(at_s).board
        works.append((not board.i2c.stuck, board.load_chip.powered, board.motion_chip.powered))
    assert works == [
        (False, False, True),
        (False, False, False),
        (False, True, False),
        (False, True, True),
    ]


def test_a_bus_that_broke_again_is_not_mended_by_the_first_end(bench: Bench) -> None:
    bench.play("1 fault bus 7 for 2\n2 fault bus 7")
    assert bench.at(60).board.i2c.stuck


def test_what_is_cleared_and_broken_again_owes_nothing_to_old_timers(bench: Bench) -> None:
    again = "fault bus 7\n+0 fault silent for 30\n+0 fault unplug for 30"
    bench.play(f"1 fault bus 7 for 4\n+0 fault silent for 4\n+0 fault unplug for 4\n"
               f"2 fault clear\n3 {again}")  # fmt: skip
    assert not bench.at(2.5).board.i2c.stuck
    assert bench.cable.is_plugged
    assert bench.at(10).board.i2c.stuck
    assert bench.cable.mute
    assert not bench.cable.is_plugged


def test_a_charged_battery_that_is_flat_again_lasts_as_long_as_the_first(bench: Bench) -> None:
    bench.play("1 fault flat 7\n10 fault clear\n12 fault flat 7")
    assert bench.at(9).board.battery == FLAT_MV
    assert bench.at(11).board.battery == FULL_MV
    assert bench.at(26.9).board.powered  # the first would have died at 16 s
    assert not bench.at(27.1).board.powered


def test_a_battery_that_somebody_charged_does_not_die(bench: Bench) -> None:
    bench.play("1 fault flat 7").at(5)
    bench.table.charge(bench.table.stopper_of(7))
    assert bench.at(40).board.powered


def test_a_reboot_does_not_save_a_flat_battery_nor_wake_a_dead_one(bench: Bench) -> None:
    bench.play("1 fault flat 7\n5 fault reboot 7\n20 fault reboot 7\n30 fault clear")
    assert bench.at(15.9).board.powered
    assert bench.board.since_us == 5 * S
    assert not bench.at(16.1).board.powered
    assert not bench.at(29).board.powered
    assert bench.at(30.1).board.powered
    assert bench.board.battery == FULL_MV


def test_a_stopper_that_is_flat_from_the_beginning_dies(bench: Bench) -> None:
    bench.play("0 fault flat 7")
    assert bench.at(14).board.powered
    assert bench.board.battery == FLAT_MV
    assert not bench.at(15.1).board.powered


def test_a_reboot_mends_no_sensor(bench: Bench) -> None:
    bench.play("1 fault bus 7 cell\n2 fault stuck 7 accelerometer\n3 fault reboot 7").at(5)
    assert not bench.board.load_chip.powered
    assert bench.board.motion_chip.fault is Broken.STUCK


def test_clear_ends_every_drift_at_the_clock_s_own_pace(bench: Bench) -> None:
    usual = bench.play("1 fault drift 7 900 ppm\n2 fault drift 7 -700 ppm\n3 fault clear").board
    own = usual.oscillator.ppm
    assert abs(own) <= 40
    assert bench.at(1.5).board.oscillator.ppm == 900
    assert bench.at(2.5).board.oscillator.ppm == -700
    assert bench.at(3.5).board.oscillator.ppm == own


def test_clear_mends_all_else(bench: Bench) -> None:
    absent: list[tuple[str, bool]] = []
    bench.play(
        "1 fault loss 90%\n1 fault duplicate 80%\n1 fault reorder 70%\n1 fault stuck 7 cell\n"
        "1 fault absent lights\n1 fault absent pads\n1 fault bus 7 accelerometer\n3 fault clear"
    )
    bench.table.faults.lights_absent = lambda gone: absent.append(("lights", gone))
    bench.table.faults.pads_absent = lambda gone: absent.append(("pads", gone))
    weather = bench.at(2).table.air.weather
    assert (weather.loss, weather.duplicate, weather.reorder) == (0.9, 0.8, 0.7)
    assert absent == [("lights", True), ("pads", True)]
    assert bench.at(4).table.air.weather == bench.table.air.usual
    assert bench.board.healthy
    assert absent[2:] == [("lights", False), ("pads", False)]


def test_so_much_garbage_as_was_asked_for_comes_even_if_it_finds_no_room_at_once(
    bench: Bench, tmp_path: Path
) -> None:
    count = 3 * IN_FLIGHT + 7
    bench.play(f"1 fault garbage {count} bytes").at(0.5)
    port = os.open(tmp_path / bench.cable.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    bench.cable.in_step = bench.cable.mute = True  # the hub itself says nothing
    bench.cable.opened()
    came = 0
    for step in range(200):
        bench.at(1 + step / 200)
        if bench.cable.to_host:
            bench.cable.arrive(port)
            taken = len(os.read(port, 4096))
            bench.cable.took(taken)
            came += taken
    os.close(port)
    assert came == count


def test_garbage_of_no_given_size_is_200_bytes(bench: Bench, tmp_path: Path) -> None:
    bench.play("1 fault garbage\n2 fault garbage 1 bytes").at(0.5)
    port = os.open(tmp_path / bench.cable.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    bench.cable.in_step = bench.cable.mute = True
    bench.cable.opened()
    assert bench.at(1.5).cable.to_host == 200
    assert bench.at(2.5).cable.to_host == 201
    os.close(port)


def test_garbage_where_nobody_listens_is_lost_and_does_not_wait(bench: Bench) -> None:
    bench.play("1 fault unplug for 2\n2 fault garbage 5000 bytes").at(60)
    assert bench.cable.wrote == 0
