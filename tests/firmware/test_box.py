"""The charging box: what a stopper says there, and what it keeps to itself."""

from __future__ import annotations

from typing import Any

from tests.firmware.bench import Board, Script
from tests.firmware.source import load

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


def test_put_in_it_begins_anew_once_and_keeps_its_zero() -> None:
    board = Board(Script().stand(3).hold(1).stand(20)).run(8 * S)
    before = dict(board.flash)
    board.box = True
    board.run(8_400_000)
    assert board.resets == 0  # contacts bounce
    board.run(12 * S)
    assert board.resets == 1
    assert "zero" in board.flash.keys() - before.keys()


def test_a_touch_of_the_contacts_is_no_box() -> None:
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


def test_in_the_box_it_never_sleeps() -> None:
    board = boxed(Script().stand(310)).run()
    assert (board.slept, board.stopper._lying, board.stopper.sleeps) == (0, 0, False)


def test_a_box_that_gets_its_power_while_it_lies_down_keeps_it_awake() -> None:
    board = Board(Script().stand(400)).run(300 * S)
    while not board.stopper._lying:
        board.now_us += 1000 * int(board.stopper.step())
    board.box = True
    board.run(board.now_us + 2 * S)
    assert (board.slept, board.resets) == (0, 1)


def test_a_board_without_a_box_says_nothing_of_one() -> None:
    assert set(powers(Board(Script().stand(25)).run())) == {0}


def test_the_bits_are_those_of_the_wire() -> None:
    box = load("stopper.box")
    assert (box.BOX, box.CHARGING, box.FULL) == (BOX, CHARGING, FULL)
