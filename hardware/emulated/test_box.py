"""The charging box: what a stopper says there, and what it keeps to itself."""

from typing import Any

from companion.simulator.chips.nau7802 import PU_CTRL
from companion.simulator.flash import Disk
from companion.wire import UPDATE_STATES
from hardware.emulated.bench import Board, Script
from hardware.emulated.source import load

BOX, CHARGING, FULL = 1, 2, 4
S = 1_000_000
EVENTS = {"LIFT", "SET", "TILT", "UPRIGHT", "FLIP", "STILL", "FEATURES"}


def boxed(script: Script, **how: Any) -> Board:
    board = Board(script)
    board.box = board.charger = True
    for name, value in how.items():
        setattr(board, name, value)
    return board


def powers(board: Board) -> list[int]:
    return [f.fields.power for f in board.radio.frames if f.name == "HEARTBEAT"]


def test_in_the_box_it_says_so_and_nothing_that_happens_there() -> None:
    board = boxed(Script().stand(3).hold(2).hold(2, 120).shake(2).hold(1, 175).stand(5)).run()
    assert not {frame.name for frame in board.radio.frames} & EVENTS
    assert set(powers(board)) == {BOX | CHARGING}


def test_it_tells_at_once_when_it_is_full_and_when_it_does_not_charge() -> None:
    board = boxed(Script().stand(30)).run(5 * S)
    board.charger, board.battery = False, 4180
    board.run(7 * S)
    assert powers(board)[-1] == BOX | FULL
    board.battery = 3900  # the charger gave up, and the cell is not full
    board.run(9 * S)
    assert powers(board)[-1] == BOX


def test_put_in_it_starts_over_once_and_keeps_its_zero() -> None:
    board = Board(Script().stand(3).hold(1).stand(20)).run(8 * S)
    before = dict(board.flash)
    board.box = True
    board.run(8_400_000)
    assert board.resets == 0  # contacts bounce
    board.run(12 * S)
    assert board.resets == 1
    assert "zero" in board.flash.keys() - before.keys()


def test_a_touch_of_the_contacts_is_not_a_box() -> None:
    board = Board(Script().stand(20)).run(5 * S)
    board.box = True
    board.run(5_300_000)
    board.box = False
    board.run()
    assert (board.resets, set(powers(board))) == (0, {0})


def test_taken_out_it_tells_at_once_that_it_is_and_then_what_it_does() -> None:
    board = boxed(Script().stand(5).hold(3).stand(5)).run(6 * S)
    board.box = board.charger = False
    board.run()
    beats = [f for f in board.radio.frames if f.name == "HEARTBEAT" and not f.fields.power]
    assert beats[0].time_us < 7_200_000  # one a second at most
    assert board.names() == ["LIFT", "SET", "STILL"]
    lift = board.events()[0][2]
    assert lift.at_us == 1000 * lift.blind_ms  # nobody knows what it did in the box


def converts(board: Board) -> bool:
    return bool(board.load_chip.registers[PU_CTRL])


def settled(**how: Any) -> Board:
    """Return a board that has been in its box for just over a minute."""
    board = boxed(Script().stand(400), **how).run(5 * S)
    board.now_us = 59 * S
    return board.run(62 * S)


def test_a_minute_after_it_was_put_in_it_sleeps_from_second_to_second() -> None:
    board = boxed(Script().stand(400), cold=False).run(5 * S)
    assert (board.stopper.sleeps, converts(board)) == (False, True)  # who comes by USB has time
    board.now_us = 59 * S
    board.run(62 * S)
    assert (board.stopper.sleeps, converts(board)) == (True, False)
    board.radio.frames.clear()
    steps = 0
    while board.now_us < 362 * S:
        board.now_us += 1000 * int(board.stopper.step())
        steps += 1
    assert steps < 400  # of which some wait for an answer
    beats = [frame.time_us for frame in board.radio.frames if frame.name == "HEARTBEAT"]
    assert len(beats) >= 30
    assert (board.slept, board.resets) == (0, 0)


def test_in_the_box_a_computer_keeps_it_awake() -> None:
    board = settled(usb=True)
    assert (board.stopper.sleeps, converts(board)) == (False, True)


def test_asleep_in_the_box_it_still_obeys_and_stays_awake_for_an_update() -> None:
    board = settled(disk=Disk(), slot="a", trial=False)
    board.radio.command("BLINK", blink_ms=300)
    lit = [board.run(board.now_us + S // 10).lit for _ in range(30)]
    assert 3 <= lit.count(True) <= 5
    board.radio.frames.clear()
    listed = {"kind": 0, "firmware": 0xFFFFFF, "size": 100, "hash": bytes(32)}
    board.radio.command("UPDATE_BEGIN", update=1, **listed)
    board.run(board.now_us + 2 * S)
    assert UPDATE_STATES[board.last("UPDATE").state] == "wants"
    assert not board.stopper.sleeps


def test_taken_out_it_weighs_again() -> None:
    board = settled()
    board.box = board.charger = False
    board.run(67 * S)
    assert converts(board)
    assert board.names() == ["STILL"]
    assert board.last("STILL").blind_ms > 60_000  # nobody knows what it did in the box


def test_a_box_that_gets_its_power_while_it_lies_down_keeps_it_awake() -> None:
    board = Board(Script().stand(400)).run(300 * S)
    while not board.stopper.lying:
        board.now_us += 1000 * int(board.stopper.step())
    board.box = True
    board.run(board.now_us + 2 * S)
    assert (board.slept, board.resets) == (0, 1)


def test_a_board_without_a_box_says_nothing_of_one() -> None:
    assert set(powers(Board(Script().stand(25)).run())) == {0}


def test_the_bits_are_those_of_the_wire() -> None:
    box = load("stopper.box")
    assert (box.BOX, box.CHARGING, box.FULL) == (BOX, CHARGING, FULL)
