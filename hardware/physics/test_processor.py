"""Boards that take their time, sleep by a clock that errs, and wake when nobody moved them."""

from itertools import pairwise
from pathlib import Path

import pytest

from companion.simulator.boards import StopperBoard
from companion.simulator.chips.lis2dw12 import Lis2dw12
from companion.simulator.processor import (
    COLLECTING_US,
    HUB_STEP_US,
    RC_PPM,
    SEALING_US,
    STOPPER_STEP_US,
)
from companion.simulator.traits import traits
from hardware.physics.test_ended_faults import power_only
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.stepped import SteppedCable

S = 1_000_000
SHAKEN = "5 blue lifts 7\nblue shakes 7 for 8\n"
ARMED = ((0x25, 0), (0x22, 0x10), (0x34, 3), (0x35, 0x20), (0x23, 0x20), (0x3F, 0x20), (0x20, 0x30))


class Bench:
    """A table whose packets and steps are looked at."""

    def __init__(self, folder: Path, word: str, script: str = SHAKEN, seed: int = 4) -> None:
        with SteppedCable(folder) as cable:
            lines = read(script)
            table = ScriptedTable(lines, cable, seed, traits=traits(word), dozes=False)
            self.table, self.board = table, table.stoppers[table.stopper_of(7)]
            self.sent, self.steps = list[tuple[int, int]](), list[int]()
            self._watch(self.board)
            power_only(table, 7)
            table.advance(13 * S)

    def _watch(self, board: StopperBoard) -> None:
        step, carry = board.step, self.table.air.carry

        def stepped() -> int:
            self.steps.append(self.table.now_us)
            return step()

        def carried(sender: object, to: bytes, packet: bytes) -> None:
            if sender is board.radio:
                own_us = int.from_bytes(packet[12:20], "little")
                self.sent.append((self.table.now_us, own_us))
            carry(sender, to, packet)  # type: ignore[arg-type]

        board.step, self.table.air.carry = stepped, carried  # type: ignore[method-assign]


@pytest.mark.slow
def test_without_the_trait_a_step_takes_no_time(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "kind")
    assert bench.board.processor.takes_us == 0
    apart = [later - one for one, later in pairwise(bench.steps)]
    assert set(apart[200:]) & {25_000, 24_999, 25_001}


def test_a_step_takes_its_time_and_so_does_a_boot(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "steps")
    assert bench.board.since_us <= 1.05 * S, "all are powered on within 50 ms"
    assert S <= bench.board.processor.boot(compiled=False) <= 3 * S  # what it costs to compile
    apart = [later - one for one, later in pairwise(bench.steps[2:])]
    low, high = STOPPER_STEP_US
    assert min(apart) >= low - SEALING_US[1]  # one that sends nothing is shorter
    assert max(apart) <= 2 * high + 25_000 + 2 * COLLECTING_US[1]


def test_chips_are_read_when_a_step_begins_and_its_packets_go_off_at_its_end(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path, "steps")
    board, now_us = bench.board, bench.table.now_us
    board.processor.end()
    takes_us = board.processor.takes_us
    bench.table.now_us = now_us + takes_us
    board.processor.begin()
    first_us = board.processor.now_us()
    assert first_us == now_us
    board.i2c.readfrom_mem(0x19, 0x28, 60)
    judged_us = board.processor.now_us()
    assert first_us + takes_us // 2 < judged_us < now_us + takes_us
    board.radio.send(b"\xff" * 6, bytes(60))
    assert board.processor.now_us() == now_us + takes_us


def test_a_hub_takes_its_time_as_well(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        table, kind = (
            ScriptedTable((), cable, 3, traits=traits(word)) for word in ("steps", "kind")
        )
        table.advance(S // 4)
        assert not table.hub.listens  # it boots
        assert kind.hub.listens
        table.advance(2 * S)
        kind.advance(2 * S)
    least_us, _ = HUB_STEP_US
    assert table.hub.processor.takes_us >= least_us
    assert kind.hub.processor.takes_us == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 7, 13])
def test_a_light_sleep_is_measured_by_a_clock_that_errs_far_more(
    tmp_path: Path, number: int
) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable((), cable, 3, traits=traits("sleep"))
        board = table.stoppers[number]
        table.advance(20 * S)
        before_us = board.oscillator.us()
        table.advance(120 * S)
    off_ppm = abs((board.oscillator.us() - before_us - 100 * S) / 100)
    low, high = RC_PPM
    assert low / 2 < off_ppm < high + 50


def test_an_interrupt_that_is_armed_pulses_once_though_nothing_moves() -> None:
    now = [0]
    chip = Lis2dw12(lambda _: (0.0, 0.0, 1.0), lambda: now[0], 5, wakes=True)
    for register, value in ARMED:
        chip.write(register, bytes((value,)))
    chip.read(0x3B, 1)  # too soon
    seen = [chip.int1]
    for now_us in (60_000, 300_000):
        now[0] = now_us
        seen.append(chip.int1)  # latched
    chip.read(0x3B, 1)
    seen.append(chip.int1)
    now[0] = 60 * S
    assert [*seen, chip.int1] == [False, True, True, False, False]


def test_the_chip_of_a_board_pulses_only_with_the_trait(tmp_path: Path) -> None:
    pulses = []
    for word in ("waking", "kind"):
        with SteppedCable(tmp_path) as cable:
            table = ScriptedTable((), cable, 3, traits=traits(word))
        chip = table.stoppers[3].motion_chip
        chip.power_on()
        for register, value in ARMED:
            chip.write(register, bytes((value,)))
        table.now_us += 60_000
        pulses.append(chip.int1)
    assert pulses == [True, False]


@pytest.mark.slow
def test_a_light_sleep_ends_a_boards_usb_until_it_boots(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable((), cable, 3, traits=traits("waking"))
        board = table.stoppers[3]
        alive = [board.usb_alive]
        table.advance(330 * S)
        alive.append(board.usb_alive)
        board.power_on()
        alive.append(board.usb_alive)
    assert alive == [True, False, True]
