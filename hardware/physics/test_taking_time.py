"""The firmware on boards that take their time, whose interrupt pulses, and whose USB may die."""

import struct
from pathlib import Path

import pytest

from companion import wire
from companion.simulator.boards import LOAD, StopperBoard
from companion.simulator.traits import traits
from hardware.emulated.bench import Board, Script
from hardware.physics.test_ended_faults import power_only
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.stepped import SteppedCable

S = 1_000_000
SHAKEN = "6 blue lifts 7\nblue shakes 7 for 12\n"


def table(folder: Path, word: str, script: str = "", *, seed: int = 1) -> ScriptedTable:
    with SteppedCable(folder) as cable:
        return ScriptedTable(read(script), cable, seed, traits=traits(word), dozes=not script)


def stopper(at: ScriptedTable, barrel: int) -> StopperBoard:
    return at.stoppers[at.stopper_of(barrel)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_step_that_takes_its_time_costs_few_readings_of_the_load(
    tmp_path: Path, seed: int
) -> None:
    shaken = table(tmp_path, "steps", SHAKEN, seed=seed)
    board, readings = stopper(shaken, 7), 0
    shaken.advance(8 * S)
    get = board.i2c.readfrom_mem

    def counted(address: int, register: int, count: int) -> bytes:
        nonlocal readings
        readings += address == LOAD and count == 3
        return get(address, register, count)

    board.i2c.readfrom_mem = counted  # type: ignore[method-assign]
    shaken.advance(16 * S)
    assert readings / 8 >= 32  # by sleeping after the work there were 26


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_sent_at_a_steps_end_says_when_that_was(tmp_path: Path, seed: int) -> None:
    shaken = table(tmp_path, "steps", SHAKEN, seed=seed)
    power_only(shaken, 7)
    board, late = stopper(shaken, 7), list[int]()
    carry = shaken.air.carry

    def carried(sender: object, to: bytes, packet: bytes) -> None:
        if sender is board.radio:
            said_us = struct.unpack_from(wire.PACKET, packet)[-1]
            late.append(board.oscillator.us() - said_us)
        carry(sender, to, packet)  # type: ignore[arg-type]

    shaken.advance(7 * S)
    shaken.air.carry = carried  # type: ignore[method-assign]
    from_boot_us = board.stopper.clock.last - board.stopper.clock.us
    shaken.advance(16 * S)
    late = [one - from_boot_us for one in late]
    assert len(late) > 30
    assert max(late) <= 5_000  # a step takes up to 25
    assert min(late) >= 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_deep_sleep_lasts_though_its_interrupt_pulses(tmp_path: Path, seed: int) -> None:
    resting = table(tmp_path, "waking", seed=seed)
    resting.advance(330 * S)
    asleep = [board.asleep for board in resting.stoppers.values()]
    boots = [board.since_us for board in resting.stoppers.values()]
    resting.advance(500 * S)
    assert all(asleep)
    assert all(board.asleep for board in resting.stoppers.values())
    assert [board.since_us for board in resting.stoppers.values()] == boots


def test_what_is_moved_while_it_lies_down_does_not_sleep() -> None:
    board = Board(Script().stand(400)).run(299 * S)
    while not board.stopper.lying:
        board.run(board.now_us + 1)
    board.script.pieces = Script().stand(board.now_us / S + 0.25).shake(1).stand(30).pieces
    board.run(board.now_us + 5 * S)
    assert board.slept == 0
    assert board.names()[-1] == "STILL"
    assert board.events()[-1][1] * 1000 > 300 * S


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_it_can_be_flashed_for_a_minute_and_as_long_as_a_computer_is_there(
    tmp_path: Path, seed: int
) -> None:
    resting = table(tmp_path, "waking", seed=seed)
    plugged, alone = resting.stoppers[1], resting.stoppers[2]
    plugged.usb_host = True
    resting.advance(59 * S)
    assert all(board.usb_alive for board in resting.stoppers.values())
    resting.advance(400 * S)
    assert (plugged.usb_alive, plugged.asleep) == (True, False)
    assert (alone.usb_alive, alone.asleep) == (False, True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whoever_is_woken_in_a_hand_says_so_in_little_more_than_two_seconds(
    tmp_path: Path, seed: int
) -> None:
    script = read("330 blue lifts 7\nblue shakes 7 for 6\n")
    with SteppedCable(tmp_path) as cable:
        woken = ScriptedTable(script, cable, seed, traits=traits("steps,sleep,waking"))
    board = stopper(woken, 7)
    woken.advance(329 * S)
    asleep = board.asleep
    assert asleep
    woke, told = list[int](), list[int]()
    tell = None
    while woken.now_us < 338 * S and not told:
        woken.advance(woken.now_us + 20_000)
        if not board.asleep:
            woke.append(woken.now_us)
        if woke and board.stopper is not None and tell is None:
            tell = board.stopper.link.tell

            def heard(name: str, fields: dict[str, int], usual: object = tell) -> None:
                told.append(woken.now_us)
                usual(name, fields)  # type: ignore[operator]

            board.stopper.link.tell = heard
    assert told[0] - woke[0] <= 2.2 * S  # compiled at each boot: up to 4.3
